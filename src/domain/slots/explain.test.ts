import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compiled, findOffered } from '../../../test/openings.ts'
import { DAY, HOUR, MINUTE } from '../interval.ts'
import { say } from '../sentence.ts'
import { explainStart } from './explain.ts'
import type { HostAvailability } from './openings.ts'
import type { SlotRules } from './rules.ts'

const MONDAY = Date.UTC(2027, 0, 11)
const range = (opens: string, closes: string) => [{ opens, closes }]

const claims = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 60 }),
      length: fc.constantFrom(30, 60),
      buffer: fc.constantFrom(0, 15),
      own: fc.boolean(),
      seatsTaken: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 6 },
  )
  .map((specs) => {
    // One after another, so that no two overlap, as the store guarantees.
    let free = 0
    return specs
      .sort((a, b) => a.at - b.at)
      .map((spec, i) => {
        const startsAt = MONDAY + 8 * HOUR + Math.max(free, spec.at * 15 * MINUTE)
        free = startsAt - MONDAY - 8 * HOUR + spec.length * MINUTE
        return {
          meetingId: `m${i}`,
          eventTypeId: spec.own ? 'own' : 'other',
          startsAt,
          endsAt: startsAt + spec.length * MINUTE,
          bufferBefore: spec.buffer * MINUTE,
          bufferAfter: spec.buffer * MINUTE,
          seatsTaken: spec.seatsTaken,
        }
      })
  })

const host: fc.Arbitrary<HostAvailability> = fc.record({
  hostId: fc.uuid(),
  schedule: fc
    .record({
      timeZone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
      weekly: fc.constantFrom(
        { 1: range('09:00', '17:00'), 2: range('09:00', '12:00') },
        { 1: range('00:00', '24:00'), 2: range('00:00', '24:00') },
      ),
      overrides: fc.constantFrom({}, { '2027-01-12': [] }),
    })
    .map(compiled),
  claims,
  absences: fc.constantFrom([], [{ start: MONDAY + 10 * HOUR, end: MONDAY + 11 * HOUR }]),
  busyTimes: fc.constantFrom([], [{ start: MONDAY + 14 * HOUR, end: MONDAY + 15 * HOUR }]),
})

const rules: fc.Arbitrary<SlotRules> = fc.record({
  eventTypeId: fc.constant('own'),
  duration: fc.constantFrom(30 * MINUTE, 60 * MINUTE),
  step: fc.constantFrom(15 * MINUTE, 30 * MINUTE, 45 * MINUTE),
  bufferBefore: fc.constantFrom(0, 10 * MINUTE),
  bufferAfter: fc.constantFrom(0, 10 * MINUTE),
  notice: fc.constantFrom(0, 2 * HOUR),
  window: fc.constantFrom(
    { kind: 'rolling' as const, days: 0 },
    { kind: 'rolling' as const, days: 1, businessDays: true },
    { kind: 'rolling' as const, days: 30 },
    { kind: 'fixed' as const, from: '2027-01-12', to: '2027-01-12' },
    { kind: 'unlimited' as const },
  ),
  limits: fc.record({
    day: fc.constantFrom(null, 1, 2),
    week: fc.constantFrom(null, 2),
    month: fc.constantFrom(null, 3),
    year: fc.constantFrom(null, 4),
  }),
  limitMinutes: fc.record({
    day: fc.constantFrom(null, 60, 90),
    week: fc.constantFrom(null, 120),
    month: fc.constantFrom(null, 150),
    year: fc.constantFrom(null, 180),
  }),
  seats: fc.constantFrom(1, 3),
})

describe('explainStart', () => {
  it('finds a reason exactly if the start is not available', () => {
    fc.assert(
      fc.property(
        rules,
        fc.array(host, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: -4, max: 2 * 24 * 12 }),
        fc.integer({ min: 0, max: 24 }),
        (given, hosts, fiveMinutes, hour) => {
          const start = MONDAY + fiveMinutes * 5 * MINUTE
          const now = MONDAY - DAY + hour * 2 * HOUR
          const available = findOffered(given, [hosts], now, { start, end: start + 1 }).starts.length > 0
          const reasons = explainStart(given, hosts, now, start)
          assert.equal(reasons.length === 0, available, reasons.map((reason) => say(reason)).join(' '))
        },
      ),
      { numRuns: 3000 },
    )
  })
})
