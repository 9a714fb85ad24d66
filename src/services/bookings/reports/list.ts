import { setImmediate as nextTurn } from 'node:timers/promises'
import { BOOKING_STATUSES, type Booking, type BookingStatus } from '../../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { readCursor } from '../../../domain/cursor.ts'
import { parseInstant } from '../../../domain/instant.ts'
import type { VisibleBookings } from '../../../domain/people/user.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { isLine } from '../../../domain/text.ts'
import {
  type BookingFilter,
  type BookingPage,
  findBooking,
  findBookingPage,
  findMeetingHosts,
  findSeries,
} from '../../../store/bookings/list.ts'
import type { Context } from '../../context.ts'
import { getEventType } from '../../event-types/event-types.ts'
import { getId, notFound, visibleBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { type ComparedBooking, withDifferences } from '../host/calendar-difference.ts'

/** Filters of a list of bookings, with their names on the wire. */
export interface BookingQuery {
  readonly status?: string | readonly string[]
  readonly from?: string
  readonly to?: string
  readonly eventTypeId?: string
  readonly hostId?: string
  readonly ownerId?: string
  readonly text?: string
  readonly order?: 'asc' | 'desc'
  readonly cursor?: string
}

/** Bookings of the user and their teams, ordered by start. */
export async function listBookings(
  context: Context,
  principal: Principal,
  query: BookingQuery,
  limit: number,
): Promise<BookingPage & { readonly found: readonly ComparedBooking[] }> {
  const filter = readQuery(query)
  const owners = await ownersIn(context, principal, query)
  const page = await findBookingPage(context.db, owners, filter, limit)
  return { ...page, found: await withDifferences(context.db, page.found) }
}

/** All bookings that a query finds, a page at a time; throws before the first if the query is wrong. */
export async function findAllBookings(
  context: Context,
  principal: Principal,
  query: BookingQuery,
): Promise<AsyncGenerator<readonly ListedBooking[]>> {
  const filter = readQuery(query)
  const owners = await ownersIn(context, principal, query)
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
    const last = found.length === PAGE ? found.at(-1)?.booking : undefined
    after = last ? { at: last.startsAt, id: last.id } : searchedTo
  } while (after !== undefined)
}

/** A booking with all its hosts. */
export interface HostedBooking extends ComparedBooking {
  readonly hostIds: readonly string[]
  /** All bookings of its series; empty without one. */
  readonly series: readonly Booking[]
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
  const [claimed, [compared], series] = await Promise.all([
    findMeetingHosts(context.db, meetingId),
    withDifferences(context.db, [listed]),
    place === undefined ? [] : findSeries(context.db, place.id),
  ])
  const hostIds = [...new Set([listed.hostId, ...claimed])]
  return {
    ...listed,
    hostIds,
    series: series.map(({ booking }) => booking),
    calendarDifference: compared?.calendarDifference ?? null,
  }
}

/** The bookings to list, by owner. An owner or event type that the user can't see counts as not found. */
async function ownersIn(
  context: Context,
  principal: Principal,
  { ownerId, eventTypeId }: BookingQuery,
): Promise<VisibleBookings[]> {
  const owned = await visibleBookings(context.db, principal, ownerId)
  if (eventTypeId === undefined) return owned
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  return owned.filter(({ schedulerId }) => schedulerId === eventType.schedulerId)
}

function readQuery(query: BookingQuery): BookingFilter {
  const { status, from, to, eventTypeId, hostId, text, order, cursor } = query
  const wanted = text?.trim() ?? ''
  if (!isLine(wanted) || !wanted.isWellFormed())
    throw invalidField('text', sentence`{field} must be one line of text.`)
  const after = readCursor(cursor)
  return {
    statuses: [status ?? []].flat().flatMap(readStatuses),
    order: order ?? 'asc',
    ...(from !== undefined && { from: instantIn('from', from) }),
    ...(to !== undefined && { to: instantIn('to', to) }),
    ...(eventTypeId !== undefined && { eventTypeId }),
    ...(hostId !== undefined && { hostId: getId(hostId) }),
    ...(wanted !== '' && { text: wanted }),
    ...(after !== undefined && { after }),
  }
}

function readStatuses(list: string): BookingStatus[] {
  return list.split(',').map((name) => {
    const status = BOOKING_STATUSES.find((known) => known === name.trim())
    if (status === undefined) {
      throw invalidField('status', sentence`{field} must be one of ${BOOKING_STATUSES}.`)
    }
    return status
  })
}

/** An instant of a query, in whole milliseconds; throws `invalid`. */
export function instantIn(name: string, text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField(name, sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  // Bookings start at whole milliseconds.
  return Math.ceil(instant)
}
