import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nastyText } from '../../../test/nasty-text.ts'
import { quotedPrintable } from './quoted-printable.ts'

const qp = createRequire(import.meta.url)('nodemailer/lib/qp') as typeof import('nodemailer/lib/qp')

/** By the letter of RFC 2045, 6.7: soft breaks go, escapes become bytes. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

const anyText = fc
  .array(fc.oneof(nastyText, fc.constantFrom('=', ' ', '\t', 'ü', '☎', '.', 'x'.repeat(75), '\n')))
  .map((parts) =>
    parts
      .join('')
      .toWellFormed()
      .replaceAll(/\r\n?|\n/g, '\r\n'),
  )

describe('quotedPrintable', () => {
  it('can be decoded, in plain lines of at most 76 characters that end with no blank', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const encoded = quotedPrintable(text)
        assert.equal(decode(encoded), text)
        assert.doesNotMatch(encoded, /[^\t\r\n\x20-\x7e]|[\t ](?:\r\n|$)/)
        for (const line of encoded.split('\r\n')) assert.ok(line.length <= 76, line)
      }),
      { numRuns: 500 },
    )
  })

  it('escapes the same bytes as Nodemailer', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(quotedPrintable(text).replaceAll('=\r\n', ''), qp.encode(text))
      }),
    )
  })
})
