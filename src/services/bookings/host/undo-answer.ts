import { ofLengthOf } from '../../../domain/bookings/bookable.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import { planUndo, takenMeanwhile } from '../../../domain/bookings/decisions/decide-undo.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { Context } from '../../context.ts'
import { attempt } from '../attempt.ts'
import { noteChange } from '../change-state.ts'
import { KnownEventType } from '../guest/known-event-type.ts'
import { withSameState } from '../series-members.ts'

/**
 * Takes back a host's answer to a request: it is pending again, and the guest never hears of it.
 *
 * Possible until the answer is announced. A declined request needs its time again, which may be taken by now. An
 * answer to a series is taken back for all of it.
 */
export async function undoAnswer(
  context: Context,
  author: Author,
  seen: ListedBooking,
): Promise<ListedBooking> {
  const all = await withSameState(context, seen, seen.booking.status)
  const { undone, hostIds } = await (seen.booking.status === 'Declined'
    ? undoDecline(context, author, all)
    : attempt(context, () => planUndo({ author, all })))
  noteChange(context, hostIds)
  return undone
}

async function undoDecline(context: Context, author: Author, all: Awaited<ReturnType<typeof withSameState>>) {
  const [{ schedulerId, booking }] = all
  const known = await context.slots.getBookableOf(schedulerId, booking.eventTypeId)
  const plan = new KnownEventType(context, known).planning((current) =>
    planUndo({ author, all, bookable: ofLengthOf(current, booking) }),
  )
  return attempt(context, plan, (refusal) =>
    refusal.code === 'slot_unavailable' || refusal.code === 'duplicate_booking' ? takenMeanwhile() : refusal,
  )
}
