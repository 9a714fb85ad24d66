import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { nastyText } from '../../../test/nasty-text.ts'
import { printableProse } from '../../format/text/printable.ts'
import { type Mail, writeMessage } from './message.ts'

const FROM = { name: 'Punctual', address: 'mail@book.example' }

const plainMail = (given: Partial<Mail> = {}): Mail => ({
  to: 'grace@guests.example',
  subject: 'A subject',
  text: 'Some text.\n',
  html: '<p>Some text.</p>',
  ...given,
})

/** Neither line breaks nor the end of the last line are kept to the letter. */
const levelled = (text: string | undefined) => text?.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '')

describe('writeMessage', () => {
  it('keeps every text', async () => {
    const anyText = nastyText.map((text) => `|${printableProse(text)}|`)
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyText, fc.boolean(), async (text, html, ics, invites) => {
        const invitation = invites ? { invitation: { method: 'REQUEST' as const, ics } } : {}
        const { raw } = writeMessage(plainMail({ text, html, ...invitation }), FROM)
        const mail = await PostalMime.parse(raw)
        assert.equal(levelled(mail.text), levelled(text))
        assert.equal(levelled(mail.html), levelled(html))
        const copies = mail.attachments.map(({ content }) =>
          levelled(Buffer.from(content as ArrayBuffer).toString()),
        )
        assert.deepEqual(copies, invites ? [levelled(ics), levelled(ics)] : [])
      }),
      { numRuns: 200 },
    )
  })

  it('has no line that is too long, and ends each with CRLF', () => {
    const long = `${'word '.repeat(400)}${'x'.repeat(2000)}${'ü'.repeat(500)}`
    const { raw } = writeMessage(
      plainMail({ text: long, html: `<p>${long}</p>\n`, invitation: { method: 'REQUEST', ics: long } }),
      FROM,
    )
    const message = raw.toString('latin1')
    assert.doesNotMatch(message, /(?<!\r)\n|\r(?!\n)|[^\s\x20-\x7e]/)
    for (const line of message.split('\r\n')) assert.ok(line.length <= 76, line)
  })

  it('gives each email unique boundaries that no text can predict', () => {
    const boundaryOf = () =>
      /boundary="?([^";\s]+)/.exec(writeMessage(plainMail(), FROM).raw.toString('latin1'))?.[1]
    assert.notEqual(boundaryOf(), boundaryOf())
  })

  it('names sender and recipient as a mail server wants them', () => {
    const { envelope } = writeMessage(plainMail({ to: 'grace@bücher.example' }), FROM)
    assert.deepEqual(envelope, { from: 'mail@book.example', to: ['grace@xn--bcher-kva.example'] })
  })
})
