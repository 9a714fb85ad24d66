import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Context } from '../../context.ts'
import { changeStates } from '../change-state.ts'
import { withSameState } from '../series-members.ts'

/** Declines a request, a series as a whole, and frees its time. It can be undone for `undoFor` milliseconds. */
export async function decline(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { reason, undoFor = 0 }: { readonly reason: string; readonly undoFor?: number },
): Promise<ListedBooking> {
  const all = await withSameState(context, seen, 'PendingApproval')
  return changeStates(context, all, { to: 'Declined', author, reason, undoFor })
}
