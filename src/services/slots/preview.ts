import { checkEventType, type EventType } from '../../domain/event-types/event-type.ts'
import { claimSpan, findOpenings } from '../../domain/slots/openings.ts'
import { guestSpan, writeListing } from '../../format/listing.ts'
import { findTakenTime } from '../../store/bookings/bookings.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { type EventTypeInput, getEventType } from '../event-types/event-types.ts'
import { notFound, requireRole } from '../people/access.ts'
import type { Principal } from '../people/principal.ts'
import { type ListingQuery, readQuery } from './list.ts'
import { calendarsOf, readOfferOf } from './offers.ts'

/**
 * What would be listed if the event type had these settings: by the same rules as for guests, saving nothing.
 *
 * Its hosts and their hours are those that are saved.
 */
export async function previewSlots(
  context: Context,
  principal: Principal,
  eventTypeId: string,
  input: EventTypeInput,
  query: ListingQuery,
): Promise<Uint8Array> {
  const { eventType: saved } = await getEventType(context.db, principal, eventTypeId)
  const { scheduleId, id, schedulerId } = saved
  // Whoever may not change these settings has no use for it.
  await requireRole(context.db, principal, schedulerId, 'admin')
  const { first, last, guest } = readQuery(query)
  const edited: EventType = { ...saved, ...input, scheduleId, id, schedulerId }
  checkEventType(edited)
  const owner = await findScheduler(context.db, schedulerId)
  if (owner === undefined) throw notFound()
  const now = context.now()
  const offer = await readOfferOf(context.db, context.busyTimes, owner, edited, now)
  const span = guestSpan(guest, first, last)
  const claims = claimSpan(offer.rules, span)
  const taken = await findTakenTime(context.db, offer.hostIds, claims, offer.rules.seats > 1)
  const openings = findOpenings(offer.rules, calendarsOf(offer, taken), now, span)
  return writeListing(openings, offer.rules.duration, guest)
}
