import { offeredDurations } from '../event-types/durations.ts'
import type { EventType } from '../event-types/event-type.ts'
import type { EventTypeHost } from '../event-types/host.ts'
import type { CompiledSchedule } from '../event-types/hours.ts'
import type { Route } from '../forms/route.ts'
import { MINUTE } from '../interval.ts'
import type { Scheduler } from '../people/scheduler.ts'
import { Problem } from '../problem.ts'
import { sentence } from '../sentence.ts'
import type { BusyTime, Claim, HostAvailability, TimeOff } from '../slots/openings.ts'
import { type SlotRules, slotRules } from '../slots/rules.ts'
import type { Booking } from './booking.ts'
import { type GuestAccess, isInvited } from './guest-access.ts'
import { eventTypeThrough } from './private-link.ts'

/** A host of an event type, with hours that the rule engine can use. */
export interface BookableHost extends EventTypeHost {
  readonly schedule: CompiledSchedule
}

/** The reason of a route, which becomes that of the assignment. */
export type Narrowing = Pick<Route, 'detail'> & { readonly reason: NonNullable<Route['reason']> }

/** An event type with everything that decides when it can be booked, except the bookings. */
export interface BookableEventType {
  readonly scheduler: Scheduler
  readonly eventType: EventType
  readonly rules: SlotRules
  readonly hosts: readonly BookableHost[]
  readonly hostIds: readonly string[]
  /** Sets of hosts, any of which could take a meeting. */
  readonly groups: readonly (readonly BookableHost[])[]
  /** Time off, by host. */
  readonly absences: ReadonlyMap<string, readonly TimeOff[]>
  /** Busy times in connected calendars, by host. */
  readonly busyTimes: ReadonlyMap<string, readonly BusyTime[]>
  /** Why a form narrowed the hosts who take turns, if it did. */
  readonly narrowedBy?: Narrowing
  /** Addresses and domains blocked by the event type, its owner or a host. */
  readonly blocklist: readonly string[]
  /** Schedulers whose changes make this stale. */
  readonly dependsOn: readonly string[]
  /** Revisions of `dependsOn`, none newer than the data read with it; empty: unknown. */
  readonly revisions: ReadonlyMap<string, number>
  /** From here on, a change by another instance may be missing. */
  readonly freshUntil: number
}

export const noSuchEventType = () =>
  new Problem('not_found', sentence`There is no such event type. Check the address.`)

/** Each host who may be offered, once. */
export const hostIdsIn = (groups: readonly (readonly BookableHost[])[]): string[] => [
  ...new Set(groups.flat().map(({ hostId }) => hostId)),
]

/** Whether each meeting has one of several hosts, so that there is a choice. */
export const takesTurns = ({ eventType, hosts }: BookableEventType): boolean =>
  eventType.assignment === 'round-robin' && eventType.seats === 1 && hosts.some(({ fixed }) => !fixed)

/** The host of a group who takes turns, where hosts do: the last one. */
export const rotatingHostOf = (group: readonly { readonly hostId: string }[]): string =>
  (group.at(-1) as { readonly hostId: string }).hostId

/** Sets of hosts, any of which could take a meeting. */
export function groupHosts(eventType: EventType, hosts: readonly BookableHost[]): BookableHost[][] {
  if (hosts.length === 0) return []
  const fixed = hosts.filter((host) => host.fixed)
  const rotating = hosts.filter((host) => !host.fixed)
  const groups =
    eventType.assignment === 'collective' || rotating.length === 0
      ? [[...hosts]]
      : rotating.map((host) => [...fixed, host])
  // A disabled host is not free, so nothing that needs them is offered.
  return groups.filter((group) => !group.some(({ disabled }) => disabled))
}

/** The event type as a guest with this access sees it. Without any, throws `not_found` if it is link-only. */
export function openedBy(bookable: BookableEventType, access: GuestAccess): BookableEventType {
  if (!isInvited(access)) {
    if (bookable.eventType.linkOnly) throw noSuchEventType()
    return bookable
  }
  if (access.link === undefined) return withHostsOf(bookable, access)
  const eventType = eventTypeThrough(bookable.eventType, access.link)
  return withHostsOf({ ...bookable, eventType, rules: slotRules(eventType) }, access)
}

/** The same event type with the hosts that a link or a form narrows it to. */
export function withHostsOf(bookable: BookableEventType, { link, routed }: GuestAccess): BookableEventType {
  const linked = withHosts(bookable, link?.hostIds ?? [])
  const { hostIds, reason, detail } = routed?.route ?? { hostIds: null }
  if (hostIds === null) return linked
  const narrowed = withHosts(linked, hostIds)
  // Nothing was chosen where hosts don't take turns, or only those are left who attend every meeting.
  const isChoice = linked.groups.length > 1 && narrowed.hosts.some(({ fixed }) => !fixed)
  return reason && isChoice ? { ...narrowed, narrowedBy: { reason, detail } } : narrowed
}

/**
 * The same event type with these hosts alone, and those who attend every meeting; none: with all of them.
 *
 * Guests of a seated meeting share its hosts, so there they can't be chosen.
 */
function withHosts(bookable: BookableEventType, hostIds: readonly string[]): BookableEventType {
  const { eventType } = bookable
  if (hostIds.length === 0 || eventType.seats > 1) return bookable
  const takesTurns = eventType.assignment === 'round-robin'
  const hosts = bookable.hosts.filter(
    ({ hostId, fixed }) => hostIds.includes(hostId) || (takesTurns && fixed),
  )
  const groups = groupHosts(eventType, hosts)
  return { ...bookable, hosts, hostIds: hostIdsIn(groups), groups }
}

/** The same event type for meetings of this length, in minutes. Check first that it is offered. */
export function ofLength(bookable: BookableEventType, minutes: number): BookableEventType {
  const { eventType } = bookable
  return minutes === eventType.durationMinutes
    ? bookable
    : { ...bookable, rules: slotRules(eventType, minutes) }
}

/**
 * The event type for a booking that is there already: at its own length, or the default if that is no longer offered.
 *
 * One that was made through a private link keeps its length.
 */
export function ofLengthOf(
  bookable: BookableEventType,
  { startsAt, endsAt, linkId }: Pick<Booking, 'startsAt' | 'endsAt' | 'linkId'>,
): BookableEventType {
  const minutes = (endsAt - startsAt) / MINUTE
  const isOffered = linkId !== undefined || offeredDurations(bookable.eventType).includes(minutes)
  return isOffered ? ofLength(bookable, minutes) : bookable
}

/** The groups of hosts with their claims, as `findOpenings` takes them. */
export function availabilityOf(
  bookable: BookableEventType,
  taken: readonly { readonly hostId: string; readonly claims: readonly Claim[] }[],
): HostAvailability[][] {
  const calendars = new Map<string, HostAvailability>()
  for (const { hostId, schedule } of bookable.hosts) {
    const claims = taken.find((time) => time.hostId === hostId)?.claims ?? []
    const absences = bookable.absences.get(hostId) ?? []
    const busyTimes = bookable.busyTimes.get(hostId) ?? []
    calendars.set(hostId, { hostId, schedule, claims, absences, busyTimes })
  }
  return bookable.groups.map((group) => group.map(({ hostId }) => calendars.get(hostId) as HostAvailability))
}
