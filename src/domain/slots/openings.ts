import { addBusinessDays, type DayNumber, monthOf, parseDate, weekOf, yearOf } from '../calendar-date.ts'
import { type BookingWindow, PERIODS, type Period } from '../event-types/event-type.ts'
import type { CompiledSchedule } from '../event-types/hours.ts'
import { DAY, type Interval, intersect, MINUTE, overlaps, within } from '../interval.ts'
import { instantOf, LAST_KNOWN_INSTANT, localDay, type Zone } from '../zone.ts'
import { type BufferedMeeting, blockedAfter, blockedBefore } from './conflicts.ts'
import type { SlotRules } from './rules.ts'

/** The time that one active meeting takes from one host. */
export interface Claim extends BufferedMeeting {
  readonly meetingId: string
  readonly eventTypeId: string
  readonly seatsTaken: number
  /** Set for a hold: it takes time, but is no meeting yet. */
  readonly isHold?: true
}

/** When one host is open, and what blocks their time. */
export interface HostAvailability {
  readonly hostId: string
  readonly schedule: CompiledSchedule
  readonly claims: readonly Claim[]
  readonly absences: readonly TimeOff[]
  /** Busy times in connected calendars, merged: there may be thousands, so they are searched. */
  readonly busyTimes?: readonly BusyTime[]
  /** They have not looked at their hours yet, which offer nothing until then. */
  readonly unconfirmed?: boolean
}

/** Time off. */
export interface TimeOff extends Interval {
  /** The colleague who stands in, by id. */
  readonly redirectTo?: string
  /** The same by name, for explanations. */
  readonly standIn?: string
}

/** A busy time in a connected calendar. Only the calendar's owner may learn its name. */
export interface BusyTime extends Interval {
  readonly calendar?: string
}

/**
 * Available starts, ascending, in runs: `counts[i]` starts from `firsts[i]` on, `step` apart.
 *
 * A month has hundreds of starts but few runs. For event types with seats, each start is a
 * separate run with its `seatsLeft`.
 */
export interface Openings {
  readonly step: number
  readonly firsts: readonly number[]
  readonly counts: readonly number[]
  readonly seatsLeft: readonly number[] | undefined
}

/** The longest meeting. Queries for claims look back this far to find those that run into a span. */
export const MAX_DURATION = DAY

export const MAX_BUFFER = DAY

/** The longest span of a listing. It bounds every loop over time in this file. */
export const MAX_SPAN_DAYS = 92

const NOTHING: Openings = { step: 1, firsts: [], counts: [], seatsLeft: undefined }

/**
 * The one rule engine: the starts in `span` that can be booked at `now`.
 *
 * Each group is a set of hosts who must all be free; a start is available if
 * any group is free. Listing asks about months, booking about one instant.
 * Claims must cover `claimSpan(rules, span)`.
 */
export function findOpenings(
  rules: SlotRules,
  groups: readonly (readonly HostAvailability[])[],
  now: number,
  span: Interval,
): Openings {
  if (rules.duration <= 0 || rules.step <= 0) throw new RangeError('duration and step must be positive')
  if (span.end - span.start > (MAX_SPAN_DAYS + 2) * DAY) throw new RangeError('the span is too long')
  if (groups.length === 1) return groupOpenings(rules, groups[0] as readonly HostAvailability[], now, span)

  const starts = groups.flatMap((group) => startsOf(groupOpenings(rules, group, now, span)))
  return openingsAt(ascending(starts), rules.step)
}

/** Every available start. */
export function startsOf({ step, firsts, counts }: Openings): number[] {
  return firsts.flatMap((first, run) =>
    Array.from({ length: counts[run] as number }, (_, i) => first + i * step),
  )
}

/** These starts as openings, without seats. */
export function openingsAt(starts: readonly number[], step: number): Openings {
  const openings = new Runs(step, false)
  for (let i = 0; i < starts.length; ) {
    const first = starts[i] as number
    let count = 1
    while (starts[i + count] === first + count * step) count++
    openings.add(first, count)
    i += count
  }
  return openings
}

/** The starts within `span` of openings that follow one another, all in these steps. */
export function joinOpenings(parts: readonly Openings[], step: number, span: Interval): Openings {
  const openings = new Runs(
    step,
    parts.some(({ seatsLeft }) => seatsLeft !== undefined),
  )
  for (const { firsts, counts, seatsLeft } of parts) {
    for (let run = 0; run < firsts.length; run++) {
      const first = firsts[run] as number
      const count = counts[run] as number
      if (first >= span.end) break
      const last = first + (count - 1) * step
      if (last < span.start) continue
      const skipped = first < span.start ? Math.ceil((span.start - first) / step) : 0
      const cut = last < span.end ? 0 : count - Math.ceil((span.end - first) / step)
      openings.add(first + skipped * step, count - skipped - cut, seatsLeft?.[run])
    }
  }
  return openings
}

class Runs implements Openings {
  readonly step: number
  readonly firsts: number[] = []
  readonly counts: number[] = []
  readonly seatsLeft: number[] | undefined

  constructor(step: number, seated: boolean) {
    this.step = step
    this.seatsLeft = seated ? [] : undefined
  }

  /** Adds a run after all others; an empty one, or one without seats, is ignored. */
  add(first: number, count: number, seatsLeft = 1): void {
    if (count <= 0 || seatsLeft === 0) return
    this.firsts.push(first)
    this.counts.push(count)
    this.seatsLeft?.push(seatsLeft)
  }
}

/** The span in which claims begin that are needed to decide about starts in `span`. */
export function claimSpan(rules: SlotRules, span: Interval): Interval {
  const period = limitedPeriod(rules)
  return {
    start: span.start - Math.max(period, MAX_DURATION + MAX_BUFFER),
    end: span.end + Math.max(period, rules.duration + MAX_BUFFER),
  }
}

/** The span which claims touch, buffers included, that are needed to decide about one start. */
export function decidingSpan(rules: SlotRules, startsAt: number): Interval {
  const period = limitedPeriod(rules)
  return {
    start: startsAt - rules.bufferBefore - period,
    end: startsAt + rules.duration + rules.bufferAfter + period,
  }
}

/** How far from a start meetings count that a limit includes. Without one, only those count that are too close. */
function limitedPeriod(rules: SlotRules): number {
  const longest = PERIODS.findLast((period) => isPeriodLimited(rules, period))
  return longest === undefined ? 0 : (LONGEST[longest] + 2) * DAY
}

/** The days of each period, at most. */
const LONGEST: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 31, year: 366 }

const isPeriodLimited = ({ limits, limitMinutes }: SlotRules, period: Period) =>
  (limits[period] ?? limitMinutes[period] ?? null) !== null

/** Which details of a claim these rules need, besides its time. */
type ClaimDetails = 'times' | 'meetings' | 'seats'

export function claimDetails(rules: SlotRules): ClaimDetails {
  if (rules.seats > 1) return 'seats'
  return PERIODS.some((period) => isPeriodLimited(rules, period)) ? 'meetings' : 'times'
}

/** The first instant after `now` at which these openings may change without any booking. */
export function openingsExpireAt(
  rules: SlotRules,
  groups: readonly (readonly HostAvailability[])[],
  now: number,
  openings: Openings,
): number {
  const [first] = openings.firsts
  let expires = first === undefined ? Infinity : first - rules.notice + 1
  if (rules.window.kind === 'rolling') {
    for (const group of groups) {
      for (const { schedule } of group) {
        const { zone } = schedule
        expires = Math.min(expires, instantOf(zone, localDay(zone, now) + 1, 0))
      }
    }
  }
  return expires
}

function groupOpenings(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  now: number,
  span: Interval,
): Openings {
  let from = Math.max(span.start, now + rules.notice)
  let until = span.end
  for (const { schedule } of hosts) {
    const window = windowSpan(rules.window, schedule.zone, now)
    from = Math.max(from, window.start)
    until = Math.min(until, window.end)
  }
  if (from >= until) return NOTHING

  const ranges = commonRanges(hosts, from, until + rules.duration)
  const joinable = rules.seats > 1 ? joinableMeetings(rules, hosts) : undefined
  const blocks = blockedStarts(rules, hosts, from, until)
  const limited = limitChecks(rules, hosts)

  const { step, seats } = rules
  const grid = gridRuns(ranges, rules, from, until)
  const free = freeRuns(grid, blocks, step)
  const openings = new Runs(step, joinable !== undefined)
  if (joinable !== undefined) {
    let run = 0
    for (const start of startsOfRuns(grid, step)) {
      while (run < free.length && (free[run + 1] as number) <= start) run += 2
      const isFree = start >= (free[run] ?? Infinity) && !isLimited(limited, start)
      openings.add(start, 1, joinable.get(start) ?? (isFree ? seats : 0))
    }
    return openings
  }
  for (let run = 0; run < free.length; run += 2) {
    const [first, last] = [free[run] as number, free[run + 1] as number]
    if (limited.length === 0) openings.add(first, Math.ceil((last - first) / step))
    else addUnlimited(openings, first, last, limited)
  }
  return openings
}

/** Adds what is left of a run without the starts whose limits have been reached. */
function addUnlimited(openings: Runs, first: number, last: number, limited: readonly LimitCheck[]): void {
  const { step } = openings
  let from = first
  for (let start = first; start < last; start += step) {
    if (!isLimited(limited, start)) continue
    openings.add(from, (start - from) / step)
    from = start + step
  }
  openings.add(from, Math.ceil((last - from) / step))
}

export function windowSpan(window: BookingWindow, zone: Zone, now: number): Interval {
  if (window.kind === 'unlimited') return { start: -Infinity, end: LAST_KNOWN_INSTANT }
  if (window.kind === 'rolling') {
    const today = localDay(zone, now)
    const last = window.businessDays ? addBusinessDays(today, window.days) : today + window.days
    return { start: -Infinity, end: Math.min(instantOf(zone, last + 1, 0), LAST_KNOWN_INSTANT) }
  }
  return {
    start: instantOf(zone, parseDate(window.from) as DayNumber, 0),
    end: Math.min(instantOf(zone, (parseDate(window.to) as DayNumber) + 1, 0), LAST_KNOWN_INSTANT),
  }
}

/** The ranges in which all hosts are open, from the date before `from` to the date after `until`. */
export function commonRanges(hosts: readonly HostAvailability[], from: number, until: number): Interval[] {
  let common: Interval[] | undefined
  for (const { schedule } of hosts) {
    const { zone } = schedule
    const ranges = schedule.openRanges(localDay(zone, from) - 1, localDay(zone, until) + 1)
    common = common === undefined ? ranges : intersect(common, ranges)
  }
  return common ?? []
}

/** Every start of the grid in `[from, until)` whose meeting fits into the open hours. */
export function gridStarts(
  ranges: readonly Interval[],
  rules: SlotRules,
  from: number,
  until: number,
): number[] {
  return startsOfRuns(gridRuns(ranges, rules, from, until), rules.step)
}

/**
 * The same starts in runs: from `runs[0]` in steps up to before `runs[1]`, then from `runs[2]` on.
 *
 * A grid begins at the start of its range and advances in elapsed time, so it does
 * not depend on the query, the guest's zone or the bookings.
 */
function gridRuns(ranges: readonly Interval[], rules: SlotRules, from: number, until: number): number[] {
  const { duration, step } = rules
  const runs: number[] = []
  let sorted = true
  for (let first = 0; first < ranges.length; ) {
    // Ranges that touch form one open stretch: a meeting may run from one into the next.
    let stretchEnd = (ranges[first] as Interval).end
    let next = first + 1
    while (next < ranges.length && (ranges[next] as Interval).start <= stretchEnd) {
      // Ranges of a valid schedule overlap only around a DST gap.
      if ((ranges[next] as Interval).start < (ranges[next - 1] as Interval).end) sorted = false
      stretchEnd = Math.max(stretchEnd, (ranges[next] as Interval).end)
      next++
    }
    for (let i = first; i < next; i++) {
      const { start, end } = ranges[i] as Interval
      const skipped = from > start ? Math.ceil((from - start) / step) : 0
      runs.push(start + skipped * step, Math.min(end, until, stretchEnd - duration + 1))
    }
    first = next
  }
  return sorted ? runs : ascending(startsOfRuns(runs, step)).flatMap((start) => [start, start + 1])
}

function startsOfRuns(runs: readonly number[], step: number): number[] {
  const starts: number[] = []
  for (let run = 0; run < runs.length; run += 2) {
    for (let start = runs[run] as number; start < (runs[run + 1] as number); start += step) starts.push(start)
  }
  return starts
}

/**
 * Runs of a grid without the blocked starts. From block to block instead of from start to start: a month has hundreds of
 * starts, and few blocks.
 */
function freeRuns(grid: readonly number[], { starts, ends }: Blocks, step: number): number[] {
  const runs: number[] = []
  let block = 0
  let blockedUntil = -Infinity
  for (let run = 0; run < grid.length; run += 2) {
    const last = grid[run + 1] as number
    let start = grid[run] as number
    while (start < last) {
      for (; block < starts.length && (starts[block] as number) < start; block++) {
        blockedUntil = Math.max(blockedUntil, ends[block] as number)
      }
      if (start < blockedUntil) {
        start += Math.ceil((blockedUntil - start) / step) * step
        continue
      }
      let end = last
      for (; block < starts.length && (starts[block] as number) < end; block++) {
        blockedUntil = Math.max(blockedUntil, ends[block] as number)
        // The first start after the block has begun. Many blocks end before it.
        const next = start + (Math.floor(((starts[block] as number) - start) / step) + 1) * step
        if (next < blockedUntil) end = Math.min(next, last)
      }
      runs.push(start, end)
      start = end
    }
  }
  return runs
}

/** Open intervals `(starts[i], ends[i])`, sorted by start. */
interface Blocks {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Where no meeting may start within `[from, until)`: `conflicts`, solved for the start. */
function blockedStarts(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  from: number,
  until: number,
): Blocks {
  const { duration, bufferBefore, bufferAfter } = rules
  const reach = { start: from - bufferBefore, end: until + duration + bufferAfter }
  const starts: number[] = []
  const ends: number[] = []
  let sorted = true
  const block = (start: number, end: number) => {
    if (end <= from || start >= until) return
    if (starts.length > 0 && start < (starts[starts.length - 1] as number)) sorted = false
    starts.push(start)
    ends.push(end)
  }
  for (const { claims, absences, busyTimes = [] } of hosts) {
    for (const claim of claims) {
      block(
        blockedAfter(rules, claim.startsAt, claim.bufferBefore),
        blockedBefore(rules, claim.endsAt, claim.bufferAfter),
      )
    }
    for (const { start, end } of absences) block(blockedAfter(rules, start), blockedBefore(rules, end))
    for (const { start, end } of within(busyTimes, reach)) {
      block(blockedAfter(rules, start), blockedBefore(rules, end))
    }
  }
  if (sorted) return { starts, ends }
  const order = starts.map((_, i) => i).sort((a, b) => (starts[a] as number) - (starts[b] as number))
  return { starts: order.map((i) => starts[i] as number), ends: order.map((i) => ends[i] as number) }
}

/** The seats left in meetings of this event type that all hosts attend, by start. While one is away, no one can join. */
export function joinableMeetings(rules: SlotRules, hosts: readonly HostAvailability[]): Map<number, number> {
  const joinable = new Map<number, number>()
  const [first, ...others] = hosts
  for (const claim of first?.claims ?? []) {
    const left = rules.seats - claim.seatsTaken
    if (left <= 0 || claim.eventTypeId !== rules.eventTypeId) continue
    if (claim.endsAt - claim.startsAt !== rules.duration) continue
    const shared = others.every((host) => host.claims.some((other) => other.meetingId === claim.meetingId))
    const meeting = { start: claim.startsAt, end: claim.endsAt }
    const away = hosts.some(({ absences }) => absences.some((absence) => overlaps(absence, meeting)))
    if (shared && !away) joinable.set(claim.startsAt, left)
  }
  return joinable
}

const NUMBERED: Readonly<Record<Period, (day: DayNumber) => number>> = {
  day: (day) => day,
  week: weekOf,
  month: monthOf,
  year: yearOf,
}

interface LimitCheck {
  readonly period: Period
  readonly limit: number
  readonly unit: 'meetings' | 'minutes'
  /** Whether the limit of this start's period has been reached. */
  readonly reached: (start: number) => boolean
}

/** One check per limit and host. */
export function limitChecks(rules: SlotRules, hosts: readonly HostAvailability[]): LimitCheck[] {
  return PERIODS.flatMap((period) => [
    ...checksOf(rules, hosts, { period, limit: rules.limits[period] ?? null, unit: 'meetings' }),
    ...checksOf(rules, hosts, { period, limit: rules.limitMinutes[period] ?? null, unit: 'minutes' }),
  ])
}

function checksOf(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  { period, limit, unit }: Pick<LimitCheck, 'period' | 'unit'> & { readonly limit: number | null },
): LimitCheck[] {
  if (limit === null) return []
  const sizeOf = (length: number) => (unit === 'meetings' ? 1 : length / MINUTE)
  const most = limit - sizeOf(rules.duration)
  return hosts.map(({ schedule, claims }) => {
    const { zone } = schedule
    const periodOf = (instant: number) => NUMBERED[period](localDay(zone, instant))
    const sums = new Map<number, number>()
    for (const claim of claims) {
      if (claim.eventTypeId !== rules.eventTypeId || claim.isHold) continue
      const key = periodOf(claim.startsAt)
      sums.set(key, (sums.get(key) ?? 0) + sizeOf(claim.endsAt - claim.startsAt))
    }
    return { period, limit, unit, reached: (start) => (sums.get(periodOf(start)) ?? 0) > most }
  })
}

const isLimited = (limited: readonly LimitCheck[], start: number) =>
  limited.some(({ reached }) => reached(start))

/** Sorted, each start once. */
function ascending(starts: number[]): number[] {
  starts.sort((a, b) => a - b)
  return starts.filter((start, i) => start !== starts[i - 1])
}
