import type { Booking } from '../../domain/bookings/booking.ts'
import type { GuestAccess } from '../../domain/bookings/guest-access.ts'
import { findPrivateLink } from '../../store/bookings/private-links.ts'
import type { Db } from '../../store/engine/database.ts'
import { findRoutedResponse } from '../../store/forms/forms.ts'

/** What a booking was made with. It stays with those hosts, or with any once the link or the response is gone. */
export async function findAccessOf(
  db: Db,
  { linkId, routing }: Pick<Booking, 'linkId' | 'routing'>,
): Promise<GuestAccess> {
  return {
    ...(linkId !== undefined && { link: await findPrivateLink(db, linkId) }),
    ...(routing && { routed: await findRoutedResponse(db, routing.responseId) }),
  }
}
