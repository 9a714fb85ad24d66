import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY } from '../interval.ts'
import { Problem } from '../problem.ts'
import { checkAbsence } from './absence.ts'

const START = Date.UTC(2027, 0, 1)

const refused = (startsAt: number, endsAt: number, reason: RegExp, note = '') =>
  assert.throws(
    () => checkAbsence({ startsAt, endsAt, note }),
    (error) => error instanceof Problem && error.code === 'invalid' && reason.test(error.message),
  )

describe('checkAbsence', () => {
  it('accepts spans of up to 400 days', () => {
    checkAbsence({ startsAt: START, endsAt: START + 1000, note: '' })
    checkAbsence({ startsAt: START, endsAt: START + 400 * DAY, note: 'Round the world\nand back' })
    refused(START, START + 400 * DAY + 1000, /400 days/)
  })

  it('refuses a span that does not end after it starts', () => {
    refused(START, START, /endTime must be after the start/)
    refused(START, START - 1000, /endTime must be after the start/)
  })

  it('refuses years out of range', () => {
    refused(-1000, 1000, /1970/)
    refused(Date.UTC(9999, 11, 31), Date.UTC(10_000, 0), /9999/)
  })

  it('refuses notes that could not be stored or shown', () => {
    for (const note of ['nul\u0000', 'bell\u0007', 'half \ud83d']) refused(START, START + DAY, /note/, note)
  })
})
