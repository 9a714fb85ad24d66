import ical, {
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventRepeatingFreq,
  type ICalTemporalZonedDateTimeStub,
  ICalWeekday,
} from 'ical-generator'
import { seriesDays, type WallTime, wallTimeOf, weekdayOfMonth } from '../../domain/bookings/series.ts'
import { formatDate, weekdayOf } from '../../domain/calendar-date.ts'
import type { SeriesStep } from '../../domain/event-types/series-offer.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import { instantOf, nextChange, offsetAt, type Zone } from '../../domain/zone.ts'
import { eventData, type Invitation, type InvitedMeeting } from './invitation.ts'

interface Times {
  readonly startsAt: number
  readonly endsAt: number
}

/** The meetings of a series as calendars know them: one event that repeats. */
export interface InvitedSeries {
  readonly every: SeriesStep
  /** The start of the first meeting, as it was booked. */
  readonly firstAt: number
  /** The length of a meeting, in milliseconds. */
  readonly length: number
  /** Whose wall time the meetings keep. */
  readonly zone: Zone
  /** When each meeting takes place; undefined where it doesn't. */
  readonly meetings: readonly (Times | undefined)[]
}

/**
 * The whole series as one event with `RRULE` and `COUNT`.
 *
 * Meetings that were cancelled at its end shorten the rule, others are exceptions to it. Meetings that were moved are
 * events of their own, with the `RECURRENCE-ID` of where the rule has them. None left: the series is cancelled.
 */
export function writeSeries(
  method: 'REQUEST' | undefined,
  meeting: InvitedMeeting,
  series: InvitedSeries,
): Invitation {
  const { zone, meetings } = series
  const last = meetings.findLastIndex((times) => times !== undefined)
  const isOver = last < 0
  const count = isOver ? meetings.length : last + 1
  const walls = ruleWalls(series, meetings.length)
  const excluded = isOver ? [] : walls.slice(0, count).filter((_, index) => meetings[index] === undefined)
  const first = timesAt(series, startAt(zone, walls[0] as WallTime))
  const master = {
    ...eventData({ ...meeting, ...first }, isOver ? 'CANCELLED' : 'CONFIRMED'),
    ...zoned(zone, first),
    repeating: {
      ...frequencyOf(series),
      count,
      ...(excluded.length > 0 && { exclude: excluded.map((wall) => wallTime(zone, wall)) }),
    },
  }
  const moved = walls.flatMap((wall, index) => {
    const times = meetings[index]
    if (times === undefined || isExpanded(series, wall, times)) return []
    return [{ ...eventData({ ...meeting, ...times }, 'CONFIRMED'), ...placed(zone, times, wall) }]
  })
  return {
    method: isOver ? 'CANCEL' : 'REQUEST',
    ics: write(method && (isOver ? 'CANCEL' : method), series, [master, ...moved]),
  }
}

/** A change to one meeting of a series, which its `RECURRENCE-ID` names. */
export function writeMeetingOfSeries(
  method: Invitation['method'],
  meeting: InvitedMeeting,
  series: InvitedSeries,
  index: number,
): Invitation {
  const wall = ruleWalls(series, series.meetings.length)[index] as WallTime
  const status = method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'
  const event = { ...eventData(meeting, status), ...placed(series.zone, meeting, wall) }
  return { method, ics: write(method, series, [event]) }
}

/** The wall times to which calendars expand the rule, even where the zone skips one. */
function ruleWalls({ every, firstAt, zone }: InvitedSeries, count: number): WallTime[] {
  const { minutes } = wallTimeOf(zone, firstAt)
  return seriesDays(firstAt, { every, count }, zone).map((day) => ({ day, minutes }))
}

const startAt = (zone: Zone, { day, minutes }: WallTime) => instantOf(zone, day, minutes)

const timesAt = ({ length }: InvitedSeries, startsAt: number): Times => ({
  startsAt,
  endsAt: startsAt + length,
})

/** Whether calendars find these very times where the rule has this wall time. */
function isExpanded(series: InvitedSeries, wall: WallTime, { startsAt, endsAt }: Times): boolean {
  const { zone, firstAt } = series
  const start = startAt(zone, wall)
  const isSkipped = wallTimeOf(zone, start).minutes !== wall.minutes
  // The end of a repeated event is a wall time, too.
  const [first] = ruleWalls(series, 1) as [WallTime]
  const ends = wallTimeOf(zone, timesAt(series, startAt(zone, first)).endsAt)
  const end = instantOf(zone, wall.day + ends.day - wallTimeOf(zone, firstAt).day, ends.minutes)
  return (
    !isSkipped && startsAt === start && endsAt === end && !comesTwice(zone, start) && !comesTwice(zone, end)
  )
}

/** Whether clocks show the wall time of this instant once more. Calendars differ in which of the two they take. */
function comesTwice(zone: Zone, instant: number): boolean {
  const change = nextChange(zone, instant)
  const back = offsetAt(zone, instant) - offsetAt(zone, change)
  return back > 0 && instant + back >= change
}

function frequencyOf({ every, firstAt, zone }: InvitedSeries) {
  const { day } = wallTimeOf(zone, firstAt)
  const byDay = [WEEKDAYS[weekdayOf(day) - 1] as ICalWeekday]
  if (every === 'month') {
    return { freq: ICalEventRepeatingFreq.MONTHLY, byDay, bySetPos: weekdayOfMonth(day) }
  }
  return { freq: ICalEventRepeatingFreq.WEEKLY, interval: every === 'week' ? 1 : 2, byDay }
}

const WEEKDAYS = [
  ICalWeekday.MO,
  ICalWeekday.TU,
  ICalWeekday.WE,
  ICalWeekday.TH,
  ICalWeekday.FR,
  ICalWeekday.SA,
  ICalWeekday.SU,
]

const zonedTime = (zone: Zone, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone.id)

const zoned = (zone: Zone, { startsAt, endsAt }: Times) => ({
  timezone: zone.id,
  start: zonedTime(zone, startsAt),
  end: zonedTime(zone, endsAt),
})

/** A wall time for the library, which would change one that the zone skips. */
function wallTime(zone: Zone, { day, minutes }: WallTime): ICalTemporalZonedDateTimeStub {
  const plain = Temporal.Instant.fromEpochMilliseconds(day * DAY + minutes * MINUTE)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
  const { year, month, day: date, hour, minute, second } = plain
  const written: ICalTemporalZonedDateTimeStub = {
    ...{ year, month, day: date, hour, minute, second },
    timeZoneId: zone.id,
    toPlainDateTime: () => plain,
    toInstant: () => plain.toZonedDateTime(zone.id).toInstant(),
    toJSON: () => plain.toJSON(),
    withTimeZone: () => written,
  }
  return written
}

/** One meeting at these times, where the rule has this wall time. In UTC if its own could be read as another. */
function placed(zone: Zone, times: Times, rule: WallTime) {
  const isClear = [times.startsAt, times.endsAt].every((instant) => {
    const { day, minutes } = wallTimeOf(zone, instant)
    return instantOf(zone, day, minutes) === instant && !comesTwice(zone, instant)
  })
  if (isClear) return { ...zoned(zone, times), recurrenceId: wallTime(zone, rule) }
  return { start: new Date(times.startsAt), end: new Date(times.endsAt), recurrenceId: wallTime(zone, rule) }
}

function write(
  method: Invitation['method'] | undefined,
  series: InvitedSeries,
  events: readonly ICalEventData[],
): string {
  const times = series.meetings.flatMap((meeting) => (meeting ? [meeting.startsAt, meeting.endsAt] : []))
  const starts = ruleWalls(series, series.meetings.length).map((wall) => startAt(series.zone, wall))
  const from = Math.min(...starts, ...times) - DAY
  const to = Math.max(...starts, ...times) + 366 * DAY
  const calendar = ical({
    prodId: { company: 'Punctual', product: 'Punctual' },
    ...(method && { method: ICalCalendarMethod[method] }),
    timezone: { name: null, generator: () => writeZone(series.zone, from, to) },
  })
  for (const event of events) calendar.createEvent(event)
  // Of events in UTC, the library writes the wall time of the rule as if it were UTC, too.
  const text = calendar
    .toString()
    .replaceAll(/^RECURRENCE-ID:(\d{8}T\d{6})Z$/gm, `RECURRENCE-ID;TZID=${series.zone.id}:$1`)
  // RFC 5545 ends every line with CRLF; the library leaves the last one out.
  return `${text}\r\n`
}

/** A zone as iCalendar defines it, with each change of its clocks in this time. */
function writeZone(zone: Zone, from: number, to: number): string {
  const parts = [observance('STANDARD', '19700101T000000', offsetAt(zone, from), offsetAt(zone, from))]
  for (let at = nextChange(zone, from); at < to; at = nextChange(zone, at)) {
    const [before, after] = [offsetAt(zone, at - 1), offsetAt(zone, at)]
    parts.push(observance(after > before ? 'DAYLIGHT' : 'STANDARD', wallText(at + before), before, after))
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone.id}`, ...parts.flat(), 'END:VTIMEZONE'].join('\r\n')
}

const observance = (kind: 'STANDARD' | 'DAYLIGHT', start: string, before: number, after: number) => [
  `BEGIN:${kind}`,
  `DTSTART:${start}`,
  `TZOFFSETFROM:${offsetText(before)}`,
  `TZOFFSETTO:${offsetText(after)}`,
  `END:${kind}`,
]

/** A wall time, given as milliseconds of its own clock. */
function wallText(wall: number): string {
  const day = Math.floor(wall / DAY)
  const seconds = Math.floor((wall - day * DAY) / 1000)
  const digits = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(twoDigits)
  return `${formatDate(day).replaceAll('-', '')}T${digits.join('')}`
}

function offsetText(offset: number): string {
  const size = Math.abs(offset)
  const seconds = Math.floor((size % MINUTE) / 1000)
  const text = `${twoDigits(size / HOUR)}${twoDigits((size % HOUR) / MINUTE)}`
  return `${offset < 0 ? '-' : '+'}${text}${seconds === 0 ? '' : twoDigits(seconds)}`
}

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
