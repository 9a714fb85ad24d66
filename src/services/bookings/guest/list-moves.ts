import { ofLengthOf, withHostsOf } from '../../../domain/bookings/bookable.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import type { Context } from '../../context.ts'
import type { ListingQuery } from '../../slots/listings.ts'
import { findAccessOf } from '../access-of-booking.ts'
import type { GuestBooking } from './guest-view.ts'
import { checkMovable } from './reschedule.ts'

/**
 * Where a guest may move their booking, as JSON bytes of a slot listing.
 *
 * Its own time and its part of a limit are free, unless other guests stay in the meeting: the rule of `reschedule`.
 */
export async function listMoves(
  context: Context,
  own: GuestBooking,
  query: Omit<ListingQuery, 'duration'>,
): Promise<Uint8Array> {
  const { booking, scheduler, eventType } = own
  const current = await context.slots.getBookable(scheduler.slug, eventType.slug)
  checkMovable(booking, current, context.now())
  const { meetingId } = booking
  const others = (await findActiveIds(context.db, meetingId)).filter((id) => id !== booking.id)
  const freed = others.length === 0 ? meetingId : undefined
  const bookable = withHostsOf(ofLengthOf(current, booking), await findAccessOf(context.db, own))
  return context.slots.listFrom(bookable, query, freed)
}
