import type { ListedBooking } from '../store/booking-list.ts'
import { type Author, changeState } from './change-state.ts'
import type { Context } from './context.ts'

/** Refuses a request, and gives its time back. */
export function decline(
  context: Context,
  author: Author,
  seen: ListedBooking,
  reason: string,
): Promise<ListedBooking> {
  return changeState(context, seen, { to: 'Declined', author, reason })
}
