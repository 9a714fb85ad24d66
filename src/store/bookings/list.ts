import { type ExpressionBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { Cursor } from '../../domain/cursor.ts'
import type { VisibleBookings } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { compareKeys, findMerged } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { containing } from '../engine/search.ts'
import { type Candidates, candidatesOf, findCandidates } from '../search.ts'
import { bookingFromRow } from './rows.ts'

/** Each has an index that begins with the owner. */
type BookingSort = 'starts_at' | 'created_at'

export interface BookingFilter {
  /** Empty: every status. */
  readonly statuses: readonly BookingStatus[]
  /** Leaves out those that were never paid. */
  readonly hidesExpired?: boolean
  readonly eventTypeIds?: readonly string[]
  /** The main host, or one of several while the meeting takes their time. */
  readonly hostIds?: readonly string[]
  /** The forms whose answers led to the booking. */
  readonly formIds?: readonly string[]
  /** Only these bookings. */
  readonly ids?: readonly string[]
  /** Starts in `[from, to)`. */
  readonly from?: number
  readonly to?: number
  /** Part of the guest's name or address; case does not matter. */
  readonly text?: string
  /** By start, unless it is given. */
  readonly sort?: BookingSort
  readonly order: 'asc' | 'desc'
  readonly after?: Cursor
}

/** Where a booking stands in a list that is sorted like this. */
export const placeIn = (sort: BookingSort | undefined, { booking }: ListedBooking): Cursor => ({
  at: sort === 'created_at' ? booking.createdAt : booking.startsAt,
  id: booking.id,
})

export interface BookingPage {
  readonly found: readonly ListedBooking[]
  /** How far the search got, if it stopped early: the next page continues there. */
  readonly searchedTo?: Cursor
}

/**
 * How many bookings a search reads, first and then once more, unless the index knows all that it may find. Common
 * matches are found among the first. A search for rare ones stops early, so that it does not block other requests
 * while it reads everything.
 */
const SEARCH_DEPTHS = [1000, 10_000]

/** At most `limit` bookings of these owners, in their order. A short page is the last one unless `searchedTo` is set. */
export async function findBookingPage(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: BookingFilter,
  limit: number,
): Promise<BookingPage> {
  const { statuses, eventTypeIds = [], hostIds = [], formIds = [], ids, text } = filter
  if (ids !== undefined) return { found: await findAmong(db, owners, filter, { limit, ids }) }
  const wanted = [text, ...statuses, ...eventTypeIds, ...hostIds, ...formIds]
  const limits = [...owners.map((owner) => owner.hostId), ...outsideIndex(filter)]
  if ([...wanted, ...limits].every((one) => one === undefined)) {
    return { found: await findUpTo(db, owners, filter, { limit }) }
  }
  const indexed = text === undefined ? undefined : await findByText(db, owners, { ...filter, text }, limit)
  if (indexed !== undefined) return { found: indexed }
  const found: ListedBooking[] = []
  let after = filter.after
  for (const depth of SEARCH_DEPTHS) {
    const rest = { ...filter, ...(after && { after }) }
    const end = await findSearchEnd(db, owners, rest, depth)
    found.push(...(await findUpTo(db, owners, rest, { last: end, limit: limit - found.length })))
    if (end === undefined || found.length === limit) return { found }
    after = end
  }
  return { found, ...(after && { searchedTo: after }) }
}

/** The span of starts, where the index is not sorted by them. */
const outsideIndex = ({ sort, from, to }: BookingFilter) => (sort === 'created_at' ? [from, to] : [])

/** The index is asked for each owner. */
const MOST_ASKED = 20

/** Undefined if the index can't say what there is. */
async function findByText(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: BookingFilter & { readonly text: string },
  limit: number,
): Promise<ListedBooking[] | undefined> {
  const candidates = await findCandidatesOf(db, owners, filter.text)
  return candidates && findUpTo(db, owners, filter, { limit, candidates })
}

/** What the index finds, by owner; undefined if it can't say for one of them. */
async function findCandidatesOf(
  db: Db,
  owners: readonly VisibleBookings[],
  text: string,
): Promise<Map<string, Candidates> | undefined> {
  if (owners.length > MOST_ASKED) return undefined
  const candidates = new Map<string, Candidates>()
  for (const { schedulerId } of owners) {
    const ofOwner = await findCandidates(db, { ownerId: schedulerId }, text)
    if (ofOwner === undefined) return undefined
    candidates.set(schedulerId, ofOwner)
  }
  return candidates
}

/** A booking as a search shows it. */
export interface BookedGuest {
  readonly id: string
  readonly startsAt: number
  readonly name: string
  readonly email: string
  readonly eventTypeId: string
}

/**
 * Guests who may have this text in their name or address, by the index; all that are `near` the given instant, at most so
 * many on each side, where it can't say.
 */
export async function findGuests(
  db: Db,
  owners: readonly VisibleBookings[],
  text: string,
  near: { readonly at: number; readonly limit: number },
): Promise<BookedGuest[]> {
  const candidates = await findCandidatesOf(db, owners, text)
  if (candidates !== undefined) return guestsIn(db, owners, { order: 'desc' }, { candidates })
  const { at, limit } = near
  return [
    ...(await guestsIn(db, owners, { from: at, order: 'asc' }, { limit })),
    ...(await guestsIn(db, owners, { to: at, order: 'desc' }, { limit })),
  ]
}

async function guestsIn(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: Pick<BookingFilter, 'from' | 'to' | 'order'>,
  { candidates, limit }: { candidates?: ReadonlyMap<string, Candidates>; limit?: number },
): Promise<BookedGuest[]> {
  const found: BookedGuest[] = []
  for (const { schedulerId, hostId } of owners) {
    const sorted = sortedBookings(
      db,
      schedulerId,
      { ...filter, statuses: [] },
      { candidates: candidates?.get(schedulerId) },
    )
    const rows = await sorted
      .select(['id', 'starts_at', 'invitee_name', 'invitee_email', 'event_type_id'])
      .where(IS_SHOWN)
      .$if(hostId !== undefined, (query) => query.where(isHostedBy([hostId as string])))
      .$if(limit !== undefined, (query) => query.limit(Math.ceil((limit as number) / owners.length)))
      .execute()
    found.push(
      ...rows.map((row) => ({
        id: row.id,
        startsAt: row.starts_at,
        name: row.invitee_name,
        email: row.invitee_email,
        eventTypeId: row.event_type_id,
      })),
    )
  }
  return found
}

function findAmong(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: BookingFilter,
  { limit, ids }: { readonly limit: number; readonly ids: readonly string[] },
): Promise<ListedBooking[]> {
  const chosen = candidatesOf(db, ids)
  const candidates = new Map(owners.map(({ schedulerId }) => [schedulerId, chosen]))
  return findUpTo(db, owners, filter, { limit, candidates })
}

/** How far to look: `last` is the last booking that counts, and `candidates` are the only ones, by owner. */
interface Extent {
  readonly last?: Cursor | undefined
  readonly limit: number
  readonly candidates?: ReadonlyMap<string, Candidates>
}

async function findUpTo(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: BookingFilter,
  { last, limit, candidates }: Extent,
): Promise<ListedBooking[]> {
  const parts = owners.map(({ schedulerId, hostId }) =>
    matching(
      sortedBookings(db, schedulerId, filter, { last, candidates: candidates?.get(schedulerId) }),
      filter,
    )
      .$if(hostId !== undefined, (query) => query.where(isHostedBy([hostId as string])))
      .selectAll()
      .limit(limit),
  )
  const { sort = 'starts_at', order } = filter
  const sorting = { keys: [sort, 'id'] as const, order, limit }
  return (await findMerged(db, parts, sorting)).map(listedFromRow)
}

/** The cursor after `depth` bookings, or undefined if there are fewer. */
async function findSearchEnd(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: BookingFilter,
  depth: number,
): Promise<Cursor | undefined> {
  const each = Math.floor(depth / owners.length)
  const { sort = 'starts_at', order } = filter
  const parts = owners.map(({ schedulerId }) =>
    sortedBookings(db, schedulerId, filter).select([sort, 'id']).offset(each).limit(1),
  )
  const [row] = await findMerged(db, parts, { keys: [sort, 'id'], order, limit: 1 })
  return row && { at: row[sort], id: row.id }
}

export async function findBooking(db: Db, id: string): Promise<ListedBooking | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && listedFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('bookings').selectAll().where('id', '=', value('id')),
)

/** The bookings of a series, in their order. */
export async function findSeries(db: Db, seriesId: string): Promise<ListedBooking[]> {
  const { rows } = await bySeries(db, { seriesId })
  return rows.map(listedFromRow).toSorted((a, b) => indexOf(a) - indexOf(b))
}

const bySeries = prepared((db, value: Placeholder<{ seriesId: string }>) =>
  db.selectFrom('bookings').selectAll().where('series_id', '=', value('seriesId')),
)

const indexOf = ({ booking }: ListedBooking): number => booking.series?.index ?? 0

/** The hosts whose time a meeting takes; none if it was cancelled. */
export async function findMeetingHosts(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('claims')
    .select('host_id')
    .where('meeting_id', '=', meetingId)
    .orderBy('host_id')
    .execute()
  return rows.map((row) => row.host_id)
}

interface Limits {
  readonly last?: Cursor | undefined
  readonly candidates?: Candidates | undefined
}

/**
 * A scheduler's bookings in the order of the index `bookings_desk`, which answers every condition here, or of
 * `bookings_created`; or those of these candidates, of which there are few.
 */
function sortedBookings(
  db: Db,
  schedulerId: string,
  { from, to, sort = 'starts_at', order, after }: BookingFilter,
  { last, candidates }: Limits = {},
) {
  const bookings = candidates === undefined ? db.selectFrom('bookings') : among(db, candidates)
  return bookings
    .where('scheduler_id', '=', schedulerId)
    .$if(from !== undefined, (query) => query.where('starts_at', '>=', from as number))
    .$if(to !== undefined, (query) => query.where('starts_at', '<', to as number))
    .$if(after !== undefined, (query) =>
      query.where(compareKeys([sort, 'id'], order === 'asc' ? '>' : '<', [after?.at, after?.id])),
    )
    .$if(last !== undefined, (query) =>
      query.where(compareKeys([sort, 'id'], order === 'asc' ? '<=' : '>=', [last?.at, last?.id])),
    )
    .orderBy(sort, order)
    .orderBy('id', order)
}

function among(db: Db, { ids }: Candidates): SelectQueryBuilder<Schema, 'bookings', object> {
  const isOne = sql<SqlBool>`found.id = wanted.object_id`
  const rows = sql`select found.* from ${engine(db).lookUpEach(ids, 'bookings', isOne)}`
  // They stand where the table would, so that the conditions are the same.
  return db.selectFrom(sql<Selectable<Schema['bookings']>>`(${rows})`.as('bookings')) as never
}

/** Few are not: of the times that guests choose, most are paid. */
const IS_SHOWN = sql<SqlBool>`status <> 'Expired'`

/** Adds the conditions that the index can't answer. */
function matching(
  query: ReturnType<typeof sortedBookings>,
  { statuses, hidesExpired = false, eventTypeIds = [], hostIds = [], formIds = [], text }: BookingFilter,
) {
  return query
    .$if(hidesExpired, (narrowed) => narrowed.where(IS_SHOWN))
    .$if(statuses.length > 0, (narrowed) => narrowed.where('status', 'in', statuses))
    .$if(eventTypeIds.length > 0, (narrowed) => narrowed.where('event_type_id', 'in', eventTypeIds))
    .$if(hostIds.length > 0, (narrowed) => narrowed.where(isHostedBy(hostIds)))
    .$if(formIds.length > 0, (narrowed) =>
      narrowed.where((eb) => eb.or(formIds.map((id) => eb('routing', 'like', `%"formId":"${id}"%`)))),
    )
    .$if(text !== undefined, (narrowed) =>
      narrowed.where(containing(['invitee_name', 'invitee_email'], text as string)),
    )
}

/**
 * The main host, or one of several while the meeting takes their time.
 *
 * Not `exists`: beside an `or`, PostgreSQL answers that by reading all claims of the host.
 */
const isHostedBy = (hostIds: readonly string[]) => (eb: ExpressionBuilder<Schema, 'bookings'>) =>
  eb.or([
    eb('host_id', 'in', hostIds),
    eb(
      eb
        .selectFrom('claims')
        .select('claims.host_id')
        .whereRef('claims.meeting_id', '=', 'bookings.meeting_id')
        .where('claims.host_id', 'in', hostIds)
        .limit(1),
      'is not',
      null,
    ),
  ])

export function listedFromRow(row: Selectable<Schema['bookings']>): ListedBooking {
  return {
    booking: bookingFromRow(row),
    schedulerId: row.scheduler_id,
    hostId: row.host_id,
    seat: row.seat,
    seats: row.seats,
    ...(row.assignment !== null && { assignment: JSON.parse(row.assignment) }),
    ...(row.guest_moves !== null && { guestMoves: JSON.parse(row.guest_moves) }),
    ...(row.host_notes !== null && { hostNotes: row.host_notes }),
  }
}
