import type { Booking } from '../../domain/bookings/booking.ts'
import { type GuestAccess, isInvited } from '../../domain/bookings/guest-access.ts'
import { eventTypeThrough } from '../../domain/bookings/private-link.ts'
import { type EventType, offeredDurations } from '../../domain/event-types/event-type.ts'
import { CompiledSchedule, type Schedule } from '../../domain/event-types/hours.ts'
import type { Route } from '../../domain/forms/route.ts'
import { DAY, type Interval, MINUTE } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { BusyTime, HostAvailability } from '../../domain/slots/openings.ts'
import { type SlotRules, slotRules } from '../../domain/slots/rules.ts'
import type { Zones } from '../../domain/zone.ts'
import { findBlockedEntries } from '../../store/bookings/blocked-guests.ts'
import type { TakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import { findAbsences } from '../../store/event-types/absences.ts'
import {
  type EventTypeHost,
  findEventType,
  findEventTypeById,
  findEventTypeHosts,
} from '../../store/event-types/event-types.ts'
import {
  findRevisionBySlug,
  findRevisions,
  findScheduler,
  findSchedulerBySlug,
} from '../../store/people/schedulers.ts'
import { BoundedCache } from './bounded-cache.ts'
import { BusyTimes } from './busy-times.ts'
import type { Changes } from './changes.ts'
import type { ListingReads, Reading } from './listing-reads.ts'

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
  readonly absences: ReadonlyMap<string, readonly Interval[]>
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

/** Short enough that a change by another instance shows within a second. */
export const MAX_STALENESS = 800

interface Cached {
  readonly bookable: BookableEventType
  readonly mark: number
  readonly readAt: number
}

/** Reads from the primary, or from wherever a listing may come from. */
type ReadFrom = <T>(read: (db: Db) => Promise<T>) => Promise<Reading<T>>

type Slugs = readonly [userSlug: string, eventSlug: string]

/** After this long it is read again, even if its revisions have not changed. */
const MAX_AGE = 60_000

/** About five kilobytes each. With 5,000 of them, listings of 10,000 hosts in turn were no faster, and took 20 MB more. */
const CACHED_EVENT_TYPES = 2000

/** Reads bookable event types, and caches those that are read by slug. */
export class BookableEventTypes {
  readonly #db: Db
  readonly #reads: ListingReads
  readonly #now: () => number
  readonly #settings: Changes
  readonly #zones: Zones
  /** The store gives the same hours as the same object, so hosts with the same hours share one. */
  readonly #compiled = new WeakMap<Schedule, CompiledSchedule>()
  readonly #busyTimes = new BusyTimes()
  readonly #cache = new BoundedCache<Cached>(CACHED_EVENT_TYPES)
  /** Where an event type is cached, by its id. */
  readonly #slugs = new BoundedCache<Slugs>(CACHED_EVENT_TYPES)

  constructor(given: {
    readonly db: Db
    readonly reads: ListingReads
    readonly now: () => number
    /** This process's changes to settings, by scheduler. */
    readonly settings: Changes
    readonly zones: Zones
  }) {
    this.#db = given.db
    this.#reads = given.reads
    this.#now = given.now
    this.#settings = given.settings
    this.#zones = given.zones
  }

  /** The event type at these slugs, at most a second old; throws `not_found`. */
  get(userSlug: string, eventSlug: string): BookableEventType | Promise<BookableEventType> {
    const cached = this.#cache.get(`${userSlug}/${eventSlug}`)
    if (
      cached !== undefined &&
      this.#now() < cached.bookable.freshUntil &&
      this.#settings.noneSince(cached.mark, cached.bookable.dependsOn)
    ) {
      return cached.bookable
    }
    return this.#load(userSlug, eventSlug, this.#forListing)
  }

  /** The same, but up to a minute old: for a decision that compares its revisions under a lock. */
  getToVerify(userSlug: string, eventSlug: string): BookableEventType | Promise<BookableEventType> {
    const cached = this.#cache.get(`${userSlug}/${eventSlug}`)
    return cached !== undefined && this.#mayBeUnchanged(cached, this.#now())
      ? cached.bookable
      : this.#load(userSlug, eventSlug, this.#fromPrimary)
  }

  /** The event type with this id, up to a minute old; throws `not_found`. */
  async getById(schedulerId: string, eventTypeId: string): Promise<BookableEventType> {
    const [userSlug, eventSlug] =
      this.#slugs.get(eventTypeId) ?? (await this.#findSlugs(schedulerId, eventTypeId))
    const bookable = await this.getToVerify(userSlug, eventSlug)
    if (bookable.eventType.id === eventTypeId) return bookable
    // The slugs have gone to another event type.
    return this.reload(...(await this.#findSlugs(schedulerId, eventTypeId)))
  }

  async #findSlugs(schedulerId: string, eventTypeId: string): Promise<Slugs> {
    const [scheduler, eventType] = await Promise.all([
      findScheduler(this.#db, schedulerId),
      findEventTypeById(this.#db, eventTypeId),
    ])
    if (scheduler === undefined || eventType === undefined) throw noSuchEventType()
    return [scheduler.slug, eventType.slug]
  }

  /** A new event type has no id yet that a change could be noted for, so any own change counts. */
  readonly #forListing: ReadFrom = (read) =>
    this.#reads.read(({ settings }) => settings === this.#settings.mark, read)

  readonly #fromPrimary: ReadFrom = (read) => this.#reads.readPrimary(read)

  async #load(userSlug: string, eventSlug: string, readFrom: ReadFrom): Promise<BookableEventType> {
    if (!isSlug(userSlug) || !isSlug(eventSlug)) throw noSuchEventType()
    const key = `${userSlug}/${eventSlug}`
    const cached = this.#cache.get(key)
    const unchangedAt = cached && (await this.#unchangedAt(cached, readFrom))
    if (cached !== undefined && unchangedAt !== undefined) {
      const bookable = { ...cached.bookable, freshUntil: unchangedAt + MAX_STALENESS }
      this.#cache.set(key, { ...cached, bookable })
      return bookable
    }
    return this.#reload(userSlug, eventSlug, readFrom)
  }

  /** Reads the event type at these slugs again, past all caches; throws `not_found`. */
  async reload(userSlug: string, eventSlug: string): Promise<BookableEventType> {
    const found = await this.#reload(userSlug, eventSlug, this.#fromPrimary)
    if (found.revisions.size > 0) return found
    // The slug has just moved: only where the event type is now, it has revisions to compare.
    return this.#reload(found.scheduler.slug, found.eventType.slug, this.#fromPrimary)
  }

  async #reload(userSlug: string, eventSlug: string, readFrom: ReadFrom): Promise<BookableEventType> {
    const { value, asOf, marks } = await readFrom((db) => this.read(db, userSlug, eventSlug))
    const bookable = { ...value, freshUntil: asOf + MAX_STALENESS }
    this.#cache.set(`${userSlug}/${eventSlug}`, { bookable, mark: marks.settings, readAt: asOf })
    this.#slugs.set(bookable.eventType.id, [userSlug, eventSlug])
    return bookable
  }

  /** When its revisions were still the same: one small query instead of reading everything again. */
  async #unchangedAt(cached: Cached, readFrom: ReadFrom): Promise<number | undefined> {
    if (!this.#mayBeUnchanged(cached, this.#now())) return undefined
    const { dependsOn, revisions } = cached.bookable
    const { value: current, asOf } = await readFrom((db) => findRevisions(db, dependsOn))
    const unchanged = dependsOn.every((id) => revisions.has(id) && revisions.get(id) === current.get(id))
    return unchanged ? asOf : undefined
  }

  /** Whether only another instance could have changed it. */
  #mayBeUnchanged({ bookable, mark, readAt }: Cached, now: number): boolean {
    if (bookable.revisions.size === 0 || now >= readAt + MAX_AGE) return false
    return this.#settings.noneSince(mark, bookable.dependsOn)
  }

  /** The event type at these slugs as it is now, past the cache; throws `not_found`. */
  async read(db: Db, userSlug: string, eventSlug: string, now = this.#now()): Promise<BookableEventType> {
    // Read first: a change in between makes the data newer than its revisions, never older.
    const revision = await findRevisionBySlug(db, userSlug)
    const scheduler = await findSchedulerBySlug(db, userSlug)
    if (scheduler === undefined) throw noSuchEventType()
    const eventType = await findEventType(db, scheduler.id, eventSlug)
    if (eventType === undefined) throw noSuchEventType()
    const bookable = await this.readFor(db, scheduler, eventType, now)
    // A slug that its owner has given up: someone else may take it, and no revision known here would change.
    if (revision === undefined) return bookable
    const revisions = new Map(bookable.hosts.map((host) => [host.hostId, host.revision]))
    return { ...bookable, revisions: revisions.set(scheduler.id, revision) }
  }

  /** The same for an event type that was already read. */
  async readFor(
    db: Db,
    scheduler: Scheduler,
    eventType: EventType,
    now = this.#now(),
  ): Promise<BookableEventType> {
    const stored = await findEventTypeHosts(db, eventType.id)
    const hosts = stored.map((host) => ({ ...host, schedule: this.#compile(host.schedule) }))
    const groups = groupHosts(eventType, hosts)
    const hostIds = hostIdsIn(groups)
    const dependsOn = [...new Set([scheduler.id, ...hosts.map(({ hostId }) => hostId)])]
    return {
      scheduler,
      eventType,
      rules: slotRules(eventType),
      hosts,
      hostIds,
      groups,
      absences: await findAbsences(db, hostIds, { start: now - DAY, end: Number.MAX_SAFE_INTEGER }),
      busyTimes: await this.#busyTimes.read(db, hosts),
      blocklist: [...eventType.abuse.blocklist, ...(await findBlockedEntries(db, dependsOn))],
      dependsOn,
      revisions: new Map(),
      freshUntil: now + MAX_STALENESS,
    }
  }

  #compile(schedule: Schedule): CompiledSchedule {
    let compiled = this.#compiled.get(schedule)
    if (compiled === undefined) {
      compiled = new CompiledSchedule(schedule, this.#zones)
      this.#compiled.set(schedule, compiled)
    }
    return compiled
  }
}

export const noSuchEventType = () =>
  new Problem('not_found', sentence`There is no such event type. Check the address.`)

/** Each host who may be offered, once. */
const hostIdsIn = (groups: readonly (readonly BookableHost[])[]): string[] => [
  ...new Set(groups.flat().map(({ hostId }) => hostId)),
]

/** Whether each meeting has one of several hosts, so that there is a choice. */
export const takesTurns = ({ eventType, hosts }: BookableEventType): boolean =>
  eventType.assignment === 'round-robin' && eventType.seats === 1 && hosts.some(({ fixed }) => !fixed)

/** The host of a group who takes turns, where hosts do. */
export const rotatingHostOf = (group: readonly BookableHost[]): string =>
  (group.at(-1) as BookableHost).hostId

function groupHosts(eventType: EventType, hosts: readonly BookableHost[]): BookableHost[][] {
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
  taken: readonly Pick<TakenTime, 'hostId' | 'claims'>[],
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
