import { Problem } from '../../domain/problem.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import type { Context } from '../context.ts'
import { type Author, changeState } from './change-state.ts'

/** Confirms a request, up to its start time. It can be undone for `undoFor` milliseconds. */
export function approve(
  context: Context,
  author: Author,
  seen: ListedBooking,
  undoFor = 0,
): Promise<ListedBooking> {
  return changeState(context, seen, {
    to: 'Confirmed',
    author,
    undoFor,
    check: ({ startsAt }, now) => {
      if (startsAt <= now) throw new Problem('too_late', 'The time of this request has passed.')
    },
  })
}
