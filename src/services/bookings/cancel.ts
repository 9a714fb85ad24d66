import { cancelUntil } from '../../domain/bookings/states.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { Problem } from '../../domain/problem.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import type { Context } from '../context.ts'
import { type Author, changeState } from './change-state.ts'

/** Cancels a booking and frees its time. Guests may do so until the event type's cancellation cutoff. */
export async function cancel(
  context: Context,
  author: Author,
  seen: ListedBooking & { readonly eventType?: EventType },
  reason: string,
): Promise<ListedBooking> {
  if (author.by !== 'guest') return changeState(context, seen, { to: 'Cancelled', author, reason })
  const eventType = seen.eventType ?? (await findEventTypeById(context.db, seen.booking.eventTypeId))
  return changeState(context, seen, {
    to: 'Cancelled',
    author,
    reason,
    check: (booking, now) => {
      if (eventType !== undefined && now < cancelUntil(booking, eventType)) return
      throw new Problem('too_late', 'It is too late to cancel this booking here. Please contact the host.')
    },
  })
}
