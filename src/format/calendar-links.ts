import { daysFrom, weekdayOfMonth } from '../domain/bookings/series.ts'
import { type DayNumber, parseDate, weekdayOf } from '../domain/calendar-date.ts'
import type { SeriesStep } from '../domain/event-types/series-offer.ts'

/** A meeting as web calendars take it. */
export interface CalendarEntry {
  readonly title: string
  readonly startsAt: number
  readonly endsAt: number
  readonly details: string
  readonly location: string
  /** Set if it is one of a series: all that take place, in their order. */
  readonly series?: EntrySeries | undefined
}

interface EntrySeries {
  readonly every: SeriesStep
  /** Whose wall time the meetings keep. */
  readonly timeZone: string
  readonly starts: readonly number[]
}

/** The web calendars that we link to, in this order. */
export const WEB_CALENDARS = ['Google', 'Outlook.com', 'Microsoft 365'] as const

export interface CalendarLink {
  readonly name: (typeof WEB_CALENDARS)[number]
  readonly url: string
}

/**
 * For each web calendar, the page that adds this meeting to it.
 *
 * Only Google's takes a series, and only a regular one. A link that adds just one of its dates would mislead.
 */
export function calendarLinks(entry: CalendarEntry): CalendarLink[] {
  const { title, startsAt, endsAt, details, location, series } = entry
  if (series !== undefined) {
    const repeated = repetitionOf(series, endsAt - startsAt)
    if (repeated === undefined) return []
    const values = { action: 'TEMPLATE', text: title, ...repeated, details, location }
    return [{ name: 'Google', url: address(GOOGLE, values) }]
  }
  const google = {
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(startsAt)}/${compact(endsAt)}`,
    details,
    location,
  }
  const outlook = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: new Date(startsAt).toISOString(),
    enddt: new Date(endsAt).toISOString(),
    body: details,
    location,
  }
  const urls: Record<CalendarLink['name'], string> = {
    Google: address(GOOGLE, google),
    'Outlook.com': address('https://outlook.live.com/calendar/0/deeplink/compose', outlook),
    'Microsoft 365': address('https://outlook.office.com/calendar/0/deeplink/compose', outlook),
  }
  return WEB_CALENDARS.map((name) => ({ name, url: urls[name] }))
}

/** The rule that makes these dates, and the times of the first; undefined if no rule does. */
function repetitionOf({ every, timeZone, starts }: EntrySeries, length: number) {
  const walls = starts.map((at) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone))
  const [first] = walls
  if (first === undefined) return undefined
  const dates = walls.map((wall) => parseDate(wall.toPlainDate().toString()) as DayNumber)
  const [day] = dates as [DayNumber]
  const ruled = daysFrom(day, { every, count: starts.length })
  const isRegular = walls.every(
    (wall, index) => dates[index] === ruled[index] && wall.toPlainTime().equals(first.toPlainTime()),
  )
  if (!isRegular) return undefined
  const write = (wall: Temporal.ZonedDateTime) =>
    wall.toPlainDateTime().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
  const step =
    every === 'month'
      ? `FREQ=MONTHLY;BYDAY=${weekdayOfMonth(day)}${WEEKDAYS[weekdayOf(day) - 1]}`
      : `FREQ=WEEKLY;INTERVAL=${every === 'week' ? 1 : 2}`
  return {
    dates: `${write(first)}/${write(first.add({ milliseconds: length }))}`,
    ctz: timeZone,
    recur: `RRULE:${step};COUNT=${starts.length}`,
  }
}

const GOOGLE = 'https://calendar.google.com/calendar/render'
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Turns 2027-01-11T12:00:00.000Z into 20270111T120000Z. */
const compact = (at: number) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Encodes a space as `%20`: Outlook shows the `+` of URLSearchParams as a plus. */
const address = (page: string, values: Readonly<Record<string, string>>) =>
  `${page}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')}`
