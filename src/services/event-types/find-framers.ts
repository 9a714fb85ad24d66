import { type Framers, framersOf, targetsOf } from '../../domain/event-types/framing.ts'
import type { RoutingForm } from '../../domain/forms/routing.ts'
import { findBooking } from '../../store/bookings/list.ts'
import { findEventTypeById, findEventTypes } from '../../store/event-types/event-types.ts'
import { isManageToken } from '../bookings/manage-link.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'

/** Where a form may be framed: where all that it leads to may be. */
export async function findFormFramers({ db }: Context, form: RoutingForm): Promise<Framers> {
  const targets = targetsOf(form)
  if (targets.size === 0) return 'everyone'
  const eventTypes = await findEventTypes(db, form.schedulerId)
  // It leads to no hidden one.
  return framersOf(eventTypes.filter(({ id, hidden }) => !hidden && targets.has(id)))
}

/** Where the page of a guest's own booking may be framed: nowhere, unless whoever asks has the guest's link. */
export async function findBookingFramers(
  context: Context,
  bookingId: string,
  token: unknown,
): Promise<Framers | undefined> {
  const theirs = isId(bookingId) && typeof token === 'string' && isManageToken(context, bookingId, token)
  const listed = theirs ? await findBooking(context.db, bookingId) : undefined
  const eventType = listed && (await findEventTypeById(context.db, listed.booking.eventTypeId))
  return eventType && framersOf([eventType])
}
