import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { weekdaysFrom, weekOf } from './dates.ts'

describe('a week', () => {
  it('has seven days from any of them', () => {
    assert.deepEqual(weekdaysFrom(1), [1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(weekdaysFrom(7), [7, 1, 2, 3, 4, 5, 6])
  })
  it('begins on the first day at or before a date', () => {
    // A Sunday.
    assert.equal(weekOf('2027-03-28', 1), '2027-03-22')
    assert.equal(weekOf('2027-03-28', 7), '2027-03-28')
    assert.equal(weekOf('2027-03-28', 6), '2027-03-27')
    assert.equal(weekOf('2027-01-01', 1), '2026-12-28')
  })
})
