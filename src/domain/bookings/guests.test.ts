import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readGuests } from './guests.ts'

describe('readGuests', () => {
  const read = (given: readonly string[] | undefined, maxGuests = 2) =>
    readGuests(given, { maxGuests }, 'Grace@guests.example')

  it('drops repeats and the booker’s own address, whatever their case', () => {
    assert.deepEqual(read(['a@x.example', ' A@X.example ', 'grace@GUESTS.example', 'b@x.example']), [
      'a@x.example',
      'b@x.example',
    ])
    assert.deepEqual(read(undefined), [])
    assert.deepEqual(read([], 0), [])
  })

  it('refuses too many, and what is no address', () => {
    assert.throws(() => read(['a@x.example', 'b@x.example', 'c@x.example']), /at most 2 email addresses/)
    assert.throws(() => read(['a@x.example'], 0), /guests must be left out/)
    for (const text of ['', 'a', 'a@x.example\nBcc: b@x.example', 'A <a@x.example>']) {
      assert.throws(() => read([text]), /guests must be email addresses/, text)
    }
  })
})
