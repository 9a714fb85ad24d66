import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstOpening, guessSettings } from './calendly-guesses.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Monday, noon in London. */
const now = Date.UTC(2030, 0, 7, 12)

const observed = {
  now,
  offered: [{ startsAt: now + 21 * HOUR, remaining: 1 }],
  until: now + 124 * DAY,
  opensAt: undefined as number | undefined,
  isGroup: false,
  meetings: new Map<string, number>(),
  timeZone: 'Europe/London',
}

describe('guessSettings', () => {
  it('guesses nothing where nothing is offered', () => {
    assert.deepEqual(guessSettings({ ...observed, offered: [] }), {})
  })

  it('takes the usual notice for the most, unless the host has hours before the first time', () => {
    const noticeOf = (opensAt: number | undefined) =>
      guessSettings({ ...observed, opensAt }).minimumBookingNotice
    assert.equal(noticeOf(undefined), 240)
    assert.equal(noticeOf(now + 21 * HOUR), 240)
    assert.equal(noticeOf(now), 720)
  })

  it('sees no limit in days that are full for other reasons', () => {
    const offered = [1, 2, 6, 7].map((days) => ({ startsAt: now + days * DAY, remaining: 1 }))
    const limitOf = (meetings: Record<string, number>) =>
      guessSettings({ ...observed, offered, meetings: new Map(Object.entries(meetings)) }).bookingLimits
    assert.deepEqual(limitOf({ '2030-01-10': 2, '2030-01-11': 2 }), { PER_DAY: 2 })
    assert.equal(limitOf({ '2030-01-10': 2 }), undefined)
    assert.equal(limitOf({ '2030-01-10': 2, '2030-01-11': 3 }), undefined)
    assert.equal(limitOf({ '2030-01-10': 2, '2030-01-11': 2, '2030-01-13': 2 }), undefined)
    assert.equal(limitOf({ '2030-01-10': 1, '2030-01-11': 1 }), undefined)
  })
})

describe('firstOpening', () => {
  const rules = [
    { type: 'wday', wday: 'monday', intervals: [{ from: '09:00', to: '17:00' }] },
    { type: 'wday', wday: 'tuesday', intervals: [{ from: '09:00', to: '17:00' }] },
    { type: 'date', date: '2030-01-08', intervals: [] },
  ]

  it('is now within hours, and otherwise when they begin, dates before weekdays', () => {
    const at = (instant: number) => firstOpening({ rules, timezone: 'Europe/London' }, instant)
    assert.equal(at(now), now)
    assert.equal(at(now - 6 * HOUR), now - 3 * HOUR)
    assert.equal(at(now + 6 * HOUR), now + 7 * DAY - 3 * HOUR)
  })

  it('is unknown where hours cannot be read', () => {
    assert.equal(firstOpening({ rules: 'none' }, now), undefined)
    assert.equal(firstOpening({ rules, timezone: 'Mars/Olympus' }, now), undefined)
  })
})
