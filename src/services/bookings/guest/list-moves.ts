import { ofLengthOf, withHostsOf } from '../../../domain/bookings/bookable.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { findActiveIds } from '../../../store/bookings/rosters.ts'
import type { Context } from '../../context.ts'
import type { ListingQuery } from '../../slots/listings.ts'
import { findAccessOf } from '../access-of-booking.ts'
import type { GuestBooking } from './guest-view.ts'
import { checkMovable } from './reschedule.ts'

interface ListedDay {
  readonly date: string
  readonly slots: readonly { readonly startTime: string }[]
}

/**
 * Where a guest may move their booking, as JSON bytes of a slot listing: anywhere but where it is.
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
  return withoutStart(await context.slots.listFrom(bookable, query, freed), booking.startsAt)
}

/** The listing without one start, and without a day that has no other. */
function withoutStart(listing: Uint8Array, startsAt: number): Uint8Array {
  const days = JSON.parse(Buffer.from(listing).toString('utf8')) as ListedDay[]
  const others = days.map((day) => ({
    ...day,
    slots: day.slots.filter(({ startTime }) => startTime !== formatInstant(startsAt)),
  }))
  return Buffer.from(JSON.stringify(others.filter(({ slots }) => slots.length > 0)))
}
