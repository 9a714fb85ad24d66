import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeError, withoutAddresses } from './log.ts'

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

it('names nobody whom a mail server refuses', () => {
  const refusal = 'The mail server refuses the recipient: 550 5.1.1 <grace@guests.example>: unknown user'
  assert.equal(
    withoutAddresses(refusal),
    'The mail server refuses the recipient: 550 5.1.1 <<address>>: unknown user',
  )
})
