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
  joinOpenings,
  MAX_SPAN_DAYS,
  type Openings,
} from '../../domain/slots/openings.ts'
import type { SlotRules } from '../../domain/slots/rules.ts'
import type { Zone, Zones } from '../../domain/zone.ts'
import { KeptGroups } from '../../format/kept-groups.ts'
import { type Allocate, guestSpan, ListingWriter } from '../../format/listing.ts'
import { type ListingShape, ZonedListingWriter } from '../../format/zoned-listing.ts'
import { findTakenTime } from '../../store/bookings/bookings.ts'
import type { Db } from '../../store/engine/database.ts'
import type { BookableEventTypes, Slugs } from './bookable.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { Changes } from './changes.ts'
import { bookedIdsIn, type Claims } from './claims.ts'
import { findKnown, type Known, KnownOpenings } from './known-openings.ts'
import { Seen } from './seen.ts'
import { type OrPromise, then } from './then.ts'

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

/** How far this process's own changes had come. */
interface Marks {
  readonly settings: number
  readonly bookings: number
}

interface Listing extends Marks {
  readonly json: Uint8Array
  readonly bookable: BookableEventType
  /** Ids whose bookings make it stale. */
  readonly bookedIds: readonly string[]
  /** Stale from here on: another instance may have booked, or a slot is now too soon. */
  readonly expiresAt: number
}

/** What a listing is made of. */
interface Ready extends Known {
  readonly asked: Asked
}

const CACHE_BYTES = 4 * 1024 * 1024

interface Parts {
  readonly now: () => number
  readonly zones: Zones
  readonly settings: Changes
  readonly bookings: Changes
  readonly bookables: BookableEventTypes
  readonly claims: Claims
}

/** Slot listings as JSON bytes; those asked for more than once are kept. */
export class Listings {
  readonly #parts: Parts
  readonly #openings: KnownOpenings
  readonly #writer = new ListingWriter()
  readonly #groups = new KeptGroups(this.#writer)
  readonly #zonedWriters = new Map<ListingShape, ZonedListingWriter>()
  readonly #cache = new BoundedCache<Listing>(CACHE_BYTES)
  /** Most listings are asked for once, and not worth keeping. */
  readonly #asked = new Seen()
  /** How many listings came from the cache, and how many had to be made. */
  readonly counts = { hits: 0, misses: 0 }

  constructor(parts: Parts) {
    this.#parts = parts
    this.#openings = new KnownOpenings(parts)
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
  ): OrPromise<Uint8Array> {
    const ready = this.find(options.key)
    if (ready !== undefined) return ready
    // Taken before anything is read: a change or booking in the meantime makes the listing stale at once.
    const marks = { settings: this.#parts.settings.mark, bookings: this.#parts.bookings.mark }
    const slugs = [userSlug, eventSlug] as const
    return then(this.#confirm(slugs, query), (confirmed) =>
      confirmed === undefined
        ? then(this.#parts.bookables.get(...slugs), (read) => this.#make(read, query, marks, options))
        : this.#finish(confirmed, query, marks, options),
    )
  }

  /**
   * What a stale event type of one host offers if it is still true: its host's revision comes with the claims that the
   * listing needs, in one statement instead of two. Undefined also if a listing needs more than their hours, or is refused.
   */
  #confirm([userSlug, eventSlug]: Slugs, query: ListingQuery): OrPromise<Ready | undefined> {
    const { bookables, claims } = this.#parts
    const stale = bookables.findStale(userSlug, eventSlug)
    const [hostId, ...others] = stale?.bookable.hostIds ?? []
    if (stale === undefined || hostId === undefined || others.length > 0) return undefined
    let asked: Asked
    try {
      asked = this.#ask(stale.bookable, query)
    } catch {
      // By settings that may be outdated. What refuses it for good has the right words.
      return undefined
    }
    const { offered, span } = asked
    if (claimDetails(offered.rules) !== 'times') return undefined
    return then(claims.readHours(hostId, claimSpan(offered.rules, span)), (listed) =>
      bookables.confirm(stale, listed.revision, listed.freshUntil)
        ? { asked, ...findKnown(offered, listed, this.#parts.now(), span) }
        : undefined,
    )
  }

  /** The listing of a span of time, for an event type by its id. */
  getSpan(eventTypeId: string, query: SpanQuery, options: ListingOptions): OrPromise<Uint8Array> {
    const ready = this.find(options.key)
    if (ready !== undefined) return ready
    const marks = { settings: this.#parts.settings.mark, bookings: this.#parts.bookings.mark }
    const bookable = this.#parts.bookables.getOne(eventTypeId)
    return then(bookable, (read) => this.#make(read, query, marks, options))
  }

  #make(
    bookable: BookableEventType,
    query: ListingQuery | SpanQuery,
    marks: Marks,
    options: ListingOptions,
  ): OrPromise<Uint8Array> {
    const asked = this.#ask(bookable, query)
    return then(this.#openings.get(asked.offered, asked.span), ({ openings, expiresAt }) => {
      const ready = { asked, openings, expiresAt: Math.min(expiresAt, bookable.freshUntil) }
      return this.#finish(ready, query, marks, options)
    })
  }

  /** Throws unless the event type can be asked for this. */
  #ask(bookable: BookableEventType, query: ListingQuery | SpanQuery): Asked {
    openedBy(bookable, {})
    const { guest, span } = readAsked(query, this.#parts.zones)
    const offered = ofAskedLength(bookable, query)
    return { guest, span, offered }
  }

  #finish(
    { asked, openings, expiresAt }: Ready,
    query: ListingQuery | SpanQuery,
    marks: Marks,
    { key, allocate }: ListingOptions,
  ): Uint8Array {
    this.counts.misses++
    const again = this.#asked.before(key)
    const json = this.#writeKnown(query, asked, openings, again ? undefined : allocate)
    if (again) {
      const { offered, span } = asked
      const bookedIds = bookedIdsIn(offered.hostIds, claimSpan(offered.rules, span))
      const listing = { json, bookable: offered, ...marks, bookedIds, expiresAt }
      this.#cache.set(key, listing, json.byteLength + key.length + 200)
    }
    return json
  }

  #writeKnown(
    query: ListingQuery | SpanQuery,
    { offered: { rules }, guest, span }: Asked,
    openings: Known['openings'],
    allocate?: Allocate,
  ): Uint8Array {
    if (!('kept' in openings)) return this.#write(query, openings, rules, guest, allocate)
    const { kept, within } = openings
    const isCopied = !('span' in query) && within.end === span.end
    const copied = isCopied ? this.#groups.list(kept, span, rules.duration, guest, allocate) : undefined
    if (copied !== undefined) return copied
    const parts = kept.map((part) => part.openings)
    return this.#write(query, joinOpenings(parts, rules.step, within), rules, guest, allocate)
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

interface AskedSpan {
  readonly span: Interval
  readonly guest: Zone
}

/** What is asked of an event type. */
interface Asked extends AskedSpan {
  /** It, with the rules for meetings of the asked length. */
  readonly offered: BookableEventType
}

function readAsked(query: ListingQuery | SpanQuery, zones: Zones): AskedSpan {
  if (!('span' in query)) return readQuery(query, zones)
  const { span, zone: guest } = query
  if (span.end - span.start > MAX_SPAN_DAYS * DAY) throw tooLong()
  return { span, guest }
}

/** Throws `invalid` unless these are dates and a zone that can be listed. */
function readQuery({ dateFrom, dateTo, timezone }: ListingQuery, zones: Zones): AskedSpan {
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
