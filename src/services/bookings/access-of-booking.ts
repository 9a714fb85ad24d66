import type { GuestAccess } from '../../domain/bookings/guest-access.ts'
import type { ListedBooking } from '../../domain/bookings/listed-booking.ts'
import { findPrivateLink } from '../../store/bookings/private-links.ts'
import type { Db } from '../../store/engine/database.ts'
import { findRoutedResponse } from '../../store/forms/forms.ts'

/**
 * What narrows the hosts of a booking when it moves: the link and the answers that it was made with.
 *
 * Neither does once it is gone, or once the meeting was handed over to a host whom it does not name.
 */
export async function findAccessOf(
  db: Db,
  { booking: { linkId, routing }, hostId }: Pick<ListedBooking, 'booking' | 'hostId'>,
): Promise<GuestAccess> {
  const link = linkId === undefined ? undefined : await findPrivateLink(db, linkId)
  const routed = routing && (await findRoutedResponse(db, routing.responseId))
  return {
    ...(link?.hostIds.includes(hostId) && { link }),
    ...(routed?.route.hostIds?.includes(hostId) && { routed }),
  }
}

/** The same for handing it over: a host who was chosen for this guest can be replaced by any other. */
export async function findAccessToReassign(db: Db, listed: ListedBooking): Promise<GuestAccess> {
  const { routed, ...access } = await findAccessOf(db, listed)
  return routed?.route.reason === 'filter' ? { ...access, routed } : access
}
