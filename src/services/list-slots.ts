import { type DayNumber, parseDate } from '../domain/calendar-date.ts'
import { guestSpan, writeListing } from '../domain/listing.ts'
import { Problem } from '../domain/problem.ts'
import { claimSpan, findOpenings, MAX_SPAN_DAYS, openingsExpireAt } from '../domain/slots.ts'
import { findZone, type Zone } from '../domain/zone.ts'
import { findTakenTime } from '../store/bookings.ts'
import type { Context } from './context.ts'
import { calendarsOf, getOffer, type Offer } from './offers.ts'
import { Recent } from './recent.ts'

export interface ListingQuery {
  readonly dateFrom: string
  readonly dateTo: string
  readonly timezone: string
}

interface Listing {
  readonly json: Uint8Array
  readonly dependsOn: readonly string[]
  readonly mark: number
  /** Stale from here on: another instance may have booked, or a slot has come too close. */
  readonly expiresAt: number
}

export interface ListingCache {
  readonly ready: Recent<Listing>
  readonly underWay: Map<string, { readonly mark: number; readonly json: Promise<Uint8Array> }>
}

const CACHE_BYTES = 16 * 1024 * 1024

export const createListingCache = (): ListingCache => ({
  ready: new Recent(CACHE_BYTES),
  underWay: new Map(),
})

/** The slot listing as JSON bytes. Repeated requests are answered from memory while that is the truth. */
export function listSlots(
  context: Context,
  userSlug: string,
  eventSlug: string,
  query: ListingQuery,
): Uint8Array | Promise<Uint8Array> {
  const key = `${userSlug}/${eventSlug}?${query.dateFrom}&${query.dateTo}&${query.timezone}`
  const listing = context.listings.ready.get(key)
  if (
    listing !== undefined &&
    context.now() < listing.expiresAt &&
    context.changes.noneSince(listing.mark, listing.dependsOn)
  ) {
    return listing.json
  }
  return makeListing(context, userSlug, eventSlug, query, key)
}

async function makeListing(
  context: Context,
  userSlug: string,
  eventSlug: string,
  query: ListingQuery,
  key: string,
): Promise<Uint8Array> {
  const { mark } = context.changes
  const offer = await getOffer(context, userSlug, eventSlug)
  const asked = readQuery(query)
  // Requests that arrive together share one computation, but never one begun before a change.
  const underWay = context.listings.underWay.get(key)
  if (underWay !== undefined && context.changes.noneSince(underWay.mark, offer.dependsOn))
    return underWay.json
  const json = compute(context, offer, asked, key, mark)
  context.listings.underWay.set(key, { mark, json })
  try {
    return await json
  } finally {
    if (context.listings.underWay.get(key)?.json === json) context.listings.underWay.delete(key)
  }
}

interface AskedDates {
  readonly first: DayNumber
  readonly last: DayNumber
  readonly guest: Zone
}

async function compute(
  context: Context,
  offer: Offer,
  { first, last, guest }: AskedDates,
  key: string,
  mark: number,
): Promise<Uint8Array> {
  const now = context.now()
  const span = guestSpan(guest, first, last)
  const taken = await findTakenTime(
    context.db,
    offer.hostIds,
    claimSpan(offer.rules, span),
    offer.rules.seats > 1,
  )
  const groups = calendarsOf(offer, taken)
  const openings = findOpenings(offer.rules, groups, now, span)
  const json = writeListing(openings, offer.rules.duration, guest)
  // The offer was read before the claims: what comes of both is as old as the older one.
  const expiresAt = Math.min(offer.freshUntil, openingsExpireAt(offer.rules, groups, now, openings))
  context.listings.ready.set(
    key,
    { json, dependsOn: offer.dependsOn, mark, expiresAt },
    json.byteLength + key.length + 200,
  )
  return json
}

function readQuery({ dateFrom, dateTo, timezone }: ListingQuery): AskedDates {
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
