import { addBusinessDays, type DayNumber, monthOf, weekdayOf, weekOf, yearOf } from '../../calendar-date.ts'
import type { Period } from '../../event-types/event-type.ts'
import { DAY, HOUR, type Interval, intersect, MINUTE, merge, overlaps } from '../../interval.ts'
import { instantOf, localDay, offsetAt, type Zone } from '../../zone.ts'
import { datesBetween } from '../values.ts'

// What Cal.com would offer, computed from its own rows by its own rules, as its public source has them. Any of the rules in
// which we differ can be ours instead: what a difference comes from is found by trying.

/** Where its rules differ from ours. */
export const DIFFERING_RULES = [
  'buffers',
  'rounding',
  'grid',
  'offset',
  'clock-change',
  'days-off',
  'window',
  'limits',
  'seats',
  'first-only',
] as const

export type DifferingRule = (typeof DIFFERING_RULES)[number]

/** Weekly hours; days as its rows count them, 0 is Sunday. Minutes since midnight; 23:59 is the end of the day. */
export interface TheirHours {
  readonly days: readonly number[]
  readonly opens: number
  readonly closes: number
}

/** Hours of one date, which replace the week's; none if they end when they begin. */
export interface TheirOverride {
  readonly day: DayNumber
  readonly opens: number
  readonly closes: number
}

/** An accepted or pending meeting. */
export interface TheirBooking extends Interval {
  readonly id: string
  readonly eventType: string
  readonly host: string
  /** Those of its own event type. */
  readonly bufferBefore: number
  readonly bufferAfter: number
  /** Null: it has no seats. */
  readonly seatsLeft: number | null
}

export interface TheirHost {
  readonly id: string
  readonly zone: Zone
  readonly hours: readonly TheirHours[]
  readonly overrides: readonly TheirOverride[]
  /** Whole days, as UTC has them. */
  readonly daysOff: readonly { readonly first: DayNumber; readonly last: DayNumber }[]
  readonly bookings: readonly TheirBooking[]
  /** Attends every meeting. */
  readonly fixed: boolean
}

export type TheirWindow =
  | { readonly kind: 'unlimited' }
  /** `window` counts only days that have times. */
  | { readonly kind: 'rolling' | 'window'; readonly days: number; readonly businessDays: boolean }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }

export type TheirLimits = Readonly<Record<Period, number | null>>

export interface TheirEvent {
  readonly id: string
  readonly duration: number
  readonly interval: number
  readonly offset: number
  readonly bufferBefore: number
  readonly bufferAfter: number
  readonly notice: number
  readonly window: TheirWindow
  readonly limits: TheirLimits
  readonly limitMinutes: TheirLimits
  readonly seats: number | null
  readonly zone: Zone
  readonly hosts: readonly TheirHost[]
  /** One start a day. */
  readonly firstOnly: boolean
  /** Keeps as many starts as fit, where others round. */
  readonly optimized: boolean
}

/** Who asks, when, and for which starts. */
export interface Asked {
  readonly now: number
  readonly zone: Zone
  readonly span: Interval
}

const NONE: ReadonlySet<DifferingRule> = new Set()

/** The starts that it offers, ascending; by our rules instead where `ours` says so. */
export function theirStarts(
  event: TheirEvent,
  asked: Asked,
  ours: ReadonlySet<DifferingRule> = NONE,
): number[] {
  if (event.duration <= 0 || event.interval <= 0 || event.hosts.length === 0) return []
  const hosts = event.hosts.map((host) => timesOf(event, host, asked, ours))
  const offered = withSeats(event, onGrid(event, hosts, asked, ours), asked, ours)
  const inWindow = windowFilter(event, offered, asked, ours)
  const listed = offered.filter((start) => inWindow(start) && isLongEnoughAhead(event, asked, start))
  return ours.has('first-only') || !event.firstOnly ? listed : firstOfDays(listed, asked.zone)
}

const onGrid: typeof onOneGrid = (event, hosts, asked, ours) =>
  ours.has('grid') ? onOneGrid(event, hosts, asked, ours) : onTheirGrid(event, hosts, asked, ours)

const isLongEnoughAhead = ({ notice }: TheirEvent, { now, span }: Asked, start: number) =>
  start >= now + notice && start >= span.start && start < span.end

/** When a host is open, and what of that is free. */
interface HostTimes {
  readonly fixed: boolean
  readonly open: readonly Interval[]
  readonly free: readonly Interval[]
}

function timesOf(
  event: TheirEvent,
  host: TheirHost,
  asked: Asked,
  ours: ReadonlySet<DifferingRule>,
): HostTimes {
  const { fixed, bookings } = host
  const open = openRanges(host, asked.span, ours)
  const busy = [
    ...bookings.flatMap((booking) => busyOf(event, booking, ours)),
    ...daysAway(event, host, ours),
  ]
  const free = subtract(subtract(open, busy), limitedTimes(event, host, asked, ours))
  return { fixed, open, free }
}

/** A day before and after: an asker's day is two of a host's. */
function openRanges(host: TheirHost, span: Interval, ours: ReadonlySet<DifferingRule>): Interval[] {
  const { zone, overrides, daysOff } = host
  const [first, last] = [localDay(zone, span.start) - 1, localDay(zone, span.end) + 1]
  const weekly = ours.has('clock-change') ? plainHours(host, first, last) : theirHours(host, first, last)
  const replaced = new Set(overrides.map(({ day }) => day))
  const dated = overrides
    .filter(({ day, opens, closes }) => opens < closes && day >= first && day <= last)
    .map(({ day, opens, closes }) => ({
      start: instantOf(zone, day, opens),
      end: instantOf(zone, day, endOfDay(closes)),
    }))
  const ranges = [...weekly.filter(({ start }) => !replaced.has(localDay(zone, start))), ...dated]
  const sorted = ranges.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)
  if (ours.has('days-off')) return sorted
  return sorted.filter(({ start }) => {
    const day = localDay(zone, start)
    return !daysOff.some((off) => day >= off.first && day <= off.last)
  })
}

/** Days off as we have them: from midnight to midnight in the host's zone, with the buffers of a meeting beside them. */
function daysAway(
  event: TheirEvent,
  { zone, daysOff }: TheirHost,
  ours: ReadonlySet<DifferingRule>,
): Interval[] {
  if (!ours.has('days-off')) return []
  return daysOff.map(({ first, last }) => ({
    start: instantOf(zone, first, 0) - event.bufferAfter,
    end: instantOf(zone, last + 1, 0) + event.bufferBefore,
  }))
}

/** Nobody can say 24:00 there. */
const endOfDay = (minutes: number) => (minutes === 1439 ? 1440 : minutes)

/** Hours by the wall clock. */
function plainHours({ zone, hours }: TheirHost, first: DayNumber, last: DayNumber): Interval[] {
  const ranges: Interval[] = []
  for (let day = first; day <= last; day++) {
    const weekday = weekdayOf(day) % 7
    for (const { days, opens, closes } of hours) {
      if (!days.includes(weekday)) continue
      ranges.push({ start: instantOf(zone, day, opens), end: instantOf(zone, day, endOfDay(closes)) })
    }
  }
  return ranges
}

/**
 * Hours as it counts them: days of 24 hours from the first one on, each moved to its midnight by what its offset differs
 * there. Where a clock changes at midnight, a day is the one before, and its own weekday is lost; where it changes late in
 * the morning of UTC, hours of that day are moved.
 */
function theirHours({ zone, hours }: TheirHost, first: DayNumber, last: DayNumber): Interval[] {
  const ranges: Interval[] = []
  const midnight = instantOf(zone, first, 0)
  const offset = offsetAt(zone, midnight)
  for (let days = 0; days <= last - first; days++) {
    const counted = midnight + days * DAY
    const day = counted + offset - offsetAt(zone, counted)
    const weekday = weekdayOf(localDay(zone, day)) % 7
    for (const { days: on, opens, closes } of hours) {
      if (!on.includes(weekday)) continue
      const start = day + opens * MINUTE
      const moved = offsetAt(zone, day) - offsetAt(zone, onTwelveHours(start + offsetAt(zone, day)))
      ranges.push({ start: start + moved, end: day + endOfDay(closes) * MINUTE + moved })
    }
  }
  return ranges
}

/** A time as a clock of twelve hours has it: at noon and midnight it is twelve, after noon it begins again. */
function onTwelveHours(wall: number): number {
  const [day, hour, rest] = [Math.floor(wall / DAY), Math.floor(wall / HOUR) % 24, wall % HOUR]
  return day * DAY + (((hour + 11) % 12) + 1) * HOUR + rest
}

/** Its buffers are added up between neighbours; ours share the time between them. */
function busyOf(event: TheirEvent, booking: TheirBooking, ours: ReadonlySet<DifferingRule>): Interval[] {
  const both = (one: number, other: number) => (ours.has('buffers') ? Math.max(one, other) : one + other)
  const before = both(booking.bufferBefore, event.bufferAfter)
  const after = both(booking.bufferAfter, event.bufferBefore)
  const { start, end } = booking
  if (isJoinable(event, booking)) {
    return [
      { start: start - before, end: start },
      { start: end, end: end + after },
    ]
  }
  return [{ start: start - before, end: end + after }]
}

const isJoinable = ({ id, seats }: TheirEvent, { eventType, seatsLeft }: TheirBooking) =>
  seats !== null && eventType === id && seatsLeft !== null && seatsLeft > 0

/** Periods whose limit has been reached. */
function limitedTimes(
  event: TheirEvent,
  host: TheirHost,
  { span }: Asked,
  ours: ReadonlySet<DifferingRule>,
): Interval[] {
  const zone = ours.has('limits') ? host.zone : event.zone
  const limited: Interval[] = []
  const counted = [
    [event.limits, () => 1],
    [event.limitMinutes, ({ start, end }: Interval) => (end - start) / MINUTE],
  ] as const
  for (const [limits, sizeOf] of counted) {
    for (const period of ['day', 'week', 'month', 'year'] as const) {
      const limit = limits[period]
      if (limit === null || limit <= 0) continue
      const numberOf = (instant: number) => periodNumber(period, localDay(zone, instant), ours)
      const most = limit - sizeOf({ start: 0, end: event.duration })
      const reached = limits === event.limits ? allOrOwn : own
      const sums = sumsOf(reached(event, host, ours), numberOf, sizeOf)
      for (let day = localDay(zone, span.start) - 1; day <= localDay(zone, span.end) + 1; day++) {
        if ((sums(instantOf(zone, day, 0)) ?? 0) <= most) continue
        limited.push({ start: instantOf(zone, day, 0), end: instantOf(zone, day + 1, 0) })
      }
    }
  }
  return limited
}

/** Meetings of the event type; there, those of all its hosts count together. */
function allOrOwn(event: TheirEvent, host: TheirHost, ours: ReadonlySet<DifferingRule>): TheirBooking[][] {
  const mine = own(event, host)
  if (ours.has('limits')) return mine
  const all = event.hosts.flatMap(({ bookings }) =>
    bookings.filter(({ eventType }) => eventType === event.id),
  )
  const once = [...new Map(all.map((booking) => [`${booking.host} ${booking.start}`, booking])).values()]
  return [...mine, once]
}

const own = ({ id }: TheirEvent, { bookings }: TheirHost): TheirBooking[][] => [
  bookings.filter(({ eventType }) => eventType === id),
]

/** The highest sum of any of these lists, by period. */
function sumsOf(
  lists: readonly (readonly TheirBooking[])[],
  numberOf: (instant: number) => number,
  sizeOf: (booking: Interval) => number,
): (instant: number) => number {
  const highest = new Map<number, number>()
  for (const list of lists) {
    const sums = new Map<number, number>()
    for (const booking of list) {
      const key = numberOf(booking.start)
      sums.set(key, (sums.get(key) ?? 0) + sizeOf(booking))
    }
    for (const [key, sum] of sums) highest.set(key, Math.max(sum, highest.get(key) ?? 0))
  }
  return (instant) => highest.get(numberOf(instant)) ?? 0
}

/** Weeks begin on Sunday there, on Monday here. */
function periodNumber(period: Period, day: DayNumber, ours: ReadonlySet<DifferingRule>): number {
  if (period === 'day') return day
  if (period === 'week') return ours.has('limits') ? weekOf(day) : weekOf(day + 1)
  return period === 'month' ? monthOf(day) : yearOf(day)
}

/** Ranges without what is taken from them. */
function subtract(ranges: readonly Interval[], taken: readonly Interval[]): Interval[] {
  const sorted = taken.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)
  return ranges.flatMap(({ start, end }) => {
    const left: Interval[] = []
    let from = start
    for (const one of sorted) {
      if (one.start >= end) break
      if (one.end <= from) continue
      if (one.start > from) left.push({ start: from, end: one.start })
      from = Math.max(from, one.end)
    }
    if (from < end) left.push({ start: from, end })
    return left
  })
}

/** Where all fixed hosts are free, and one of the others: what belongs to one meeting. */
function groupsOf(hosts: readonly HostTimes[]): HostTimes[][] {
  const fixed = hosts.filter((host) => host.fixed)
  const others = hosts.filter((host) => !host.fixed)
  return others.length === 0 ? [fixed] : others.map((one) => [...fixed, one])
}

const common = (lists: readonly (readonly Interval[])[]): Interval[] =>
  lists.slice(1).reduce((left: Interval[], next) => intersect(left, [...next]), [...(lists[0] ?? [])])

/** Its starts follow each free time, whatever was booked before, and the notice. */
function onTheirGrid(
  event: TheirEvent,
  hosts: readonly HostTimes[],
  { now, zone }: Asked,
  ours: ReadonlySet<DifferingRule>,
): number[] {
  const fixed = hosts.filter((host) => host.fixed).map(({ free }) => free)
  const alone = hosts.length === 1 || fixed.length === hosts.length
  const ranges = alone
    ? merge(common(hosts.map(({ free }) => free)))
    : unlessWithin(groupsOf(hosts).flatMap((group) => common(group.map(({ free }) => free))))
  const offset = ours.has('offset') ? 0 : event.offset
  const step = event.interval + offset
  const earliest = Math.floor((now + event.notice) / MINUTE) * MINUTE
  const starts: number[] = []
  const known = new Set<number>()
  for (const range of ranges) {
    const begins = Math.max(range.start, earliest)
    let start = (ours.has('rounding') ? begins : rounded(event, begins, range.end, zone)) + offset
    const before = starts.findLast((one) => one < start)
    // A start that was found in an earlier range stands for those that it overlaps.
    if (before !== undefined && before + step > start) start = before >= range.start ? before : before + step
    let inOrder = true
    for (; start + event.duration <= range.end; start += step) {
      if (known.has(start)) continue
      inOrder &&= start > (starts.at(-1) ?? start - 1)
      known.add(start)
      starts.push(start)
    }
    if (!inOrder) starts.sort((a, b) => a - b)
  }
  return starts
}

/** Ranges that are not part of another. */
function unlessWithin(ranges: readonly Interval[]): Interval[] {
  const kept: Interval[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (!kept.some(({ start, end }) => start <= range.start && range.end <= end)) kept.push(range)
  }
  return kept
}

const ROUND_TO = [60, 30, 20, 15, 10, 5]

/** The next round start on the asker's clock; how round depends on the interval. */
function rounded({ interval, optimized }: TheirEvent, start: number, end: number, zone: Zone): number {
  const round = ROUND_TO.find((minutes) => (interval / MINUTE) % minutes === 0) ?? 1
  const minute = Math.floor((start + offsetAt(zone, start)) / MINUTE) % 60
  if (minute % round === 0) return start
  if (!optimized) return start + (Math.ceil(minute / round) * round - minute) * MINUTE
  const spare = Math.floor((end - start) / MINUTE) % round
  const ways = [round, 15, 5].map((to) => to - (minute % to))
  return start + (ways.find((minutes) => spare >= minutes) ?? 0) * MINUTE
}

/** Our starts: the same ones each day from when a host opens, whatever is booked. */
function onOneGrid(
  event: TheirEvent,
  hosts: readonly HostTimes[],
  { now, zone }: Asked,
  ours: ReadonlySet<DifferingRule>,
): number[] {
  const offset = ours.has('offset') ? 0 : event.offset
  const step = event.interval + offset
  const starts = new Set<number>()
  for (const group of groupsOf(hosts)) {
    const free = common(group.map((host) => merge(host.free)))
    const open = common(group.map((host) => host.open))
    for (const range of open) {
      const begins = ours.has('rounding') ? range.start : rounded(event, range.start, range.end, zone)
      // Free times are apart and ascend, as starts do: only the first one that ends late enough can hold a meeting.
      let next = 0
      for (let start = begins + offset; start < range.end; start += step) {
        if (start < now + event.notice) continue
        const end = start + event.duration
        while (next < free.length && (free[next] as Interval).end < end) next++
        if ((free[next]?.start ?? end) <= start) starts.add(start)
      }
    }
  }
  return [...starts].sort((a, b) => a - b)
}

/** Here, a meeting with seats left takes its time from other starts, and can be joined at its own if that is a start at all. */
function withSeats(
  event: TheirEvent,
  starts: readonly number[],
  asked: Asked,
  ours: ReadonlySet<DifferingRule>,
): number[] {
  if (event.seats === null || !ours.has('seats')) return [...starts]
  const joinable = event.hosts.flatMap(({ bookings }) => bookings.filter((one) => isJoinable(event, one)))
  const free = starts.filter((start) =>
    joinable.every((one) => one.start === start || !overlaps(one, { start, end: start + event.duration })),
  )
  if (joinable.length === 0) return free
  const unbooked = event.hosts.map((host) => timesOf(event, { ...host, bookings: [] }, asked, ours))
  const grid = new Set(onGrid(event, unbooked, asked, ours))
  const joined = joinable.map(({ start }) => start).filter((start) => grid.has(start))
  return [...new Set([...free, ...joined])].sort((a, b) => a - b)
}

/** Whether a start is within the window. */
function windowFilter(
  event: TheirEvent,
  offered: readonly number[],
  { now, zone }: Asked,
  ours: ReadonlySet<DifferingRule>,
): (start: number) => boolean {
  const { window } = event
  if (window.kind === 'unlimited') return () => true
  const isOurs = ours.has('window')
  const own = event.hosts[0]?.zone ?? event.zone
  if (window.kind === 'range') {
    // The offset of today, whatever it is then.
    const offset = offsetAt(event.zone, now)
    const [first, last] = datesBetween(window.from, window.to, (instant) =>
      isOurs ? localDay(own, instant) : Math.floor((instant + offset) / DAY),
    )
    const at = (day: DayNumber) => (isOurs ? instantOf(own, day, 0) : day * DAY - offset)
    return (start) => start >= at(first) && start < at(last + 1)
  }
  if (isOurs) {
    const today = localDay(own, now)
    const last = window.businessDays ? addBusinessDays(today, window.days) : today + window.days
    return (start) => start < instantOf(own, last + 1, 0)
  }
  const offset = offsetAt(zone, now)
  const dayOf = (instant: number) => Math.floor((instant + offset) / DAY)
  const today = dayOf(now)
  if (window.kind === 'rolling') {
    const last = window.businessDays ? addBusinessDays(today, window.days) : today + window.days
    return (start) => dayOf(start) <= last
  }
  const days = [...new Set(offered.map((start) => localDay(zone, start)))].filter(
    (day) => day >= today && (!window.businessDays || day === today || ![6, 7].includes(weekdayOf(day))),
  )
  const last = days[window.days - 1] ?? days.at(-1) ?? today
  return (start) => dayOf(start) <= last
}

function firstOfDays(starts: readonly number[], zone: Zone): number[] {
  const days = new Set<number>()
  return starts.filter((start) => {
    const day = localDay(zone, start)
    const isFirst = !days.has(day)
    days.add(day)
    return isFirst
  })
}
