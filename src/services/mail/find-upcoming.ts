import type { ChangeRecord } from '../../domain/bookings/change.ts'
import { findBookingState, findConfirmedBookingIds } from '../../store/bookings/state.ts'
import type { Db } from '../../store/engine/database.ts'

export interface Upcoming {
  /** Of those who share a meeting, one stands for all when its hosts are reminded. */
  readonly isFirst: boolean
  readonly otherGuests: number
}

/** Whether what was confirmed by this change is still to come, unchanged; undefined when it is not. */
export async function findUpcoming(db: Db, record: ChangeRecord, now: number): Promise<Upcoming | undefined> {
  const state = await findBookingState(db, record.bookingId)
  if (state?.status !== 'Confirmed' || state.startsAt <= now) return undefined
  // One that was moved away and back has reminders from both times: those of the last change count.
  if (state.startsAt !== record.startsAt || state.sequence !== record.sequence) return undefined
  const sharing = await findConfirmedBookingIds(db, state.meetingId)
  return { isFirst: sharing[0] === record.bookingId, otherGuests: sharing.length - 1 }
}
