import type { ListedBooking } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'
import { type Author, changeState } from './change-state.ts'

/** Refuses a request, and gives its time back. */
export function decline(
  context: Context,
  author: Author,
  seen: ListedBooking,
  reason: string,
): Promise<ListedBooking> {
  return changeState(context, seen, { to: 'Declined', author, reason })
}
