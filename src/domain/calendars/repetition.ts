import { civilOf, type DayNumber, weekdayOf } from '../calendar-date.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../interval.ts'

export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

/**
 * How an event repeats: an RRULE of RFC 5545.
 *
 * Times are wall-clock times, in milliseconds as if they were UTC. An empty
 * list means no condition. Weekdays run from 1 (Monday) to 7.
 */
export interface Repetition {
  readonly freq: (typeof FREQUENCIES)[number]
  readonly interval: number
  readonly count: number | undefined
  /** The last possible start. */
  readonly until: number | undefined
  readonly weekStart: number
  readonly months: readonly number[]
  readonly weekNumbers: readonly number[]
  readonly yearDays: readonly number[]
  readonly monthDays: readonly number[]
  /** `nth` counts from the start of the period, or from its end if negative; 0: every such weekday. */
  readonly weekdays: readonly { readonly weekday: number; readonly nth: number }[]
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
  readonly positions: readonly number[]
}

/** A rule that would take too long to expand. */
export class EndlessRepetition extends Error {
  override readonly name = 'EndlessRepetition'
}

export interface Budget {
  /** How many more dates and times may be tried. */
  steps: number
}

/**
 * The starts within `span` of an event that first starts at `first`, ascending.
 *
 * The search stops at the end of the span, and every step uses up some of the
 * budget, so it ends even if the rule never matches. Throws `EndlessRepetition`
 * when the budget is used up.
 */
export function repeat(rule: Repetition, first: number, span: Interval, budget: Budget): number[] {
  if (!(rule.interval >= 1)) throw new RangeError('interval must be positive')
  const starts: number[] = []
  const { count = Infinity, until = Infinity } = rule
  const end = Math.min(span.end, until + 1)
  // A rule with COUNT must count from its first start.
  const from = rule.count === undefined ? Math.max(first, span.start) : first
  let made = 0
  for (const period of periodsOf(rule, first, { start: from, end }, budget)) {
    for (const start of pick(period, rule.positions)) {
      if (start < first) continue
      if (start >= end || made >= count) return starts
      made++
      if (start >= span.start) starts.push(start)
    }
    if (made >= count) break
  }
  return starts
}

/** The starts of each period (a day, a week … by the rule's frequency), up to the end of the span. */
function* periodsOf(rule: Repetition, first: number, span: Interval, budget: Budget): Generator<number[]> {
  const unit = UNITS[rule.freq]
  if (unit !== undefined) {
    yield* shortPeriods(rule, unit, first, span, budget)
    return
  }
  const times = timesOfDay(rule, first)
  const origin = periodNumber(rule, Math.floor(first / DAY))
  // One period early, because a week at the turn of the year may belong to either year.
  const skipped = Math.floor((periodNumber(rule, Math.floor(span.start / DAY)) - origin) / rule.interval) - 1
  for (let n = Math.max(0, skipped); ; n++) {
    const days = daysOf(rule, origin + n * rule.interval)
    if (days.first * DAY >= span.end) return
    const starts: number[] = []
    for (let day = days.first; day <= days.last; day++) {
      spend(budget, 1)
      if (!includesDay(rule, day, days, first)) continue
      spend(budget, times.length)
      for (const time of times) starts.push(day * DAY + time)
    }
    yield starts
  }
}

function spend(budget: Budget, steps: number): void {
  budget.steps -= steps
  if (budget.steps < 0) throw new EndlessRepetition('The rule takes too long.')
}

const SECOND = 1000
const UNITS: Partial<Record<Repetition['freq'], number>> = {
  SECONDLY: SECOND,
  MINUTELY: MINUTE,
  HOURLY: HOUR,
}

/** Periods of hours, minutes or seconds: too many to try each, so whole days that don't match are skipped. */
function* shortPeriods(
  rule: Repetition,
  unit: number,
  first: number,
  span: Interval,
  budget: Budget,
): Generator<number[]> {
  const step = rule.interval * unit
  const origin = Math.floor(first / unit) * unit
  const within = timesWithin(rule, unit, first)
  let n = Math.max(0, Math.floor((span.start - origin) / step))
  for (let start = origin + n * step; start < span.end; start = origin + n * step) {
    spend(budget, 1 + within.length)
    const day = Math.floor(start / DAY)
    if (!includesDay(rule, day, { first: day, last: day }, first)) {
      n = Math.ceil(((day + 1) * DAY - origin) / step)
      continue
    }
    n++
    if (includesTime(rule, start, unit)) yield within.map((time) => start + time)
  }
}

/** The times of day, ascending; parts that the rule leaves out come from the first start. */
function timesOfDay({ hours, minutes, seconds }: Repetition, first: number): number[] {
  const own = first - Math.floor(first / DAY) * DAY
  return combine(
    orElse(hours, Math.floor(own / HOUR)),
    orElse(minutes, Math.floor((own % HOUR) / MINUTE)),
    orElse(seconds, Math.floor((own % MINUTE) / SECOND)),
  )
}

/** The times within an hour, a minute or a second. */
function timesWithin({ minutes, seconds }: Repetition, unit: number, first: number): number[] {
  const own = first - Math.floor(first / HOUR) * HOUR
  return combine(
    [0],
    unit === HOUR ? orElse(minutes, Math.floor(own / MINUTE)) : [0],
    unit >= MINUTE ? orElse(seconds, Math.floor((own % MINUTE) / SECOND)) : [0],
  )
}

const orElse = (given: readonly number[], own: number) => (given.length > 0 ? given : [own])

function combine(hours: readonly number[], minutes: readonly number[], seconds: readonly number[]): number[] {
  const times = new Set<number>()
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of seconds) times.add(hour * HOUR + minute * MINUTE + second * SECOND)
    }
  }
  return [...times].sort((a, b) => a - b)
}

function includesTime({ hours, minutes, seconds }: Repetition, start: number, unit: number): boolean {
  const time = start - Math.floor(start / DAY) * DAY
  const allows = (given: readonly number[], own: number) => given.length === 0 || given.includes(own)
  if (!allows(hours, Math.floor(time / HOUR))) return false
  if (unit < HOUR && !allows(minutes, Math.floor((time % HOUR) / MINUTE))) return false
  return unit > SECOND || allows(seconds, Math.floor((time % MINUTE) / SECOND))
}

interface Days {
  readonly first: DayNumber
  readonly last: DayNumber
}

/** Numbers the periods of a rule: consecutive ones differ by one. */
function periodNumber({ freq, weekStart }: Repetition, day: DayNumber): number {
  if (freq === 'DAILY') return day
  if (freq === 'WEEKLY') return Math.floor((day - weekOffset(weekStart)) / 7)
  const { year, month } = civilOf(day)
  return freq === 'MONTHLY' ? year * 12 + month - 1 : year
}

/** 1970-01-01 was a Thursday. */
const weekOffset = (weekStart: number) => weekStart - 4

function daysOf({ freq, weekStart, weekNumbers }: Repetition, period: number): Days {
  if (freq === 'DAILY') return { first: period, last: period }
  if (freq === 'WEEKLY') {
    const first = period * 7 + weekOffset(weekStart)
    return { first, last: first + 6 }
  }
  if (freq === 'MONTHLY') {
    return { first: dayOf(0, period), last: dayOf(0, period + 1) - 1 }
  }
  if (weekNumbers.length === 0) return yearOf(period)
  const first = firstWeek(period, weekStart)
  return { first, last: firstWeek(period + 1, weekStart) - 1 }
}

const dayOf = (year: number, month: number): DayNumber =>
  // Counted from 2000, because Date.UTC reads years below 100 as 19xx. Months may overflow.
  Math.round(Date.UTC(2000, (year - 2000) * 12 + month, 1) / DAY)

const yearOf = (year: number): Days => ({ first: dayOf(year, 0), last: dayOf(year + 1, 0) - 1 })

/** The first day of a year's first week: the first week with at least four days in that year. */
function firstWeek(year: number, weekStart: number): DayNumber {
  const fourth = dayOf(year, 0) + 3
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7)
}

/** Whether the rule includes this day of a period; parts that it leaves out come from the first start. */
function includesDay(rule: Repetition, day: DayNumber, period: Days, first: number): boolean {
  const { freq, months, monthDays, yearDays, weekdays, weekNumbers } = rule
  const { year, month, dayOfMonth } = civilOf(day)
  if (months.length > 0 && !months.includes(month)) return false

  const inYear = yearOf(year)
  const inMonth = { first: day - dayOfMonth + 1, last: dayOf(year, month) - 1 }
  if (freq !== 'WEEKLY' && monthDays.length > 0 && !isNth(monthDays, day, inMonth)) return false
  if (yearDays.length > 0 && !isNth(yearDays, day, inYear)) return false
  if (freq === 'YEARLY' && weekNumbers.length > 0) {
    const weeks = Math.round((period.last + 1 - period.first) / 7)
    const week = Math.floor((day - period.first) / 7) + 1
    if (!weekNumbers.some((number) => (number < 0 ? weeks + 1 + number : number) === week)) return false
  }
  if (weekdays.length > 0) {
    const perMonth = freq === 'MONTHLY' || (freq === 'YEARLY' && months.length > 0)
    const counted = perMonth ? inMonth : freq === 'YEARLY' ? inYear : undefined
    return weekdays.some(({ weekday, nth }) => {
      if (weekday !== weekdayOf(day)) return false
      return nth === 0 || counted === undefined || isNthWeek(nth, day, counted)
    })
  }
  if (yearDays.length > 0 || (monthDays.length > 0 && freq !== 'WEEKLY')) return true

  const own = civilOf(Math.floor(first / DAY))
  if (freq === 'WEEKLY' || (freq === 'YEARLY' && weekNumbers.length > 0)) {
    return weekdayOf(day) === weekdayOf(Math.floor(first / DAY))
  }
  if (freq === 'MONTHLY') return dayOfMonth === own.dayOfMonth
  if (freq === 'YEARLY') {
    return dayOfMonth === own.dayOfMonth && (months.length > 0 || month === own.month)
  }
  return true
}

const isNth = (numbers: readonly number[], day: DayNumber, { first, last }: Days) =>
  numbers.includes(day - first + 1) || numbers.includes(day - last - 1)

function isNthWeek(nth: number, day: DayNumber, { first, last }: Days): boolean {
  return nth > 0 ? Math.floor((day - first) / 7) + 1 === nth : Math.floor((last - day) / 7) + 1 === -nth
}

/** A period's starts at these positions (BYSETPOS); all of them if there are none. */
function pick(starts: number[], positions: readonly number[]): number[] {
  if (positions.length === 0) return starts
  const picked = positions
    .map((position) => starts.at(position > 0 ? position - 1 : position))
    .filter((start) => start !== undefined)
  return [...new Set(picked)].sort((a, b) => a - b)
}
