import { type DayNumber, parseDate } from '../domain/calendar-date.ts'
import { parseInstant } from '../domain/instant.ts'
import type { Interval } from '../domain/interval.ts'
import { invalidField, Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import { instantOf, localDay, type Zone } from '../domain/zone.ts'

/** A period as it is asked for: two dates, both optional. */
export interface PeriodQuery {
  readonly from?: string
  readonly to?: string
}

/** Days from the first to the last, both included, and the same as a span of time. */
interface Period {
  readonly first: DayNumber
  readonly last: DayNumber
  readonly span: Interval
}

const MOST_DAYS = 366
const DEFAULT_DAYS = 30

/** Reads a period in this zone: the last 30 days by default, at most 366. */
export function readPeriod({ from, to }: PeriodQuery, zone: Zone, now: number): Period {
  const last = dateIn('to', to) ?? localDay(zone, now)
  const first = dateIn('from', from) ?? last - DEFAULT_DAYS + 1
  if (last < first) throw invalidField('to', sentence`{field} must not be before the first date.`)
  if (last - first >= MOST_DAYS) {
    throw new Problem('invalid', sentence`Choose at most ${MOST_DAYS} days.`, { field: 'from' })
  }
  return { first, last, span: { start: instantOf(zone, first, 0), end: instantOf(zone, last + 1, 0) } }
}

function dateIn(name: string, text: string | undefined): DayNumber | undefined {
  if (text === undefined) return undefined
  const day = parseDate(text)
  if (day === undefined) throw invalidField(name, sentence`{field} must be a date such as 2030-01-31.`)
  return day
}

/** An instant of a query, in whole milliseconds; throws `invalid`. */
export function instantIn(name: string, text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField(name, sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  // Bookings start at whole milliseconds.
  return Math.ceil(instant)
}
