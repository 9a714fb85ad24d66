import { randomUUIDv7 } from 'node:crypto'
import type { Booking } from '../../domain/bookings/booking.ts'
import type { BookingChangeType, ChangeAuthor, ChangeRecord } from '../../domain/bookings/change.ts'
import type { NewJob } from '../../domain/job.ts'
import type { Trx } from '../../store/engine/database.ts'
import { insertJobs, notifyOthers } from '../../store/outbox.ts'

/** What happened, beside the booking as it is afterwards. */
export interface Happening {
  readonly type: BookingChangeType
  readonly by: ChangeAuthor
  readonly reason: string
  readonly previousStartsAt: number | null
  /** Everyone who hosts it now, the one who is written to first. */
  readonly hostIds: readonly string[]
  /** Those who did before it was rescheduled, and do no longer. */
  readonly formerHostIds: readonly string[]
  readonly at: number
}

/** The record of a change to a booking, as it is right after it. */
export function recordOf(booking: Booking, happening: Happening): ChangeRecord {
  return {
    ...happening,
    id: randomUUIDv7(),
    bookingId: booking.id,
    status: booking.status,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    sequence: booking.sequence,
  }
}

/** The job that spreads the news of a change: one lane a booking, so that news arrive in their order. */
export function announcementOf(record: ChangeRecord): NewJob {
  return { kind: 'announce', lane: `booking:${record.bookingId}`, data: record, dueAt: record.at }
}

/**
 * Writes down that a booking has changed, in the transaction of the change itself.
 *
 * Everything that anybody hears of it follows from this one row.
 */
export async function emit(trx: Trx, booking: Booking, happening: Happening): Promise<void> {
  await insertJobs(trx, [announcementOf(recordOf(booking, happening))], happening.at)
  await notifyOthers(trx)
}
