import { type Selectable, sql } from 'kysely'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { Cursor } from '../../domain/cursor.ts'
import type { Db } from '../engine/database.ts'
import { compareKeys, findMerged } from '../engine/paging.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { bookingFromRow } from './rows.ts'

/** A booking as its host sees it. */
export interface ListedBooking {
  readonly booking: Booking
  /** The user or team whose event type it is. */
  readonly schedulerId: string
  /** The host who is written to. */
  readonly hostId: string
  readonly seat: number
  readonly seats: number
}

export interface BookingFilter {
  /** Empty: every status. */
  readonly statuses: readonly BookingStatus[]
  readonly eventTypeId?: string
  /** Starts in `[from, to)`. */
  readonly from?: number
  readonly to?: number
  /** Part of the guest's name or address, in any case of letters. */
  readonly text?: string
  readonly order: 'asc' | 'desc'
  readonly after?: Cursor
}

export interface BookingPage {
  readonly found: readonly ListedBooking[]
  /** As far as a search has looked, if that is not the end: what lies behind it is for another page. */
  readonly searchedTo?: Cursor
}

/**
 * How many bookings a search looks at, first and then once more. What most bookings match is found among the
 * first; what few match, or none, must not keep everyone else waiting while all of them are read.
 */
const REACHES = [1000, 10_000]

/** At most `limit` bookings of these schedulers, by start; fewer do not mean the end if a search went only so far. */
export async function findBookingPage(
  db: Db,
  schedulerIds: readonly string[],
  filter: BookingFilter,
  limit: number,
): Promise<BookingPage> {
  const { statuses, eventTypeId, text } = filter
  if (statuses.length === 0 && eventTypeId === undefined && text === undefined) {
    return { found: await findUpTo(db, schedulerIds, filter, undefined, limit) }
  }
  const found: ListedBooking[] = []
  let after = filter.after
  for (const reach of REACHES) {
    const rest = { ...filter, ...(after && { after }) }
    const horizon = await findHorizon(db, schedulerIds, rest, reach)
    found.push(...(await findUpTo(db, schedulerIds, rest, horizon, limit - found.length)))
    if (horizon === undefined || found.length === limit) return { found }
    after = horizon
  }
  return { found, ...(after && { searchedTo: after }) }
}

async function findUpTo(
  db: Db,
  schedulerIds: readonly string[],
  filter: BookingFilter,
  last: Cursor | undefined,
  limit: number,
): Promise<ListedBooking[]> {
  const parts = schedulerIds.map((id) =>
    matching(inOrder(db, id, filter, last), filter)
      .selectAll()
      .limit(limit),
  )
  return (await findMerged(db, parts, KEYS, filter.order, limit)).map(listedFromRow)
}

/** The place that so many bookings lie before, or undefined when there are not that many. */
async function findHorizon(
  db: Db,
  schedulerIds: readonly string[],
  filter: BookingFilter,
  reach: number,
): Promise<Cursor | undefined> {
  const each = Math.floor(reach / schedulerIds.length)
  const parts = schedulerIds.map((id) => inOrder(db, id, filter).select(KEYS).offset(each).limit(1))
  const [row] = await findMerged(db, parts, KEYS, filter.order, 1)
  return row && { at: row.starts_at, id: row.id }
}

export async function findBooking(db: Db, id: string): Promise<ListedBooking | undefined> {
  const { rows } = await byId(db, { id })
  return rows[0] && listedFromRow(rows[0])
}

const byId = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('bookings').selectAll().where('id', '=', value('id')),
)

/** Everyone whose time a meeting takes. A meeting that was called off takes nobody's. */
export async function findMeetingHosts(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('claims')
    .select('host_id')
    .where('meeting_id', '=', meetingId)
    .orderBy('host_id')
    .execute()
  return rows.map((row) => row.host_id)
}

const KEYS = ['starts_at', 'id'] as const

/** A scheduler's bookings as `bookings_desk` has them: whatever is asked here, the index answers alone. */
function inOrder(db: Db, schedulerId: string, { from, to, order, after }: BookingFilter, last?: Cursor) {
  return db
    .selectFrom('bookings')
    .where('scheduler_id', '=', schedulerId)
    .$if(from !== undefined, (query) => query.where('starts_at', '>=', from as number))
    .$if(to !== undefined, (query) => query.where('starts_at', '<', to as number))
    .$if(after !== undefined, (query) =>
      query.where(compareKeys(KEYS, order === 'asc' ? '>' : '<', [after?.at, after?.id])),
    )
    .$if(last !== undefined, (query) =>
      query.where(compareKeys(KEYS, order === 'asc' ? '<=' : '>=', [last?.at, last?.id])),
    )
    .orderBy('starts_at', order)
    .orderBy('id', order)
}

/** Narrowed by what the index does not know. */
function matching(query: ReturnType<typeof inOrder>, { statuses, eventTypeId, text }: BookingFilter) {
  return query
    .$if(statuses.length > 0, (narrowed) => narrowed.where('status', 'in', statuses))
    .$if(eventTypeId !== undefined, (narrowed) => narrowed.where('event_type_id', '=', eventTypeId as string))
    .$if(text !== undefined, (narrowed) =>
      narrowed.where((eb) => eb.or(spellingsOf(text as string).flatMap((spelling) => containing(spelling)))),
    )
}

function containing(spelling: string) {
  const pattern = `%${spelling.replace(/[\\%_]/g, '\\$&')}%`
  return [
    sql<boolean>`lower(invitee_name) like ${pattern} escape '\\'`,
    sql<boolean>`lower(invitee_email) like ${pattern} escape '\\'`,
  ]
}

/**
 * What a text in any case of letters may look like after the engine's `lower`.
 *
 * PostgreSQL lowers every letter, SQLite only those of ASCII. The others may be small, or large, or large at the
 * beginnings of words.
 */
function spellingsOf(text: string): string[] {
  const small = text.toLowerCase()
  const large = small.replace(/[^\0-\x7f]/gu, (letter) => letter.toUpperCase())
  const capitals = small.replace(/(?<![\p{L}\p{M}])[^\0-\x7f]/gu, (letter) => letter.toUpperCase())
  return [...new Set([small, large, capitals])]
}

export function listedFromRow(row: Selectable<Schema['bookings']>): ListedBooking {
  return {
    booking: bookingFromRow(row),
    schedulerId: row.scheduler_id,
    hostId: row.host_id,
    seat: row.seat,
    seats: row.seats,
  }
}
