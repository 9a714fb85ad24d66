import {
  type BookableEventType,
  groupHosts,
  hostIdsIn,
  noSuchEventType,
} from '../../domain/bookings/bookable.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { CompiledSchedule, type Schedule } from '../../domain/event-types/hours.ts'
import { DAY } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { slotRules } from '../../domain/slots/rules.ts'
import type { Zones } from '../../domain/zone.ts'
import { findBlockedEntries } from '../../store/bookings/guests/blocked-guests.ts'
import type { Db } from '../../store/engine/database.ts'
import { findAbsences } from '../../store/event-types/absences.ts'
import {
  findDraftHosts,
  findEventType,
  findEventTypeById,
  findEventTypeHosts,
  findOwnedEventType,
  type HostSeat,
  type HostsOfEventType,
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

/** Short enough that a change by another instance shows within a second. */
export const MAX_STALENESS = 800

interface Cached {
  readonly bookable: BookableEventType
  readonly mark: number
  readonly readAt: number
}

interface Stale {
  /** Where it is cached. */
  readonly key: string
  readonly bookable: BookableEventType
}

interface Loading {
  readonly load: Promise<BookableEventType>
  readonly mark: number
  readonly began: number
}

/** Reads from the primary, or from wherever a listing may come from. */
type ReadFrom = <T>(read: (db: Db) => Promise<T>) => Reading<T> | Promise<Reading<T>>

export type Slugs = readonly [userSlug: string, eventSlug: string]

/** After this long it is read again, even if its revisions have not changed. */
const MAX_AGE = 60_000

/** Event types and their hosts together: 2.3 kilobytes for one of each, 27 megabytes at most if all have one host. */
const CACHED_EVENT_TYPES = 24_000

/** Reads bookable event types, and caches those that are read by slug. */
export class BookableEventTypes {
  readonly #db: Db
  readonly #reads: ListingReads
  readonly #now: () => number
  readonly #settings: Changes
  readonly #zones: Zones
  readonly #liveKinds: readonly string[]
  /** The store gives the same hours as the same object, so hosts with the same hours share one. */
  readonly #compiled = new WeakMap<Schedule, CompiledSchedule>()
  readonly #busyTimes = new BusyTimes()
  readonly #cache = new BoundedCache<Cached>(CACHED_EVENT_TYPES)
  /** What is being read, for listings, until it has been read. */
  readonly #loading = new Map<string, Loading>()
  /** Where an event type is cached, by its id. */
  readonly #slugs = new BoundedCache<Slugs>(CACHED_EVENT_TYPES)

  constructor(given: {
    readonly db: Db
    readonly reads: ListingReads
    readonly now: () => number
    /** This process's changes to settings, by scheduler. */
    readonly settings: Changes
    readonly zones: Zones
    /** Kinds of calendars that can be asked about a span. */
    readonly liveKinds: readonly string[]
  }) {
    this.#db = given.db
    this.#reads = given.reads
    this.#now = given.now
    this.#settings = given.settings
    this.#zones = given.zones
    this.#liveKinds = given.liveKinds
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
    return this.#loadTogether(userSlug, eventSlug)
  }

  /**
   * What is cached of an event type that only its one host can change, if it is stale and this process has changed nothing:
   * for a reader of the host's revision, who then confirms it.
   */
  findStale(userSlug: string, eventSlug: string): Stale | undefined {
    const key = `${userSlug}/${eventSlug}`
    const cached = this.#cache.get(key)
    const now = this.#now()
    if (cached === undefined || now < cached.bookable.freshUntil) return undefined
    return cached.bookable.dependsOn.length === 1 && this.#mayBeUnchanged(cached, now)
      ? { key, bookable: cached.bookable }
      : undefined
  }

  /** Makes a stale event type fresh if its host had the same revision and nothing has changed here since. Returns whether it is. */
  confirm({ key, bookable }: Stale, revision: number | undefined, freshUntil: number): boolean {
    const cached = this.#cache.get(key)
    const [hostId = ''] = bookable.dependsOn
    if (cached === undefined || bookable.revisions.get(hostId) !== revision) return false
    if (cached.bookable.revisions.get(hostId) !== revision) return false
    if (!this.#mayBeUnchanged(cached, this.#now())) return false
    this.#refresh(key, cached, freshUntil)
    return true
  }

  /**
   * Those who ask while it is being read share one read, unless this process has changed settings since.
   *
   * Otherwise all who wait for an event type with 500 hosts ask for 500 revisions each: with 64 visitors at once, a third
   * of the evaluation of a form.
   */
  #loadTogether(userSlug: string, eventSlug: string): Promise<BookableEventType> {
    const key = `${userSlug}/${eventSlug}`
    const [began, { mark }] = [this.#now(), this.#settings]
    const present = this.#loading.get(key)
    if (present !== undefined && present.mark === mark && began < present.began + MAX_STALENESS) {
      return present.load
    }
    const load = this.#load(userSlug, eventSlug, this.#forListing).finally(() => {
      if (this.#loading.get(key)?.load === load) this.#loading.delete(key)
    })
    this.#loading.set(key, { load, mark, began })
    return load
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

  /** The event type with this id, at most a second old; throws `not_found`. */
  getOne(eventTypeId: string): BookableEventType | Promise<BookableEventType> {
    const slugs = this.#slugs.get(eventTypeId)
    const known = slugs && this.get(...slugs)
    const isKnown = known !== undefined && !(known instanceof Promise) && known.eventType.id === eventTypeId
    return isKnown ? known : this.#getOne(eventTypeId, known)
  }

  async #getOne(
    eventTypeId: string,
    known: Promise<BookableEventType> | BookableEventType | undefined,
  ): Promise<BookableEventType> {
    const bookable = await known
    if (bookable?.eventType.id === eventTypeId) return bookable
    const eventType = await findEventTypeById(this.#db, eventTypeId)
    if (eventType === undefined) throw noSuchEventType()
    return this.reload(...(await this.#findSlugs(eventType.schedulerId, eventTypeId)))
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
      return this.#refresh(key, cached, unchangedAt + MAX_STALENESS)
    }
    return this.#reload(userSlug, eventSlug, readFrom)
  }

  #refresh(key: string, cached: Cached, freshUntil: number): BookableEventType {
    const bookable = { ...cached.bookable, freshUntil }
    this.#cache.set(key, { ...cached, bookable }, sizeOf(bookable))
    return bookable
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
    this.#cache.set(
      `${userSlug}/${eventSlug}`,
      { bookable, mark: marks.settings, readAt: asOf },
      sizeOf(bookable),
    )
    this.#slugs.set(bookable.eventType.id, [userSlug, eventSlug], sizeOf(bookable))
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
    const found = await findOwnedEventType(db, userSlug, eventSlug)
    if (found === undefined) return this.#readMoved(db, userSlug, eventSlug, now)
    const { scheduler, eventType, revision, isBlocking } = found
    const bookable = await this.readFor(db, scheduler, eventType, now, isBlocking)
    return withRevision(bookable, revision)
  }

  /** The same where one of the slugs is an old one. */
  async #readMoved(db: Db, userSlug: string, eventSlug: string, now: number): Promise<BookableEventType> {
    const revision = await findRevisionBySlug(db, userSlug)
    const scheduler = await findSchedulerBySlug(db, userSlug)
    if (scheduler === undefined) throw noSuchEventType()
    const eventType = await findEventType(db, scheduler.id, eventSlug)
    if (eventType === undefined) throw noSuchEventType()
    const bookable = await this.readFor(db, scheduler, eventType, now)
    // A slug that its owner has given up: someone else may take it, and no revision known here would change.
    return revision === undefined ? bookable : withRevision(bookable, revision)
  }

  /** The same for an event type that was already read, of an owner who may have blocked guests. */
  async readFor(
    db: Db,
    scheduler: Scheduler,
    eventType: EventType,
    now = this.#now(),
    isBlocking = true,
  ): Promise<BookableEventType> {
    const awayAfter = now - DAY
    const stored = await findEventTypeHosts(db, eventType.id, { liveKinds: this.#liveKinds, awayAfter })
    const blocking = isBlocking ? [...stored.blocking, scheduler.id] : stored.blocking
    return this.#assemble(db, { scheduler, eventType, stored: { ...stored, blocking }, now })
  }

  /** The same for an event type with hosts and a schedule that are not saved. */
  async readDraft(
    db: Db,
    scheduler: Scheduler,
    eventType: EventType,
    seats: readonly HostSeat[],
  ): Promise<BookableEventType> {
    const hosts = await findDraftHosts(db, seats, eventType.scheduleId)
    const ids = hosts.map(({ hostId }) => hostId)
    const stored = { hosts, away: ids, busy: ids, blocking: [scheduler.id, ...ids] }
    return this.#assemble(db, { scheduler, eventType, stored, now: this.#now() })
  }

  async #assemble(
    db: Db,
    given: Pick<BookableEventType, 'scheduler' | 'eventType'> & {
      readonly stored: HostsOfEventType
      readonly now: number
    },
  ): Promise<BookableEventType> {
    const { scheduler, eventType, stored, now } = given
    const hosts = stored.hosts.map((host) => ({ ...host, schedule: this.#compile(host.schedule) }))
    const groups = groupHosts(eventType, hosts)
    const hostIds = hostIdsIn(groups)
    const dependsOn = [...new Set([scheduler.id, ...hosts.map(({ hostId }) => hostId)])]
    const [isAway, isBusy] = [new Set(stored.away), new Set(stored.busy)]
    const away = hostIds.filter((id) => isAway.has(id))
    const busy = hosts.filter(({ hostId }) => isBusy.has(hostId))
    return {
      scheduler,
      eventType,
      rules: slotRules(eventType),
      hosts,
      hostIds,
      groups,
      absences:
        away.length === 0
          ? NONE_BY_HOST
          : await findAbsences(db, away, { start: now - DAY, end: Number.MAX_SAFE_INTEGER }),
      busyTimes: busy.length === 0 ? NONE_BY_HOST : await this.#busyTimes.read(db, busy),
      blocklist:
        stored.blocking.length === 0
          ? eventType.abuse.blocklist
          : [...eventType.abuse.blocklist, ...(await findBlockedEntries(db, stored.blocking))],
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

const NONE_BY_HOST: ReadonlyMap<string, readonly never[]> = new Map()

const sizeOf = ({ hosts }: BookableEventType) => hosts.length + 1

/** With the revisions of its hosts, and this one of its owner. */
function withRevision(bookable: BookableEventType, revision: number): BookableEventType {
  const revisions = new Map(bookable.hosts.map((host) => [host.hostId, host.revision]))
  return { ...bookable, revisions: revisions.set(bookable.scheduler.id, revision) }
}
