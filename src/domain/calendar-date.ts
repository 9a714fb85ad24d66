import { DAY } from './interval.ts'

/**
 * A calendar date as whole days since 1970-01-01, without a zone. Integers make
 * comparing, adding and indexing fast, and listings do that a lot.
 */
export type DayNumber = number

/** What `00` is by its character codes. */
const ZEROS = 48 * 11
const DATE = /^\d{4}-\d\d-\d\d$/

/** Reads `YYYY-MM-DD`; undefined unless it is a real date. */
export function parseDate(text: string): DayNumber | undefined {
  if (!DATE.test(text)) return undefined
  // By character codes: each listing reads two dates, and slices would be strings of their own.
  const pairAt = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - ZEROS
  const [year, month, dayOfMonth] = [pairAt(0) * 100 + pairAt(2), pairAt(5), pairAt(8)]
  if (month < 1 || month > 12) return undefined
  const day = dayOf(year, month, dayOfMonth)
  // A day that the month does not have is one of the next month, or of the one before.
  return civilOf(day).dayOfMonth === dayOfMonth ? day : undefined
}

/** The day of a date, by Howard Hinnant's `days_from_civil`. */
function dayOf(year: number, month: number, dayOfMonth: number): DayNumber {
  const shiftedYear = month <= 2 ? year - 1 : year
  const shiftedMonth = month > 2 ? month - 3 : month + 9
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * shiftedMonth + 2) / 5) + dayOfMonth - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Year, month (1 to 12) and day of the month, by Howard Hinnant's `civil_from_days`. */
export function civilOf(day: DayNumber): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** Writes `YYYY-MM-DD`. */
export function formatDate(day: DayNumber): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

/** ISO weekday: 1 is Monday, 7 is Sunday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: DayNumber): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** The last of so many business days (Monday to Friday) after this day; of none, the day itself. */
export function addBusinessDays(day: DayNumber, count: number): DayNumber {
  if (count === 0) return day
  const weekday = weekdayOf(day)
  // A weekend counts on from its Friday.
  const fromMonday = Math.min(weekday, 5) - 1
  return day - Math.max(weekday - 5, 0) + count + 2 * Math.floor((fromMonday + count) / 5)
}

/** Numbers weeks, which begin on Monday. Use it only to compare. */
export function weekOf(day: DayNumber): number {
  return Math.floor((day + 3) / 7)
}

/** Numbers calendar months. Use it only to compare. */
export function monthOf(day: DayNumber): number {
  const { year, month } = civilOf(day)
  return year * 12 + month
}

export const yearOf = (day: DayNumber): number => civilOf(day).year

/** The date that a link asks for with `date` (YYYY-MM-DD) or `month` (YYYY-MM); undefined if it is none. */
export function askedDate({ date, month }: Readonly<Record<string, unknown>>): string | undefined {
  const asked = typeof date === 'string' ? date : typeof month === 'string' ? `${month}-01` : ''
  return parseDate(asked) === undefined ? undefined : asked
}
