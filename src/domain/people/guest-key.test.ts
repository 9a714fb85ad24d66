import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestKey } from './guest-key.ts'

describe('guestKey', () => {
  it('is the same for all tags and spellings of an address', () => {
    for (const email of [
      'grace@example.com',
      'Grace@Example.com ',
      'grace+1@example.com',
      'grace+a+b@EXAMPLE.com',
    ]) {
      assert.equal(guestKey(email), 'grace@example.com')
    }
    assert.equal(guestKey('+49@example.com'), '+49@example.com')
    assert.notEqual(guestKey('grace@example.org'), guestKey('grace@example.com'))
  })
})
