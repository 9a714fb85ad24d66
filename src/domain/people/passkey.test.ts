import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatRecoveryCode, passkeysWorkAt, readRecoveryCode } from './passkey.ts'

describe('passkeysWorkAt', () => {
  for (const url of ['https://book.example.com', 'https://intranet/base', 'http://localhost:3000']) {
    it(`says yes to ${url}`, () => assert.equal(passkeysWorkAt(url), true))
  }
  for (const url of [
    'http://book.example.com',
    'https://192.0.2.1',
    'http://127.0.0.1:3000',
    'https://[2001:db8::1]',
    'http://notlocalhost',
  ]) {
    it(`says no to ${url}`, () => assert.equal(passkeysWorkAt(url), false))
  }
})

describe('a recovery code', () => {
  const bytes = Uint8Array.from([0, 68, 50, 20, 199, 66, 84, 182, 53, 207])

  it('has four groups of four characters, one for every five bits', () => {
    assert.equal(formatRecoveryCode(bytes), '0123-4567-89AB-CDEF')
    assert.equal(formatRecoveryCode(new Uint8Array(10).fill(255)), 'ZZZZ-ZZZZ-ZZZZ-ZZZZ')
  })

  it('is read however it is typed', () => {
    for (const typed of [
      '0123-4567-89AB-CDEF',
      ' o123 4567 89ab cdef ',
      'OI23.4567–89ab.cdef',
      'ol23456789abcdef',
    ]) {
      assert.equal(readRecoveryCode(typed), '0123-4567-89AB-CDEF', typed)
    }
  })
})
