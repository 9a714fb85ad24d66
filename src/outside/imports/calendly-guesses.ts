import type { SourceRow } from '../../domain/imports/source.ts'
import { type Tree, textOf, treesOf } from './trees.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** Minutes of notice that hosts choose. */
const NOTICES = [0, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720, 1440, 2880, 4320, 5760, 7200, 10_080]

/** What Calendly sets unless told otherwise. */
const USUAL_NOTICE = 240

/** Days ahead that hosts choose. */
const WINDOWS = [7, 14, 21, 28, 30, 45, 60, 90, 120, 180, 365]

/** A window may end on days without hours, such as a weekend. */
const CLOSED_DAYS = 4

export interface Offered {
  readonly startsAt: number
  /** Seats that are left. */
  readonly remaining: number
}

export interface Observation {
  readonly now: number
  /** What can be booked, in order. */
  readonly offered: readonly Offered[]
  /** Until when it was asked. */
  readonly until: number
  /** When a host would be there first, whatever is in their calendar; undefined if their hours are not known. */
  readonly opensAt: number | undefined
  readonly isGroup: boolean
  /** How many meetings each day has already, by date in the zone of the host. */
  readonly meetings: ReadonlyMap<string, number>
  readonly timeZone: string
}

/** What an event type's settings must be, judging by what can be booked. Only what there is evidence for. */
export function guessSettings(observed: Observation): SourceRow {
  const { now, offered, until, opensAt, isGroup } = observed
  const [first] = offered
  const last = offered.at(-1)
  if (first === undefined || last === undefined) return {}
  const seats = Math.max(...offered.map(({ remaining }) => remaining))
  return {
    minimumBookingNotice: guessNotice(
      (first.startsAt - now) / MINUTE,
      opensAt !== undefined && first.startsAt > opensAt,
    ),
    ...guessWindow((last.startsAt - now) / DAY, (until - now) / DAY),
    ...(isGroup && seats > 0 && { seatsPerTimeSlot: seats }),
    ...guessLimit(observed),
  }
}

/** `isHeldBack`: the host is there earlier, so it is the notice that keeps the first time away. */
function guessNotice(minutesAhead: number, isHeldBack: boolean): number {
  const atMost = NOTICES.findLast((notice) => notice <= minutesAhead) ?? 0
  return isHeldBack ? atMost : Math.min(atMost, USUAL_NOTICE)
}

function guessWindow(daysAhead: number, daysAsked: number): SourceRow {
  if (daysAsked - daysAhead <= CLOSED_DAYS) return { periodType: 'unlimited' }
  const days = Math.ceil(daysAhead)
  const usual = WINDOWS.find((window) => window >= daysAhead && window - days <= CLOSED_DAYS)
  return { periodType: 'rolling', periodDays: usual ?? days, periodCountCalendarDays: true }
}

export const dateIn = (timeZone: string, instant: number): string =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()

/**
 * Days between the first and the last one offered that have meetings and no times left tell a limit, if all of them have the
 * same number and no day that is still offered has as many. One or two such days may be full for other reasons.
 */
function guessLimit({ offered, meetings, timeZone }: Observation): SourceRow {
  const open = new Set(offered.map(({ startsAt }) => dateIn(timeZone, startsAt)))
  const dates = [...open].sort()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const full = [...meetings].filter(([date]) => date > first && date < last && !open.has(date))
  const counts = new Set(full.map(([, count]) => count))
  const [limit] = counts
  if (limit === undefined || counts.size > 1 || full.length < (limit === 1 ? 3 : 2)) return {}
  const isExceeded = [...meetings].some(([date, count]) => open.has(date) && count >= limit)
  return isExceeded ? {} : { bookingLimits: { PER_DAY: limit } }
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** How far ahead a host's hours are searched. */
const MOST_DAYS = 14

/** The first instant from now on at which a host has hours; undefined if there is none soon, or they cannot be read. */
export function firstOpening({ rules, timezone }: Tree, now: number): number | undefined {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(textOf(timezone))
    for (let days = 0; days < MOST_DAYS; days++) {
      const day = start.toPlainDate().add({ days })
      const openings = hoursOn(treesOf(rules), day).flatMap(({ from, to }) => {
        const [opens, closes] = [from, to].map(
          (time) =>
            day.toZonedDateTime({ timeZone: textOf(timezone), plainTime: textOf(time) }).epochMilliseconds,
        ) as [number, number]
        return closes > now ? [Math.max(opens, now)] : []
      })
      if (openings.length > 0) return Math.min(...openings)
    }
  } catch {
    // Hours as we don't know them.
  }
  return undefined
}

function hoursOn(rules: readonly Tree[], day: Temporal.PlainDate): readonly Tree[] {
  const wday = DAYS[day.dayOfWeek % 7]
  const special = rules.find(({ type, date }) => type === 'date' && date === day.toString())
  const usual = rules.filter((rule) => rule.type === 'wday' && rule.wday === wday)
  return special === undefined
    ? usual.flatMap(({ intervals }) => treesOf(intervals))
    : treesOf(special.intervals)
}
