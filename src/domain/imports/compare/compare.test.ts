import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compiled, zones } from '../../../../test/openings.ts'
import { DAY, HOUR, MINUTE } from '../../interval.ts'
import { findOpenings, startsOf } from '../../slots/openings.ts'
import { countGainedAndLost, explainDifferences } from './differences.ts'
import { DIFFERING_RULES, type TheirEvent, type TheirHost, theirStarts } from './their-slots.ts'

/** A Monday, midnight UTC. */
const MONDAY = Date.UTC(2027, 0, 11)
const UTC = zones.get('UTC')
const NEW_YORK = zones.get('America/New_York')
const NO_LIMITS = { day: null, week: null, month: null, year: null }
const asked = { now: MONDAY - DAY, zone: UTC, span: { start: MONDAY, end: MONDAY + DAY } }

const host = (given: Partial<TheirHost> = {}): TheirHost => ({
  id: '1',
  zone: UTC,
  hours: [{ days: [1, 2, 3, 4, 5], opens: 540, closes: 720 }],
  overrides: [],
  daysOff: [],
  bookings: [],
  fixed: true,
  ...given,
})

const event = (given: Partial<TheirEvent> = {}): TheirEvent => ({
  id: '7',
  duration: 30 * MINUTE,
  interval: 30 * MINUTE,
  offset: 0,
  bufferBefore: 0,
  bufferAfter: 0,
  notice: 0,
  window: { kind: 'unlimited' },
  limits: NO_LIMITS,
  limitMinutes: NO_LIMITS,
  seats: null,
  zone: UTC,
  hosts: [host()],
  firstOnly: false,
  optimized: false,
  ...given,
})

const booking = (start: number, end: number, given: object = {}) => ({
  id: '1',
  start,
  end,
  eventType: '7',
  host: '1',
  bufferBefore: 0,
  bufferAfter: 0,
  seatsLeft: null,
  ...given,
})

const clock = (starts: readonly number[]) => starts.map((at) => new Date(at).toISOString().slice(11, 16))
const hoursOf = (given: Partial<TheirEvent>, more: Partial<typeof asked> = {}) =>
  clock(theirStarts(event(given), { ...asked, ...more }))

const nothingSince = { bookedHere: [], busyHere: [], cancelledHere: [] }

describe('slots as Cal.com computes them', () => {
  const cases: readonly (readonly [string, Partial<TheirEvent>, readonly string[]])[] = [
    ['follow the hours', { interval: HOUR }, ['09:00', '10:00', '11:00']],
    [
      'add buffers up between neighbours',
      {
        bufferBefore: 15 * MINUTE,
        bufferAfter: 15 * MINUTE,
        hosts: [
          host({
            bookings: [
              booking(MONDAY + 10 * HOUR, MONDAY + 10.5 * HOUR, {
                bufferBefore: 15 * MINUTE,
                bufferAfter: 15 * MINUTE,
              }),
            ],
          }),
        ],
      },
      ['09:00', '11:00', '11:30'],
    ],
    [
      'begin again after a meeting, at a round time',
      {
        duration: 45 * MINUTE,
        interval: 45 * MINUTE,
        hosts: [host({ bookings: [booking(MONDAY + 9 * HOUR, MONDAY + 9 * HOUR + 20 * MINUTE)] })],
      },
      ['09:30', '10:15', '11:00'],
    ],
    ['are moved by an offset', { interval: HOUR, offset: 10 * MINUTE }, ['09:10', '10:20', '11:30']],
    ['are the first of a day alone where that is wanted', { firstOnly: true }, ['09:00']],
    [
      'are nobody’s on a day off',
      { hosts: [host({ daysOff: [{ first: MONDAY / DAY, last: MONDAY / DAY }] })] },
      [],
    ],
    [
      'are those of an override',
      { hosts: [host({ overrides: [{ day: MONDAY / DAY, opens: 1380, closes: 1439 }] })] },
      ['23:00', '23:30'],
    ],
    [
      'need all hosts, or any',
      {
        interval: HOUR,
        hosts: [
          host({ fixed: false, bookings: [booking(MONDAY + 9 * HOUR, MONDAY + 12 * HOUR)] }),
          host({ id: '2', fixed: false }),
        ],
      },
      ['09:00', '10:00', '11:00'],
    ],
    [
      'end at a limit, whose weeks begin on Sunday',
      {
        limits: { ...NO_LIMITS, week: 1 },
        hosts: [host({ bookings: [booking(MONDAY - DAY + 9 * HOUR, MONDAY - DAY + 10 * HOUR)] })],
      },
      [],
    ],
    [
      'are within its dates, which are midnights in UTC',
      { zone: NEW_YORK, window: { kind: 'range', from: MONDAY - 9 * DAY, to: MONDAY } },
      ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'],
    ],
    [
      'are within its dates there, in older rows',
      { zone: NEW_YORK, window: { kind: 'range', from: MONDAY - 9 * DAY, to: MONDAY + HOUR } },
      [],
    ],
  ]
  for (const [name, given, expected] of cases) {
    it(name, () => assert.deepEqual(hoursOf(given), expected))
  }

  it('lose the day on which a clock changes at midnight', () => {
    const friday = Date.UTC(2026, 3, 24)
    const hosts = [host({ zone: zones.get('Africa/Cairo'), hours: [{ days: [5], opens: 540, closes: 720 }] })]
    const day = { now: friday - 9 * DAY, zone: UTC, span: { start: friday, end: friday + DAY } }
    assert.deepEqual(theirStarts(event({ hosts }), day), [])
    assert.equal(theirStarts(event({ hosts }), day, new Set(['clock-change'])).length, 6)
  })
})

const half = (most: number) => fc.integer({ min: 0, max: most }).map((n) => n * 15 * MINUTE)
const simple = fc.record({
  duration: fc.constantFrom(15, 30, 45, 60, 90).map((n) => n * MINUTE),
  interval: fc.constantFrom(15, 20, 30, 45, 60).map((n) => n * MINUTE),
  bufferBefore: half(2),
  bufferAfter: half(2),
  notice: half(96),
  opens: fc.integer({ min: 0, max: 80 }).map((n) => n * 5),
  closes: fc.integer({ min: 90, max: 140 }).map((n) => n * 10),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'),
  day: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  week: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  rolling: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
  off: fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }),
  booked: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 7 * 24 * 4 }), before: half(2), after: half(2) }),
    {
      maxLength: 5,
    },
  ),
})

describe('their slots and ours', () => {
  const week = {
    now: MONDAY - HOUR,
    zone: zones.get('Asia/Tokyo'),
    span: { start: MONDAY, end: MONDAY + 7 * DAY },
  }

  it('agree where their rules are ours, and every difference of the others is explained', () => {
    fc.assert(
      fc.property(simple, (given) => {
        const zone = zones.get(given.zone)
        const bookings = given.booked.map(({ at, before, after }, index) =>
          booking(MONDAY + at * 15 * MINUTE, MONDAY + at * 15 * MINUTE + given.duration, {
            id: String(index),
            bufferBefore: before,
            bufferAfter: after,
          }),
        )
        const daysOff =
          given.off === null ? [] : [MONDAY / DAY + given.off].map((day) => ({ first: day, last: day }))
        const hours = [{ days: [1, 2, 3, 4, 5], opens: given.opens, closes: given.closes }]
        const limits = { ...NO_LIMITS, day: given.day, week: given.week }
        const rolling = { kind: 'rolling', days: given.rolling ?? 0, businessDays: false } as const
        const window = given.rolling === null ? ({ kind: 'unlimited' } as const) : rolling
        const there = event({
          ...given,
          zone,
          limits,
          window,
          hosts: [host({ zone, hours, bookings, daysOff })],
        })
        const wall = (minutes: number) =>
          `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
        const open = [{ opens: wall(given.opens), closes: wall(given.closes) }]
        const schedule = compiled({
          timeZone: given.zone,
          weekly: { 1: open, 2: open, 3: open, 4: open, 5: open },
          overrides: {},
        })
        const rules = {
          eventTypeId: '7',
          duration: given.duration,
          step: given.interval,
          bufferBefore: given.bufferBefore,
          bufferAfter: given.bufferAfter,
          notice: given.notice,
          window: given.rolling === null ? ({ kind: 'unlimited' } as const) : rolling,
          limits,
          limitMinutes: NO_LIMITS,
          seats: 1,
        }
        const claims = bookings.map((one) => ({
          meetingId: one.id,
          eventTypeId: '7',
          startsAt: one.start,
          endsAt: one.end,
          bufferBefore: one.bufferBefore,
          bufferAfter: one.bufferAfter,
          seatsTaken: 1,
        }))
        const absences = theirAbsences(there)
        const here = startsOf(
          findOpenings(rules, [[{ hostId: '1', schedule, claims, absences }]], week.now, week.span),
        )
        assert.deepEqual(theirStarts(there, week, new Set(DIFFERING_RULES)), here)
        const differences = explainDifferences({
          event: there,
          asked: week,
          here,
          there: theirStarts(there, week),
          ...nothingSince,
        })
        assert.deepEqual(
          differences.filter(({ reasons }) => reasons.includes('unexplained')),
          [],
        )
        const { gained, lost } = countGainedAndLost(there, week)
        assert.equal(gained + lost, differences.length)
      }),
      { numRuns: 150 },
    )
  })

  const theirAbsences = ({ hosts }: TheirEvent) =>
    hosts.flatMap(({ zone, daysOff }) =>
      daysOff.map(({ first, last }) => {
        const midnight = (day: number) =>
          day * DAY - (zone.offsets[zone.changes.findLastIndex((at) => at <= MONDAY)] ?? 0)
        return { start: midnight(first), end: midnight(last + 1) }
      }),
    )

  it('name what was planted as unexplained, and what was booked as that', () => {
    const there = event()
    const all = theirStarts(there, asked)
    const planted = [...all.slice(0, 2), MONDAY + 15 * HOUR]
    const found = explainDifferences({ event: there, asked, here: planted, there: all, ...nothingSince })
    assert.deepEqual(
      found.map(({ reasons }) => reasons),
      found.map(() => ['unexplained']),
    )
    assert.equal(found.length, all.length - 1)

    const since = {
      ...nothingSince,
      bookedHere: [{ start: all[0] as number, end: (all[0] as number) + HOUR }],
    }
    const booked = explainDifferences({ event: there, asked, here: all.slice(2), there: all, ...since })
    assert.deepEqual(
      booked.map(({ reasons }) => reasons),
      [['booked-here'], ['booked-here']],
    )
    // One start is gone there, as a meeting at that time would have it.
    const live = all.filter((_, index) => index !== 3)
    const gone = explainDifferences({ event: there, asked, here: all, there: live, ...nothingSince })
    assert.deepEqual(
      gone.map(({ reasons }) => reasons),
      [['booked-there']],
    )
  })

  it('name buffers that are added up there', () => {
    const buffered = { bufferBefore: 30 * MINUTE, bufferAfter: 30 * MINUTE }
    const there = event({
      ...buffered,
      hosts: [host({ bookings: [booking(MONDAY + 10 * HOUR, MONDAY + 10.5 * HOUR, buffered)] })],
    })
    const here = theirStarts(there, asked, new Set(DIFFERING_RULES))
    const found = explainDifferences({
      event: there,
      asked,
      here,
      there: theirStarts(there, asked),
      ...nothingSince,
    })
    assert.deepEqual(
      found.map(({ here, reasons }) => [here, reasons]),
      [
        [true, ['buffers']],
        [true, ['buffers']],
      ],
    )
  })
})
