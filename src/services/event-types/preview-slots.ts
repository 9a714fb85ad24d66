import { checkEventType, type EventType } from '../../domain/event-types/event-type.ts'
import { withLocations } from '../../domain/event-types/location.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { notFound, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import type { ListingQuery } from '../slots/listings.ts'
import { type EventTypeInput, getEventType } from './event-types.ts'

interface EventTypeDraft {
  readonly id: string
  readonly input: EventTypeInput
}

/**
 * What guests would see if the event type had these settings; saves nothing.
 *
 * Its hosts and their hours are the saved ones.
 */
export async function previewSlots(
  context: Context,
  principal: Principal,
  { id: eventTypeId, input }: EventTypeDraft,
  query: ListingQuery,
): Promise<Uint8Array> {
  const { eventType: saved } = await getEventType(context.db, principal, eventTypeId)
  const { scheduleId, id, schedulerId } = saved
  // Only those who may change these settings need a preview of them.
  await requireRole(context.db, principal, schedulerId, 'admin')
  const edited: EventType = {
    ...saved,
    ...input,
    ...withLocations(saved, input),
    scheduleId,
    id,
    schedulerId,
  }
  checkEventType(edited)
  const owner = await findScheduler(context.db, schedulerId)
  if (owner === undefined) throw notFound()
  return context.slots.preview(owner, edited, query)
}
