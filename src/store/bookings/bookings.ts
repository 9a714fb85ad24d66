import { sql } from 'kysely'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { Interval } from '../../domain/interval.ts'
import type { NewJob } from '../../domain/job.ts'
import type { BufferedMeeting } from '../../domain/slots/conflicts.ts'
import { type Claim, MAX_DURATION } from '../../domain/slots/openings.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, prepared, preparedInsert } from '../engine/prepared.ts'
import { insertJobRow, insertJobs, jobRow } from '../outbox.ts'
import { insertBatched } from './batch.ts'
import { claimConflictsWith, type MeetingSql } from './conflicts.ts'
import {
  BOOKING_COLUMNS,
  type BookingRow,
  CLAIM_COLUMNS,
  CLAIM_DETAILS,
  type ClaimRow,
  claimFromRow,
  claimRow,
} from './rows.ts'

/** What is taken of a host's time within some span, and the moment this was true. */
export interface TakenTime {
  readonly hostId: string
  readonly revision: number
  readonly bookingRevision: number
  readonly claims: readonly Claim[]
}

/** A booking together with what only the store needs to know of it. */
export interface NewBooking {
  readonly booking: Booking
  /** The user or team whose event type it is. */
  readonly schedulerId: string
  /** The host who is written to; a collective meeting has several, all of whom are claimed. */
  readonly hostId: string
  readonly seat: number
  readonly seats: number
  /** Two active bookings of one slot never share this. */
  readonly duplicateKey: string
  /** The news of it, written with it; null when nobody is to be told. */
  readonly announcement: NewJob | null
}

// Written out: SQLite plans a query anew for every value that could let it use a partial index.
const ACTIVE = [sql.lit('PendingApproval'), sql.lit('Confirmed')]

/**
 * Claims of these hosts that touch `span`, earliest first, with each host's
 * revisions: one statement, so all of it is true at one moment.
 */
export async function findTakenTime(
  db: Db,
  hostIds: readonly string[],
  span: Interval,
  countSeats: boolean,
): Promise<TakenTime[]> {
  if (hostIds.length === 0) return []
  // No claim is longer than MAX_DURATION, so the index can be entered close to the span.
  const values = { hostId: hostIds[0] as string, from: span.start - MAX_DURATION, to: span.end }
  const { rows } =
    hostIds.length === 1 && !countSeats
      ? await takenByOneHost(db, values)
      : await db.executeQuery(takenQuery(db, hostIds, values.from, values.to, countSeats))

  const taken: (TakenTime & { claims: Claim[] })[] = []
  for (const row of rows) {
    let host = taken.at(-1)
    if (host?.hostId !== row.id) {
      host = { hostId: row.id, revision: row.revision, bookingRevision: row.booking_revision, claims: [] }
      taken.push(host)
    }
    // A host without claims has one row, in which the claim is null.
    if (row.meeting_id === null || (row.ends_at as number) <= span.start) continue
    host.claims.push(claimFromRow(row as Omit<ClaimRow, 'host_id'>, row.seats_taken ?? 1))
  }
  return taken
}

/** The usual case, which every booking and many a listing runs. */
const takenByOneHost = prepared((db, value: Placeholder<{ hostId: string; from: number; to: number }>) =>
  takenQuery(db, [value('hostId')], value('from'), value('to'), false),
)

function takenQuery(db: Db, hostIds: readonly string[], from: number, to: number, countSeats: boolean) {
  return db
    .selectFrom('schedulers as s')
    .leftJoin('claims as c', (join) =>
      join.onRef('c.host_id', '=', 's.id').on('c.starts_at', '>', from).on('c.starts_at', '<', to),
    )
    .select(['s.id', 's.revision', 's.booking_revision'])
    .select(CLAIM_DETAILS.map((column) => `c.${column}` as const))
    .$if(countSeats, (query) =>
      query.select((eb) =>
        eb
          .selectFrom('bookings as b')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('b.meeting_id', '=', 'c.meeting_id')
          .where('b.status', 'in', ACTIVE)
          .as('seats_taken'),
      ),
    )
    .where('s.id', 'in', hostIds)
    .orderBy('s.id')
    .orderBy('c.starts_at')
}

/** When one host's time is taken within `span`, earliest first, and by nothing in particular: the least there is to read. */
export async function findTakenHours(db: Db, hostId: string, span: Interval): Promise<Claim[]> {
  const values = { hostId, from: span.start - MAX_DURATION, to: span.end }
  const { rows } = await hoursOfOneHost(db, values)
  const claims: Claim[] = []
  for (const row of rows) {
    if (row.ends_at <= span.start) continue
    claims.push({
      meetingId: '',
      eventTypeId: '',
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      bufferBefore: row.buffer_before,
      bufferAfter: row.buffer_after,
      seatsTaken: 1,
    })
  }
  return claims
}

const hoursOfOneHost = prepared((db, value: Placeholder<{ hostId: string; from: number; to: number }>) =>
  db
    .selectFrom('claims')
    .select(['starts_at', 'ends_at', 'buffer_before', 'buffer_after'])
    .where('host_id', '=', value('hostId'))
    .where('starts_at', '>', value('from'))
    .where('starts_at', '<', value('to'))
    .orderBy('starts_at'),
)

/** How many claims each host has from `from` on. */
export async function countUpcoming(
  db: Db,
  hostIds: readonly string[],
  from: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('claims')
    .select((eb) => ['host_id', eb.fn.countAll<number>().as('count')])
    .where('host_id', 'in', hostIds)
    .where('starts_at', '>=', from)
    .groupBy('host_id')
    .execute()
  return new Map(rows.map((row) => [row.host_id, row.count]))
}

/** Seats of a meeting that active bookings hold. */
export async function findTakenSeats(db: Db, meetingId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('bookings')
    .select('seat')
    .where('meeting_id', '=', meetingId)
    .where('status', 'in', ACTIVE)
    .execute()
  return new Set(rows.map((row) => row.seat))
}

/** Is there an active booking of this slot under that key? */
export async function hasDuplicate(
  db: Db,
  eventTypeId: string,
  startsAt: number,
  duplicateKey: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .select('id')
    .where('event_type_id', '=', eventTypeId)
    .where('starts_at', '=', startsAt)
    .where('duplicate_key', '=', duplicateKey)
    .where('status', 'in', ACTIVE)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertBooking(trx: Trx, added: NewBooking): Promise<void> {
  const row = bookingRow(added)
  await insertBookingRow(trx, row)
  if (added.announcement !== null) await insertJobs(trx, [added.announcement], row.created_at)
}

const insertBookingRow = preparedInsert('bookings', Object.keys(BOOKING_COLUMNS) as (keyof BookingRow)[])

/** Takes a meeting's time from a host. */
export async function insertClaim(trx: Trx, hostId: string, claim: Claim): Promise<void> {
  await insertClaimRow(trx, claimRow(hostId, claim))
}

const insertClaimRow = preparedInsert('claims', CLAIM_COLUMNS)

/** What a wish to book was checked against. */
export interface SeenHost {
  readonly revision: number
  /** Null when only what is taken at that time mattered. */
  readonly bookingRevision: number | null
}

/**
 * Books one host if that time is free and nothing has changed since `seen`; says whether it did.
 *
 * That the host is open then, and that no limit is reached, is for the caller
 * to know. Holding the host's row as it was when the claims were looked at is
 * the same lock as `lockHosts` takes. On both engines, bookings that come at
 * the same time share their commit.
 */
export async function insertBookingIfFree(
  db: Db,
  seen: SeenHost,
  added: NewBooking,
  { bufferBefore, bufferAfter }: Pick<Claim, 'bufferBefore' | 'bufferAfter'>,
): Promise<boolean> {
  const booked = bookingRow(added)
  const { writeIf } = engine(db)
  if (writeIf === undefined) {
    const { announcement } = added
    return insertBatched(db, {
      ...booked,
      seen_revision: seen.revision,
      seen_booking_revision: seen.bookingRevision,
      buffer_before: bufferBefore,
      buffer_after: bufferAfter,
      job_data: announcement && JSON.stringify(announcement.data),
      job_lane: announcement?.lane ?? null,
    })
  }
  const { startsAt, endsAt } = added.booking
  const condition = { ...seen, hostId: added.hostId, startsAt, endsAt, bufferBefore, bufferAfter }
  return writeIf(db, holdIfFree.bind(db, condition), [
    insertClaimRow.bind(db, { ...booked, buffer_before: bufferBefore, buffer_after: bufferAfter }),
    insertBookingRow.bind(db, booked),
    ...(added.announcement === null
      ? []
      : [insertJobRow.bind(db, jobRow(added.announcement, booked.created_at))]),
  ])
}

const holdIfFree = prepared(
  (_, value: Placeholder<SeenHost & BufferedMeeting & { readonly hostId: string }>) => {
    const meeting: MeetingSql = {
      startsAt: sql`${value('startsAt')}`,
      endsAt: sql`${value('endsAt')}`,
      bufferBefore: sql`${value('bufferBefore')}`,
      bufferAfter: sql`${value('bufferAfter')}`,
    }
    return sql`update schedulers set booking_revision = booking_revision + 1
      where id = ${value('hostId')} and revision = ${value('revision')}
        and booking_revision = coalesce(${value('bookingRevision')}, booking_revision)
        and not exists (
          select 1 from claims
          where host_id = ${value('hostId')} and ${claimConflictsWith('claims', meeting)})`
  },
)

function bookingRow({ booking, schedulerId, hostId, seat, seats, duplicateKey }: NewBooking): BookingRow {
  return {
    id: booking.id,
    scheduler_id: schedulerId,
    event_type_id: booking.eventTypeId,
    meeting_id: booking.meetingId,
    host_id: hostId,
    seat,
    seats,
    status: booking.status,
    starts_at: booking.startsAt,
    ends_at: booking.endsAt,
    invitee_name: booking.invitee.name,
    invitee_email: booking.invitee.email,
    invitee_phone: booking.invitee.phone,
    invitee_time_zone: booking.invitee.timeZone,
    invitee_locale: booking.invitee.locale,
    location_type: booking.location.type,
    location_value: booking.location.value,
    notes: booking.notes,
    custom_fields: JSON.stringify(booking.customFields),
    source: booking.source,
    utm: JSON.stringify(booking.utm),
    duplicate_key: duplicateKey,
    created_at: booking.createdAt,
  }
}
