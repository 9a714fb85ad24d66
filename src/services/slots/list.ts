import { type DayNumber, parseDate } from '../../domain/calendar-date.ts'
import { Problem } from '../../domain/problem.ts'
import { claimSpan, findOpenings, MAX_SPAN_DAYS, openingsExpireAt } from '../../domain/slots/openings.ts'
import { findZone, type Zone } from '../../domain/zone.ts'
import { type Allocate, guestSpan, writeListing } from '../../format/listing.ts'
import type { Context } from '../context.ts'
import { calendarsOf, getOffer, type Offer } from './offers.ts'
import { Recent } from './recent.ts'
import { Seen } from './seen.ts'
import { bookedIds, getTaken, type ListedTime } from './taken-time.ts'

export interface ListingQuery {
  readonly dateFrom: string
  readonly dateTo: string
  readonly timezone: string
}

interface Listing {
  readonly json: Uint8Array
  readonly offer: Offer
  readonly changes: number
  readonly bookings: number
  /** Whose bookings would change it. */
  readonly bookedIds: readonly string[]
  /** Stale from here on: another instance may have booked, or a slot has come too close. */
  readonly expiresAt: number
}

/** Listings that were asked for more than once. */
export interface ListingCache {
  readonly listings: Recent<Listing>
  /** Most are asked for only once, and not worth keeping. */
  readonly asked: Seen
}

const CACHE_BYTES = 4 * 1024 * 1024

export const createListingCache = (): ListingCache => ({
  listings: new Recent(CACHE_BYTES),
  asked: new Seen(),
})

/** The listing of that key, if it has been kept and is still the truth. */
export function findListing(context: Context, key: string): Uint8Array | undefined {
  const listing = context.listings.listings.get(key)
  const holds =
    listing !== undefined &&
    context.now() < listing.expiresAt &&
    context.changes.noneSince(listing.changes, listing.offer.dependsOn) &&
    context.bookings.noneSince(listing.bookings, listing.bookedIds)
  return holds ? listing.json : undefined
}

export interface ListingOptions {
  /** Names the request, for `findListing`: the same key, the same request. */
  readonly key: string
  /** Memory for a listing that is going to be sent once. */
  readonly allocate?: Allocate
}

/** The slot listing as JSON bytes. */
export function listSlots(
  context: Context,
  userSlug: string,
  eventSlug: string,
  query: ListingQuery,
  options: ListingOptions,
): Uint8Array | Promise<Uint8Array> {
  const ready = findListing(context, options.key)
  if (ready !== undefined) return ready
  // Taken before anything is read: what is changed or booked meanwhile makes the listing stale at once.
  const marks = { changes: context.changes.mark, bookings: context.bookings.mark }
  const offer = getOffer(context, userSlug, eventSlug)
  if (offer instanceof Promise) return offer.then((read) => makeListing(context, read, query, marks, options))
  return makeListing(context, offer, query, marks, options)
}

function makeListing(
  context: Context,
  offer: Offer,
  query: ListingQuery,
  marks: Pick<Listing, 'changes' | 'bookings'>,
  { key, allocate }: ListingOptions,
): Uint8Array | Promise<Uint8Array> {
  const asked = readQuery(query)
  const span = guestSpan(asked.guest, asked.first, asked.last)
  const claims = claimSpan(offer.rules, span)
  const finish = ({ taken, freshUntil }: ListedTime) => {
    const now = context.now()
    const groups = calendarsOf(offer, taken)
    const openings = findOpenings(offer.rules, groups, now, span)
    const again = context.listings.asked.before(key)
    const json = writeListing(openings, offer.rules.duration, asked.guest, again ? undefined : allocate)
    if (again) {
      const expiresAt = Math.min(
        offer.freshUntil,
        freshUntil,
        openingsExpireAt(offer.rules, groups, now, openings),
      )
      const ids = bookedIds(offer.hostIds, claims)
      const listing = { json, offer, ...marks, bookedIds: ids, expiresAt }
      context.listings.listings.set(key, listing, json.byteLength + key.length + 200)
    }
    return json
  }
  const listed = getTaken(context, offer, claims)
  return listed instanceof Promise ? listed.then(finish) : finish(listed)
}

export interface AskedDates {
  readonly first: DayNumber
  readonly last: DayNumber
  readonly guest: Zone
}

/** Throws `invalid` unless these are dates and a zone that a listing can be made for. */
export function readQuery({ dateFrom, dateTo, timezone }: ListingQuery): AskedDates {
  const first = dateIn('dateFrom', dateFrom)
  const last = dateIn('dateTo', dateTo)
  const guest = findZone(timezone)
  if (guest === undefined) {
    throw new Problem('invalid', 'timezone must be an IANA time zone such as Europe/Berlin.')
  }
  if (last < first) throw new Problem('invalid', 'dateTo must not be before dateFrom.')
  if (last - first >= MAX_SPAN_DAYS) {
    throw new Problem('invalid', `Ask for at most ${MAX_SPAN_DAYS} days at a time.`)
  }
  return { first, last, guest }
}

function dateIn(name: string, text: string): DayNumber {
  const day = parseDate(text)
  if (day === undefined) throw new Problem('invalid', `${name} must be a date such as 2030-01-31.`)
  return day
}
