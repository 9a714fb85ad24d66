import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import fc from 'fast-check'
import PostalMime, { type Email } from 'postal-mime'
import { anyText } from '../../../test/nasty-text.ts'
import { type SmtpSink, startSmtpSink } from '../../../test/smtp-sink.ts'
import { fileMailer, type Mail, MailRefused, type SmtpMailer, smtpMailer } from './mail.ts'

const FROM = 'Punctual <mail@book.example>'

const plainMail = (given: Partial<Mail> = {}): Mail => ({
  to: 'grace@guests.example',
  subject: 'A subject',
  text: 'Some text.\n',
  html: '<p>Some text.</p>',
  ...given,
})

const calendar = (method: string) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', `METHOD:${method}`, 'X-WORD:Grüße 👋', 'END:VCALENDAR', ''].join('\r\n')

/** What a mail program would find: whole headers, both bodies, both copies of the invitation. */
function checkInvitation(mail: Email, raw: string, method: string): void {
  const unfolded = raw.replaceAll(/\r\n[ \t]/g, ' ')
  const types = [...unfolded.matchAll(/^Content-Type: (text\/calendar|application\/ics)[^\r]*/gim)]
  assert.equal(types.length, 2, unfolded)
  const [part] = types.filter(([, type]) => type?.toLowerCase() === 'text/calendar')
  assert.match(part?.[0] ?? '', /charset=utf-8/i)
  assert.match(part?.[0] ?? '', new RegExp(`method=${method}\\b`))
  // Alternatives come from the plainest to the richest; the last one understood is shown.
  const order = ['text/plain', 'text/html', 'text/calendar'].map((type) =>
    unfolded.indexOf(`Content-Type: ${type}`),
  )
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
  const copies = mail.attachments.filter(({ mimeType }) => /calendar|ics/.test(mimeType))
  assert.ok(copies.length > 0)
  for (const { content } of copies) {
    const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
    assert.equal(text.replaceAll('\r\n', '\n').trim(), calendar(method).replaceAll('\r\n', '\n').trim())
  }
  assert.ok(mail.attachments.some(({ filename }) => filename === 'invite.ics'))
}

describe('smtpMailer', () => {
  let sink: SmtpSink
  let mailer: SmtpMailer
  before(async () => {
    sink = await startSmtpSink()
    mailer = smtpMailer(sink.url, FROM)
  })
  afterEach(() => sink.accept())
  after(async () => {
    await mailer.close()
    await sink.close()
  })
  const deliver = async (given: Partial<Mail> = {}) => {
    await mailer.send(plainMail(given))
    const received = sink.received.at(-1)
    assert.ok(received)
    return received
  }

  it('delivers both bodies, from the address of the settings', async () => {
    const { mail, from, to } = await deliver({ text: 'Grüße, 世界\n', html: '<p>Grüße, 世界</p>' })
    assert.deepEqual([from, to], ['mail@book.example', 'grace@guests.example'])
    assert.equal(mail.subject, 'A subject')
    assert.equal(mail.text?.trim(), 'Grüße, 世界')
    assert.match(mail.html ?? '', /<p>Grüße, 世界<\/p>/)
    assert.deepEqual([mail.from?.name, mail.from?.address], ['Punctual', 'mail@book.example'])
  })

  it('keeps every line that begins with a dot', async () => {
    const text = '.\n..\n.hidden\n\n.\nquit\n'
    const { mail, raw } = await deliver({ text, html: `<pre>${text}</pre>` })
    assert.equal(mail.text?.trimEnd(), text.trimEnd())
    assert.match(mail.html ?? '', /<pre>\.\n\.\.\n\.hidden\n\n\.\nquit\n<\/pre>/)
    assert.match(raw.toString('latin1'), /--\r\n$/)
  })

  it('sets the sender’s name, the reply address, an id and other headers', async () => {
    const { mail } = await deliver({
      fromName: 'Ada "the" Host, Ltd. <x@y>',
      replyTo: [
        { name: 'Ada', address: 'ada@hosts.example' },
        { name: 'Bo, B.', address: 'bo@hosts.example' },
      ],
      messageId: '<change.recipient@book.example>',
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    assert.deepEqual(
      [mail.from?.name, mail.from?.address],
      ['Ada "the" Host, Ltd. <x@y>', 'mail@book.example'],
    )
    assert.deepEqual(
      mail.replyTo?.map(({ name, address }) => [name, address]),
      [
        ['Ada', 'ada@hosts.example'],
        ['Bo, B.', 'bo@hosts.example'],
      ],
    )
    assert.equal(mail.messageId, '<change.recipient@book.example>')
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
  })

  for (const method of ['REQUEST', 'CANCEL'] as const) {
    it(`has an invitation as a part of type text/calendar; method=${method}, and attached`, async () => {
      const { mail, raw } = await deliver({ invitation: { method, ics: calendar(method) } })
      checkInvitation(mail, raw.toString('latin1'), method)
      assert.equal(mail.text?.trim(), 'Some text.')
    })
  }

  it('sends many emails over few connections', async () => {
    const before = sink.connections().made
    const count = sink.received.length
    await Promise.all(Array.from({ length: 40 }, (_, n) => mailer.send(plainMail({ subject: `No. ${n}` }))))
    assert.equal(sink.received.length, count + 40)
    assert.ok(sink.connections().made - before <= 4, `${sink.connections().made - before} connections`)
  })

  it('tells permanent refusals from temporary failures', async () => {
    for (const code of [550, 551, 553, 554]) {
      sink.refuse('RCPT TO', code)
      await assert.rejects(mailer.send(plainMail()), MailRefused, String(code))
    }
    const passing: [Parameters<SmtpSink['refuse']>[0], number][] = [
      ['RCPT TO', 421],
      ['RCPT TO', 450],
      ['RCPT TO', 452],
      ['MAIL FROM', 451],
      // Our own sender is not welcome: that is a matter of settings.
      ['MAIL FROM', 550],
      ['DATA', 451],
    ]
    for (const [command, code] of passing) {
      sink.refuse(command, code)
      await assert.rejects(
        mailer.send(plainMail()),
        (error) => !(error instanceof MailRefused),
        `${command} ${code}`,
      )
    }
    sink.accept()
    await deliver()
  })

  it('fails temporarily without a server', async () => {
    // Not a port that was given back: a test beside this one may get it.
    const lost = smtpMailer('smtp://127.0.0.1:2', FROM)
    await assert.rejects(lost.send(plainMail()), (error) => !(error instanceof MailRefused))
    await lost.close()
  })

  it('closes its connections after emails in progress are sent', async () => {
    const other = smtpMailer(sink.url, FROM)
    const count = sink.received.length
    const sending = Promise.all(Array.from({ length: 6 }, () => other.send(plainMail())))
    await other.close()
    await sending
    assert.equal(sink.received.length, count + 6)
    await mailer.close()
    await sink.quiet()
    mailer = smtpMailer(sink.url, FROM)
  })

  it('lets no text break out of its header', async () => {
    const nasty = fc.oneof(
      anyText({ maxLength: 80 }),
      fc.constantFrom(
        'a\r\nBcc: victim@example.com',
        'a\n\nbody',
        '"quoted" <x@y.example>',
        '=?utf-8?q?x?=',
        '\u0000',
      ),
    )
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, async (subject, fromName, name) => {
        const { mail, to } = await deliver({
          subject,
          fromName,
          replyTo: [{ name, address: 'ada@hosts.example' }],
        })
        assert.equal(to, 'grace@guests.example')
        const keys = mail.headers.map(({ key }) => key)
        assert.ok(!keys.includes('bcc'), keys.join())
        assert.deepEqual(
          keys.filter((key) => !EXPECTED.has(key)),
          [],
        )
        assert.equal(mail.text?.trim(), 'Some text.')
        assert.deepEqual(
          mail.replyTo?.map(({ address }) => address),
          ['ada@hosts.example'],
        )
        assert.equal(mail.from?.address, 'mail@book.example')
      }),
      { numRuns: 60 },
    )
  })
})

const EXPECTED = new Set([
  'from',
  'to',
  'reply-to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
])

describe('fileMailer', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-mail-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('writes the same email into a file that only its owner can read, and logs that', async () => {
    const written: string[] = []
    const send = fileMailer(join(folder, 'mail'), FROM, (mail, path) => written.push(mail.to, path))
    const invitation = { method: 'REQUEST', ics: calendar('REQUEST') } as const
    await send(plainMail({ invitation, fromName: 'Ada', messageId: '<one@book.example>' }))
    const [name] = await readdir(join(folder, 'mail'))
    const path = join(folder, 'mail', name ?? '')
    assert.deepEqual(written, ['grace@guests.example', path])
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600)
    const raw = await readFile(path, 'latin1')
    const mail = await PostalMime.parse(raw)
    checkInvitation(mail, raw.replaceAll(/\r?\n/g, '\r\n'), 'REQUEST')
    assert.deepEqual([mail.from?.name, mail.messageId], ['Ada', '<one@book.example>'])
  })
})
