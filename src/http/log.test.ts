import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeError } from './log.ts'

it('says what failed, and nothing of the row that a database quotes', () => {
  const error = Object.assign(new Error('new row violates check constraint'), {
    code: '23514',
    constraint: 'bookings_capacity',
    table: 'bookings',
    detail: 'Failing row contains (Grace Guest, grace@guests.example).',
    where: 'grace@guests.example',
  })
  const said = describeError(error)
  assert.equal(said.message, error.message)
  assert.equal(said.constraint, 'bookings_capacity')
  assert.doesNotMatch(JSON.stringify(said), /Grace|guests\.example/)
})
