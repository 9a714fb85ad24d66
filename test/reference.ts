import type { Schedule, WallRange } from '../src/domain/event-types/hours.ts'
import type { Interval } from '../src/domain/interval.ts'
import type { Claim, HostAvailability } from '../src/domain/slots/openings.ts'
import type { SlotRules } from '../src/domain/slots/rules.ts'

// What slots mean, read aloud: slow, plain, and free of the engine it is compared with.
// Only types are shared; every wall time is Temporal's, every instant a whole minute.

const MINUTE = 60_000

/** The starts at which every host is open for the whole meeting, minute by minute. */
export function referenceGrid(
  schedules: readonly Schedule[],
  { duration, step }: Pick<SlotRules, 'duration' | 'step'>,
  span: Interval,
): number[] {
  const ranges = commonRanges(schedules, span, duration)
  const starts: number[] = []
  for (let start = firstMinute(span.start); start < span.end; start += MINUTE) {
    if (isOnGrid(start, ranges, step) && isOpenThroughout(start, duration, ranges)) starts.push(start)
  }
  return starts
}

function isOnGrid(instant: number, ranges: readonly Interval[], step: number): boolean {
  return ranges.some((range) => contains(range, instant) && (instant - range.start) % step === 0)
}

function isOpenThroughout(start: number, duration: number, ranges: readonly Interval[]): boolean {
  for (let minute = start; minute < start + duration; minute += MINUTE) {
    if (!isOpen(minute, ranges)) return false
  }
  return true
}

/** True when the minute that begins at `instant` lies in any of the ranges. */
export function isOpen(instant: number, ranges: readonly Interval[]): boolean {
  return ranges.some((range) => contains(range, instant))
}

/** The ranges of every date that `span`, or a meeting that begins within it, may touch. */
export function referenceRanges(schedule: Schedule, span: Interval, duration: number): Interval[] {
  const { timeZone, weekly, overrides } = schedule
  const ranges: Interval[] = []
  const last = dateAt(span.end + duration, timeZone).add({ days: 2 })
  let date = dateAt(span.start, timeZone).subtract({ days: 2 })
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    for (const { opens, closes } of hoursOn(date, weekly, overrides)) {
      const range = { start: resolve(date, opens, timeZone), end: resolve(date, closes, timeZone) }
      if (range.start < range.end) ranges.push(range)
    }
    date = date.add({ days: 1 })
  }
  return ranges
}

function hoursOn(
  date: Temporal.PlainDate,
  weekly: Schedule['weekly'],
  overrides: Schedule['overrides'],
): readonly WallRange[] {
  return overrides[date.toString()] ?? weekly[date.dayOfWeek] ?? []
}

/** The instant of a wall time, by Temporal's rule `compatible`. */
function resolve(date: Temporal.PlainDate, time: string, timeZone: string): number {
  if (time === '24:00') return resolve(date.add({ days: 1 }), '00:00', timeZone)
  return date.toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
    .epochMilliseconds
}

/** Every part that a range of each schedule has in common with one of every other. */
function commonRanges(schedules: readonly Schedule[], span: Interval, duration: number): Interval[] {
  return schedules
    .map((schedule) => referenceRanges(schedule, span, duration))
    .reduce((common, ranges) =>
      common.flatMap((a) =>
        ranges
          .map((b) => ({ start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) }))
          .filter(({ start, end }) => start < end),
      ),
    )
}

/** An available start, with its seats left. */
export interface ReferenceStart {
  readonly start: number
  readonly seatsLeft: number
}

/** The openings of one group of hosts: the grid, without the starts that a rule blocks. */
export function referenceOpenings(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  now: number,
  span: Interval,
): ReferenceStart[] {
  const schedules = hosts.map((host) => host.schedule)
  return referenceGrid(schedules, rules, span)
    .filter((start) => start >= now + rules.notice)
    .filter((start) => hosts.every((host) => isInWindow(start, rules, host, now)))
    .map((start) => ({ start, seatsLeft: seatsLeftAt(start, rules, hosts) }))
    .filter(({ seatsLeft }) => seatsLeft > 0)
}

function isInWindow(
  start: number,
  { window }: SlotRules,
  { schedule }: HostAvailability,
  now: number,
): boolean {
  const date = dateAt(start, schedule.timeZone)
  if (window.kind === 'unlimited') return true
  if (window.kind === 'fixed') {
    return (
      Temporal.PlainDate.compare(date, window.from) >= 0 && Temporal.PlainDate.compare(date, window.to) <= 0
    )
  }
  let lastDate = dateAt(now, schedule.timeZone)
  for (let left = window.days; left > 0; ) {
    lastDate = lastDate.add({ days: 1 })
    if (!window.businessDays || lastDate.dayOfWeek <= 5) left--
  }
  return Temporal.PlainDate.compare(date, lastDate) <= 0
}

function seatsLeftAt(start: number, rules: SlotRules, hosts: readonly HostAvailability[]): number {
  const meeting = rules.seats > 1 ? meetingToJoin(start, rules, hosts) : undefined
  if (meeting !== undefined) return Math.max(0, rules.seats - meeting.seatsTaken)
  return hosts.every((host) => isFree(start, rules, host) && isWithinLimits(start, rules, host))
    ? rules.seats
    : 0
}

/** The meeting of this event type at `start` that every host attends, and none is away from. */
function meetingToJoin(
  start: number,
  rules: SlotRules,
  hosts: readonly HostAvailability[],
): Claim | undefined {
  const [first, ...others] = hosts
  return first?.claims.find(
    (claim) =>
      claim.eventTypeId === rules.eventTypeId &&
      claim.startsAt === start &&
      claim.endsAt === start + rules.duration &&
      others.every((host) => host.claims.some(({ meetingId }) => meetingId === claim.meetingId)) &&
      hosts.every(({ absences }) =>
        absences.every((absence) => !share(absence, { start, end: start + rules.duration })),
      ),
  )
}

/** True when nothing of the host's overlaps the meeting, and no buffer of either runs into the other. */
export function isFree(
  start: number,
  rules: SlotRules,
  { claims, absences, busyTimes = [] }: Omit<HostAvailability, 'schedule'>,
): boolean {
  const meeting = { start, end: start + rules.duration }
  const buffered = { start: meeting.start - rules.bufferBefore, end: meeting.end + rules.bufferAfter }
  return (
    claims.every((claim) => {
      const other = { start: claim.startsAt, end: claim.endsAt }
      const otherBuffered = { start: other.start - claim.bufferBefore, end: other.end + claim.bufferAfter }
      return !share(buffered, other) && !share(meeting, otherBuffered)
    }) && [...absences, ...busyTimes].every((span) => !share(buffered, span))
  )
}

function isWithinLimits(start: number, rules: SlotRules, { schedule, claims }: HostAvailability): boolean {
  const date = dateAt(start, schedule.timeZone)
  const booked = claims
    .filter((claim) => claim.eventTypeId === rules.eventTypeId)
    .map((claim) => ({
      date: dateAt(claim.startsAt, schedule.timeZone),
      length: claim.endsAt - claim.startsAt,
    }))
  const inSame = {
    day: booked.filter((other) => other.date.equals(date)),
    week: booked.filter((other) => mondayOf(other.date).equals(mondayOf(date))),
    month: booked.filter((other) => firstOf(other.date).equals(firstOf(date))),
    year: booked.filter((other) => other.date.year === date.year),
  }
  return (['day', 'week', 'month', 'year'] as const).every((period) => {
    const [most, mostMinutes] = [rules.limits[period] ?? null, rules.limitMinutes[period] ?? null]
    const minutes = inSame[period].reduce((sum, { length }) => sum + length, rules.duration) / MINUTE
    return (most === null || inSame[period].length < most) && (mostMinutes === null || minutes <= mostMinutes)
  })
}

const mondayOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek - 1 })
const firstOf = (date: Temporal.PlainDate) => date.with({ day: 1 })

function dateAt(instant: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(instant))
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
}

const firstMinute = (instant: number) => Math.ceil(instant / MINUTE) * MINUTE
const contains = (range: Interval, instant: number) => range.start <= instant && instant < range.end
const share = (a: Interval, b: Interval) => a.start < b.end && b.start < a.end
