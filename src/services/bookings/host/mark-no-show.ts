import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Context } from '../../context.ts'
import { changeState } from '../change-state.ts'

/** Marks the guest as a no-show. Allowed from the start of the meeting on, even if it counts as completed. */
export function markNoShow(context: Context, author: Author, seen: ListedBooking): Promise<ListedBooking> {
  return changeState(context, seen, {
    to: 'NoShow',
    author,
    check: ({ startsAt }, now) => {
      if (now < startsAt) throw new Problem('state_conflict', sentence`This meeting has not started yet.`)
    },
  })
}

/** Takes that back: the booking is `Confirmed` again, or `Completed` once it is over. */
export function undoNoShow(context: Context, author: Author, seen: ListedBooking): Promise<ListedBooking> {
  return changeState(context, seen, {
    to: context.now() < seen.booking.endsAt ? 'Confirmed' : 'Completed',
    author,
    takesBack: { from: 'NoShow', action: 'no-show undone' },
  })
}
