import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Context } from '../../context.ts'
import { changeStates } from '../change-state.ts'
import { withSameState } from '../series-members.ts'

/** Confirms a request, a series as a whole, up to its start time. It can be undone for `undoFor` milliseconds. */
export async function approve(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { undoFor = 0 }: { readonly undoFor?: number } = {},
): Promise<ListedBooking> {
  return changeStates(context, await withSameState(context, seen, 'PendingApproval'), {
    to: 'Confirmed',
    author,
    undoFor,
    check: ({ startsAt }, now) => {
      if (startsAt > now) return undefined
      return new Problem('too_late', sentence`The time of this request has passed.`)
    },
  })
}
