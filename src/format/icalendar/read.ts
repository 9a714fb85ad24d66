import ICAL from 'ical.js'
import type { Tentative } from '../../domain/calendars/calendar.ts'
import type { OwnEvent } from '../../domain/calendars/difference.ts'
import { type Budget, FREQUENCIES, type Repetition, repeat } from '../../domain/calendars/repetition.ts'
import { type Interval, MINUTE, merge, overlaps } from '../../domain/interval.ts'
import { instantOf, offsetAt, type Zone, type Zones } from '../../domain/zone.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

export interface BusyQuestion {
  readonly span: Interval
  /** The host's zone: for all-day events and times without a zone. */
  readonly timeZone: string
  /** UIDs of our own events, which don't block time by themselves. */
  readonly own: readonly string[]
  /** The host's email addresses: events that one of them declined don't block time. */
  readonly addresses: readonly string[]
  readonly tentative: Tentative
}

export interface BusyReading {
  /** Merged. Intervals that reach beyond the span are not cut. */
  readonly busy: readonly Interval[]
  /** Our own events, once each. One that the host has made repeat counts as its first occurrence. */
  readonly own: readonly OwnEvent[]
  /** Entries that could not be read, or repeat too often. */
  readonly skipped: number
}

/** The text is not iCalendar at all. */
export class NotACalendar extends Error {
  override readonly name = 'NotACalendar'
}

/** The text ends in the middle of a calendar: what is missing may be busy. */
export class CutShort extends Error {
  override readonly name = 'CutShort'
}

/** More than any real calendar has. */
const MAX_BUSY = 20_000
/** Dates tried while expanding rules: a few million take a second. */
const MAX_STEPS_AN_EVENT = 200_000
const MAX_STEPS = 4_000_000

/** The busy times in these iCalendar texts (RFC 5545). */
export function readBusy(texts: readonly string[], question: BusyQuestion, zones: Zones): BusyReading {
  const found: Interval[] = []
  const own = new Map<string, OwnEvent>()
  let skipped = 0
  const budget: Budget = { steps: MAX_STEPS }
  for (const text of texts) {
    const { calendars, broken } = parseCalendars(text)
    skipped += broken
    for (const calendar of calendars) {
      const reading = readCalendar(calendar, question, zones, budget)
      for (const interval of reading.busy) found.push(interval)
      for (const event of reading.own) own.set(event.eventId, event)
      skipped += reading.skipped
    }
  }
  const busy = merge(found)
  const read = { busy, own: [...own.values()], skipped }
  return busy.length > MAX_BUSY ? { ...read, busy: busy.slice(0, MAX_BUSY), skipped: skipped + 1 } : read
}

/** The calendars in a text. One bad line fails the whole parse, so each event is then parsed separately. */
function parseCalendars(text: string): { calendars: ICAL.Component[]; broken: number } {
  const clean = text.replace(/^\uFEFF/, '')
  const begun = clean.match(/^\s*BEGIN:VCALENDAR\s*$/gim)?.length ?? 0
  if (begun === 0) throw new NotACalendar('This is not a calendar.')
  const ended = clean.match(/^\s*END:VCALENDAR\s*$/gim)?.length ?? 0
  if (ended < begun) throw new CutShort('The calendar ends too early.')
  try {
    const parsed = ICAL.parse(clean) as unknown[]
    const roots = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown[][]
    return { calendars: roots.map((root) => new ICAL.Component(root)), broken: 0 }
  } catch {
    return parseByEvent(clean)
  }
}

function parseByEvent(text: string): { calendars: ICAL.Component[]; broken: number } {
  const calendar = new ICAL.Component('vcalendar')
  let broken = 0
  for (const name of ['VTIMEZONE', 'VEVENT', 'VFREEBUSY']) {
    for (const [block] of text.matchAll(
      new RegExp(`^BEGIN:${name}\\s*$[\\s\\S]*?^END:${name}\\s*$`, 'gim'),
    )) {
      try {
        calendar.addSubcomponent(new ICAL.Component(ICAL.parse(block) as unknown[]))
      } catch {
        broken++
      }
    }
  }
  return { calendars: [calendar], broken }
}

/** Converts wall-clock times (milliseconds as if they were UTC) to instants and back. */
interface Clock {
  readonly instantOf: (wall: number) => number
  readonly wallOf: (instant: number) => number
}

/** One time of an event, on its own clock. */
interface EventTime {
  readonly wall: number
  readonly clock: Clock
  readonly wholeDay: boolean
}

interface EventEntry {
  readonly component: ICAL.Component
  readonly uid: string
  readonly sequence: number
  readonly start: EventTime
  readonly length: Length
  /** The occurrence it replaces; undefined for the event itself. */
  readonly replaces: number | undefined
  readonly andFollowing: boolean
  readonly cancelled: boolean
  /** Whether it blocks time. Cancelled, declined and transparent events don't; tentative ones as the host wants. */
  readonly counts: boolean
}

/** Calendar days plus milliseconds: across a DST change, a day is not 24 hours. */
interface Length {
  readonly days: number
  readonly rest: number
}

function readCalendar(calendar: ICAL.Component, question: BusyQuestion, zones: Zones, budget: Budget) {
  const clocks = createClocks(calendar, question.timeZone, zones)
  const ownUids = new Set(question.own)
  const own: OwnEvent[] = []
  const busy: Interval[] = []
  let skipped = 0
  const attempt = (read: () => void) => {
    try {
      read()
    } catch {
      // An error in one entry must not lose the others.
      skipped++
    }
  }

  const events: EventEntry[] = []
  for (const component of calendar.getAllSubcomponents('vevent')) {
    attempt(() => {
      const guesses = clocks.guesses()
      const event = readEvent(component, clocks, question)
      // It still blocks the time that we guess: more would be lost if it blocked none.
      if (clocks.guesses() > guesses) skipped++
      if (!ownUids.has(event.uid)) events.push(event)
      else if (event.replaces === undefined) own.push(ownEventOf(event))
    })
  }
  const replacing = Map.groupBy(
    events.filter(({ replaces }) => replaces !== undefined),
    ({ uid }) => uid,
  )
  for (const event of events) {
    if (event.replaces !== undefined) continue
    attempt(() => {
      for (const interval of occurrences(event, replacing.get(event.uid) ?? [], clocks, question, budget)) {
        busy.push(interval)
      }
    })
  }
  for (const versions of replacing.values()) {
    for (const [, same] of Map.groupBy(versions, ({ replaces }) => replaces)) {
      const latest = latestOf(same)
      if (latest.counts) busy.push(intervalOf(latest.start, latest.length))
    }
  }
  for (const component of calendar.getAllSubcomponents('vfreebusy')) {
    attempt(() => {
      for (const interval of freeBusy(component, clocks, question)) busy.push(interval)
    })
  }
  // Empty and negative intervals block nothing.
  const inSpan = busy.filter((interval) => interval.start < interval.end && overlaps(interval, question.span))
  return { busy: inSpan, own, skipped }
}

const ownEventOf = ({ uid, start, length, cancelled, counts }: EventEntry): OwnEvent => ({
  eventId: uid,
  ...intervalOf(start, length),
  cancelled,
  free: !counts,
})

const latestOf = (versions: readonly EventEntry[]) =>
  versions.reduce((latest, event) => (event.sequence >= latest.sequence ? event : latest))

function readEvent(component: ICAL.Component, clocks: Clocks, question: BusyQuestion): EventEntry {
  const startProperty = component.getFirstProperty('dtstart')
  if (startProperty === null) throw new Error('An event has to start.')
  const start = timeOf(startProperty, startProperty.getFirstValue(), clocks)
  const replaced = component.getFirstProperty('recurrence-id')
  const text = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase()
  const responses = responsesOf(component, question)
  const isTentative =
    text('status') === 'TENTATIVE' ||
    responses.includes('TENTATIVE') ||
    text('x-microsoft-cdo-busystatus') === 'TENTATIVE'
  const isFree =
    text('status') === 'CANCELLED' ||
    text('transp') === 'TRANSPARENT' ||
    responses.includes('DECLINED') ||
    (isTentative && question.tentative === 'free')
  return {
    component,
    uid: String(component.getFirstPropertyValue('uid') ?? ''),
    sequence: Number(component.getFirstPropertyValue('sequence') ?? 0),
    start,
    length: lengthOf(component, start, clocks),
    replaces: replaced === null ? undefined : instantAt(timeOf(replaced, replaced.getFirstValue(), clocks)),
    andFollowing: replaced?.getFirstParameter('range')?.toUpperCase() === 'THISANDFUTURE',
    cancelled: text('status') === 'CANCELLED',
    counts: !isFree,
  }
}

/** What the host has answered to an invitation. */
function responsesOf(component: ICAL.Component, { addresses }: BusyQuestion): (string | undefined)[] {
  return component
    .getAllProperties('attendee')
    .filter((attendee) => {
      const address = String(attendee.getFirstValue()).toLowerCase().replace('mailto:', '')
      return addresses.includes(address)
    })
    .map((attendee) => attendee.getFirstParameter('partstat')?.toUpperCase())
}

function lengthOf(component: ICAL.Component, start: EventTime, clocks: Clocks): Length {
  const end = component.getFirstProperty('dtend')
  if (end !== null) {
    const time = timeOf(end, end.getFirstValue(), clocks)
    if (start.wholeDay) return { days: Math.round((time.wall - start.wall) / DAY), rest: 0 }
    return { days: 0, rest: instantAt(time) - instantAt(start) }
  }
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return lengthFrom(duration)
  return { days: start.wholeDay ? 1 : 0, rest: 0 }
}

function lengthFrom({ isNegative, weeks, days, hours, minutes, seconds }: ICAL.Duration): Length {
  if (isNegative) return { days: 0, rest: 0 }
  return { days: weeks * 7 + days, rest: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
}

const DAY = 24 * 60 * MINUTE

const instantAt = ({ wall, clock }: EventTime) => clock.instantOf(wall)

function intervalOf(start: EventTime, { days, rest }: Length): Interval {
  const end = (days === 0 ? instantAt(start) : start.clock.instantOf(start.wall + days * DAY)) + rest
  return { start: instantAt(start), end }
}

/** The intervals of an event within the span, without occurrences that other entries replace. */
function occurrences(
  event: EventEntry,
  replacing: readonly EventEntry[],
  clocks: Clocks,
  { span }: BusyQuestion,
  budget: Budget,
): Interval[] {
  const { component, start, length } = event
  if (!event.counts) return []
  const replaced = new Set(replacing.map(({ replaces }) => replaces))
  const following = replacing
    .filter(({ andFollowing }) => andFollowing)
    .sort((a, b) => (a.replaces as number) - (b.replaces as number))
  const except = exceptions(component, clocks)
  const found: Interval[] = []
  const add = (time: EventTime, lasting: Length) => {
    const at = instantAt(time)
    if (replaced.has(at) || except.instants.has(at)) return
    if (except.days.has(Math.floor(time.wall / DAY))) return
    const changed = following.findLast(({ replaces }) => (replaces as number) <= at)
    if (changed === undefined) found.push(intervalOf(time, lasting))
    else if (changed.counts) {
      const moved = instantAt(changed.start) - (changed.replaces as number)
      const { clock, wholeDay } = time
      found.push(intervalOf({ wall: clock.wallOf(at + moved), clock, wholeDay }, changed.length))
    }
  }

  // The first start counts even if the rule does not include it.
  const walls = new Set([start.wall])
  for (const property of component.getAllProperties('rrule')) {
    const rule = property.getFirstValue()
    if (!(rule instanceof ICAL.Recur)) throw new Error('A rule cannot be read.')
    for (const wall of wallsOf(rule, { start, length }, span, budget)) walls.add(wall)
  }
  for (const wall of walls) add({ ...start, wall }, length)
  for (const property of component.getAllProperties('rdate')) {
    for (const value of property.getValues()) {
      if (value instanceof ICAL.Period) {
        const from = timeOf(property, value.start, clocks)
        const until = value.end && timeOf(property, value.end, clocks)
        const lasting = until
          ? { days: 0, rest: instantAt(until) - instantAt(from) }
          : lengthFrom(value.duration)
        add(from, lasting)
      } else {
        const time = timeOf(property, value, clocks)
        if (!walls.has(start.clock.wallOf(instantAt(time)))) add(time, length)
      }
    }
  }
  return found
}

/** Excluded occurrences (EXDATE), by instant, or by day if they are dates. */
function exceptions(component: ICAL.Component, clocks: Clocks) {
  const instants = new Set<number>()
  const days = new Set<number>()
  for (const property of component.getAllProperties('exdate')) {
    for (const value of property.getValues()) {
      const time = timeOf(property, value, clocks)
      if (time.wholeDay) days.add(Math.floor(time.wall / DAY))
      else instants.add(instantAt(time))
    }
  }
  return { instants, days }
}

/**
 * The wall-clock starts of a rule that matter for the span.
 *
 * ical.js parses the rule, but we expand it: ical.js searches forever for dates
 * that never come, and finds days that a month doesn't have.
 */
function wallsOf(
  given: ICAL.Recur,
  { start, length }: Pick<EventEntry, 'start' | 'length'>,
  span: Interval,
  budget: Budget,
): number[] {
  // Zones and DST changes move a wall clock by less than a day.
  const reach = { start: span.start - (length.days + 1) * DAY - length.rest, end: span.end + DAY }
  const own = { steps: Math.min(MAX_STEPS_AN_EVENT, budget.steps) }
  const before = own.steps
  try {
    return repeat(ruleOf(given, start), start.wall, reach, own)
  } finally {
    budget.steps -= before - Math.max(0, own.steps)
  }
}

function ruleOf({ freq, interval, count, until, wkst, parts }: ICAL.Recur, start: EventTime): Repetition {
  const known = FREQUENCIES.find((one) => one === freq)
  if (known === undefined) throw new Error('A rule has to say how often.')
  const numbers = (name: string) => ((parts as Record<string, unknown[]>)[name] ?? []).map(Number)
  const weekdays = ((parts as Record<string, unknown[]>).BYDAY ?? []).map((part) => {
    const [, nth = '', name = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(String(part)) ?? []
    return { weekday: WEEKDAYS.indexOf(name) + 1, nth: Number(nth) }
  })
  return {
    freq: known,
    interval,
    count: count ?? undefined,
    until: until ? lastStart(until, start) : undefined,
    weekStart: isoWeekday(wkst),
    months: numbers('BYMONTH'),
    weekNumbers: numbers('BYWEEKNO'),
    yearDays: numbers('BYYEARDAY'),
    monthDays: numbers('BYMONTHDAY'),
    weekdays,
    // An all-day event has no time of day to repeat at.
    hours: start.wholeDay ? [] : numbers('BYHOUR'),
    minutes: start.wholeDay ? [] : numbers('BYMINUTE'),
    seconds: start.wholeDay ? [] : numbers('BYSECOND'),
    positions: numbers('BYSETPOS'),
  }
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** ical.js counts from Sunday, which is 1. */
const isoWeekday = (weekday: number) => ((weekday + 5) % 7) + 1

/** The end of a rule (UNTIL) on the event's own clock, on which the rule is expanded. */
function lastStart(until: ICAL.Time, start: EventTime): number {
  const wall = wallIn(until)
  if (until.isDate) return wall + DAY - 1
  if (start.wholeDay) return Math.floor(wall / DAY) * DAY
  return isUtc(until) ? start.clock.wallOf(wall) : wall
}

function timeAt(wall: number): ICAL.Time {
  const date = new Date(wall)
  const fields = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    isDate: false,
  }
  return new ICAL.Time(fields, ICAL.Timezone.localTimezone)
}

const wallIn = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Date.UTC(year, month - 1, day, hour, minute, second)

const isUtc = (time: ICAL.Time) => time.zone === ICAL.Timezone.utcTimezone

function freeBusy(component: ICAL.Component, clocks: Clocks, { tentative }: BusyQuestion): Interval[] {
  const free = tentative === 'free' ? ['FREE', 'BUSY-TENTATIVE'] : ['FREE']
  return component
    .getAllProperties('freebusy')
    .filter((property) => !free.includes(property.getFirstParameter('fbtype')?.toUpperCase() ?? ''))
    .flatMap((property) =>
      property.getValues().map((value) => {
        if (!(value instanceof ICAL.Period)) throw new Error('A period cannot be read.')
        const start = timeOf(property, value.start, clocks)
        if (!value.end) return intervalOf(start, lengthFrom(value.duration))
        return { start: instantAt(start), end: instantAt(timeOf(property, value.end, clocks)) }
      }),
    )
}

/** A property's value as a time; the property names the zone. */
function timeOf(property: ICAL.Property, value: unknown, clocks: Clocks): EventTime {
  if (!(value instanceof ICAL.Time)) throw new Error('A time cannot be read.')
  const wall = wallIn(value)
  if (Number.isNaN(wall)) throw new Error('A time cannot be read.')
  if (value.isDate) return { wall, clock: clocks.host, wholeDay: true }
  if (isUtc(value)) return { wall, clock: UTC, wholeDay: false }
  const tzid = property.getFirstParameter('tzid')
  return { wall, clock: tzid ? clocks.named(tzid) : clocks.host, wholeDay: false }
}

interface Clocks {
  readonly host: Clock
  readonly named: (tzid: string) => Clock
  /** How often a name meant nothing to us. */
  readonly guesses: () => number
}

const UTC: Clock = { instantOf: (wall) => wall, wallOf: (instant) => instant }

/**
 * The clocks of a calendar, by TZID.
 *
 * An IANA name means that zone, because a calendar's own description of it is
 * often out of date. Other names mean what the calendar's VTIMEZONE says;
 * without one, what they mean to Windows. The host's zone is the last guess,
 * and entries that need it are counted.
 */
function createClocks(calendar: ICAL.Component, timeZone: string, zones: Zones): Clocks {
  const host = clockOf(zones.get(timeZone))
  const known = new Map<string, Clock>()
  const described = new Map<string, ICAL.Component>()
  for (const component of calendar.getAllSubcomponents('vtimezone')) {
    described.set(String(component.getFirstPropertyValue('tzid')), component)
  }
  const find = (tzid: string): Clock => {
    const zone = zoneNamed(tzid, zones)
    if (zone !== undefined) return clockOf(zone)
    const component = described.get(tzid)
    if (component !== undefined) return describedClock(new ICAL.Timezone(component))
    const windows = WINDOWS_ZONES.get(tzid)
    return windows === undefined ? host : clockOf(zones.get(windows))
  }
  let guesses = 0
  return {
    host,
    named: (tzid) => {
      const clock = known.get(tzid) ?? find(tzid)
      known.set(tzid, clock)
      if (clock === host) guesses++
      return clock
    },
    guesses: () => guesses,
  }
}

/** Some programs put a path before the name: `/example.org/20070101_1/Europe/Berlin`. */
function zoneNamed(tzid: string, zones: Zones): Zone | undefined {
  const parts = tzid.split('/').filter(Boolean)
  const tails = [parts, parts.slice(-3), parts.slice(-2)].map((tail) => tail.join('/'))
  return tails.map((name) => zones.find(name)).find((zone) => zone !== undefined)
}

const clockOf = (zone: Zone): Clock => ({
  instantOf: (wall) => Math.round(instantOf(zone, 0, wall / MINUTE)),
  wallOf: (instant) => instant + offsetAt(zone, instant),
})

function describedClock(zone: ICAL.Timezone): Clock {
  return {
    instantOf: (wall) => wall - zone.utcOffset(timeAt(wall)) * 1000,
    wallOf: (instant) => {
      const time = timeAt(instant)
      time.zone = ICAL.Timezone.utcTimezone
      return wallIn(time.convertToZone(zone))
    },
  }
}
