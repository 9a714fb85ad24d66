import type { EventType } from '../../../domain/event-types/event-type.ts'
import { findBooking } from '../../../store/bookings/list.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../people/access.ts'
import { isManageToken } from './manage-link.ts'

/** What a guest's booking is of; undefined without the token of its manage link. */
export async function findManagedEventType(
  context: Context,
  bookingId: string,
  token: unknown,
): Promise<EventType | undefined> {
  const valid = isId(bookingId) && typeof token === 'string' && isManageToken(context, bookingId, token)
  const listed = valid ? await findBooking(context.db, bookingId) : undefined
  return listed && findEventTypeById(context.db, listed.booking.eventTypeId)
}
