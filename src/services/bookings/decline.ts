import type { ListedBooking } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'
import { type Author, changeState } from './change-state.ts'

/** Declines a request and frees its time. It can be undone for `undoFor` milliseconds. */
export function decline(
  context: Context,
  author: Author,
  seen: ListedBooking,
  reason: string,
  undoFor = 0,
): Promise<ListedBooking> {
  return changeState(context, seen, { to: 'Declined', author, reason, undoFor })
}
