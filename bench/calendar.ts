import { type DayNumber, weekdayOf } from '../src/domain/calendar-date.ts'
import type { EventType } from '../src/domain/event-types/event-type.ts'
import { CompiledSchedule } from '../src/domain/event-types/hours.ts'
import { DAY } from '../src/domain/interval.ts'
import { findOpenings, startsOf } from '../src/domain/slots/openings.ts'
import { slotRules } from '../src/domain/slots/rules.ts'
import { instantOf, Zones } from '../src/domain/zone.ts'
import { plainEventType, weekdays } from '../test/kit.ts'

/** What all hosts offer: half hours on weekdays from nine to five, without a limit ahead. */
export const schedule = weekdays('Europe/Berlin')
export const zones = new Zones()
export const eventType: EventType = plainEventType({ slug: 'meet', window: { kind: 'unlimited' } })

/** A Monday at least a week from now, so that no slot is too soon to book. */
export const FIRST_DAY: DayNumber = (() => {
  const inAWeek = Math.floor(Date.now() / DAY) + 7
  return inAWeek + ((8 - weekdayOf(inAWeek)) % 7)
})()

/** From a Monday, 31 days have 23 weekdays: 368 slots, of which 40 are booked. */
export const MONTH_DAYS = 31
export const MONTH_BOOKINGS = 40
const MONTH_SLOTS = 368

/** Every possible start on the dates from `first` on, booked or not. */
export function startsFrom(first: DayNumber, days: number): number[] {
  const zone = zones.get(schedule.timeZone)
  const host = { hostId: '', schedule: new CompiledSchedule(schedule, zones), claims: [], absences: [] }
  const starts: number[] = []
  // The engine looks at most three months ahead at a time.
  for (let day = first; day < first + days; day += 28) {
    const span = { start: instantOf(zone, day, 0), end: instantOf(zone, Math.min(day + 28, first + days), 0) }
    starts.push(...startsOf(findOpenings(slotRules(eventType), [[host]], span.start - DAY, span)))
  }
  return starts
}

/** `count` of them, evenly spread. */
export function evenly<T>(all: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T)
}

/** As many of these starts as make 40 a month. */
export function usuallyBooked(starts: readonly number[]): number[] {
  return evenly(starts, Math.round((starts.length * MONTH_BOOKINGS) / MONTH_SLOTS))
}
