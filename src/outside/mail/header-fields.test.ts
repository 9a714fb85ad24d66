import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import MimeNode from 'nodemailer/lib/mime-node'
import { nastyText } from '../../../test/nasty-text.ts'
import { encodeMailbox, encodeText, headerField, parseMailbox, wireAddress } from './header-fields.ts'

/** Texts as people write them, and texts that try to break out. */
const text = fc.oneof(
  nastyText,
  fc.string({ unit: fc.constantFrom(...'aZ9 ._-+"\'\\@<>(),;:=?&ü') }),
  fc.stringMatching(/^[a-z]{1,20}( [a-z]{1,60}){0,5}$/),
)
const localPart = fc.oneof(
  fc.stringMatching(/^[\w.+-]{1,12}$/),
  fc.string({ unit: fc.constantFrom(...'aB1._-+"ü @') }),
)
const domain = fc.oneof(
  fc.domain(),
  fc.stringMatching(/^[a-zA-Z\d.-]{1,20}$/),
  fc.constantFrom(
    'bücher.example',
    'xn--bcher-kva.example',
    '127.0.0.1',
    '1.2',
    '[127.0.0.1]',
    'localhost',
    'A.Example',
  ),
)
const address = fc.oneof(
  fc.tuple(localPart, domain).map((parts) => parts.join('@')),
  text,
)

/** A head as Nodemailer builds it. */
function headOf(name: string, value: unknown): string {
  const node = new MimeNode('text/plain')
  node.setHeader(name, value as string)
  return `${node.buildHeaders()}\r\n`
}

describe('header fields', () => {
  it('are as Nodemailer writes texts', () => {
    fc.assert(
      fc.property(text, (subject) => {
        fc.pre(subject.trim() !== '')
        assert.ok(headOf('Subject', subject).includes(`${headerField('Subject', encodeText(subject))}\r\n`))
      }),
      { numRuns: 1000 },
    )
  })

  it('are as Nodemailer writes addresses, and so is the address for the server', () => {
    fc.assert(
      fc.property(text, address, (name, mailbox) => {
        // Without anything that an address may have, Nodemailer leaves the field out.
        fc.pre(/[\p{L}\p{N}]/u.test(mailbox))
        const field = headerField('Reply-To', encodeMailbox({ name, address: mailbox }))
        assert.ok(headOf('Reply-To', { name, address: mailbox }).includes(`${field}\r\n`))
        const node = new MimeNode('text/plain')
        node.setHeader('To', { name: '', address: mailbox } as never)
        assert.deepEqual([wireAddress(mailbox)], node.getEnvelope().to)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads the sender that an operator has set', () => {
    assert.deepEqual(parseMailbox('Punctual <mail@book.example>'), {
      name: 'Punctual',
      address: 'mail@book.example',
    })
    assert.deepEqual(parseMailbox('mail@book.example'), { name: '', address: 'mail@book.example' })
    assert.deepEqual(parseMailbox('"Bücher, Ltd." <mail@bücher.example>').name, 'Bücher, Ltd.')
  })
})
