import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE } from '../interval.ts'
import { BOOKING_STATUSES } from './booking.ts'
import { cancelUntil, isActive, mayBecome, rescheduleUntil, unansweredUntil } from './states.ts'

const NOON = Date.UTC(2027, 0, 11, 12)

describe('the states of a booking', () => {
  it('allow these changes and no others', () => {
    const allowed = BOOKING_STATUSES.flatMap((from) =>
      BOOKING_STATUSES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    )
    assert.deepEqual(allowed.sort(), [
      'Completed → NoShow',
      'Confirmed → Cancelled',
      'Confirmed → Completed',
      'Confirmed → NoShow',
      'Expired → Confirmed',
      'Expired → PendingApproval',
      'PendingApproval → Cancelled',
      'PendingApproval → Confirmed',
      'PendingApproval → Declined',
      'PendingPayment → Cancelled',
      'PendingPayment → Confirmed',
      'PendingPayment → Expired',
      'PendingPayment → PendingApproval',
    ])
  })

  it('block time while the meeting can still take place', () => {
    const active = BOOKING_STATUSES.filter((status) => isActive({ status }))
    assert.deepEqual(active, ['PendingPayment', 'PendingApproval', 'Confirmed'])
  })
})

describe('a guest', () => {
  it('can cancel and reschedule until the event type’s cutoffs', () => {
    const booking = { startsAt: NOON }
    assert.equal(cancelUntil(booking, { cancelNoticeMinutes: 0 }), NOON)
    assert.equal(cancelUntil(booking, { cancelNoticeMinutes: 90 }), NOON - 90 * MINUTE)
    assert.equal(rescheduleUntil(booking, { rescheduleNoticeMinutes: 1440 }), NOON - DAY)
  })
})

describe('an unanswered request', () => {
  it('is declined an hour before its start', () => {
    assert.equal(unansweredUntil(NOON, NOON - 3 * DAY), NOON - HOUR)
    assert.equal(unansweredUntil(NOON, NOON - 2 * HOUR), NOON - HOUR)
  })

  it('gives the host half of the remaining time if it came late', () => {
    assert.equal(unansweredUntil(NOON, NOON - HOUR), NOON - 30 * MINUTE)
    assert.equal(unansweredUntil(NOON, NOON - 10 * MINUTE), NOON - 5 * MINUTE)
  })

  it('is always declined before it would start, and never before it was made', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * DAY }), (ahead) => {
        const until = unansweredUntil(NOON, NOON - ahead)
        assert.ok(until < NOON && until >= NOON - ahead)
      }),
    )
  })
})
