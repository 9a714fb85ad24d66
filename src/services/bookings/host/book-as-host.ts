import { rulesForHost } from '../../../domain/bookings/decisions/hosts/placing.ts'
import { readGuests } from '../../../domain/bookings/guests.ts'
import { type BookingRequest, readBookingRequest } from '../../../domain/bookings/request.ts'
import { isBlocked } from '../../../domain/event-types/blocklist.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Context } from '../../context.ts'
import { getEventType } from '../../event-types/event-types.ts'
import { requireRole } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { take, wantedAt } from '../guest/book.ts'
import { KnownEventType } from '../guest/known-event-type.ts'
import { type HostedBooking, readBooking } from '../reports/list.ts'

/** A request to book for a guest, with the names it has on the wire. */
type HostBookingRequest = Omit<BookingRequest, 'source' | 'utm' | 'honeypotValue' | 'captchaToken'>

/**
 * Books for a guest, as a host of the event type or an admin of its owner.
 *
 * Notice, booking window, approval, CAPTCHA and the limits of a guest don't apply; everything else does, as for a host
 * who reschedules.
 */
export async function bookAsHost(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  request: HostBookingRequest,
): Promise<HostedBooking> {
  const { eventType } = await getEventType(context.db, principal, eventTypeId)
  const known = await context.slots.getBookableOf(eventType.schedulerId, eventType.id)
  if (!known.hostIds.includes(principal.userId)) {
    await requireRole(context.db, principal, eventType.schedulerId, 'admin')
  }
  const booking = await take(context, new KnownEventType(context, known), (bookable) => {
    const read = readBookingRequest(request, bookable.eventType, context.slots.zones)
    for (const email of [read.invitee.email, ...(request.guests ?? [])]) {
      checkNotBlocked(email, bookable.blocklist, email === read.invitee.email ? 'inviteeEmail' : 'guests')
    }
    const guests = readGuests(request.guests, bookable.eventType, read.invitee.email)
    const wanted = wantedAt(context, bookable, { ...read, guests, source: 'Host' })
    return {
      ...wanted,
      bookable: rulesForHost(wanted.bookable),
      author: { by: 'host', actor: principal },
      access: {},
    }
  })
  return readBooking(context, booking.id)
}

function checkNotBlocked(email: string, blocklist: readonly string[], field: string): void {
  if (!isBlocked(email, blocklist)) return
  const reason = sentence`This email address is blocked. Remove it from the blocklist first.`
  throw new Problem('email_blocked', reason, { field })
}
