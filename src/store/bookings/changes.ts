import { sql } from 'kysely'
import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { Db, Trx } from '../engine/database.ts'

// Written out: SQLite plans a query anew for every value that could let it use a partial index.
const PENDING = sql.lit('PendingApproval')
const CONFIRMED = sql.lit('Confirmed')

/** What a change may make different. What is left out stays as it is. */
export interface BookingUpdate {
  readonly status: BookingStatus
  readonly reason?: string
  readonly startsAt?: number
  readonly endsAt?: number
  readonly meetingId?: string
  readonly hostId?: string
  readonly seat?: number
  readonly seats?: number
  readonly requestedAt?: number
}

/** Changes a booking that is still as it was seen, and says whether it was. */
export async function updateBookingIfUnchanged(
  trx: Trx,
  seen: Pick<Booking, 'id' | 'status' | 'sequence'>,
  update: BookingUpdate,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('bookings')
    .set((eb) => ({
      sequence: eb('sequence', '+', 1),
      status: update.status,
      ...(update.reason !== undefined && { reason: update.reason }),
      ...(update.startsAt !== undefined && { starts_at: update.startsAt }),
      ...(update.endsAt !== undefined && { ends_at: update.endsAt }),
      ...(update.meetingId !== undefined && { meeting_id: update.meetingId }),
      ...(update.hostId !== undefined && { host_id: update.hostId }),
      ...(update.seat !== undefined && { seat: update.seat }),
      ...(update.seats !== undefined && { seats: update.seats }),
      ...(update.requestedAt !== undefined && { requested_at: update.requestedAt }),
    }))
    .where('id', '=', seen.id)
    .where('status', '=', seen.status)
    .where('sequence', '=', seen.sequence)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Who else is, or was, in the same meeting. */
export async function findCompanions(
  db: Db,
  { id, meetingId }: Pick<Booking, 'id' | 'meetingId'>,
): Promise<{ readonly id: string; readonly status: BookingStatus }[]> {
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'status'])
    .where('meeting_id', '=', meetingId)
    .where('id', '<>', id)
    .execute()
  return rows.map((row) => ({ id: row.id, status: row.status as BookingStatus }))
}

/** Gives the time of a meeting back to its hosts. */
export async function deleteClaims(trx: Trx, meetingId: string): Promise<void> {
  await trx.deleteFrom('claims').where('meeting_id', '=', meetingId).execute()
}

/** Requests for meetings that start before that, with the moment from which on they have been waiting. */
export async function findRequests(
  db: Db,
  startBefore: number,
  limit: number,
): Promise<{ readonly id: string; readonly startsAt: number; readonly requestedAt: number }[]> {
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'starts_at', 'created_at', 'requested_at'])
    .where('status', '=', PENDING)
    .where('starts_at', '<', startBefore)
    .orderBy('starts_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    startsAt: row.starts_at,
    requestedAt: row.requested_at ?? row.created_at,
  }))
}

/** Completes confirmed meetings that have ended, at most `limit` of them, and says how many. */
export async function completeEnded(db: Db, now: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('bookings')
    .set((eb) => ({ status: 'Completed', sequence: eb('sequence', '+', 1) }))
    .where('status', '=', CONFIRMED)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('bookings as ended')
        .select('ended.id')
        .where('ended.status', '=', CONFIRMED)
        .where('ended.ends_at', '<=', now)
        .orderBy('ended.ends_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Gives a booking that was inserted the history that it has elsewhere. */
export async function updateHistory(
  trx: Trx,
  { id, sequence, reason }: Pick<Booking, 'id' | 'sequence' | 'reason'>,
): Promise<void> {
  await trx.updateTable('bookings').set({ sequence, reason }).where('id', '=', id).execute()
}
