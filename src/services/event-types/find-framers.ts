import { type Framers, framersOf, targetsOf } from '../../domain/event-types/framing.ts'
import type { RoutingForm } from '../../domain/forms/routing.ts'
import { findBooking } from '../../store/bookings/list.ts'
import { findEventTypeById, findEventTypes } from '../../store/event-types/event-types.ts'
import { isManageToken } from '../bookings/manage-link.ts'
import type { Context } from '../context.ts'
import { isId } from '../people/access.ts'

/** The sites that may frame a form: those that may frame all event types it routes to. */
export async function findFormFramers({ db }: Context, form: RoutingForm): Promise<Framers> {
  const targets = targetsOf(form)
  if (targets.size === 0) return 'everyone'
  const eventTypes = await findEventTypes(db, form.schedulerId)
  // Forms never route to hidden event types.
  return framersOf(eventTypes.filter(({ id, hidden }) => !hidden && targets.has(id)))
}

/** The sites that may frame a booking's manage page; none without the token of its manage link. */
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
