import { sql } from 'kysely'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { Db, Trx } from '../engine/database.ts'
import { listedFromRow } from './list.ts'

// Literals: SQLite re-plans a query for each parameter that could match a partial index.
const PENDING = sql.lit('PendingApproval')
const CONFIRMED = sql.lit('Confirmed')

/** Pending bookings that start before `startBefore`, with the time since when they wait. */
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

/** Marks at most `limit` confirmed bookings that have ended as completed, and returns them. */
export async function completeEnded(trx: Trx, now: number, limit: number): Promise<ListedBooking[]> {
  const rows = await trx
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
        // Written out: PostgreSQL would expect a tenth of all bookings, and read each of them.
        .limit(sql.lit(limit)),
    )
    .returningAll()
    .execute()
  return rows.map(listedFromRow)
}
