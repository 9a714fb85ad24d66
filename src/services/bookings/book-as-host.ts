import { readGuests } from '../../domain/bookings/guests.ts'
import { type BookingRequest, readBookingRequest } from '../../domain/bookings/request.ts'
import { isBlocked } from '../../domain/event-types/blocklist.ts'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Context } from '../context.ts'
import { getEventType } from '../event-types/event-types.ts'
import { requireRole } from '../people/access.ts'
import type { Principal } from '../people/principal.ts'
import { ofLength } from '../slots/bookable.ts'
import { take } from './book.ts'
import { type HostedBooking, readBooking } from './list.ts'
import { rulesForHost, withCurrentSettings } from './placing.ts'

/** A request to book for a guest, with the names it has on the wire. */
export type HostBookingRequest = Omit<BookingRequest, 'source' | 'utm' | 'honeypotValue' | 'captchaToken'>

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
  const reload = () => context.slots.reloadBookable(known)
  const booking = await withCurrentSettings(known, reload, (bookable) => {
    const read = readBookingRequest(request, bookable.eventType, context.slots.zones)
    for (const email of [read.invitee.email, ...(request.guests ?? [])]) {
      checkNotBlocked(email, bookable.blocklist, email === read.invitee.email ? 'inviteeEmail' : 'guests')
    }
    const guests = readGuests(request.guests, bookable.eventType, read.invitee.email)
    const fitting = rulesForHost(ofLength(bookable, (read.endsAt - read.startsAt) / MINUTE))
    const author = { by: 'host', actor: principal } as const
    return take(context, fitting, { ...read, guests, source: 'Host' }, undefined, NO_CAPS, { author })
  })
  context.slots.bookingsChanged(known.hostIds, booking.startsAt)
  context.outbox.wake(['announce'])
  return readBooking(context, booking.id)
}

const NO_CAPS = { mails: false, open: false } as const

function checkNotBlocked(email: string, blocklist: readonly string[], field: string): void {
  if (!isBlocked(email, blocklist)) return
  const reason = sentence`This email address is blocked. Remove it from the blocklist first.`
  throw new Problem('email_blocked', reason, { field })
}
