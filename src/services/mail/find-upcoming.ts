import type { BookingChange, ChangeRecord } from '../../domain/bookings/change.ts'
import { findMeeting } from '../../store/bookings/meetings.ts'
import type { Db } from '../../store/engine/database.ts'
import { changeOf } from '../bookings/load-change.ts'

interface Upcoming {
  readonly change: BookingChange
  /** Whether this guest is the first of a seated meeting: hosts get one reminder for all guests. */
  readonly isFirst: boolean
  readonly otherGuests: number
}

/** The meeting that this change confirmed, if it is still ahead and unchanged; otherwise undefined. */
export async function findUpcoming(db: Db, record: ChangeRecord, now: number): Promise<Upcoming | undefined> {
  const meeting = await findMeeting(db, record.bookingId)
  if (meeting === undefined) return undefined
  const { status, startsAt, sequence } = meeting.listed.booking
  if (status !== 'Confirmed' || startsAt <= now) return undefined
  // A meeting that was moved away and back has two sets of reminders: only those of the last change count.
  if (startsAt !== record.startsAt || sequence !== record.sequence) return undefined
  const { confirmedIds } = meeting
  return {
    change: await changeOf(db, meeting, record),
    isFirst: confirmedIds[0] === record.bookingId,
    otherGuests: confirmedIds.length - 1,
  }
}
