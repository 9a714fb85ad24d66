import type { FastifyRequest } from 'fastify'
import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { type BookingQuery, findAllBookings, listBookings } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import { isId } from '../../../services/people/access.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import { instantIn, listIn, numberIn, type Query, textIn } from './request.ts'
import { readUid } from './uids.ts'

const KINDS = ['upcoming', 'recurring', 'past', 'cancelled', 'unconfirmed'] as const

type Kind = (typeof KINDS)[number]

const STANDING: readonly BookingStatus[] = [
  'PendingPayment',
  'PendingApproval',
  'Confirmed',
  'Completed',
  'NoShow',
]

interface Wanted {
  readonly statuses: readonly BookingStatus[]
  readonly fits: (listed: ListedBooking, now: number) => boolean
}

/** What their filters mean here. */
const WANTED: Readonly<Record<Kind, Wanted>> = {
  upcoming: { statuses: STANDING, fits: ({ booking }, now) => booking.endsAt >= now },
  recurring: {
    statuses: STANDING,
    fits: ({ booking }, now) => booking.series !== undefined && booking.endsAt >= now,
  },
  past: { statuses: STANDING, fits: ({ booking }, now) => booking.endsAt < now },
  cancelled: { statuses: ['Cancelled', 'Declined'], fits: () => true },
  // There, an unpaid booking is pending, too.
  unconfirmed: {
    statuses: ['PendingPayment', 'PendingApproval'],
    fits: ({ booking }, now) => booking.endsAt >= now,
  },
}

interface Search {
  readonly query: BookingQuery
  readonly fits: (listed: ListedBooking) => boolean
}

/** Searches for what a list asks for; undefined if it asks for something that is not there. */
async function readSearch(context: Context, query: Query, now: number): Promise<Search | undefined> {
  const kinds = listIn(query, 'status', 'filters[status]').map(readKind)
  const eventTypeIds = await Promise.all(
    listIn(query, 'eventTypeId', 'eventTypeIds').map((text) =>
      context.numbers.idOf('event-type', Number(text)),
    ),
  )
  if (eventTypeIds.includes(undefined)) return undefined
  const teamIds = await Promise.all(
    listIn(query, 'teamId', 'teamsIds', 'teamIds').map((text) => context.numbers.idOf('team', Number(text))),
  )
  if (teamIds.includes(undefined)) return undefined
  const uid = textIn(query, 'bookingUid')
  const id = uid === undefined ? undefined : (await readUid(context, uid)).id
  if (id !== undefined && !isId(id)) return undefined
  const [email, name] = [textIn(query, 'attendeeEmail')?.replaceAll(' ', '+'), textIn(query, 'attendeeName')]
  const at = (field: string) => {
    const text = textIn(query, field)
    return text === undefined ? undefined : instantIn(field, text)
  }
  const [afterStart, beforeEnd] = [at('afterStart'), at('beforeEnd')]
  const [madeAfter, madeBefore] = [
    at('afterCreatedAt') ?? at('afterUpdatedAt'),
    at('beforeCreatedAt') ?? at('beforeUpdatedAt'),
  ]
  const statuses = [...new Set(kinds.flatMap((kind) => WANTED[kind].statuses))]
  return {
    query: {
      sort: sortIn(query, kinds),
      ...(statuses.length > 0 && { status: statuses }),
      ...(eventTypeIds.length > 0 && { eventTypeId: eventTypeIds as string[] }),
      ...(teamIds.length === 1 && { ownerId: teamIds[0] as string }),
      ...(id !== undefined && { id }),
      ...(afterStart !== undefined && { from: formatInstant(afterStart) }),
    },
    fits: (listed) => {
      const { booking, schedulerId } = listed
      return (
        (kinds.length === 0 || kinds.some((kind) => isWanted(kind, listed, now))) &&
        (email === undefined || isFrom(listed, email)) &&
        (name === undefined || booking.invitee.name.toLowerCase().includes(name.toLowerCase())) &&
        (beforeEnd === undefined || booking.endsAt <= beforeEnd) &&
        (madeAfter === undefined || booking.createdAt >= madeAfter) &&
        (madeBefore === undefined || booking.createdAt <= madeBefore) &&
        (teamIds.length === 0 || teamIds.includes(schedulerId))
      )
    },
  }
}

const isWanted = (kind: Kind, listed: ListedBooking, now: number) =>
  WANTED[kind].statuses.includes(listed.booking.status) && WANTED[kind].fits(listed, now)

const isFrom = ({ booking }: ListedBooking, email: string) =>
  [booking.invitee.email, ...booking.guests].some((one) => one.toLowerCase() === email.toLowerCase())

function readKind(name: string): Kind {
  const kind = KINDS.find((one) => one === name)
  if (kind === undefined) throw invalidField('status', sentence`{field} must be one of ${KINDS}.`)
  return kind
}

/** Ends follow starts, and changes are not told apart from the making. */
function sortIn(query: Query, kinds: readonly Kind[]): NonNullable<BookingQuery['sort']> {
  const [start, made] = [
    textIn(query, 'sortStart') ?? textIn(query, 'sortEnd'),
    textIn(query, 'sortCreated') ?? textIn(query, 'sortUpdatedAt'),
  ]
  for (const order of [start, made]) {
    if (order !== undefined && order !== 'asc' && order !== 'desc')
      throw invalidField('sortStart', sentence`{field} must be one of ${['asc', 'desc']}.`)
  }
  if (start !== undefined) return start === 'asc' ? 'start' : '-start'
  if (made !== undefined) return made === 'asc' ? 'created' : '-created'
  return kinds.includes('past') || kinds.includes('cancelled') ? '-start' : 'start'
}

/** Bookings that one request looks through. Whoever has more is told that there are more. */
const MOST_SEARCHED = 5000
const MOST_TAKEN = 250

interface Found {
  readonly found: readonly ListedBooking[]
  /** How many there are, as far as was looked. */
  readonly total: number
  readonly isCut: boolean
}

/** Skips some bookings and takes the next. */
export async function takeBookings(
  context: Context,
  principal: Principal,
  query: Query,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<Found> {
  const search = await readSearch(context, query, context.now())
  if (search === undefined) return { found: [], total: 0, isCut: false }
  const found: ListedBooking[] = []
  let [total, searched] = [0, 0]
  for await (const page of await findAllBookings(context, principal, search.query)) {
    for (const listed of page) {
      searched++
      if (!search.fits(listed)) continue
      if (total >= skip && found.length < take) found.push(listed)
      total++
    }
    if (searched >= MOST_SEARCHED) return { found, total, isCut: page.length > 0 }
  }
  return { found, total, isCut: false }
}

/** The same by a cursor. */
export async function pageOfBookings(context: Context, principal: Principal, request: FastifyRequest) {
  const query = request.query as Query
  const limit = numberIn(query, 'limit', 1, MOST_TAKEN) ?? 50
  const cursor = textIn(query, 'cursor')
  const search = await readSearch(context, query, context.now())
  if (search === undefined) return { found: [], nextCursor: null }
  const asked = { ...search.query, ...(cursor !== undefined && { cursor }) }
  const { found, searchedTo, placeOf } = await listBookings(context, principal, asked, limit + 1)
  const last = found.length > limit ? found[limit - 1] : undefined
  const place = last === undefined ? searchedTo : placeOf(last)
  return {
    found: found.slice(0, limit).filter(search.fits),
    nextCursor: place === undefined ? null : formatCursor(place),
  }
}

export const takeIn = (query: Query, most = 100) => ({
  skip: numberIn(query, 'skip', 0, 1_000_000) ?? 0,
  take: numberIn(query, 'take', 1, MOST_TAKEN) ?? most,
})

/** Where the page stands among all. */
export function paginationOf(
  { found, total, isCut }: Found,
  { skip, take }: { readonly skip: number; readonly take: number },
) {
  const remainingItems = Math.max(0, total - skip - found.length)
  return {
    totalItems: total,
    remainingItems,
    returnedItems: found.length,
    itemsPerPage: take,
    currentPage: Math.floor(skip / take) + 1,
    totalPages: Math.ceil(total / take),
    hasNextPage: remainingItems > 0 || isCut,
    hasPreviousPage: skip > 0,
  }
}
