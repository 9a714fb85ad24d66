import { type DayNumber, formatDate, weekdayOf } from '../calendar-date.ts'
import { DAY, HOUR, MINUTE } from '../interval.ts'
import { localDay, offsetAt, type Zone } from '../zone.ts'
import type { BookingStatus } from './booking.ts'

/** All zone offsets are multiples of this, so bookings of one quarter fall into the same local hour in every zone. */
export const QUARTER = 15 * MINUTE

/** How many bookings of a status start in a quarter of an hour. */
export interface StartCount {
  /** Quarters since 1970. */
  readonly quarter: number
  readonly status: BookingStatus
  readonly count: number
}

export interface DayCount {
  readonly date: string
  readonly held: number
  readonly calledOff: number
}

export interface HourCount {
  readonly weekday: number
  readonly hour: number
  readonly count: number
}

/** True for bookings that were cancelled or declined. */
export const isCalledOff = (status: BookingStatus) => status === 'Cancelled' || status === 'Declined'

/** False for those that are not paid: they are no bookings yet, or never were. */
export const isCounted = (status: BookingStatus) => status !== 'PendingPayment' && status !== 'Expired'

/** Counts per local date, with an entry for dates without bookings, too. */
export function countByDay(
  counts: readonly StartCount[],
  zone: Zone,
  first: DayNumber,
  last: DayNumber,
): DayCount[] {
  const days = Array.from({ length: last - first + 1 }, () => ({ held: 0, calledOff: 0 }))
  for (const { quarter, status, count } of counts) {
    if (!isCounted(status)) continue
    const day = days[localDay(zone, quarter * QUARTER) - first]
    if (day !== undefined) day[isCalledOff(status) ? 'calledOff' : 'held'] += count
  }
  return days.map((day, index) => ({ date: formatDate(first + index), ...day }))
}

/** Counts per weekday and local hour, without the hours in which nothing starts. */
export function countByHour(counts: readonly StartCount[], zone: Zone): HourCount[] {
  const hours = new Map<number, number>()
  for (const { quarter, status, count } of counts) {
    if (isCalledOff(status) || !isCounted(status)) continue
    const wall = quarter * QUARTER + offsetAt(zone, quarter * QUARTER)
    const day = Math.floor(wall / DAY)
    const key = weekdayOf(day) * 24 + Math.floor((wall - day * DAY) / HOUR)
    hours.set(key, (hours.get(key) ?? 0) + count)
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([key, count]) => ({ weekday: Math.floor(key / 24), hour: key % 24, count }))
}

/** Upper bounds of the groups of lead times, in hours; the last group has no bound. */
export const LEAD_HOURS = [1, 4, 24, 72, 168, 336, 720] as const
