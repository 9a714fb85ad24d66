import type { Author } from '../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import type { ScopeOfChange } from '../../domain/bookings/series.ts'
import { cancelUntil } from '../../domain/bookings/states.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { RefundWish } from '../../domain/payments/refund.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import type { Context } from '../context.ts'
import { changeStates } from './change-state.ts'
import { inScope } from './series-members.ts'

interface Cancellation {
  readonly reason: string
  readonly scope?: ScopeOfChange | undefined
  /** What a host gives back; left out: everything. */
  readonly refund?: RefundWish | undefined
}

/** Cancels a booking, and those of its series that follow if asked to, and frees their time. Guests may do so until the event type's cancellation cutoff. */
export async function cancel(
  context: Context,
  author: Author,
  seen: ListedBooking & { readonly eventType?: EventType },
  { reason, scope, refund }: Cancellation,
): Promise<ListedBooking> {
  const all = await inScope(context, seen, scope)
  if (author.by !== 'guest') return changeStates(context, all, { to: 'Cancelled', author, reason, refund })
  const eventType = seen.eventType ?? (await findEventTypeById(context.db, seen.booking.eventTypeId))
  return changeStates(context, all, {
    to: 'Cancelled',
    author,
    reason,
    check: (booking, now) => {
      // Whoever goes back to choose another time has booked nothing yet.
      if (booking.status === 'PendingPayment') return undefined
      if (eventType !== undefined && now < cancelUntil(booking, eventType)) return undefined
      return new Problem(
        'too_late',
        sentence`It is too late to cancel this booking here. Please contact the host.`,
      )
    },
  })
}
