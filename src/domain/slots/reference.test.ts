import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compiled, findOffered } from '../../../test/openings.ts'
import { isOpen, referenceGrid, referenceRanges } from '../../../test/reference.ts'
import { repeat } from '../../../test/repeat.ts'
import type { Schedule, WallRange } from '../event-types/hours.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../interval.ts'
import type { SlotRules } from './rules.ts'

// Every zone, every change of its clock from 2026 to 2030, beside a reference that walks
// through the minutes. Zones that keep the same time are walked through once.

const FIRST = Temporal.Instant.from('2026-01-01T00:00Z')
const LAST = Temporal.Instant.from('2031-01-01T00:00Z')
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
const REACH = 2 * DAY

/** Looked at in every zone, whether or not its clock changes: a new year, a leap day, an ordinary one. */
const ORDINARY_DAYS = ['2026-01-01', '2028-02-29', '2029-07-15', '2030-12-31'].map(
  (date) => Temporal.Instant.from(`${date}T12:00Z`).epochMilliseconds,
)

const HOURS = {
  'early hours': ['00:00-06:00'],
  'nine to five': ['09:00-17:00'],
  'nights over midnight': ['00:00-02:00', '22:00-24:00'],
  'always open': ['00:00-24:00'],
  'many short ranges in the small hours': [
    '00:00-00:45',
    '01:15-01:30',
    '01:30-02:15',
    '02:15-02:45',
    '02:45-04:10',
  ],
  'short ranges that spring pushes into longer ones': [
    '00:15-00:45',
    '01:00-01:50',
    '02:15-02:45',
    '03:00-05:00',
  ],
}

const PACES = [
  { duration: 60 * MINUTE, step: 45 * MINUTE },
  { duration: 45 * MINUTE, step: 20 * MINUTE },
  { duration: 30 * MINUTE, step: 30 * MINUTE },
].slice(0, repeat({ few: 1, many: 3 }))

/** How far apart the moments are that zones are compared at. A clock that has changed stays so for weeks. */
const EVERY = { day: repeat({ few: 5, many: 1 }) * DAY, hour: repeat({ few: 60, many: 15 }) * MINUTE }

/** Zones whose clocks show the same from 2026 to 2030, and when these change. */
interface ZoneGroup {
  readonly zones: readonly string[]
  readonly changes: readonly number[]
}

const inZone = (instant: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)

const offsetAt = (instant: number, timeZone: string) => inZone(instant, timeZone).offsetNanoseconds / 1e6

function changesOf(timeZone: string): number[] {
  const changes: number[] = []
  let next = FIRST.toZonedDateTimeISO(timeZone).getTimeZoneTransition('next')
  while (next !== null && next.epochMilliseconds < LAST.epochMilliseconds) {
    changes.push(next.epochMilliseconds)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

function groupZones(): ZoneGroup[] {
  const groups = new Map<string, { zones: string[]; changes: number[] }>()
  for (const zone of ZONES) {
    const changes = changesOf(zone)
    const offsets = [FIRST.epochMilliseconds, ...changes].map((instant) => offsetAt(instant, zone))
    const key = JSON.stringify([changes, offsets])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { zones: [zone], changes })
    else group.zones.push(zone)
  }
  return [...groups.values()]
}

const wallRanges = (texts: readonly string[]): WallRange[] =>
  texts.map((text) => {
    const [opens, closes] = text.split('-') as [string, string]
    return { opens, closes }
  })

function daily(timeZone: string, ranges: readonly WallRange[]): Schedule {
  const weekly = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((weekday) => [weekday, ranges]))
  return { timeZone, weekly, overrides: {} }
}

const windowsOf = ({ changes }: ZoneGroup): Interval[] =>
  [...changes, ...ORDINARY_DAYS].map((instant) => ({ start: instant - REACH, end: instant + REACH }))

function engineStarts(schedule: Schedule, pace: (typeof PACES)[number], span: Interval): readonly number[] {
  const rules: SlotRules = {
    eventTypeId: 'any',
    bufferBefore: 0,
    bufferAfter: 0,
    notice: 0,
    window: { kind: 'unlimited' },
    limits: { day: null, week: null, month: null },
    limitMinutes: { day: null, week: null, month: null },
    seats: 1,
    ...pace,
  }
  const host = { hostId: 'ada', schedule: compiled(schedule), claims: [], absences: [] }
  return findOffered(rules, [[host]], FIRST.epochMilliseconds - 30 * DAY, span).starts
}

const text = (instants: readonly number[]) => instants.map((instant) => new Date(instant).toISOString())

describe('every zone and every change from 2026 to 2030', () => {
  const groups = groupZones()

  it('are all covered', () => {
    const zones = groups.flatMap((group) => group.zones)
    assert.deepEqual(zones.toSorted(), ZONES.toSorted())
    const changes = groups.reduce((sum, group) => sum + group.zones.length * group.changes.length, 0)
    assert.ok(zones.length > 400 && changes > 1000, `${zones.length} zones, ${changes} changes`)
  })

  it('include every change: between them, offsets stay the same', () => {
    for (const { zones, changes } of groups) {
      const known = [FIRST.epochMilliseconds, ...changes]
      for (const zone of zones) {
        const offsets = known.map((change) => offsetAt(change, zone))
        for (let day = FIRST.epochMilliseconds; day < LAST.epochMilliseconds; day += EVERY.day) {
          const since = known.findLastIndex((change) => change <= day)
          if (offsetAt(day, zone) !== offsets[since]) assert.fail(`${zone} on ${text([day])}`)
        }
      }
    }
  })

  it('are the same, hour by hour, for zones grouped as one', () => {
    for (const group of groups) {
      const [first, ...others] = group.zones as [string, ...string[]]
      for (const { start, end } of others.length > 0 ? windowsOf(group) : []) {
        for (let instant = start; instant < end; instant += EVERY.hour) {
          const offset = offsetAt(instant, first)
          for (const zone of others) {
            if (offsetAt(instant, zone) !== offset)
              assert.fail(`${zone} is not ${first} at ${text([instant])}`)
          }
        }
      }
    }
  })

  it('are whole minutes, and never go back to an earlier date', () => {
    for (const { zones, changes } of groups) {
      const zone = zones[0] as string
      assert.ok(
        [FIRST.epochMilliseconds, ...changes].every((change) => offsetAt(change, zone) % MINUTE === 0),
      )
      for (const change of changes) {
        assert.equal(change % MINUTE, 0)
        const [earlier, later] = [change - 1, change].map((instant) => inZone(instant, zone).toPlainDate())
        assert.ok(Temporal.PlainDate.compare(earlier as Temporal.PlainDate, later as Temporal.PlainDate) <= 0)
      }
    }
  })
})

describe('the reference itself', () => {
  /** True when every date nearby has this wall time exactly once. */
  const isPlain = (time: string, timeZone: string, around: number) =>
    [-2, -1, 0, 1, 2].every((days) => {
      const moment = inZone(around + days * DAY, timeZone)
        .toPlainDate()
        .toPlainDateTime(time)
      const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
        moment.toZonedDateTime(timeZone, { disambiguation }),
      )
      return (earlier as Temporal.ZonedDateTime).equals(later as Temporal.ZonedDateTime)
    })

  it('is open exactly when the wall clock says so, unless an opening or closing time is skipped or repeated', () => {
    let minutes = 0
    for (const { zones, changes } of groupZones()) {
      const zone = zones[0] as string
      for (const change of changes) {
        const span = { start: change - 6 * HOUR, end: change + 6 * HOUR }
        const clock: string[] = []
        for (let instant = span.start; instant < span.end; instant += MINUTE) {
          clock.push(inZone(instant, zone).toPlainTime().toString().slice(0, 5))
        }
        for (const hours of Object.values(HOURS).map(wallRanges)) {
          const bounds = hours.flatMap(({ opens, closes }) => [opens, closes === '24:00' ? '00:00' : closes])
          if (!bounds.every((bound) => isPlain(bound, zone, change))) continue
          const ranges = referenceRanges(daily(zone, hours), span, 0)
          for (const [i, time] of clock.entries()) {
            const reads = hours.some(({ opens, closes }) => opens <= time && time < closes)
            if (isOpen(span.start + i * MINUTE, ranges) !== reads)
              assert.fail(`${zone} ${time} near ${text([change])}`)
            minutes++
          }
        }
      }
    }
    assert.ok(minutes > 100_000)
  })
})

describe('the engine and the reference', () => {
  for (const [name, ranges] of Object.entries(HOURS)) {
    const hours = wallRanges(ranges)

    it(`find the same starts in every zone, around every change: ${name}`, () => {
      for (const group of groupZones()) {
        const schedules = group.zones.map((zone) => daily(zone, hours))
        for (const span of windowsOf(group)) {
          for (const pace of PACES) {
            const expected = referenceGrid([schedules[0] as Schedule], pace, span)
            assert.ok(expected.length > 0)
            for (const schedule of schedules) {
              const found = engineStarts(schedule, pace, span)
              if (found.length === expected.length && found.every((start, i) => start === expected[i]))
                continue
              const { duration, step } = pace
              const what = `${schedule.timeZone}, ${duration / MINUTE} minutes every ${step / MINUTE}`
              assert.deepEqual(text(found), text(expected), what)
            }
          }
        }
      }
    })
  }
})
