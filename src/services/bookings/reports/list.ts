import { setImmediate as nextTurn } from 'node:timers/promises'
import { BOOKING_STATUSES, type Booking, type BookingStatus } from '../../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { type Cursor, readCursor } from '../../../domain/cursor.ts'
import type { RefundRule } from '../../../domain/payments/price.ts'
import { ownImage } from '../../../domain/people/image.ts'
import type { VisibleBookings } from '../../../domain/people/user.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { isLine } from '../../../domain/text.ts'
import {
  type BookingFilter,
  findBooking,
  findBookingPage,
  findMeetingHosts,
  findSeries,
  placeIn,
} from '../../../store/bookings/list.ts'
import { findCheckout } from '../../../store/payments/checkouts.ts'
import { findPortraits } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'
import { getEventType } from '../../event-types/event-types.ts'
import { getOwnForm } from '../../forms/forms.ts'
import { getId, isId, notFound, visibleBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { instantIn } from '../../period.ts'
import { type ComparedBooking, withDifferences } from '../host/calendar-difference.ts'

export const BOOKING_SORTS = ['start', '-start', 'created', '-created'] as const

/** One or several: repeated, or separated by commas. */
type Several = string | readonly string[]

/** Filters of a list of bookings, with their names on the wire. */
export interface BookingQuery {
  /** What the user hosts, or all that they may see. */
  readonly scope?: 'mine' | 'team'
  readonly status?: Several
  readonly from?: string
  readonly to?: string
  readonly eventTypeId?: Several
  readonly hostId?: Several
  readonly formId?: Several
  /** Only these bookings. */
  readonly id?: Several
  readonly ownerId?: string
  readonly text?: string
  /** The same, of at least two characters. */
  readonly q?: string
  readonly order?: 'asc' | 'desc'
  /** Instead of `order`. */
  readonly sort?: (typeof BOOKING_SORTS)[number]
  readonly cursor?: string
}

/** A booking with the name and picture of its main host. */
export interface NamedBooking extends ComparedBooking {
  readonly host: { readonly name: string; readonly avatarUrl: string }
}

/** Bookings of the user and their teams, and where the page ends. */
interface NamedPage {
  readonly found: readonly NamedBooking[]
  readonly searchedTo?: Cursor
  readonly placeOf: (one: ListedBooking) => Cursor
}

/** Bookings of the user and their teams, ordered by start unless asked otherwise. */
export async function listBookings(
  context: Context,
  principal: Principal,
  query: BookingQuery,
  limit: number,
): Promise<NamedPage> {
  const { filter, owners } = await readQuery(context, principal, query)
  const page = await findBookingPage(context.db, owners, filter, limit)
  const found = await withNames(context, await withDifferences(context.db, page.found))
  return { ...page, found, placeOf: (one) => placeIn(filter.sort, one) }
}

async function withNames<B extends ComparedBooking>(
  context: Context,
  found: readonly B[],
): Promise<(B & NamedBooking)[]> {
  const portraitOf = await readPortraits(context, [...new Set(found.map(({ hostId }) => hostId))])
  return found.map((one) => ({ ...one, host: portraitOf(one.hostId) }))
}

async function readPortraits({ db, publicUrl }: Context, hostIds: readonly string[]) {
  const portraits = await findPortraits(db, hostIds)
  return (hostId: string): NamedBooking['host'] => {
    const { name, avatarUrl } = portraits.get(hostId) ?? { name: '', avatarUrl: '' }
    return { name, avatarUrl: ownImage(publicUrl, avatarUrl) }
  }
}

/** All bookings that a query finds, a page at a time; throws before the first if the query is wrong. */
export async function findAllBookings(
  context: Context,
  principal: Principal,
  query: BookingQuery,
): Promise<AsyncGenerator<readonly ListedBooking[]>> {
  const { filter, owners } = await readQuery(context, principal, query)
  return pagesOf(context, owners, filter)
}

const PAGE = 200

async function* pagesOf(
  { db }: Context,
  owners: readonly VisibleBookings[],
  filter: BookingFilter,
): AsyncGenerator<readonly ListedBooking[]> {
  let after = filter.after
  do {
    const page = { ...filter, ...(after && { after }) }
    const { found, searchedTo } = await findBookingPage(db, owners, page, PAGE)
    yield found
    // SQLite answers at once: without this, other requests would wait for the whole export.
    await nextTurn()
    const last = found.length === PAGE ? found.at(-1) : undefined
    after = last ? placeIn(filter.sort, last) : searchedTo
  } while (after !== undefined)
}

/** A booking with all its hosts. */
export interface HostedBooking extends NamedBooking {
  readonly hostIds: readonly string[]
  /** All bookings of its series; empty without one. */
  readonly series: readonly Booking[]
  /** What its guest gets back who cancels, as it was when they booked; null: it is free. */
  readonly refundRule: RefundRule | null
}

/** A booking that the user may see; throws `not_found` for all others. */
export async function getBooking(context: Context, principal: Principal, id: string): Promise<HostedBooking> {
  const found = await readBooking(context, getId(id))
  const [visible] = await visibleBookings(context.db, principal, found.schedulerId)
  if (visible?.hostId !== undefined && !found.hostIds.includes(visible.hostId)) throw notFound()
  return found
}

/** A booking for someone who has just made or changed it, whether or not they host it now. */
export async function readBooking(context: Context, id: string): Promise<HostedBooking> {
  const listed = await findBooking(context.db, id)
  if (listed === undefined) throw notFound()
  const { meetingId, series: place } = listed.booking
  const { payment } = listed.booking
  const [claimed, [compared], series, portraitOf, checkout] = await Promise.all([
    findMeetingHosts(context.db, meetingId),
    withDifferences(context.db, [listed]),
    place === undefined ? [] : findSeries(context.db, place.id),
    readPortraits(context, [listed.hostId]),
    payment && findCheckout(context.db, payment.checkoutId),
  ])
  const hostIds = [...new Set([listed.hostId, ...claimed])]
  return {
    ...listed,
    host: portraitOf(listed.hostId),
    hostIds,
    series: series.map(({ booking }) => booking),
    calendarDifference: compared?.calendarDifference ?? null,
    refundRule: checkout?.refund ?? null,
  }
}

interface ReadQuery {
  readonly filter: BookingFilter
  readonly owners: readonly VisibleBookings[]
}

/** What to look for, and whose bookings to look through. */
async function readQuery(context: Context, principal: Principal, query: BookingQuery): Promise<ReadQuery> {
  const filter = filterOf(query)
  for (const id of severalIn(query.formId)) await getOwnForm(context.db, principal, id)
  return { filter, owners: await ownersIn(context, principal, query, filter) }
}

/** The bookings to list, by owner. An owner or event type that the user can't see counts as not found. */
async function ownersIn(
  context: Context,
  principal: Principal,
  { ownerId, scope }: BookingQuery,
  { eventTypeIds = [] }: BookingFilter,
): Promise<VisibleBookings[]> {
  const { userId } = principal
  const visible = await visibleBookings(context.db, principal, ownerId)
  // What belongs to a user is hosted by them.
  const owned =
    scope === 'mine'
      ? visible.map((one) => (one.schedulerId === userId ? one : { ...one, hostId: userId }))
      : visible
  if (eventTypeIds.length === 0) return owned
  const found = await Promise.all(eventTypeIds.map((id) => getEventType(context.db, principal, id)))
  const ownerIds = new Set(found.map(({ eventType }) => eventType.schedulerId))
  return owned.filter(({ schedulerId }) => ownerIds.has(schedulerId))
}

function filterOf(query: BookingQuery): BookingFilter {
  const { status, from, to, eventTypeId, hostId, formId, cursor } = query
  const sort = query.sort ?? (query.order === 'desc' ? '-start' : 'start')
  const text = readText(query)
  const after = readCursor(cursor)
  const statuses = severalIn(status).map(readStatus)
  return {
    statuses,
    // As if they had never been, unless someone looks for them.
    hidesExpired: statuses.length === 0 && query.id === undefined,
    eventTypeIds: severalIn(eventTypeId),
    hostIds: severalIn(hostId).map(getId),
    formIds: severalIn(formId),
    sort: sort.endsWith('start') ? 'starts_at' : 'created_at',
    order: sort.startsWith('-') ? 'desc' : 'asc',
    ...(from !== undefined && { from: instantIn('from', from) }),
    ...(to !== undefined && { to: instantIn('to', to) }),
    ...(text !== '' && { text }),
    ...(query.id !== undefined && { ids: severalIn(query.id).filter(isId) }),
    ...(after !== undefined && { after }),
  }
}

/** More than anyone chooses by hand, and few enough for one statement. */
const MOST_CHOSEN = 200

export function severalIn(given: Several = []): string[] {
  const chosen = [given].flat().flatMap((list) => list.split(','))
  if (chosen.length > MOST_CHOSEN)
    throw new Problem('invalid', sentence`A filter can name at most ${MOST_CHOSEN} values.`)
  return chosen.map((one) => one.trim())
}

const SHORTEST_Q = 2

function readText({ text, q }: BookingQuery): string {
  const field = q === undefined ? 'text' : 'q'
  const wanted = (q ?? text ?? '').trim()
  if (!isLine(wanted) || !wanted.isWellFormed())
    throw invalidField(field, sentence`{field} must be one line of text.`)
  if (q !== undefined && [...wanted].length < SHORTEST_Q)
    throw invalidField('q', sentence`{field} must be at least ${SHORTEST_Q} characters.`)
  return wanted
}

function readStatus(name: string): BookingStatus {
  const status = BOOKING_STATUSES.find((known) => known === name)
  if (status === undefined)
    throw invalidField('status', sentence`{field} must be one of ${BOOKING_STATUSES}.`)
  return status
}
