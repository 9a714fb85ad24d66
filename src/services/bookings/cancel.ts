import { cancelUntil } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import type { Context } from '../context.ts'
import { type Author, changeState } from './change-state.ts'

/** Cancels a booking and frees its time. Guests may do so until the event type's cancellation cutoff. */
export function cancel(
  context: Context,
  author: Author,
  seen: ListedBooking,
  reason: string,
): Promise<ListedBooking> {
  return changeState(context, seen, {
    to: 'Cancelled',
    author,
    reason,
    check: async (trx, booking, now) => {
      if (author.by !== 'guest') return
      const eventType = await findEventTypeById(trx, booking.eventTypeId)
      if (eventType !== undefined && now < cancelUntil(booking, eventType)) return
      throw new Problem('too_late', 'It is too late to cancel this booking here. Please contact the host.')
    },
  })
}
