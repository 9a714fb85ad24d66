import { formatDate, parseDate } from '../calendar-date.ts'
import { DAY } from '../interval.ts'
import { invalidField, Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { checkProse } from '../text.ts'
import { instantOf, localDay, type Zone } from '../zone.ts'

/** Time off: a span in which a host takes no meetings, even within their schedule. */
export interface Absence {
  readonly id: string
  readonly userId: string
  readonly startsAt: number
  readonly endsAt: number
  /** Only the host sees it; guests see no times there. */
  readonly note: string
  /** The colleague who stands in: guests are shown the way to their page. */
  readonly redirectTo: string | null
}

/** Whole days in the host's zone, both included. */
export interface WholeDays {
  readonly startDate: string
  readonly endDate: string
}

/** The span of whole days in a zone; throws `invalid` if these are no dates. */
export function spanOfDays(
  { startDate, endDate }: WholeDays,
  zone: Zone,
): Pick<Absence, 'startsAt' | 'endsAt'> {
  const dayOf = (field: string, date: string) => {
    const day = parseDate(date)
    if (day === undefined) throw invalidField(field, sentence`{field} must be a date such as 2030-01-31.`)
    return day
  }
  const [first, last] = [dayOf('startDate', startDate), dayOf('endDate', endDate)]
  if (last < first) throw invalidField('endDate', sentence`{field} must not be before the start.`)
  return { startsAt: instantOf(zone, first, 0), endsAt: instantOf(zone, last + 1, 0) }
}

/** The days of an absence if it begins and ends at midnight in this zone. */
export function daysOf(
  { startsAt, endsAt }: Pick<Absence, 'startsAt' | 'endsAt'>,
  zone: Zone,
): WholeDays | null {
  const [first, after] = [localDay(zone, startsAt), localDay(zone, endsAt)]
  const whole = instantOf(zone, first, 0) === startsAt && instantOf(zone, after, 0) === endsAt
  return whole ? { startDate: formatDate(first), endDate: formatDate(after - 1) } : null
}

const MAX_DAYS = 400
const END_OF_TIME = Date.UTC(10_000, 0)

/** Throws `invalid` with the reason if this can't be an absence. */
export function checkAbsence({
  startsAt,
  endsAt,
  note,
}: Pick<Absence, 'startsAt' | 'endsAt' | 'note'>): void {
  if (startsAt < 0 || endsAt >= END_OF_TIME) {
    throw invalidField(
      startsAt < 0 ? 'startTime' : 'endTime',
      sentence`{field} must be between the years 1970 and 9999.`,
    )
  }
  if (endsAt <= startsAt) throw invalidField('endTime', sentence`{field} must be after the start.`)
  if (endsAt - startsAt > MAX_DAYS * DAY) {
    const reason = sentence`Time off can last at most ${MAX_DAYS} days. Add it in several parts.`
    throw new Problem('invalid', reason, { field: 'endTime' })
  }
  checkProse(note, 'note')
}
