import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compiled, findOffered, type Offered } from '../../../test/openings.ts'
import type { Schedule, WallRange } from '../event-types/hours.ts'
import { parseInstant } from '../instant.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../interval.ts'
import {
  type Claim,
  claimSpan,
  decidingSpan,
  type HostAvailability,
  MAX_DURATION,
  MAX_SPAN_DAYS,
  openingsExpireAt,
} from './openings.ts'
import type { SlotRules } from './rules.ts'

// 2 March 2026 is a Monday. Unless a test says otherwise, hosts live in UTC and now is long before.
const MONDAY = '2026-03-02'
const LONG_AGO = Date.UTC(2026, 0, 1)

const at = (text: string) => {
  const instant = parseInstant(`${text}Z`)
  assert.ok(instant !== undefined, text)
  return instant
}

const hours = (...texts: string[]): WallRange[] =>
  texts.map((text) => {
    const [opens, closes] = text.split('-') as [string, string]
    return { opens, closes }
  })

const everyDay = (...ranges: string[]) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((weekday) => [weekday, hours(...ranges)]))

const inZone = (timeZone: string, ...ranges: string[]): Schedule => ({
  timeZone,
  weekly: everyDay(...ranges),
  overrides: {},
})

const inUtc = (...ranges: string[]) => inZone('UTC', ...ranges)

const host = (schedule: Schedule, taken: Partial<HostAvailability> = {}): HostAvailability => ({
  hostId: 'ada',
  schedule: compiled(schedule),
  claims: [],
  absences: [],
  ...taken,
})

const rules = (changes: Partial<SlotRules> = {}): SlotRules => ({
  eventTypeId: 'intro',
  duration: 30 * MINUTE,
  step: changes.duration ?? 30 * MINUTE,
  bufferBefore: 0,
  bufferAfter: 0,
  notice: 0,
  window: { kind: 'unlimited' },
  limits: { day: null, week: null, month: null },
  limitMinutes: { day: null, week: null, month: null },
  seats: 1,
  ...changes,
})

const every = (minutes: number, changes: Partial<SlotRules> = {}) =>
  rules({ duration: minutes * MINUTE, ...changes })

const limits = (changes: Partial<SlotRules['limits']>) => ({ day: null, week: null, month: null, ...changes })

const claim = (from: string, until: string, changes: Partial<Claim> = {}): Claim => ({
  meetingId: `meeting at ${from}`,
  eventTypeId: 'intro',
  startsAt: at(from),
  endsAt: at(until),
  bufferBefore: 0,
  bufferAfter: 0,
  seatsTaken: 1,
  ...changes,
})

/** The instants of whole UTC dates, the last one included. */
const dates = (first: string, last = first): Interval => ({
  start: at(`${first}T00:00`),
  end: at(`${last}T00:00`) + DAY,
})

const text = (instant: number) => new Date(instant).toISOString().slice(0, 16)

/** Starts as `HH:MM`, all of them on the one UTC date. */
const times = ({ starts }: Offered, date = MONDAY) =>
  starts.map((start) => {
    const [day, time] = text(start).split('T')
    assert.equal(day, date)
    return time
  })

const onMonday = (rules: SlotRules, calendar: HostAvailability, now = LONG_AGO) =>
  times(findOffered(rules, [[calendar]], now, dates(MONDAY)))

const moments = (openings: Offered) => openings.starts.map(text)

describe('the grid', () => {
  it('has a start at every step at which the meeting still fits before closing', () => {
    assert.deepEqual(onMonday(every(30), host(inUtc('09:00-11:00'))), ['09:00', '09:30', '10:00', '10:30'])
  })

  it('fits a meeting as long as the range, and none that is a minute longer', () => {
    assert.deepEqual(onMonday(every(60), host(inUtc('09:00-10:00'))), ['09:00'])
    assert.deepEqual(onMonday(every(61), host(inUtc('09:00-10:00'))), [])
  })

  it('begins at the range, not at the full hour', () => {
    assert.deepEqual(onMonday(every(30), host(inUtc('09:10-10:20'))), ['09:10', '09:40'])
  })

  it('may step more often than meetings last', () => {
    const fine = rules({ duration: 60 * MINUTE, step: 20 * MINUTE })
    assert.deepEqual(onMonday(fine, host(inUtc('09:00-10:45'))), ['09:00', '09:20', '09:40'])
  })

  it('may step less often than meetings last', () => {
    const coarse = rules({ duration: 15 * MINUTE, step: 60 * MINUTE })
    assert.deepEqual(onMonday(coarse, host(inUtc('09:00-11:15'))), ['09:00', '10:00', '11:00'])
  })

  it('restarts in each range of the day', () => {
    assert.deepEqual(onMonday(every(30), host(inUtc('09:00-10:15', '13:10-14:10'))), [
      '09:00',
      '09:30',
      '13:10',
      '13:40',
    ])
  })

  it('lets a meeting run across touching ranges, and restarts at the second', () => {
    assert.deepEqual(onMonday(every(45), host(inUtc('09:00-10:00', '10:00-11:00'))), [
      '09:00',
      '09:45',
      '10:00',
    ])
  })

  it('lets a meeting run across a range shorter than itself', () => {
    const ladder = host(inUtc('09:00-09:10', '09:10-09:20', '09:20-09:40'))
    assert.deepEqual(onMonday(every(30), ladder), ['09:00', '09:10'])
  })

  it('lets no meeting run across a gap, however short', () => {
    assert.deepEqual(onMonday(every(45), host(inUtc('09:00-10:00', '10:01-11:00'))), ['09:00', '10:01'])
  })

  it('joins touching ranges over midnight', () => {
    const nights = host({ ...inUtc(), weekly: { 1: hours('23:00-24:00'), 2: hours('00:00-00:30') } })
    const night = findOffered(every(45), [[nights]], LONG_AGO, dates(MONDAY, '2026-03-03'))
    assert.deepEqual(moments(night), [`${MONDAY}T23:00`, `${MONDAY}T23:45`])
  })

  it('does not join an evening to a closed morning', () => {
    const evenings = host({ ...inUtc(), weekly: { 1: hours('23:00-24:00'), 2: hours('00:01-02:00') } })
    assert.deepEqual(onMonday(every(45), evenings), ['23:00'])
  })

  it('fits a meeting of 24 hours if it never closes', () => {
    const day = rules({ duration: MAX_DURATION, step: 6 * HOUR })
    assert.deepEqual(onMonday(day, host(inUtc('00:00-24:00'))), ['00:00', '06:00', '12:00', '18:00'])
  })

  it('follows date overrides', () => {
    const schedule: Schedule = {
      ...inUtc('09:00-10:00'),
      overrides: { '2026-03-03': [], '2026-03-04': hours('20:00-21:00') },
    }
    const found = findOffered(every(60), [[host(schedule)]], LONG_AGO, dates(MONDAY, '2026-03-05'))
    assert.deepEqual(moments(found), ['2026-03-02T09:00', '2026-03-04T20:00', '2026-03-05T09:00'])
  })

  it('lets no meeting run into a day off', () => {
    const schedule: Schedule = { ...inUtc('00:00-24:00'), overrides: { '2026-03-03': [] } }
    assert.equal(onMonday(every(60), host(schedule)).at(-1), '23:00')
    const fine = rules({ duration: 60 * MINUTE, step: 30 * MINUTE })
    assert.equal(onMonday(fine, host(schedule)).at(-1), '23:00')
  })
})

describe('the span', () => {
  const calendar = host(inUtc('09:00-11:00'))
  const ask = (from: string, until: string) =>
    times(findOffered(every(30), [[calendar]], LONG_AGO, { start: at(from), end: at(until) }))

  it('includes a start at its start but not at its end', () => {
    assert.deepEqual(ask(`${MONDAY}T09:30`, `${MONDAY}T10:30`), ['09:30', '10:00'])
  })

  it('does not move the grid', () => {
    assert.deepEqual(ask(`${MONDAY}T09:07`, `${MONDAY}T10:31`), ['09:30', '10:00', '10:30'])
  })

  it('includes a meeting that ends after it', () => {
    assert.deepEqual(ask(`${MONDAY}T10:00`, `${MONDAY}T10:01`), ['10:00'])
  })

  it('excludes a meeting that starts before it', () => {
    assert.deepEqual(ask(`${MONDAY}T10:01`, `${MONDAY}T10:30`), [])
  })

  it('may be one instant: the start itself, and no other', () => {
    const start = at(`${MONDAY}T09:30`)
    const ask = (instant: number) =>
      findOffered(every(30), [[calendar]], LONG_AGO, { start: instant, end: instant + 1 }).starts
    assert.deepEqual(ask(start), [start])
    assert.deepEqual(ask(start + 1), [])
    assert.deepEqual(ask(start - 1), [])
    for (const text of [`${MONDAY}T09:30:00.0001Z`, `${MONDAY}T09:29:59.9999Z`]) {
      const instant = parseInstant(text)
      assert.ok(instant === undefined || !ask(instant).includes(instant), text)
    }
  })

  it('may be as long as the longest listing in any zone, and not much longer', () => {
    const start = at(`${MONDAY}T00:00`)
    const ask = (days: number) =>
      findOffered(every(60), [[calendar]], LONG_AGO, { start, end: start + days * DAY }).starts.length
    assert.equal(ask(MAX_SPAN_DAYS), MAX_SPAN_DAYS * 2)
    assert.equal(ask(MAX_SPAN_DAYS + 1), (MAX_SPAN_DAYS + 1) * 2)
    assert.throws(() => ask(MAX_SPAN_DAYS + 3), RangeError)
  })

  it('is empty when it ends before it begins', () => {
    assert.deepEqual(ask(`${MONDAY}T11:00`, `${MONDAY}T09:00`), [])
  })
})

describe('rules that would never advance', () => {
  it('are refused', () => {
    for (const broken of [{ duration: 0 }, { duration: -MINUTE }, { step: 0 }, { step: -MINUTE }]) {
      assert.throws(() => onMonday(rules(broken), host(inUtc('09:00-10:00'))), RangeError)
    }
  })
})

describe('days on which the clock changes', () => {
  const onSunday = (rules: SlotRules, timeZone: string, date: string, ...ranges: string[]) => {
    const schedule: Schedule = { timeZone, weekly: {}, overrides: { [date]: hours(...ranges) } }
    const around = { start: at(`${date}T00:00`) - DAY, end: at(`${date}T00:00`) + 2 * DAY }
    return findOffered(rules, [[host(schedule)]], LONG_AGO, around).starts.map((start) =>
      Temporal.Instant.fromEpochMilliseconds(start)
        .toZonedDateTimeISO(timeZone)
        .toString({ timeZoneName: 'never', smallestUnit: 'minute' })
        .slice(11),
    )
  }

  it('lose the hour that the spring change skips, and no other', () => {
    assert.deepEqual(onSunday(every(60), 'Europe/Paris', '2026-03-29', '01:00-05:00'), [
      '01:00+01:00',
      '03:00+02:00',
      '04:00+02:00',
    ])
  })

  it('have the hour that the autumn change repeats twice, as two different instants', () => {
    assert.deepEqual(onSunday(every(60), 'Europe/Paris', '2026-10-25', '01:00-04:00'), [
      '01:00+02:00',
      '02:00+02:00',
      '02:00+01:00',
      '03:00+01:00',
    ])
  })

  it('step in elapsed time: a grid that crosses the change may leave the full hour', () => {
    // 00:00, then every 90 minutes on a stopwatch, while the wall clock jumps from 02:00 to 03:00.
    assert.deepEqual(onSunday(every(90), 'Europe/Paris', '2026-03-29', '00:00-06:00'), [
      '00:00+01:00',
      '01:30+01:00',
      '04:00+02:00',
    ])
  })

  it('list a start once if two ranges have it', () => {
    // Spring moves 02:00 to 03:00, where the second range begins as well.
    assert.deepEqual(onSunday(every(30), 'Europe/Paris', '2026-03-29', '02:00-02:30', '03:00-04:00'), [
      '03:00+02:00',
      '03:30+02:00',
    ])
  })

  it('keep open time whole where the spring change moves a range into a longer one', () => {
    // 02:15–02:45 becomes 03:15–03:45, and the hour from 03:15 is open, since the other range is.
    assert.deepEqual(onSunday(every(60), 'Europe/Paris', '2026-03-29', '02:15-02:45', '03:00-05:00'), [
      '03:00+02:00',
      '03:15+02:00',
      '04:00+02:00',
    ])
  })

  it('include a start that the spring change moves over midnight into the span', () => {
    // In Nuuk, the clock jumps from 23:00 on Saturday to 00:00 on Sunday: at 01:00 UTC.
    const saturday: Schedule = {
      timeZone: 'America/Nuuk',
      weekly: {},
      overrides: { '2026-03-28': hours('23:00-23:30') },
    }
    const start = at('2026-03-29T01:15')
    const found = findOffered(every(15), [[host(saturday)]], LONG_AGO, { start, end: start + 1 })
    assert.deepEqual(moments(found), ['2026-03-29T01:15'])
  })

  it('fit a meeting of 24 hours across a day of 23', () => {
    const paris = host(inZone('Europe/Paris', '00:00-24:00'))
    const start = at('2026-03-28T22:30')
    const day = rules({ duration: DAY, step: 30 * MINUTE })
    assert.deepEqual(findOffered(day, [[paris]], LONG_AGO, { start, end: start + 1 }).starts, [start])
  })

  it('change by half an hour where the zone does', () => {
    // Lord Howe Island: 02:00 becomes 02:30 in spring, and 01:30 in autumn.
    assert.deepEqual(onSunday(every(30), 'Australia/Lord_Howe', '2026-10-04', '01:30-03:00'), [
      '01:30+10:30',
      '02:30+11:00',
    ])
    assert.deepEqual(onSunday(every(30), 'Australia/Lord_Howe', '2026-04-05', '01:00-02:00'), [
      '01:00+11:00',
      '01:30+11:00',
      '01:30+10:30',
    ])
  })

  it('leave nine to five alone when the change is at night', () => {
    for (const date of ['2026-03-29', '2026-10-25']) {
      const starts = onSunday(every(60), 'Europe/Paris', date, '09:00-17:00')
      assert.deepEqual(
        starts.map((start) => start.slice(0, 5)),
        ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'],
      )
    }
  })
})

describe('notice', () => {
  const calendar = host(inUtc('09:00-11:00'))
  const twoHours = every(30, { notice: 2 * HOUR })

  it('blocks starts that are sooner', () => {
    assert.deepEqual(onMonday(twoHours, calendar, at(`${MONDAY}T07:45`)), ['10:00', '10:30'])
  })

  it('allows a start that is exactly that far away', () => {
    assert.deepEqual(onMonday(twoHours, calendar, at(`${MONDAY}T08:00`)), ['10:00', '10:30'])
    assert.deepEqual(onMonday(twoHours, calendar, at(`${MONDAY}T08:00`) + 1), ['10:30'])
  })

  it('of none still blocks the past', () => {
    assert.deepEqual(onMonday(every(30), calendar, at(`${MONDAY}T10:00`)), ['10:00', '10:30'])
    assert.deepEqual(onMonday(every(30), calendar, at(`${MONDAY}T12:00`)), [])
  })

  it('does not move the grid', () => {
    assert.deepEqual(onMonday(every(30, { notice: 7 * MINUTE }), calendar, at(`${MONDAY}T09:01`)), [
      '09:30',
      '10:00',
      '10:30',
    ])
  })
})

describe('the booking window', () => {
  const week = dates(MONDAY, '2026-03-08')
  const noons = (window: SlotRules['window'], schedule = inUtc('12:00-13:00'), now = at(`${MONDAY}T08:00`)) =>
    findOffered(every(60, { window }), [[host(schedule)]], now, week).starts.map((start) =>
      text(start).slice(0, 10),
    )

  it('may be unlimited', () => {
    assert.equal(noons({ kind: 'unlimited' }).length, 7)
  })

  it('rolls with today: it includes today and that many days after it', () => {
    assert.deepEqual(noons({ kind: 'rolling', days: 0 }), ['2026-03-02'])
    assert.deepEqual(noons({ kind: 'rolling', days: 2 }), ['2026-03-02', '2026-03-03', '2026-03-04'])
  })

  it('rolls by business days: weekends are offered, but not counted', () => {
    const business = (days: number, today: string) =>
      noons({ kind: 'rolling', days, businessDays: true }, undefined, at(`${today}T08:00`)).at(-1)
    assert.equal(business(0, '2026-03-07'), '2026-03-07')
    assert.equal(business(1, '2026-03-02'), '2026-03-03')
    assert.equal(business(4, '2026-03-02'), '2026-03-06')
    assert.equal(business(1, '2026-02-28'), '2026-03-02')
    assert.equal(business(1, '2026-03-01'), '2026-03-02')
    assert.equal(business(2, '2026-02-27'), '2026-03-03')
    assert.equal(business(5, '2026-02-26'), '2026-03-05')
  })

  it('rolls by whole dates, not by the hour', () => {
    const late = noons({ kind: 'rolling', days: 1 }, inUtc('23:00-24:00'), at(`${MONDAY}T00:01`))
    const early = noons({ kind: 'rolling', days: 1 }, inUtc('00:00-01:00'), at(`${MONDAY}T23:59`))
    assert.deepEqual(late, ['2026-03-02', '2026-03-03'])
    assert.deepEqual(early, ['2026-03-03'])
  })

  it('may be fixed dates, both included', () => {
    assert.deepEqual(noons({ kind: 'fixed', from: '2026-03-04', to: '2026-03-05' }), [
      '2026-03-04',
      '2026-03-05',
    ])
    assert.deepEqual(noons({ kind: 'fixed', from: '2026-03-04', to: '2026-03-04' }), ['2026-03-04'])
  })

  it('of fixed dates does not bring back the past', () => {
    const window = { kind: 'fixed', from: '2026-03-01', to: '2026-03-04' } as const
    assert.deepEqual(noons(window, undefined, at('2026-03-03T08:00')), ['2026-03-03', '2026-03-04'])
  })

  it('counts days in the schedule’s zone, not in UTC', () => {
    // On Kiritimati, 14 hours ahead, it is Tuesday already; its Tuesday ends on Tuesday at 10:00 UTC.
    const kiritimati = host(inZone('Pacific/Kiritimati', '00:00-24:00'))
    const today = every(60, { window: { kind: 'rolling', days: 0 } })
    const found = findOffered(today, [[kiritimati]], at(`${MONDAY}T11:00`), week)
    assert.equal(moments(found)[0], '2026-03-02T11:00')
    assert.equal(moments(found).at(-1), '2026-03-03T09:00')
    const tuesday = every(60, { window: { kind: 'fixed', from: '2026-03-03', to: '2026-03-03' } })
    const fixed = findOffered(tuesday, [[kiritimati]], LONG_AGO, week)
    assert.equal(moments(fixed)[0], '2026-03-02T10:00')
    assert.equal(moments(fixed).at(-1), '2026-03-03T09:00')
  })

  it('ends with the years whose DST changes are known', () => {
    const calendar = host(inUtc('12:00-13:00'))
    for (const window of [
      { kind: 'unlimited' },
      { kind: 'fixed', from: '2026-01-01', to: '9999-12-31' },
    ] as const) {
      const noons = (date: string) =>
        findOffered(every(60, { window }), [[calendar]], LONG_AGO, dates(date)).starts.length
      assert.equal(noons('2199-12-31'), 1, window.kind)
      assert.equal(noons('2200-01-01'), 0, window.kind)
      assert.equal(noons('9999-12-31'), 0, window.kind)
    }
  })

  it('follows the length of its days when the clock changes', () => {
    const paris = host(inZone('Europe/Paris', '00:00-24:00'))
    const sunday = every(60, { window: { kind: 'fixed', from: '2026-10-25', to: '2026-10-25' } })
    assert.equal(
      findOffered(sunday, [[paris]], LONG_AGO, dates('2026-10-23', '2026-10-27')).starts.length,
      25,
    )
  })

  it('limits when a meeting starts, not when it ends', () => {
    const window = { kind: 'fixed', from: MONDAY, to: MONDAY } as const
    const nights = host(inUtc('00:00-24:00'))
    const long = rules({ duration: 2 * HOUR, step: HOUR, window })
    assert.equal(moments(findOffered(long, [[nights]], LONG_AGO, week)).at(-1), `${MONDAY}T23:00`)
  })
})

describe('existing meetings', () => {
  const morning = inUtc('09:00-12:00')
  const taken = (...claims: Claim[]) => host(morning, { claims })

  it('block every start whose meeting would overlap them', () => {
    const fine = rules({ duration: 60 * MINUTE, step: 15 * MINUTE })
    assert.deepEqual(onMonday(fine, taken(claim(`${MONDAY}T10:00`, `${MONDAY}T10:30`))), [
      '09:00',
      '10:30',
      '10:45',
      '11:00',
    ])
  })

  it('let a meeting begin the moment they end, and end the moment they begin', () => {
    assert.deepEqual(onMonday(every(60), taken(claim(`${MONDAY}T10:00`, `${MONDAY}T11:00`))), [
      '09:00',
      '11:00',
    ])
  })

  it('count whatever their event type', () => {
    const other = claim(`${MONDAY}T10:00`, `${MONDAY}T11:00`, { eventTypeId: 'another' })
    assert.deepEqual(onMonday(every(60), taken(other)), ['09:00', '11:00'])
  })

  it('do not move the grid', () => {
    assert.deepEqual(onMonday(every(60), taken(claim(`${MONDAY}T09:10`, `${MONDAY}T09:20`))), [
      '10:00',
      '11:00',
    ])
  })

  it('count when they began before the span and last into it', () => {
    const overnight = claim('2026-03-01T20:00', `${MONDAY}T10:15`)
    assert.deepEqual(onMonday(every(60), taken(overnight)), ['11:00'])
  })

  it('count in any order, one within another', () => {
    const long = claim(`${MONDAY}T09:00`, `${MONDAY}T11:00`)
    const short = claim(`${MONDAY}T09:15`, `${MONDAY}T09:30`, { eventTypeId: 'another' })
    assert.deepEqual(onMonday(every(60), taken(long, short)), ['11:00'])
    assert.deepEqual(onMonday(every(60), taken(short, long)), ['11:00'])
  })

  it('block the same starts in any span', () => {
    const calendar = taken(claim(`${MONDAY}T09:30`, `${MONDAY}T10:30`))
    const start = at(`${MONDAY}T10:00`)
    assert.deepEqual(findOffered(every(60), [[calendar]], LONG_AGO, { start, end: start + 1 }).starts, [])
  })
})

describe('buffers', () => {
  const fine = (changes: Partial<SlotRules>) => rules({ duration: 30 * MINUTE, step: 5 * MINUTE, ...changes })
  const around = (rules: SlotRules, changes: Partial<Claim> = {}) => {
    const noon = claim(`${MONDAY}T12:00`, `${MONDAY}T12:30`, changes)
    const starts = onMonday(rules, host(inUtc('10:00-14:00'), { claims: [noon] }))
    return {
      lastBefore: starts.findLast((time) => (time as string) < '12:00'),
      firstAfter: starts.find((time) => (time as string) >= '12:00'),
    }
  }

  it('of none let meetings follow each other directly', () => {
    assert.deepEqual(around(fine({})), { lastBefore: '11:30', firstAfter: '12:30' })
  })

  it('of the new meeting must not run into the existing one', () => {
    assert.deepEqual(around(fine({ bufferBefore: 10 * MINUTE })), {
      lastBefore: '11:30',
      firstAfter: '12:40',
    })
    assert.deepEqual(around(fine({ bufferAfter: 10 * MINUTE })), { lastBefore: '11:20', firstAfter: '12:30' })
  })

  it('of the existing meeting must not run into the new one', () => {
    assert.deepEqual(around(fine({}), { bufferBefore: 10 * MINUTE }), {
      lastBefore: '11:20',
      firstAfter: '12:30',
    })
    assert.deepEqual(around(fine({}), { bufferAfter: 10 * MINUTE }), {
      lastBefore: '11:30',
      firstAfter: '12:40',
    })
  })

  it('may overlap each other: the longer of two decides, not their sum', () => {
    const both = { bufferBefore: 10 * MINUTE, bufferAfter: 15 * MINUTE }
    // Before noon: ours after (15) meets theirs before (10). After it: theirs after (15), ours before (10).
    assert.deepEqual(around(fine(both), both), { lastBefore: '11:15', firstAfter: '12:45' })
    const longer = { bufferBefore: 20 * MINUTE, bufferAfter: 25 * MINUTE }
    assert.deepEqual(around(fine(both), longer), { lastBefore: '11:10', firstAfter: '12:55' })
    assert.deepEqual(around(fine(longer), both), { lastBefore: '11:05', firstAfter: '12:50' })
  })

  it('may lie outside open hours', () => {
    const wide = every(60, { bufferBefore: HOUR, bufferAfter: HOUR })
    assert.deepEqual(onMonday(wide, host(inUtc('09:00-10:00'))), ['09:00'])
  })

  it('do not push the starts of an empty day apart', () => {
    const wide = every(30, { bufferBefore: HOUR, bufferAfter: HOUR })
    assert.deepEqual(onMonday(wide, host(inUtc('09:00-11:00'))), ['09:00', '09:30', '10:00', '10:30'])
  })

  it('reach over midnight and out of the span', () => {
    const before = claim('2026-03-01T23:00', `${MONDAY}T00:00`, { bufferAfter: 45 * MINUTE })
    const after = claim('2026-03-03T00:00', '2026-03-03T01:00', { bufferBefore: 45 * MINUTE })
    const starts = onMonday(every(30), host(inUtc('00:00-24:00'), { claims: [before, after] }))
    assert.equal(starts[0], '01:00')
    assert.equal(starts.at(-1), '22:30')
  })
})

describe('busy times of other calendars', () => {
  const busy = [{ start: at(`${MONDAY}T12:00`), end: at(`${MONDAY}T12:30`) }]
  const calendar = host(inUtc('11:00-13:30'), { absences: busy })

  it('block the starts that would overlap them, and no others', () => {
    assert.deepEqual(onMonday(every(30), calendar), ['11:00', '11:30', '12:30', '13:00'])
  })

  it('block the buffers of the new meeting', () => {
    assert.deepEqual(onMonday(every(30, { bufferBefore: MINUTE }), calendar), ['11:00', '11:30', '13:00'])
    assert.deepEqual(onMonday(every(30, { bufferAfter: MINUTE }), calendar), ['11:00', '12:30', '13:00'])
  })

  it('may last for days', () => {
    const away = { start: at('2026-02-20T00:00'), end: at('2026-03-20T00:00') }
    assert.deepEqual(onMonday(every(30), host(inUtc('09:00-17:00'), { absences: [away] })), [])
  })

  it('do not count against limits', () => {
    const once = every(30, { limits: limits({ day: 1 }) })
    assert.deepEqual(onMonday(once, calendar), ['11:00', '11:30', '12:30', '13:00'])
  })
})

describe('limits', () => {
  const NOON = '12:00-13:00'
  const fortnight = dates('2026-02-23', '2026-03-10')
  const noons = (rules: SlotRules, calendar: HostAvailability, span = fortnight) =>
    findOffered(rules, [[calendar]], LONG_AGO, span).starts.map((start) => text(start).slice(0, 10))
  const without = (span: Interval, ...missing: string[]) => {
    const all = noons(every(60), host(inUtc(NOON)), span)
    return all.filter((date) => !missing.includes(date))
  }

  it('per day block the rest of a full day', () => {
    const twice = every(60, { limits: limits({ day: 2 }) })
    const calendar = (count: number) =>
      host(inUtc('09:00-17:00'), {
        claims: [9, 10, 11].slice(0, count).map((hour) => {
          const [from, until] = [hour, hour + 1].map((h) => `${MONDAY}T${String(h).padStart(2, '0')}:00`)
          return claim(from as string, until as string)
        }),
      })
    assert.equal(onMonday(twice, calendar(1)).length, 7)
    assert.equal(onMonday(twice, calendar(2)).length, 0)
    assert.equal(onMonday(twice, calendar(3)).length, 0)
  })

  it('per day leave other days alone', () => {
    const once = every(60, { limits: limits({ day: 1 }) })
    const calendar = host(inUtc(NOON), { claims: [claim(`${MONDAY}T08:00`, `${MONDAY}T09:00`)] })
    assert.deepEqual(noons(once, calendar), without(fortnight, MONDAY))
  })

  it('count meetings of this event type only', () => {
    const once = every(60, { limits: limits({ day: 1, week: 1, month: 1 }) })
    const other = claim(`${MONDAY}T08:00`, `${MONDAY}T09:00`, { eventTypeId: 'another' })
    assert.deepEqual(noons(once, host(inUtc(NOON), { claims: [other] })), without(fortnight))
  })

  it('count a meeting on the date it begins', () => {
    const once = every(60, { limits: limits({ day: 1 }) })
    const overnight = claim('2026-03-01T23:00', `${MONDAY}T01:00`)
    assert.deepEqual(
      noons(once, host(inUtc(NOON), { claims: [overnight] })),
      without(fortnight, '2026-03-01'),
    )
  })

  it('per day count in the schedule’s zone, not in UTC', () => {
    // 02:00 UTC on Tuesday is still Monday evening in New York.
    const once = every(60, { limits: limits({ day: 1 }) })
    const newYork = host(inZone('America/New_York', NOON), {
      claims: [claim('2026-03-03T02:00', '2026-03-03T03:00')],
    })
    assert.deepEqual(noons(once, newYork), without(fortnight, MONDAY))
  })

  it('per week run from Monday to Sunday', () => {
    const once = every(60, { limits: limits({ week: 1 }) })
    const week = ['02', '03', '04', '05', '06', '07', '08'].map((day) => `2026-03-${day}`)
    for (const booked of week) {
      const calendar = host(inUtc(NOON), { claims: [claim(`${booked}T08:00`, `${booked}T09:00`)] })
      assert.deepEqual(noons(once, calendar), without(fortnight, ...week), booked)
    }
  })

  it('per week restart at midnight in the schedule’s zone', () => {
    // 04:00 UTC on Monday is Sunday evening in New York: it counts for the week before.
    const once = every(60, { limits: limits({ week: 1 }) })
    const newYork = host(inZone('America/New_York', NOON), {
      claims: [claim(`${MONDAY}T04:00`, `${MONDAY}T05:00`)],
    })
    const weekBefore = ['02-23', '02-24', '02-25', '02-26', '02-27', '02-28', '03-01'].map(
      (day) => `2026-${day}`,
    )
    assert.deepEqual(noons(once, newYork), without(fortnight, ...weekBefore))
  })

  it('per month block the whole month, and only it', () => {
    const once = every(60, { limits: limits({ month: 1 }) })
    const spring = dates('2026-02-25', '2026-04-05')
    for (const booked of ['2026-03-01', '2026-03-31']) {
      const calendar = host(inUtc(NOON), { claims: [claim(`${booked}T08:00`, `${booked}T09:00`)] })
      const march = without(spring).filter((date) => date.startsWith('2026-03'))
      assert.deepEqual(noons(once, calendar, spring), without(spring, ...march), booked)
    }
  })

  it('per month restart at midnight in the schedule’s zone', () => {
    // 20:00 UTC on 31 March is 1 April in Tokyo.
    const once = every(60, { limits: limits({ month: 1 }) })
    const tokyo = host(inZone('Asia/Tokyo', NOON), {
      claims: [claim('2026-03-31T20:00', '2026-03-31T21:00')],
    })
    const spring = dates('2026-03-28', '2026-04-03')
    assert.deepEqual(noons(once, tokyo, spring), ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'])
  })

  it('per year restart at midnight in the schedule’s zone', () => {
    // 20:00 UTC on 31 December 2026 is 1 January 2027 in Tokyo.
    const once = every(60, { limits: limits({ year: 1 }) })
    const tokyo = (booked: string) =>
      host(inZone('Asia/Tokyo', NOON), { claims: [claim(`${booked}T20:00`, `${booked}T21:00`)] })
    const turn = dates('2026-12-30', '2027-01-02')
    assert.deepEqual(noons(once, tokyo('2026-12-31'), turn), ['2026-12-30', '2026-12-31'])
    assert.deepEqual(noons(once, tokyo('2026-01-01'), turn), ['2027-01-01', '2027-01-02'])
  })

  it('in minutes leave room for the whole meeting', () => {
    const calendar = host(inUtc('09:00-12:00'), {
      claims: [claim(`${MONDAY}T06:00`, `${MONDAY}T06:45`), claim(`${MONDAY}T07:00`, `${MONDAY}T08:00`)],
    })
    const within = (duration: number, day: number) =>
      onMonday(every(duration, { limitMinutes: limits({ day }) }), calendar).length
    assert.equal(within(60, 165), 3)
    assert.equal(within(60, 164), 0)
    assert.equal(within(30, 135), 6)
  })

  it('combine: the tightest decides', () => {
    const tight = every(60, { limits: limits({ day: 5, week: 2, month: 9 }) })
    const calendar = host(inUtc(NOON), {
      claims: [claim(`${MONDAY}T08:00`, `${MONDAY}T09:00`), claim('2026-03-03T08:00', '2026-03-03T09:00')],
    })
    assert.deepEqual(noons(tight, calendar, dates('2026-03-02', '2026-03-10')), ['2026-03-09', '2026-03-10'])
  })
})

describe('seats', () => {
  const workshop = (changes: Partial<SlotRules> = {}) => every(60, { seats: 3, ...changes })
  const taken = (...claims: Claim[]) => host(inUtc('09:00-12:00'), { claims })
  const meeting = (seatsTaken: number, changes: Partial<Claim> = {}) =>
    claim(`${MONDAY}T10:00`, `${MONDAY}T11:00`, { seatsTaken, ...changes })
  const seatsOnMonday = (rules: SlotRules, calendar: HostAvailability, now = LONG_AGO) => {
    const openings = findOffered(rules, [[calendar]], now, dates(MONDAY))
    assert.equal(openings.seatsLeft?.length, openings.starts.length)
    return times(openings).map((time, i) => `${time} ${openings.seatsLeft?.[i]}`)
  }

  it('are not counted for meetings of one guest', () => {
    assert.equal(findOffered(every(60), [[taken()]], LONG_AGO, dates(MONDAY)).seatsLeft, undefined)
  })

  it('are all left without bookings', () => {
    assert.deepEqual(seatsOnMonday(workshop(), taken()), ['09:00 3', '10:00 3', '11:00 3'])
  })

  it('stay available until they are all taken', () => {
    assert.deepEqual(seatsOnMonday(workshop(), taken(meeting(1))), ['09:00 3', '10:00 2', '11:00 3'])
    assert.deepEqual(seatsOnMonday(workshop(), taken(meeting(2))), ['09:00 3', '10:00 1', '11:00 3'])
    assert.deepEqual(seatsOnMonday(workshop(), taken(meeting(3))), ['09:00 3', '11:00 3'])
  })

  it('are gone when more were taken than there are now', () => {
    assert.deepEqual(seatsOnMonday(workshop(), taken(meeting(5))), ['09:00 3', '11:00 3'])
  })

  it('are joined at the start of their meeting, not beside it', () => {
    const fine = workshop({ step: 30 * MINUTE })
    assert.deepEqual(seatsOnMonday(fine, taken(meeting(1))), ['09:00 3', '10:00 2', '11:00 3'])
  })

  it('are not joined in a meeting of another event type', () => {
    assert.deepEqual(seatsOnMonday(workshop(), taken(meeting(1, { eventTypeId: 'another' }))), [
      '09:00 3',
      '11:00 3',
    ])
  })

  it('are not joined in a meeting of another length', () => {
    const short = meeting(1, { endsAt: at(`${MONDAY}T10:30`) })
    assert.deepEqual(seatsOnMonday(workshop(), taken(short)), ['09:00 3', '11:00 3'])
  })

  it('are joined whatever the buffers of the meeting itself, which keep others clear', () => {
    const wide = { bufferBefore: 15 * MINUTE, bufferAfter: 15 * MINUTE }
    assert.deepEqual(seatsOnMonday(workshop(wide), taken(meeting(1, wide))), ['10:00 2'])
  })

  it('are joined though a connected calendar shows the meeting as busy', () => {
    const busy = [{ start: at(`${MONDAY}T10:00`), end: at(`${MONDAY}T11:00`) }]
    assert.deepEqual(
      seatsOnMonday(workshop(), host(inUtc('09:00-12:00'), { claims: [meeting(1)], busyTimes: busy })),
      ['09:00 3', '10:00 2', '11:00 3'],
    )
  })

  it('are not joined while a host is away', () => {
    const absences = [{ start: at(`${MONDAY}T10:30`), end: at(`${MONDAY}T10:45`) }]
    const away = host(inUtc('09:00-12:00'), { claims: [meeting(1)], absences })
    assert.deepEqual(seatsOnMonday(workshop(), away), ['09:00 3', '11:00 3'])
    const group = [taken(meeting(1)), away]
    assert.deepEqual(times(findOffered(workshop(), [group], LONG_AGO, dates(MONDAY))), ['09:00', '11:00'])
  })

  it('are joined without adding to a limit of meetings', () => {
    const once = workshop({ limits: limits({ day: 1 }) })
    assert.deepEqual(seatsOnMonday(once, taken(meeting(1))), ['10:00 2'])
    assert.deepEqual(findOffered(once, [[taken(meeting(3))]], LONG_AGO, dates(MONDAY)).starts, [])
  })

  it('are not joined later than the notice allows', () => {
    const now = at(`${MONDAY}T09:30`)
    assert.deepEqual(seatsOnMonday(workshop({ notice: HOUR }), taken(meeting(1)), now), ['11:00 3'])
  })

  it('are joined where all hosts of a group attend the meeting', () => {
    const [ada, bob] = [taken(meeting(1)), taken(meeting(1))]
    const openings = findOffered(workshop(), [[ada, bob]], LONG_AGO, dates(MONDAY))
    assert.deepEqual(times(openings), ['09:00', '10:00', '11:00'])
    assert.deepEqual(openings.seatsLeft, [3, 2, 3])
  })

  it('are not joined unless all hosts of the group attend', () => {
    const [ada, bob] = [taken(meeting(1)), taken()]
    const other = taken(meeting(1, { meetingId: 'a meeting of her own' }))
    for (const group of [
      [ada, bob],
      [bob, ada],
      [ada, other],
    ]) {
      assert.deepEqual(times(findOffered(workshop(), [group], LONG_AGO, dates(MONDAY))), ['09:00', '11:00'])
    }
  })
})

describe('a group of hosts', () => {
  const newYork = inZone('America/New_York', '09:00-17:00')
  const paris = inZone('Europe/Paris', '09:00-17:00')
  const meet = (rules: SlotRules, group: HostAvailability[], span = dates(MONDAY)) =>
    moments(findOffered(rules, [group], LONG_AGO, span))

  it('is open when all of them are, each by their own clock', () => {
    // Paris closes at 16:00 UTC, New York opens at 14:00.
    const expected = [`${MONDAY}T14:00`, `${MONDAY}T15:00`]
    assert.deepEqual(meet(every(60), [host(newYork), host(paris)]), expected)
    assert.deepEqual(meet(every(60), [host(paris), host(newYork)]), expected)
  })

  it('has more common time while only one of them has changed the clock', () => {
    // New York springs on 8 March, Paris on 29 March: in between they are five hours apart.
    assert.deepEqual(meet(every(60), [host(newYork), host(paris)], dates('2026-03-09')), [
      '2026-03-09T13:00',
      '2026-03-09T14:00',
      '2026-03-09T15:00',
    ])
  })

  it('begins its grid where the last of them opens', () => {
    const [early, late] = [host(inUtc('09:00-12:00')), host(inUtc('09:50-12:00'))]
    assert.deepEqual(meet(every(60), [early, late]), [`${MONDAY}T09:50`, `${MONDAY}T10:50`])
  })

  it('is never open when their hours only touch', () => {
    assert.deepEqual(meet(every(30), [host(inUtc('09:00-12:00')), host(inUtc('12:00-17:00'))]), [])
  })

  it('lets a meeting run across touching ranges of one of them', () => {
    const [split, whole] = [host(inUtc('09:00-10:00', '10:00-11:00')), host(inUtc('09:00-11:00'))]
    const expected = ['09:00', '09:45', '10:00'].map((time) => `${MONDAY}T${time}`)
    assert.deepEqual(meet(every(45), [split, whole]), expected)
    assert.deepEqual(meet(every(45), [whole, split]), expected)
  })

  it('is busy when any of them is', () => {
    const ada = host(inUtc('09:00-12:00'), { claims: [claim(`${MONDAY}T09:00`, `${MONDAY}T10:00`)] })
    const bob = host(inUtc('09:00-12:00'), {
      absences: [{ start: at(`${MONDAY}T11:30`), end: at(`${MONDAY}T11:31`) }],
    })
    assert.deepEqual(meet(every(60), [ada, bob]), [`${MONDAY}T10:00`])
    assert.deepEqual(meet(every(60), [bob, ada]), [`${MONDAY}T10:00`])
  })

  it('has reached a limit when any of them has', () => {
    const once = every(60, { limits: limits({ day: 1 }) })
    const ada = host(inUtc('09:00-12:00'), { claims: [claim(`${MONDAY}T20:00`, `${MONDAY}T21:00`)] })
    assert.deepEqual(meet(once, [host(inUtc('09:00-12:00')), ada]), [])
  })

  it('follows the window of each of them in their own zone', () => {
    // The Monday of Kiritimati is from Sunday 10:00 to Monday 10:00 UTC.
    const always = '00:00-24:00'
    const monday = every(60, { window: { kind: 'fixed', from: MONDAY, to: MONDAY } })
    const both = [host(inUtc(always)), host(inZone('Pacific/Kiritimati', always))]
    const starts = meet(monday, both, dates('2026-03-01', '2026-03-04'))
    assert.equal(starts[0], `${MONDAY}T00:00`)
    assert.equal(starts.at(-1), `${MONDAY}T09:00`)
  })

  it('stays within open hours when the spring change makes ranges of one of them overlap', () => {
    // Spring moves Ada's first range to 03:15–03:45, into her second; Bob pauses from 03:30 to 04:00.
    const date = '2026-03-29'
    const sunday = (...ranges: string[]) =>
      host({ timeZone: 'Europe/Paris', weekly: {}, overrides: { [date]: hours(...ranges) } })
    const [ada, bob] = [sunday('02:15-02:45', '03:00-05:00'), sunday('03:00-03:30', '04:00-05:00')]
    const fine = rules({ duration: 30 * MINUTE, step: 15 * MINUTE })
    const expected = ['01:00', '02:00', '02:15', '02:30'].map((time) => `${date}T${time}`)
    assert.deepEqual(meet(fine, [ada, bob], dates(date)), expected)
    assert.deepEqual(meet(fine, [bob, ada], dates(date)), expected)
  })

  it('without hosts is never free', () => {
    assert.deepEqual(meet(every(60), []), [])
  })
})

describe('several groups', () => {
  const [morning, noon] = [inUtc('09:00-11:00'), inUtc('10:00-12:00')]
  const openingsOf = (rules: SlotRules, groups: HostAvailability[][], span = dates(MONDAY)) =>
    times(findOffered(rules, groups, LONG_AGO, span))

  it('have a start if any of them is free, each start once', () => {
    const expected = ['09:00', '10:00', '11:00']
    assert.deepEqual(openingsOf(every(60), [[host(morning)], [host(noon)]]), expected)
    assert.deepEqual(openingsOf(every(60), [[host(noon)], [host(morning)]]), expected)
  })

  it('keep their own grids', () => {
    const groups = [[host(inUtc('09:00-10:00'))], [host(inUtc('09:10-10:10'))]]
    assert.deepEqual(openingsOf(every(30), groups), ['09:00', '09:10', '09:30', '09:40'])
  })

  it('have a time at which one of them is busy and another is free', () => {
    const claims = [claim(`${MONDAY}T10:00`, `${MONDAY}T11:00`)]
    const [ada, bob] = [host(morning, { claims }), host(noon)]
    assert.deepEqual(openingsOf(every(60), [[ada], [bob]]), ['09:00', '10:00', '11:00'])
    const busyBob = host(noon, { claims })
    assert.deepEqual(openingsOf(every(60), [[ada], [busyBob]]), ['09:00', '11:00'])
  })

  it('have no openings when a host of all of them is busy', () => {
    const fixed = host(inUtc('09:00-12:00'), { claims: [claim(`${MONDAY}T10:00`, `${MONDAY}T11:00`)] })
    const groups = [
      [fixed, host(morning)],
      [fixed, host(noon)],
    ]
    assert.deepEqual(openingsOf(every(60), groups), ['09:00', '11:00'])
  })

  it('count limits for each host alone', () => {
    const once = every(60, { limits: limits({ day: 1 }) })
    const ada = host(morning, { claims: [claim(`${MONDAY}T20:00`, `${MONDAY}T21:00`)] })
    assert.deepEqual(openingsOf(once, [[ada], [host(noon)]]), ['10:00', '11:00'])
  })

  it('can be listed for as long as one group can, minute by minute', () => {
    const always = host(inUtc('00:00-24:00'))
    const span = { start: at(`${MONDAY}T00:00`), end: at(`${MONDAY}T00:00`) + MAX_SPAN_DAYS * DAY }
    const one = findOffered(every(1), [[always]], LONG_AGO, span).starts
    assert.equal(one.length, (MAX_SPAN_DAYS * DAY) / MINUTE)
    const two = findOffered(every(1), [[always], [always]], LONG_AGO, span).starts
    assert.ok(two.length === one.length && two.every((start, i) => start === one[i]))
  })

  it('of none have no openings', () => {
    assert.deepEqual(openingsOf(every(60), []), [])
    assert.deepEqual(openingsOf(every(60), [[], [host(morning)]]), ['09:00', '10:00'])
  })
})

describe('claimSpan', () => {
  const span = { start: at('2026-03-11T09:00'), end: at('2026-03-11T10:00') }

  it('includes the longest meeting and a buffer of a day on either side', () => {
    const { start, end } = claimSpan(rules({ duration: MAX_DURATION }), span)
    assert.ok(start <= span.start - MAX_DURATION - DAY)
    assert.ok(end >= span.end + MAX_DURATION + DAY)
  })

  it('leaves out nothing that decides about a start', () => {
    const length = fc.integer({ min: 1, max: 1440 }).map((minutes) => minutes * MINUTE)
    const buffer = fc.integer({ min: 0, max: 1440 }).map((minutes) => minutes * MINUTE)
    const claims = fc.record({
      startsAt: fc.integer({ min: -6 * 1440, max: 6 * 1440 }).map((minutes) => span.start + minutes * MINUTE),
      length,
      bufferBefore: buffer,
      bufferAfter: buffer,
      eventTypeId: fc.constantFrom('intro', 'another'),
    })
    const event = fc.record({
      duration: length,
      bufferBefore: buffer,
      bufferAfter: buffer,
      limits: fc.constantFrom(limits({}), limits({ day: 1 }), limits({ week: 2 })),
      limitMinutes: fc.constantFrom(limits({}), limits({ day: 1500 }), limits({ year: 2000 })),
    })
    fc.assert(
      fc.property(
        event,
        fc.array(claims, { maxLength: 4 }),
        fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Niue'),
        (event, drawn, timeZone) => {
          const all = drawn.map(({ length, ...claim }, i) => {
            return { ...claim, meetingId: String(i), endsAt: claim.startsAt + length, seatsTaken: 1 }
          })
          const asked = rules({ ...event, step: 30 * MINUTE })
          const needed = claimSpan(asked, span)
          const near = all.filter(({ startsAt }) => startsAt >= needed.start && startsAt < needed.end)
          const startsWith = (claims: Claim[], within = span) =>
            findOffered(asked, [[host(inZone(timeZone, '00:00-24:00'), { claims })]], LONG_AGO, within).starts
          assert.deepEqual(startsWith(near), startsWith(all))

          const instant = { start: span.start, end: span.start + 1 }
          const deciding = decidingSpan(asked, span.start)
          const touching = all.filter((claim) => {
            return (
              claim.startsAt - claim.bufferBefore < deciding.end &&
              claim.endsAt + claim.bufferAfter > deciding.start
            )
          })
          assert.deepEqual(startsWith(touching, instant), startsWith(all, instant))
        },
      ),
    )
  })

  it('includes the whole weeks, months and years of every start, in any zone, if they are limited', () => {
    const instants = (first: string, last: string) => ({
      start: at(`${first}T00:00`) - 14 * HOUR,
      end: at(`${last}T00:00`) + 14 * HOUR,
    })
    const week = instants('2026-03-09', '2026-03-16')
    const month = instants('2026-03-01', '2026-04-01')
    for (const instant of [week.start, week.end - 1]) {
      const asked = claimSpan(rules({ limits: limits({ week: 1 }) }), { start: instant, end: instant + 1 })
      assert.ok(asked.start <= week.start && asked.end >= week.end)
    }
    for (const instant of [month.start, month.end - 1]) {
      const asked = claimSpan(rules({ limits: limits({ month: 1 }) }), { start: instant, end: instant + 1 })
      assert.ok(asked.start <= month.start && asked.end >= month.end)
    }
    const year = instants('2028-01-01', '2029-01-01')
    for (const instant of [year.start, year.end - 1]) {
      const asked = claimSpan(rules({ limitMinutes: limits({ year: 60 }) }), {
        start: instant,
        end: instant + 1,
      })
      assert.ok(asked.start <= year.start && asked.end >= year.end)
    }
  })
})

describe('openingsExpireAt', () => {
  const now = at(`${MONDAY}T08:00`)
  const rolling = { kind: 'rolling', days: 5 } as const
  const expiry = (rules: SlotRules, groups: HostAvailability[][]) =>
    openingsExpireAt(rules, groups, now, findOffered(rules, groups, now, dates(MONDAY)))

  it('is the first instant at which the first start is too soon', () => {
    const groups = [[host(inUtc('09:00-12:00'))]]
    const rules = every(30, { notice: 20 * MINUTE })
    const expires = expiry(rules, groups)
    const starts = (now: number) => findOffered(rules, groups, now, dates(MONDAY)).starts
    assert.deepEqual(starts(expires - 1), starts(now))
    assert.deepEqual(starts(expires), starts(now).slice(1))
  })

  it('is midnight in the schedule’s zone if the window rolls', () => {
    const zones = [
      ['UTC', '2026-03-03T00:00'],
      ['America/New_York', '2026-03-03T05:00'],
      ['Asia/Tokyo', '2026-03-02T15:00'],
    ] as const
    for (const [timeZone, midnight] of zones) {
      const closed: Schedule = { timeZone, weekly: {}, overrides: {} }
      assert.equal(text(expiry(every(30, { window: rolling }), [[host(closed)]])), midnight, timeZone)
    }
  })

  it('is the earliest midnight of all hosts', () => {
    const [utc, tokyo, newYork] = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => host(inZone(zone)))
    const open = every(30, { window: rolling })
    for (const groups of [
      [[utc, tokyo, newYork]],
      [[newYork], [tokyo], [utc]],
      [[utc], [newYork, tokyo]],
    ] as HostAvailability[][][]) {
      assert.equal(text(expiry(open, groups)), '2026-03-02T15:00')
    }
  })

  it('is the earlier of notice and midnight', () => {
    const open = every(30, { window: rolling })
    assert.equal(text(expiry(open, [[host(inUtc('09:00-12:00'))]])), '2026-03-02T09:00')
    assert.equal(
      text(expiry(every(30, { window: rolling }), [[host(inZone('Asia/Tokyo', '02:00-03:00'))]])),
      '2026-03-02T15:00',
    )
  })

  it('is the start of the next date, even if that is not midnight', () => {
    // On 8 March 2026 Havana's clocks skip from 00:00 to 01:00.
    const havana = host(inZone('America/Havana'))
    const saturday = at('2026-03-07T12:00')
    const open = every(30, { window: rolling })
    const nothing = findOffered(open, [[havana]], saturday, dates('2026-03-07'))
    const expected = Temporal.PlainDate.from('2026-03-08').toZonedDateTime('America/Havana').epochMilliseconds
    assert.equal(openingsExpireAt(open, [[havana]], saturday, nothing), expected)
  })

  it('is never if there are no openings and no day can be added', () => {
    const closed = host(inUtc())
    for (const window of [{ kind: 'unlimited' }, { kind: 'fixed', from: MONDAY, to: MONDAY }] as const) {
      assert.equal(expiry(every(30, { window }), [[closed]]), Infinity)
    }
  })
})
