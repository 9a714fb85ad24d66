import type { BookableEventType } from '../../domain/bookings/bookable.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { withLocations } from '../../domain/event-types/location.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { notFound, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { check, checkAccount, type EventTypeInput, type GivenHosts, getEventType } from './event-types.ts'

/** Settings of an event type that are not saved; those left out are the saved ones. */
export interface EventTypeDraft {
  readonly id: string
  readonly input: EventTypeInput & GivenHosts
}

/** The event type as it would be with these settings; throws what saving them would. Saves nothing. */
export async function readDraft(
  context: Context,
  principal: Principal,
  { id: eventTypeId, input: { hosts, ...input } }: EventTypeDraft,
): Promise<BookableEventType> {
  const { eventType: saved, hosts: savedHosts } = await getEventType(context.db, principal, eventTypeId)
  const { id, schedulerId } = saved
  // Only those who may change these settings need a preview of them.
  await requireRole(context.db, principal, schedulerId, 'admin')
  const edited: EventType = { ...saved, ...input, ...withLocations(saved, input), id, schedulerId }
  const seats = hosts ?? savedHosts
  await check(context.db, edited, seats)
  await checkAccount(context.db, edited, saved)
  const owner = await findScheduler(context.db, schedulerId)
  if (owner === undefined) throw notFound()
  return context.slots.readDraft(owner, edited, seats)
}
