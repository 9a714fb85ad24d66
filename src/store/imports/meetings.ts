import { type SqlBool, sql } from 'kysely'
import type { NewBooking } from '../../domain/bookings/listed-booking.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Claim } from '../../domain/slots/openings.ts'
import { claimsWithin } from '../bookings/facts/claims.ts'
import { BOOKING_COLUMNS, bookingRow, CLAIM_COLUMNS, claimRow, UNCOMMON_COLUMNS } from '../bookings/rows.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, prepared, preparedInsertAll } from '../engine/prepared.ts'

/** A span of a host's time. */
export interface HostSpan extends Interval {
  readonly hostId: string
}

/** What is taken of these spans, by host. */
export async function findTaken(db: Db, spans: readonly HostSpan[]): Promise<Map<string, Interval[]>> {
  if (spans.length === 0) return new Map()
  const wanted = spans.map(({ hostId, start, end }) => ({ host_id: hostId, starts_at: start, ends_at: end }))
  const { rows } = await takenWithin(db, { spans: JSON.stringify(wanted) })
  const byHost = Map.groupBy(rows, ({ host_id }) => host_id)
  return new Map(
    [...byHost].map(([hostId, claims]) => [
      hostId,
      claims.map(({ starts_at: start, ends_at: end }) => ({ start, end })),
    ]),
  )
}

const takenWithin = prepared(
  (db, value: Placeholder<{ spans: string }>) =>
    sql<{ host_id: string; starts_at: number; ends_at: number }>`
      select found.host_id, found.starts_at, found.ends_at from ${claimsWithin(db, value('spans'))}`,
)

/** Which guest is booked when, and for what. */
export interface GuestTime {
  readonly event_type_id: string
  readonly starts_at: number
  readonly duplicate_key: string
}

/** Those among these that active bookings have already. */
export async function findDuplicates(db: Db, wanted: readonly GuestTime[]): Promise<readonly GuestTime[]> {
  if (wanted.length === 0) return []
  const { rows } = await duplicatesOf(db, { wanted: JSON.stringify(wanted) })
  return rows
}

const GUEST_TIME = ['event_type_id', 'starts_at', 'duplicate_key'] as const

const duplicatesOf = prepared((db, value: Placeholder<{ wanted: string }>) => {
  const same = GUEST_TIME.map((column) => sql`${sql.ref(`found.${column}`)} = ${sql.ref(`wanted.${column}`)}`)
  const fits = sql<SqlBool>`${sql.join(same, sql` and `)} and found.status in ('PendingApproval', 'Confirmed')`
  const rows = engine(db).rowsFromJson('bookings', GUEST_TIME, value('wanted'))
  return sql<GuestTime>`select ${sql.join(GUEST_TIME.map((column) => sql.ref(`found.${column}`)))}
    from ${engine(db).lookUpEach(rows, 'bookings', fits)}`
})

/** Inserts bookings that were made elsewhere, as they are there. */
export async function insertBookings(trx: Trx, added: readonly NewBooking[]): Promise<void> {
  if (added.length === 0) return
  await insertAllBookings(trx, { rows: JSON.stringify(added.map(bookingRow)) })
}

const insertAllBookings = preparedInsertAll('bookings', [...BOOKING_COLUMNS, ...UNCOMMON_COLUMNS])

/** Claims hosts' time for meetings. */
export async function insertClaims(
  trx: Trx,
  claims: readonly { readonly hostId: string; readonly claim: Claim }[],
): Promise<void> {
  if (claims.length === 0) return
  const rows = claims.map(({ hostId, claim }) => claimRow(hostId, claim))
  await insertAllClaims(trx, { rows: JSON.stringify(rows) })
}

const insertAllClaims = preparedInsertAll('claims', CLAIM_COLUMNS)

/** What a second import compares to find out whether a meeting was changed here. */
export interface MeetingRow {
  readonly id: string
  readonly meetingId: string
  readonly status: string
  readonly startsAt: number
  readonly endsAt: number
  readonly sequence: number
}

/** The bookings of these meetings, by meeting. */
export async function findMeetingRows(
  db: Db,
  meetingIds: readonly string[],
): Promise<Map<string, MeetingRow[]>> {
  if (meetingIds.length === 0) return new Map()
  const wanted = JSON.stringify(meetingIds.map((meeting_id) => ({ meeting_id })))
  const { rows } = await bookingsOfMeetings(db, { wanted })
  const found = rows.map((row) => ({
    id: row.id,
    meetingId: row.meeting_id,
    status: row.status,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    sequence: row.sequence,
  }))
  return Map.groupBy(found, ({ meetingId }) => meetingId)
}

const bookingsOfMeetings = prepared(
  (db, value: Placeholder<{ wanted: string }>) =>
    sql<{
      id: string
      meeting_id: string
      status: string
      starts_at: number
      ends_at: number
      sequence: number
    }>`select id, meeting_id, status, starts_at, ends_at, sequence from bookings
      where ${engine(db).isOneOf('meeting_id', engine(db).rowsFromJson('bookings', ['meeting_id'], value('wanted')))}
      order by id`,
)

/** Changes a booking to what its source says now. */
export async function updateBooking(trx: Trx, changed: NewBooking): Promise<void> {
  const { id, duplicate_key: _, ...row } = bookingRow(changed)
  await trx.updateTable('bookings').set(row).where('id', '=', id).execute()
}

export async function deleteClaimsOf(trx: Trx, meetingId: string): Promise<void> {
  await trx.deleteFrom('claims').where('meeting_id', '=', meetingId).execute()
}

/** The hosts and starts of a meeting's claims. */
export async function findClaimKeys(
  db: Db,
  meetingId: string,
): Promise<{ readonly host_id: string; readonly starts_at: number }[]> {
  return db
    .selectFrom('claims')
    .select(['host_id', 'starts_at'])
    .where('meeting_id', '=', meetingId)
    .execute()
}

/** Keys of all meetings in a memory, each with the import that made it. */
export async function findMeetingKeys(
  db: Db,
  memory: string,
): Promise<{ readonly source_key: string; readonly import_id: string }[]> {
  return db
    .selectFrom('import_objects')
    .select(['source_key', 'import_id'])
    .where('source', '=', memory)
    .where('kind', '=', 'meeting')
    .execute()
}
