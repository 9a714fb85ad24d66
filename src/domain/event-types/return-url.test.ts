import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../problem.ts'
import { checkReturnUrl, returnAddress } from './return-url.ts'

describe('a return address', () => {
  it('is an https address without credentials, or empty', () => {
    for (const url of ['', 'https://example.com/thanks?from=booking#top', 'HTTPS://example.com']) {
      checkReturnUrl(url)
    }
    for (const url of [
      'http://example.com',
      'example.com',
      '/thanks',
      'javascript:alert(1)',
      'https://',
      'https://ada@example.com',
      'https://ada:secret@example.com',
      'https://:secret@example.com',
      'https://example.com/a\nb',
      `https://example.com/${'a'.repeat(2000)}`,
    ]) {
      assert.throws(
        () => checkReturnUrl(url),
        (error: unknown) => error instanceof Problem && error.field === 'returnUrl',
        url,
      )
    }
  })

  it('tells which booking was made and its status, and keeps the rest', () => {
    const booking = { id: '42', status: 'PendingApproval' }
    assert.equal(
      returnAddress('https://example.com/thanks?from=a%20b&status=old#top', booking),
      'https://example.com/thanks?from=a+b&status=PendingApproval&bookingId=42#top',
    )
  })
})
