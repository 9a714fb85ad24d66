import type { MeetingHost } from '../../../domain/bookings/change.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import type { EventType } from '../../../domain/event-types/event-type.ts'
import { findEventTypeNames } from '../../../store/event-types/event-types.ts'
import { findHostsById } from '../../../store/people/schedulers.ts'
import type { Context } from '../../context.ts'

/** A booking with what it is called and who hosts it. */
export interface DescribedBooking extends ListedBooking {
  readonly eventType: Pick<EventType, 'id' | 'slug' | 'name'>
  readonly host: Pick<MeetingHost, 'id' | 'slug' | 'name' | 'email' | 'timeZone'>
}

/** Adds to each booking its event type and its main host, in two reads for all of them. */
export async function describeBookings(
  { db }: Context,
  found: readonly ListedBooking[],
): Promise<DescribedBooking[]> {
  const [eventTypes, hosts] = await Promise.all([
    findEventTypeNames(db, [...new Set(found.map(({ booking }) => booking.eventTypeId))]),
    findHostsById(db, [...new Set(found.map(({ hostId }) => hostId))]),
  ])
  return found.map((listed) => {
    const { eventTypeId } = listed.booking
    return {
      ...listed,
      eventType: eventTypes.get(eventTypeId) ?? { id: eventTypeId, slug: '', name: '' },
      host: hosts.get(listed.hostId) ?? { id: listed.hostId, slug: '', name: '', email: '', timeZone: 'UTC' },
    }
  })
}
