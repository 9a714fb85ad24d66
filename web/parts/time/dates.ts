import type { Slot, SlotDay } from '../../../src/http/pages/page-data.ts'

// Dates are YYYY-MM-DD and months YYYY-MM, so that they sort as texts.

const writers = new Map<string, Intl.DateTimeFormat>()

/** Creating a formatter takes longer than using it a hundred times. */
function writer(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(options)}`
  let made = writers.get(key)
  if (made === undefined) {
    made = new Intl.DateTimeFormat(tag, options)
    writers.set(key, made)
  }
  return made
}

/** The date on which an instant falls in a zone. */
export function dateIn(timeZone: string, instant: number): string {
  return writer('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)
}

export function hourIn(timeZone: string, instant: number): number {
  return Number(writer('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(instant))
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The seven ISO weekdays (1 is Monday), beginning with this one. */
export const weekdaysFrom = (first: number) =>
  Array.from({ length: 7 }, (_, day) => ((first - 1 + day) % 7) + 1)

/** The first date of the week that contains this date. */
export function weekOf(date: string, firstDay: number): string {
  const weekday = new Date(date).getUTCDay() || 7
  return addDays(date, -((weekday - firstDay + 7) % 7))
}

export const monthOf = (date: string) => date.slice(0, 7)

export const firstOf = (month: string) => `${month}-01`

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

export const lastOf = (month: string) => addDays(firstOf(addMonths(month, 1)), -1)

/** A date in words. Dates have no time zone. */
export function writeDate(tag: string, date: string, options: Intl.DateTimeFormatOptions): string {
  return writer(tag, { ...options, timeZone: 'UTC' }).format(Date.parse(date))
}

export const LONG_DATE = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
export const SHORT_DATE = { weekday: 'short', day: 'numeric', month: 'short' } as const

export function writeInstant(
  tag: string,
  timeZone: string,
  instant: number,
  options: Intl.DateTimeFormatOptions,
): string {
  return writer(tag, { ...options, timeZone }).format(instant)
}

/** Slots by the date on which they start in this zone. */
export function groupByDate(slots: readonly Slot[], timeZone: string): readonly SlotDay[] {
  const days = new Map<string, Slot[]>()
  for (const slot of slots) {
    const date = dateIn(timeZone, Date.parse(slot.startTime))
    const day = days.get(date)
    if (day === undefined) days.set(date, [slot])
    else day.push(slot)
  }
  return [...days].map(([date, found]) => ({ date, slots: found }))
}
