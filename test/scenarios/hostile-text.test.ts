import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import { Webhook as Verifier } from 'standardwebhooks'
import { MINUTE } from '../../src/domain/interval.ts'
import { isLine, isProse } from '../../src/domain/text.ts'
import { type SmtpMailer, smtpMailer } from '../../src/outside/mail/mail.ts'
import { createWebhookSender, type WebhookSender } from '../../src/outside/webhooks/webhook.ts'
import { HANDLERS } from '../../src/worker/handlers.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { onEveryDatabase } from '../databases.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew } from '../kit.ts'
import { nastyText } from '../nasty-text.ts'
import { alwaysOpen, FUTURE_MIDNIGHT } from '../server-process.ts'
import { type ReceivedMail, type SmtpSink, startSmtpSink } from '../smtp-sink.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

// Guests' text goes over HTTP into the database, and from there into emails, invitations and webhooks, all over
// real sockets. Parsers that are not ours read it back.

const CASES = 36

interface Typed {
  readonly inviteeName: string
  readonly inviteeNotes: string
  readonly customFields: Readonly<Record<string, string>>
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()

/** What validation accepts: lines, prose, and for an unknown question anything that a database can hold. */
const line = nastyText.map((text) => cut([...text.toWellFormed()].filter(isLine).join(''), 190).trim() || 'x')
const prose = nastyText.map((text) => cut([...text.toWellFormed()].filter(isProse).join(''), 1900))
const anything = nastyText.map((text) => cut(text.toWellFormed().replaceAll('\0', ''), 1900))

const typed: fc.Arbitrary<Typed> = fc.record(
  {
    inviteeName: line,
    inviteeNotes: prose,
    customFields: fc.record({ goal: prose, 'ke"y<b>': anything }, { noNullPrototype: true }),
  },
  { noNullPrototype: true },
)

const PLAIN: Typed = { inviteeName: 'x', inviteeNotes: 'x', customFields: { goal: 'x', 'ke"y<b>': 'x' } }

onEveryDatabase('hostile text from guests', ({ db }) => {
  let sink: SmtpSink
  let receiver: WebhookReceiver
  let mailer: SmtpMailer
  let sender: WebhookSender
  before(async () => {
    sink = await startSmtpSink()
    receiver = await startWebhookReceiver()
    mailer = smtpMailer(sink.url, 'Punctual <bookings@book.example.com>')
    sender = createWebhookSender({ allowPrivate: true })
  })
  after(async () => {
    sender.close()
    await mailer.close()
    await receiver.close()
    await sink.close()
  })

  it('arrives unchanged, and breaks nothing on its way', { timeout: 300_000 }, async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`seed ${seed}`)
    const { app, context: quiet } = await appOn(db(), { webhooks: sender })
    t.after(() => app.close())
    const context = { ...quiet, mailer: mailer.send }
    const ada = await addUser(db(), 'ada', alwaysOpen)
    const eventType = await addEventType(db(), ada, {
      durationMinutes: 15,
      reminderMinutes: [],
      questions: [{ key: 'goal', label: 'Goal', type: 'textarea', required: false, options: [] }],
    })
    const { secret } = await addWebhook(db(), ada, { url: receiver.url })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo

    const sent = new Map<string, Typed>()
    const book = async (given: Typed) => {
      const body = bookingOf(eventType, FUTURE_MIDNIGHT + sent.size * 15 * MINUTE, { ...given })
      const answer = await fetch(
        `http://127.0.0.1:${port}/api/public/scheduling/ada/${eventType.slug}/book`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...fromSomeoneNew() },
          body: JSON.stringify(body),
        },
      )
      assert.equal(answer.status, 201, `${await answer.text()} for ${JSON.stringify(given)}`)
      sent.set(body.inviteeEmail, given)
      return body.inviteeEmail
    }
    const plainGuest = await book(PLAIN)
    for (const given of fc.sample(typed, { seed, numRuns: CASES })) await book(given)

    const worker = startWorker(context, { handlers: HANDLERS })
    try {
      while (await db().selectFrom('outbox').select('id').where('failed_at', 'is', null).executeTakeFirst())
        await sleep(20)
    } finally {
      await worker.stop()
    }
    assert.deepEqual(await db().selectFrom('outbox').selectAll().execute(), [])

    const verifier = new Verifier(secret)
    assert.equal(receiver.received.length, sent.size)
    for (const { body, headers } of receiver.received) {
      verifier.verify(body, headers)
      const { data } = JSON.parse(body)
      const given = sent.get(data.invitee.email)
      assert.deepEqual(
        { inviteeName: data.invitee.name, inviteeNotes: data.notes, customFields: data.customFields },
        given,
      )
    }

    assert.equal(sink.received.length, 2 * sent.size)
    const guestOf = ({ to, mail }: ReceivedMail) => (sent.has(to) ? to : String(mail.replyTo?.[0]?.address))
    const readerOf = ({ to }: ReceivedMail) => (sent.has(to) ? 'guest' : 'host')
    for (const reader of ['guest', 'host'] as const) {
      const mails = sink.received.filter((received) => readerOf(received) === reader)
      assert.deepEqual(mails.map(guestOf).sort(), [...sent.keys()].sort())
      const plain = mails.find((received) => guestOf(received) === plainGuest) as ReceivedMail
      for (const received of mails) {
        assertSameHead(received, plain)
        assertSamePage(received, plain)
        assertSameEntry(received, plain)
      }
    }
  })
})

/** The same headers, each once, and no other recipient. */
function assertSameHead({ raw, mail, to }: ReceivedMail, plain: ReceivedMail): void {
  const keys = ({ mail: { headers } }: Pick<ReceivedMail, 'mail'>) => headers.map(({ key }) => key).sort()
  assert.deepEqual(keys({ mail }), keys(plain))
  assert.deepEqual(
    mail.to?.map((mailbox) => mailbox.address),
    [to],
  )
  assert.deepEqual([mail.cc, mail.bcc], [undefined, undefined])
  assert.equal(mail.from?.address, 'bookings@book.example.com')
  assert.ok(mail.subject !== undefined && isLine(mail.subject), mail.subject ?? 'no subject')
  // Nothing but what may be in a head: no bare line ends, no bytes that need another protocol.
  const head = raw.toString('latin1').split('\r\n\r\n', 1)[0] as string
  assert.match(head.replaceAll('\r\n', ''), /^[\t\x20-\x7e]*$/)
  for (const row of head.split('\r\n')) assert.ok(row.length <= 998)
}

/** The elements of a page in their order, and its addresses. */
function readPage(html: string) {
  const problems: string[] = []
  const elements: string[] = []
  const links: string[] = []
  const visit = (node: DefaultTreeAdapterTypes.ChildNode) => {
    if (tree.isCommentNode(node)) elements.push('a comment')
    if (!tree.isElementNode(node)) return
    elements.push(node.tagName)
    for (const { name, value } of node.attrs) {
      assert.ok(!name.startsWith('on'), name)
      if (name === 'href' || name === 'src') links.push(new URL(value).protocol)
    }
    node.childNodes.forEach(visit)
  }
  parse(html, { onParseError: ({ code }) => problems.push(code) }).childNodes.forEach(visit)
  return { problems, elements, links }
}

/** Of what may differ, only how many rows and lines there are. */
function assertSamePage({ mail }: ReceivedMail, plain: ReceivedMail): void {
  const page = readPage(mail.html ?? '')
  const allowed = readPage(plain.mail.html ?? '')
  const fixed = (tags: readonly string[]) =>
    tags.filter((tag) => !['br', 'tr', 'th', 'td', 'div'].includes(tag))
  assert.deepEqual(page.problems, [])
  assert.ok(page.elements.length > 10)
  assert.deepEqual(fixed(page.elements), fixed(allowed.elements))
  assert.deepEqual(page.links, allowed.links)
}

/** One meeting with the same properties, and only guest and host invited. */
function assertSameEntry({ mail }: ReceivedMail, plain: ReceivedMail): void {
  const read = ({ attachments }: ReceivedMail['mail']) => {
    const ics = attachments.find(({ mimeType }) => mimeType === 'text/calendar')
    assert.ok(ics)
    const content = typeof ics.content === 'string' ? ics.content : new TextDecoder().decode(ics.content)
    const calendar = new ICAL.Component(ICAL.parse(content))
    const [event, ...others] = calendar.getAllSubcomponents()
    assert.deepEqual([event?.name, others], ['vevent', []])
    return (event as ICAL.Component).getAllProperties().map(({ name }) => name)
  }
  assert.deepEqual(read(mail), read(plain.mail))
}
