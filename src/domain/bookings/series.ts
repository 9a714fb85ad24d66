import { civilOf, type DayNumber, formatDate, parseDate, weekdayOf } from '../calendar-date.ts'
import type { SeriesOffer, SeriesStep } from '../event-types/series-offer.ts'
import { DAY, MINUTE } from '../interval.ts'
import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { instantOf, localDay, offsetAt, type Zone } from '../zone.ts'

/** A guest's wish to meet again and again; `count` includes the first meeting. */
export interface Repeat {
  readonly every: SeriesStep
  readonly count: number
}

/** Which meeting of which series a booking is. The first booking of a series gives it its id. */
export interface SeriesPlace extends Repeat {
  readonly id: string
  /** From 0. */
  readonly index: number
  /** The start of its first meeting, as it was booked. */
  readonly firstAt: number
  /** The host's zone, whose wall time all meetings keep. */
  readonly timeZone: string
}

/** One meeting alone, or it and those after it. */
export const SCOPES_OF_CHANGE = ['one', 'following'] as const

export type ScopeOfChange = (typeof SCOPES_OF_CHANGE)[number]

/** Throws `invalid` with the reason if the event type doesn't offer this series. */
export function checkRepeat({ every, count }: Repeat, offer: SeriesOffer | null): void {
  if (offer === null)
    throw invalidField('repeat', sentence`{field} is not possible: this event type has no series.`)
  if (!offer.every.includes(every)) {
    throw invalidField('repeat.every', sentence`{field} must be one of ${offer.every}.`)
  }
  if (!Number.isInteger(count) || count < 2 || count > offer.most) {
    throw invalidField('repeat.count', sentence`{field} must be a whole number from ${2} to ${offer.most}.`)
  }
}

/** A local date and time of day, in minutes. */
export interface WallTime {
  readonly day: DayNumber
  readonly minutes: number
}

export function wallTimeOf(zone: Zone, instant: number): WallTime {
  const day = localDay(zone, instant)
  return { day, minutes: (instant + offsetAt(zone, instant) - day * DAY) / MINUTE }
}

/** The starts of a series, which keep the wall time of the first in this zone. */
export function seriesStarts(firstAt: number, { every, count }: Repeat, zone: Zone): number[] {
  const { minutes } = wallTimeOf(zone, firstAt)
  return seriesDays(firstAt, { every, count }, zone).map((day, index) => {
    return index === 0 ? firstAt : instantOf(zone, day, minutes)
  })
}

/** The dates of a series in this zone. */
export function seriesDays(firstAt: number, repeat: Repeat, zone: Zone): DayNumber[] {
  return daysFrom(wallTimeOf(zone, firstAt).day, repeat)
}

/** The dates of a series that begins on this one. */
export function daysFrom(day: DayNumber, { every, count }: Repeat): DayNumber[] {
  const indices = Array.from({ length: count }, (_, index) => index)
  if (every === 'month') return indices.map((index) => sameWeekday(day, index))
  return indices.map((index) => day + index * (every === 'week' ? 7 : 14))
}

/** Which weekday of its month a date is: 1 to 4 from its beginning, and -1 for a fifth, which is the last. */
export function weekdayOfMonth(day: DayNumber): number {
  const nth = Math.ceil(civilOf(day).dayOfMonth / 7)
  return nth === 5 ? -1 : nth
}

/** The same weekday of a later month. */
function sameWeekday(day: DayNumber, months: number): DayNumber {
  const { year, month } = civilOf(day)
  const nth = weekdayOfMonth(day)
  const first = firstOfMonth(year, month + months)
  if (nth > 0) return first + ((weekdayOf(day) - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
  const last = firstOfMonth(year, month + months + 1) - 1
  return last - ((weekdayOf(last) - weekdayOf(day) + 7) % 7)
}

function firstOfMonth(year: number, month: number): DayNumber {
  const years = year + Math.floor((month - 1) / 12)
  const text = `${String(years).padStart(4, '0')}-${String(((month - 1) % 12) + 1).padStart(2, '0')}-01`
  return parseDate(text) as DayNumber
}

/** A refusal of a whole series, which names the dates that are not available. */
export class SeriesUnavailable extends Problem {
  constructor(starts: readonly number[], zone: Zone) {
    super(
      'slot_unavailable',
      sentence`Not available on ${datesIn(zone, starts)}. Please choose another time.`,
    )
  }
}

/** The same for dates that this guest has booked already. */
export class SeriesBooked extends Problem {
  constructor(starts: readonly number[], zone: Zone) {
    const dates = datesIn(zone, starts)
    super('duplicate_booking', sentence`This email address has already booked this time on ${dates}.`)
  }
}

const datesIn = (zone: Zone, starts: readonly number[]) =>
  starts.map((start) => ({ date: formatDate(localDay(zone, start)) }))
