import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { Db } from '../engine/database.ts'

/** The parts of a booking that change. */
export interface BookingState {
  readonly meetingId: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly sequence: number
}

export async function findBookingState(db: Db, id: string): Promise<BookingState | undefined> {
  const row = await db
    .selectFrom('bookings')
    .select(['meeting_id', 'status', 'starts_at', 'sequence'])
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      meetingId: row.meeting_id,
      status: row.status as BookingStatus,
      startsAt: row.starts_at,
      sequence: row.sequence,
    }
  )
}

/** Confirmed bookings of a meeting, oldest first. */
export async function findConfirmedBookingIds(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bookings')
    .select('id')
    .where('meeting_id', '=', meetingId)
    .where('status', '=', 'Confirmed')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}
