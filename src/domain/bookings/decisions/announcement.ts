import { bookingLane, type NewJob } from '../../job.ts'
import type { Booking, BookingStatus } from '../booking.ts'
import type { BookingChangeType, ChangeAuthor, ChangeRecord } from '../change.ts'

/** A change to a booking, without the resulting booking. */
interface ChangeDetails {
  readonly type: BookingChangeType
  readonly by: ChangeAuthor
  readonly reason: string
  readonly previousStatus: BookingStatus | null
  readonly previousStartsAt: number | null
  /** Its present hosts; the one to notify comes first. Left out: the hosts of its claims. */
  readonly hostIds?: readonly string[]
  /** Hosts who lost it when it was rescheduled or reassigned. */
  readonly formerHostIds: readonly string[]
  /** Hosts who have got it when it was reassigned. */
  readonly newHostIds?: readonly string[]
  /** Where it was before its link came or changed. */
  readonly previousLocation?: string
  readonly hostsTold?: true
  /** The seated meeting that it left for another one. */
  readonly formerMeeting?: NonNullable<ChangeRecord['formerMeeting']>
  readonly together?: NonNullable<ChangeRecord['together']>
  readonly at: number
}

/** The record of a change, with the booking's state right after it. */
export function recordOf(booking: Booking, id: string, details: ChangeDetails): ChangeRecord {
  return {
    ...details,
    id,
    bookingId: booking.id,
    status: booking.status,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    sequence: booking.sequence,
    ...(booking.payment && { payment: booking.payment }),
  }
}

/** The job that announces a change. Each booking has its own lane, so that its changes are announced in order. */
export function announcementOf(record: ChangeRecord, dueAt = record.at): NewJob {
  return { kind: 'announce', lane: bookingLane(record.bookingId), data: record, dueAt }
}
