import { type DayNumber, formatDate, weekdayOf } from '../calendar-date.ts'
import { DAY, HOUR, MINUTE } from '../interval.ts'
import { localDay, offsetAt, type Zone } from '../zone.ts'
import type { BookingStatus } from './booking.ts'

/** The offsets of all zones are multiples of this, so bookings that start within one fall into the same hour anywhere. */
export const QUARTER = 15 * MINUTE

/** So many bookings start in this quarter of an hour. */
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

/** Bookings that did not come to a meeting. */
export const isCalledOff = (status: BookingStatus) => status === 'Cancelled' || status === 'Declined'

/** Every date of the span, also those without a booking. */
export function countByDay(
  counts: readonly StartCount[],
  zone: Zone,
  first: DayNumber,
  last: DayNumber,
): DayCount[] {
  const days = Array.from({ length: last - first + 1 }, () => ({ held: 0, calledOff: 0 }))
  for (const { quarter, status, count } of counts) {
    const day = days[localDay(zone, quarter * QUARTER) - first]
    if (day !== undefined) day[isCalledOff(status) ? 'calledOff' : 'held'] += count
  }
  return days.map((day, index) => ({ date: formatDate(first + index), ...day }))
}

/** By the hour of the wall clock, for each day of the week; without hours in which nothing starts. */
export function countByHour(counts: readonly StartCount[], zone: Zone): HourCount[] {
  const hours = new Map<number, number>()
  for (const { quarter, status, count } of counts) {
    if (isCalledOff(status)) continue
    const wall = quarter * QUARTER + offsetAt(zone, quarter * QUARTER)
    const day = Math.floor(wall / DAY)
    const key = weekdayOf(day) * 24 + Math.floor((wall - day * DAY) / HOUR)
    hours.set(key, (hours.get(key) ?? 0) + count)
  }
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([key, count]) => ({ weekday: Math.floor(key / 24), hour: key % 24, count }))
}

/** How long before the meeting it was booked: up to so many hours. The last has no end. */
export const LEAD_HOURS = [1, 4, 24, 72, 168, 336, 720] as const
