import type { ChangeRecord } from '../../domain/bookings/change.ts'
import { findBookingState, findConfirmedBookingIds } from '../../store/bookings/state.ts'
import type { Db } from '../../store/engine/database.ts'

export interface Upcoming {
  /** Whether this guest is the first of a seated meeting: hosts get one reminder for all guests. */
  readonly isFirst: boolean
  readonly otherGuests: number
}

/** The meeting that this change confirmed, if it is still ahead and unchanged; otherwise undefined. */
export async function findUpcoming(db: Db, record: ChangeRecord, now: number): Promise<Upcoming | undefined> {
  const state = await findBookingState(db, record.bookingId)
  if (state?.status !== 'Confirmed' || state.startsAt <= now) return undefined
  // A meeting that was moved away and back has two sets of reminders: only those of the last change count.
  if (state.startsAt !== record.startsAt || state.sequence !== record.sequence) return undefined
  const sharing = await findConfirmedBookingIds(db, state.meetingId)
  return { isFirst: sharing[0] === record.bookingId, otherGuests: sharing.length - 1 }
}
