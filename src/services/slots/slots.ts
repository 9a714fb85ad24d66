import type { BookableEventType } from '../../domain/bookings/bookable.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { DAY } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { Zones } from '../../domain/zone.ts'
import type { Db } from '../../store/engine/database.ts'
import type { HostSeat } from '../../store/event-types/event-types.ts'
import { BookableEventTypes } from './bookable.ts'
import { BookableSoon, type OwnedEventType } from './bookable-soon.ts'
import { Changes } from './changes.ts'
import { bookedIdsAt, Claims } from './claims.ts'
import { FirstStarts } from './first-start.ts'
import { AttributesOfHosts, type HostAttributes } from './host-attributes.ts'
import { KeyedTurns } from './keyed-turns.ts'
import { ListingReads } from './listing-reads.ts'
import { type ListingOptions, type ListingQuery, Listings, type SpanQuery } from './listings.ts'

/** How far ahead a visitor's hosts are asked for a free time. */
const ROUTING_HORIZON = 60 * DAY

/**
 * What can be booked, and when: slot listings, event types ready for booking, and all their caches.
 *
 * Caches may be 0.8 s behind another instance, and never behind this one: every
 * change must be reported here, after its commit and before its answer.
 */
export class Slots {
  /** Time zones that were read once, for every part of the service. */
  readonly zones = new Zones()
  readonly #db: Db
  /** This process's changes to settings, by scheduler. */
  readonly #settings = new Changes()
  /** This process's changes to bookings, by host or by a stretch of a host's time. */
  readonly #bookings = new Changes()
  readonly #turns = new KeyedTurns()
  readonly #bookables: BookableEventTypes
  readonly #reads: ListingReads
  readonly #listings: Listings
  readonly #firstStarts: FirstStarts
  readonly #inThirtyDays: BookableSoon
  readonly #inAYear: BookableSoon
  readonly #attributes: AttributesOfHosts

  constructor({
    db,
    replica,
    now,
    liveKinds,
  }: {
    readonly db: Db
    /** A standby from which listings may be read. */
    readonly replica?: Db | undefined
    readonly now: () => number
    /** Kinds of calendars that can be asked about a span. */
    readonly liveKinds: readonly string[]
  }) {
    this.#db = db
    const { zones } = this
    const [settings, bookings] = [this.#settings, this.#bookings]
    this.#reads = new ListingReads({ db, replica, now, settings, bookings })
    this.#bookables = new BookableEventTypes({ db, reads: this.#reads, now, settings, zones, liveKinds })
    const claims = new Claims({ reads: this.#reads, now, settings, bookings })
    this.#firstStarts = new FirstStarts(claims, now)
    const [bookables, firstStarts] = [this.#bookables, this.#firstStarts]
    const given = { now, settings, bookings, bookables, firstStarts }
    this.#inThirtyDays = new BookableSoon({ ...given, ahead: 30 * DAY })
    this.#inAYear = new BookableSoon({ ...given, ahead: 366 * DAY })
    this.#attributes = new AttributesOfHosts(db)
    this.#listings = new Listings({ now, zones, settings, bookings, bookables, claims })
  }

  /** The slot listing as JSON bytes; throws `not_found` or `invalid`. */
  list(
    userSlug: string,
    eventSlug: string,
    query: ListingQuery,
    options: ListingOptions,
  ): Uint8Array | Promise<Uint8Array> {
    return this.#listings.get(userSlug, eventSlug, query, options)
  }

  /** The same for a span of time instead of dates, of an event type by its id. */
  listSpan(eventTypeId: string, query: SpanQuery, options: ListingOptions): Uint8Array | Promise<Uint8Array> {
    return this.#listings.getSpan(eventTypeId, query, options)
  }

  /** The listing kept under that key, if it is still true. */
  findListing(key: string): Uint8Array | undefined {
    return this.#listings.find(key)
  }

  /** How many listings came from the cache, and how many had to be made. */
  get listingCounts(): { readonly hits: number; readonly misses: number } {
    return this.#listings.counts
  }

  /** How many reads the primary and the replica have answered. */
  get readCounts(): { readonly primary: number; readonly replica: number } {
    return this.#reads.counts
  }

  /** What is listed for an event type at hand, from the database. One meeting may be left out. */
  listFrom(
    bookable: BookableEventType,
    query: ListingQuery | SpanQuery,
    meetingId?: string,
  ): Promise<Uint8Array> {
    return this.#listings.read(this.#db, bookable, query, meetingId)
  }

  /** Whether one of these groups of an event type's hosts has a start within the window, 60 days ahead at most. */
  hasStart(bookable: BookableEventType, groups: BookableEventType['groups']): Promise<boolean> {
    return this.#firstStarts.has(bookable, groups, ROUTING_HORIZON)
  }

  /** Which of these event types have no start in the next 30 days, as far as it is known. */
  findUnbookableSoon(eventTypes: readonly OwnedEventType[]): Promise<Set<string>> {
    return this.#inThirtyDays.findUnbookable(eventTypes)
  }

  /** The same of a year: what is not bookable then is not worth showing. */
  findUnbookable(eventTypes: readonly OwnedEventType[]): Promise<Set<string>> {
    return this.#inAYear.findUnbookable(eventTypes)
  }

  /** What the owner, a team, records about the hosts of an event type. */
  getHostAttributes(bookable: BookableEventType): HostAttributes | Promise<HostAttributes> {
    return this.#attributes.get(bookable)
  }

  /** The event type at these slugs, from the cache or read anew; throws `not_found`. */
  getBookable(userSlug: string, eventSlug: string): BookableEventType | Promise<BookableEventType> {
    return this.#bookables.get(userSlug, eventSlug)
  }

  /** The event type with this id, at most a second old; throws `not_found`. */
  getOne(eventTypeId: string): BookableEventType | Promise<BookableEventType> {
    return this.#bookables.getOne(eventTypeId)
  }

  /**
   * The same, but up to a minute old: for a decision that compares its revisions under a lock.
   *
   * If they differ, `reloadBookable` reads it again.
   */
  getBookableToVerify(userSlug: string, eventSlug: string): BookableEventType | Promise<BookableEventType> {
    return this.#bookables.getToVerify(userSlug, eventSlug)
  }

  /** The same for the event type of a booking. */
  getBookableOf(schedulerId: string, eventTypeId: string): Promise<BookableEventType> {
    return this.#bookables.getById(schedulerId, eventTypeId)
  }

  /** Reads an event type as it is now, past the cache. */
  readBookable(scheduler: Scheduler, eventType: EventType): Promise<BookableEventType> {
    return this.#bookables.readFor(this.#db, scheduler, eventType)
  }

  /** An event type with settings, hosts and a schedule that need not be saved. */
  readDraft(
    scheduler: Scheduler,
    eventType: EventType,
    seats: readonly HostSeat[],
  ): Promise<BookableEventType> {
    return this.#bookables.readDraft(this.#db, scheduler, eventType, seats)
  }

  reloadBookable({ scheduler, eventType }: BookableEventType): Promise<BookableEventType> {
    return this.#bookables.reload(scheduler.slug, eventType.slug)
  }

  /** Runs work on these hosts' bookings after all earlier work on any of them, in this process. */
  inTurn<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return this.#turns.run(keys, work)
  }

  /** Call after the commit of a change to these schedulers' settings. */
  settingsChanged(schedulerIds: readonly string[]): void {
    this.#settings.note(schedulerIds)
  }

  /** Call after the commit of a change to these hosts' bookings. With `startsAt`, only one booking at that start changed. */
  bookingsChanged(hostIds: readonly string[], startsAt?: number): void {
    this.#bookings.note(startsAt === undefined ? hostIds : bookedIdsAt(hostIds, startsAt))
  }
}
