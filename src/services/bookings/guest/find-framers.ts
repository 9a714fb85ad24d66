import { type Framers, framersOf } from '../../../domain/event-types/framing.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { isManageToken } from './manage-link.ts'

/** The sites that may frame the page of a guest's booking; undefined without the token of its manage link. */
export async function findBookingFramers(
  context: Context,
  bookingId: string,
  token: unknown,
): Promise<Framers | undefined> {
  const valid = isId(bookingId) && typeof token === 'string' && isManageToken(context, bookingId, token)
  const listed = valid ? await findBooking(context.db, bookingId) : undefined
  const eventType = listed && (await findEventTypeById(context.db, listed.booking.eventTypeId))
  return eventType && framersOf([eventType])
}
