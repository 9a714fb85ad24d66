import { availabilityOf, type BookableEventType, ofLength, openedBy } from '../../domain/bookings/bookable.ts'
import { type DayNumber, parseDate } from '../../domain/calendar-date.ts'
import { offeredDurations } from '../../domain/event-types/durations.ts'
import { DAY, type Interval } from '../../domain/interval.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { anyOf, sentence } from '../../domain/sentence.ts'
import {
  claimDetails,
  claimSpan,
  findOpenings,
  MAX_SPAN_DAYS,
  type Openings,
  openingsExpireAt,
} from '../../domain/slots/openings.ts'
import type { SlotRules } from '../../domain/slots/rules.ts'
import type { Zone, Zones } from '../../domain/zone.ts'
import { type Allocate, guestSpan, ListingWriter } from '../../format/listing.ts'
import { type ListingShape, ZonedListingWriter } from '../../format/zoned-listing.ts'
import { findTakenHours, findTakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import type { BookableEventTypes } from './bookable.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Changes } from './changes.ts'
import { bookedIdsIn, type Claims, type ListedClaims } from './claims.ts'
import type { ListingReads } from './listing-reads.ts'
import { Seen } from './seen.ts'

export interface ListingQuery {
  readonly dateFrom: string
  readonly dateTo: string
  readonly timezone: string
  /** Minutes, one of those offered; undefined: the default. */
  readonly duration?: string | undefined
}

/** The same for programs that ask for a span of time, and want the times on a clock. */
export interface SpanQuery {
  readonly span: Interval
  readonly zone: Zone
  readonly shape: ListingShape
  readonly duration?: string | undefined
}

export interface ListingOptions {
  /** Names the request for `find`: the same key means the same request. */
  readonly key: string
  /** Memory for a listing that is sent once and not kept. */
  readonly allocate?: Allocate
}

interface Listing {
  readonly json: Uint8Array
  readonly bookable: BookableEventType
  readonly settings: number
  readonly bookings: number
  /** Ids whose bookings make it stale. */
  readonly bookedIds: readonly string[]
  /** Stale from here on: another instance may have booked, or a slot is now too soon. */
  readonly expiresAt: number
}

const CACHE_BYTES = 4 * 1024 * 1024

interface Parts {
  readonly now: () => number
  readonly zones: Zones
  readonly settings: Changes
  readonly bookings: Changes
  readonly bookables: BookableEventTypes
  readonly claims: Claims
  readonly reads: ListingReads
}

/** Slot listings as JSON bytes; those asked for more than once are kept. */
export class Listings {
  readonly #parts: Parts
  readonly #writer = new ListingWriter()
  readonly #zonedWriters = new Map<ListingShape, ZonedListingWriter>()
  readonly #cache = new BoundedCache<Listing>(CACHE_BYTES)
  /** Most listings are asked for once, and not worth keeping. */
  readonly #asked = new Seen()
  /** How many listings came from the cache, and how many had to be made. */
  readonly counts = { hits: 0, misses: 0 }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The listing kept under that key, if it is still true. */
  find(key: string): Uint8Array | undefined {
    const listing = this.#cache.get(key)
    const { now, settings, bookings } = this.#parts
    const fresh =
      listing !== undefined &&
      now() < listing.expiresAt &&
      settings.noneSince(listing.settings, listing.bookable.dependsOn) &&
      bookings.noneSince(listing.bookings, listing.bookedIds)
    if (!fresh) return undefined
    this.counts.hits++
    return listing.json
  }

  get(
    userSlug: string,
    eventSlug: string,
    query: ListingQuery,
    options: ListingOptions,
  ): Uint8Array | Promise<Uint8Array> {
    const ready = this.find(options.key)
    if (ready !== undefined) return ready
    // Taken before anything is read: a change or booking in the meantime makes the listing stale at once.
    const marks = { settings: this.#parts.settings.mark, bookings: this.#parts.bookings.mark }
    const bookable = this.#readBookable(userSlug, eventSlug, query)
    if (bookable instanceof Promise) return bookable.then((read) => this.#make(read, query, marks, options))
    return this.#make(bookable, query, marks, options)
  }

  #readBookable(
    userSlug: string,
    eventSlug: string,
    query: ListingQuery,
  ): BookableEventType | Promise<BookableEventType> {
    const { bookables } = this.#parts
    const stale = bookables.findStale(userSlug, eventSlug)
    const claimed = stale && this.#spanOfHours(stale, query)
    return claimed === undefined
      ? bookables.get(userSlug, eventSlug)
      : this.#readWithClaims(userSlug, eventSlug, stale as BookableEventType, claimed)
  }

  /** Of whose claims a listing needs no more than the hours, as most do; undefined also if it would be refused. */
  #spanOfHours(bookable: BookableEventType, query: ListingQuery): Interval | undefined {
    try {
      const { rules } = ofAskedLength(bookable, query)
      return claimDetails(rules) === 'times'
        ? claimSpan(rules, readQuery(query, this.#parts.zones).span)
        : undefined
    } catch {
      // By settings that may be outdated. What refuses it for good has the right words.
      return undefined
    }
  }

  /**
   * Reads the revision of a stale event type's host and the claims that its listing needs in one statement instead of two.
   */
  async #readWithClaims(
    userSlug: string,
    eventSlug: string,
    stale: BookableEventType,
    span: Interval,
  ): Promise<BookableEventType> {
    const { bookables, claims, reads, settings } = this.#parts
    const [hostId = ''] = stale.dependsOn
    await claims.readWith(stale, span, async (includesOwn, missing) => {
      const { value, ...when } = await reads.read(
        (marks) => marks.settings === settings.mark && includesOwn(marks.bookings),
        (db) => findTakenHours(db, hostId, missing),
      )
      if (value !== undefined) bookables.confirm(userSlug, eventSlug, value.revision, when.asOf)
      return { ...when, value: value?.claims }
    })
    return bookables.get(userSlug, eventSlug)
  }

  /** The listing of a span of time, for an event type by its id. */
  getSpan(eventTypeId: string, query: SpanQuery, options: ListingOptions): Uint8Array | Promise<Uint8Array> {
    const ready = this.find(options.key)
    if (ready !== undefined) return ready
    const marks = { settings: this.#parts.settings.mark, bookings: this.#parts.bookings.mark }
    const bookable = this.#parts.bookables.getOne(eventTypeId)
    if (bookable instanceof Promise) return bookable.then((read) => this.#make(read, query, marks, options))
    return this.#make(bookable, query, marks, options)
  }

  #make(
    bookable: BookableEventType,
    query: ListingQuery | SpanQuery,
    marks: Pick<Listing, 'settings' | 'bookings'>,
    { key, allocate }: ListingOptions,
  ): Uint8Array | Promise<Uint8Array> {
    openedBy(bookable, {})
    const { guest, span } = readAsked(query, this.#parts.zones)
    const { rules, hostIds } = ofAskedLength(bookable, query)
    const claimed = claimSpan(rules, span)
    const finish = ({ taken, freshUntil }: ListedClaims) => {
      const now = this.#parts.now()
      const groups = availabilityOf(bookable, taken)
      const openings = findOpenings(rules, groups, now, span)
      this.counts.misses++
      const again = this.#asked.before(key)
      const json = this.#write(query, openings, rules, guest, again ? undefined : allocate)
      if (again) {
        const opensUntil = openingsExpireAt(rules, groups, now, openings)
        const expiresAt = Math.min(bookable.freshUntil, freshUntil, opensUntil)
        const bookedIds = bookedIdsIn(hostIds, claimed)
        const listing = { json, bookable, ...marks, bookedIds, expiresAt }
        this.#cache.set(key, listing, json.byteLength + key.length + 200)
      }
      return json
    }
    const listed = this.#parts.claims.get(bookable, claimed)
    return listed instanceof Promise ? listed.then(finish) : finish(listed)
  }

  #write(
    query: ListingQuery | SpanQuery,
    openings: Openings,
    rules: Pick<SlotRules, 'duration' | 'seats'>,
    guest: Zone,
    allocate?: Allocate,
  ): Uint8Array {
    if (!('span' in query)) return this.#writer.write(openings, rules.duration, guest, allocate)
    let writer = this.#zonedWriters.get(query.shape)
    if (writer === undefined) {
      writer = new ZonedListingWriter(query.shape)
      this.#zonedWriters.set(query.shape, writer)
    }
    return writer.write(openings, rules, guest, allocate)
  }

  /** The same listing of an event type at hand, from the database instead of the caches. One meeting may be left out. */
  async read(
    db: Db,
    bookable: BookableEventType,
    query: ListingQuery | SpanQuery,
    withoutMeeting?: string,
  ): Promise<Uint8Array> {
    const { rules, hostIds } = ofAskedLength(bookable, query)
    const { guest, span } = readAsked(query, this.#parts.zones)
    const all = await findTakenTime(db, hostIds, claimSpan(rules, span), rules.seats > 1)
    const taken = all.map(({ hostId, claims }) => ({
      hostId,
      claims: claims.filter(({ meetingId }) => meetingId !== withoutMeeting),
    }))
    const openings = findOpenings(rules, availabilityOf(bookable, taken), this.#parts.now(), span)
    return this.#write(query, openings, rules, guest)
  }
}

/** Throws `invalid` unless the event type offers the length that is asked for. */
export function ofAskedLength(
  bookable: BookableEventType,
  { duration }: Pick<ListingQuery, 'duration'>,
): BookableEventType {
  if (duration === undefined) return bookable
  const offered = offeredDurations(bookable.eventType)
  const minutes = /^\d{1,4}$/.test(duration) ? Number(duration) : Number.NaN
  if (!offered.includes(minutes)) {
    throw invalidField('duration', sentence`{field} must be ${anyOf(offered)}, in minutes.`)
  }
  return ofLength(bookable, minutes)
}

interface Asked {
  readonly span: Interval
  readonly guest: Zone
}

function readAsked(query: ListingQuery | SpanQuery, zones: Zones): Asked {
  if (!('span' in query)) return readQuery(query, zones)
  const { span, zone: guest } = query
  if (span.end - span.start > MAX_SPAN_DAYS * DAY) throw tooLong()
  return { span, guest }
}

/** Throws `invalid` unless these are dates and a zone that can be listed. */
function readQuery({ dateFrom, dateTo, timezone }: ListingQuery, zones: Zones): Asked {
  const first = dateIn('dateFrom', dateFrom)
  const last = dateIn('dateTo', dateTo)
  const guest = zones.find(timezone)
  if (guest === undefined) {
    throw invalidField('timezone', sentence`{field} must be an IANA time zone such as Europe/Berlin.`)
  }
  if (last < first) throw invalidField('dateTo', sentence`{field} must not be before dateFrom.`)
  if (last - first >= MAX_SPAN_DAYS) throw tooLong()
  return { span: guestSpan(guest, first, last), guest }
}

const tooLong = () => new Problem('invalid', sentence`Ask for at most ${MAX_SPAN_DAYS} days at a time.`)

function dateIn(name: string, text: string): DayNumber {
  const day = parseDate(text)
  if (day === undefined) throw invalidField(name, sentence`{field} must be a date such as 2030-01-31.`)
  return day
}
