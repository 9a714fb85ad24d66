import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withoutAddresses } from './without-addresses.ts'

it('names nobody whom a mail server refuses', () => {
  const refusal = 'The mail server refuses the recipient: 550 5.1.1 <grace@guests.example>: unknown user'
  assert.equal(
    withoutAddresses(refusal),
    'The mail server refuses the recipient: 550 5.1.1 <<address>>: unknown user',
  )
  assert.equal(withoutAddresses('550 "grace hopper"@guests.example: no'), '550 <address>: no')
})
