import { parseDate } from '../../calendar-date.ts'
import { PERIODS } from '../../event-types/event-type.ts'
import { DAY, MINUTE } from '../../interval.ts'
import type { Zone, Zones } from '../../zone.ts'
import type { SourceBooking, SourceRow, SourceSettings } from '../source.ts'
import type {
  TheirBooking,
  TheirEvent,
  TheirHost,
  TheirHours,
  TheirLimits,
  TheirOverride,
  TheirWindow,
} from './their-slots.ts'

/** A meeting of the source that takes its hosts' time. */
export interface TheirMeeting {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly eventType: string
  readonly userId: string
  /** Lower-case addresses of all who attend. */
  readonly attendees: readonly string[]
}

/** What a booking takes of its hosts' time; undefined if it takes none. */
export function theirMeeting({ booking, attendees }: SourceBooking): TheirMeeting | undefined {
  const [start, end] = [instantIn(booking.startTime), instantIn(booking.endTime)]
  const isActive = booking.status === 'accepted' || booking.status === 'pending'
  if (!isActive || start === undefined || end === undefined || start >= end) return undefined
  return {
    id: idIn(booking.id),
    start,
    end,
    eventType: idIn(booking.eventTypeId),
    userId: idIn(booking.userId),
    attendees: attendees.map(({ email }) => textIn(email).toLowerCase()),
  }
}

/** The event types of a source as its slots are computed, by id. Those whose rows are broken are left out. */
export function theirEvents(
  source: SourceSettings,
  meetings: readonly TheirMeeting[],
  zones: Zones,
): Map<string, TheirEvent> {
  return new Map([...eachOfTheirs(source, meetings, zones)].map((event) => [event.id, event]))
}

/** The same one by one: each has the meetings of all its hosts with it. */
export function* eachOfTheirs(
  source: SourceSettings,
  meetings: readonly TheirMeeting[],
  zones: Zones,
): Generator<TheirEvent> {
  const lookup = new Lookup(source, meetings, zones)
  for (const row of rowsOf(source, 'EventType')) {
    const event = lookup.eventOf(row)
    if (event !== undefined) yield event
  }
}

class Lookup {
  readonly #source: SourceSettings
  readonly #zones: Zones
  readonly #users: ReadonlyMap<string, SourceRow>
  readonly #schedules: ReadonlyMap<string, SourceRow>
  readonly #hours: ReadonlyMap<string, readonly SourceRow[]>
  readonly #eventTypes: ReadonlyMap<string, SourceRow>
  readonly #meetings: ReadonlyMap<string, readonly TheirMeeting[]>

  constructor(source: SourceSettings, meetings: readonly TheirMeeting[], zones: Zones) {
    this.#source = source
    this.#zones = zones
    this.#users = byId(rowsOf(source, 'users'))
    this.#schedules = byId(rowsOf(source, 'Schedule'))
    this.#eventTypes = byId(rowsOf(source, 'EventType'))
    this.#hours = Map.groupBy(rowsOf(source, 'Availability'), ({ scheduleId }) => idIn(scheduleId))
    const byAddress = new Map([...this.#users].map(([id, { email }]) => [textIn(email).toLowerCase(), id]))
    const byHost = new Map<string, TheirMeeting[]>()
    for (const meeting of meetings) {
      const guests = meeting.attendees.flatMap((address) => byAddress.get(address) ?? [])
      for (const id of new Set([meeting.userId, ...guests])) {
        const known = byHost.get(id)
        if (known === undefined) byHost.set(id, [meeting])
        else known.push(meeting)
      }
    }
    this.#meetings = byHost
  }

  eventOf(row: SourceRow): TheirEvent | undefined {
    const duration = numberIn(row.length) * MINUTE
    const hosts = this.#hostsOf(row)
    const [first] = hosts
    if (duration <= 0 || first === undefined) return undefined
    const interval = numberIn(row.slotInterval) * MINUTE
    return {
      id: idIn(row.id),
      duration,
      interval: interval > 0 ? interval : duration,
      offset: numberIn(row.offsetStart) * MINUTE,
      bufferBefore: numberIn(row.beforeEventBuffer) * MINUTE,
      bufferAfter: numberIn(row.afterEventBuffer) * MINUTE,
      notice: numberIn(row.minimumBookingNotice) * MINUTE,
      window: windowOf(row),
      limits: limitsOf(row.bookingLimits),
      limitMinutes: limitsOf(row.durationLimits),
      seats: numberIn(row.seatsPerTimeSlot) > 0 ? numberIn(row.seatsPerTimeSlot) : null,
      zone: this.#zoneOf(this.#schedules.get(idIn(row.scheduleId))?.timeZone) ?? first.zone,
      hosts,
      firstOnly: row.onlyShowFirstAvailableSlot === true,
      optimized: row.showOptimizedSlots === true,
    }
  }

  #hostsOf(row: SourceRow): TheirHost[] {
    const id = idIn(row.id)
    const listed = rowsOf(this.#source, 'Host').filter(({ eventTypeId }) => idIn(eventTypeId) === id)
    const older = rowsOf(this.#source, '_user_eventtype')
      .filter(({ A }) => idIn(A) === id)
      .map(({ B }): SourceRow => ({ userId: B }))
    const own: SourceRow[] = row.userId == null ? [] : [{ userId: row.userId }]
    const isTeam = row.teamId != null
    const [hosts] = [listed, isTeam ? older : own, older].filter((some) => some.length > 0)
    const isAll = row.schedulingType !== 'roundRobin'
    return (hosts ?? []).flatMap((host) => this.#hostOf(row, host, isAll || host.isFixed === true) ?? [])
  }

  #hostOf(eventType: SourceRow, host: SourceRow, fixed: boolean): TheirHost | undefined {
    const user = this.#users.get(idIn(host.userId))
    // Who is locked is left out of everything there.
    if (user === undefined || user.locked === true) return undefined
    const chosen = [eventType.scheduleId, host.scheduleId, user.defaultScheduleId]
      .map(idIn)
      .find((id) => this.#schedules.has(id))
    const first = rowsOf(this.#source, 'Schedule').find(({ userId }) => idIn(userId) === idIn(user.id))
    const schedule = this.#schedules.get(chosen ?? '') ?? first
    const zone = this.#zoneOf(schedule?.timeZone) ?? this.#zoneOf(user.timeZone)
    if (zone === undefined || schedule === undefined) return undefined
    const id = idIn(user.id)
    const rows = this.#hours.get(idIn(schedule.id)) ?? []
    return {
      id,
      zone,
      hours: rows.flatMap(hoursOf),
      overrides: rows.flatMap(overrideOf),
      daysOff: rowsOf(this.#source, 'OutOfOfficeEntry')
        .filter(({ userId }) => idIn(userId) === id)
        .flatMap(daysOffOf),
      bookings: (this.#meetings.get(id) ?? []).map((meeting) => this.#bookingOf(meeting)),
      fixed,
    }
  }

  #bookingOf({ id, start, end, eventType, userId, attendees }: TheirMeeting): TheirBooking {
    const row = this.#eventTypes.get(eventType)
    const seats = numberIn(row?.seatsPerTimeSlot)
    return {
      id,
      start,
      end,
      eventType,
      host: userId,
      bufferBefore: numberIn(row?.beforeEventBuffer) * MINUTE,
      bufferAfter: numberIn(row?.afterEventBuffer) * MINUTE,
      seatsLeft: seats > 0 ? seats - attendees.length : null,
    }
  }

  #zoneOf(name: unknown): Zone | undefined {
    return typeof name === 'string' ? this.#zones.find(name) : undefined
  }
}

const rowsOf = (source: SourceSettings, table: keyof SourceSettings): readonly SourceRow[] =>
  source[table] ?? []

const byId = (rows: readonly SourceRow[]) => new Map(rows.map((row) => [idIn(row.id), row]))

const idIn = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')
const numberIn = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

function instantIn(value: unknown): number | undefined {
  const at = Date.parse(textIn(value))
  return Number.isNaN(at) ? undefined : at
}

/** Minutes since midnight of `HH:MM`. */
function minutesIn(value: unknown): number | undefined {
  const parts = /^(\d\d):(\d\d)/.exec(textIn(value))
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : undefined
}

function hoursOf({ days, date, startTime, endTime }: SourceRow): TheirHours[] {
  const [opens, closes] = [minutesIn(startTime), minutesIn(endTime)]
  if (date != null || !Array.isArray(days) || opens === undefined || closes === undefined) return []
  return [{ days: days.filter((day) => typeof day === 'number'), opens, closes }]
}

function overrideOf({ date, startTime, endTime }: SourceRow): TheirOverride[] {
  const day = parseDate(textIn(date).slice(0, 10))
  const [opens, closes] = [minutesIn(startTime), minutesIn(endTime)]
  return day === undefined || opens === undefined || closes === undefined ? [] : [{ day, opens, closes }]
}

function daysOffOf({ start, end }: SourceRow) {
  const [from, to] = [instantIn(start), instantIn(end)]
  if (from === undefined || to === undefined || to < from) return []
  return [{ first: Math.floor(from / DAY), last: Math.floor(to / DAY) }]
}

function windowOf(row: SourceRow): TheirWindow {
  const kind = textIn(row.periodType).toLowerCase()
  const days = numberIn(row.periodDays)
  const businessDays = row.periodCountCalendarDays !== true
  if (kind === 'rolling') return { kind: 'rolling', days, businessDays }
  if (kind === 'rolling_window') return { kind: 'window', days, businessDays }
  const [from, to] = [instantIn(row.periodStartDate), instantIn(row.periodEndDate)]
  if (kind !== 'range' || from === undefined || to === undefined) return { kind: 'unlimited' }
  return { kind: 'range', from, to }
}

function limitsOf(value: unknown): TheirLimits {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const limits = PERIODS.map((period) => {
    const limit = numberIn(given[`PER_${period.toUpperCase()}`])
    return [period, limit > 0 ? limit : null]
  })
  return Object.fromEntries(limits)
}
