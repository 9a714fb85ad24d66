import type { BookingChange } from '../src/domain/bookings/change.ts'
import type { EventType } from '../src/domain/event-types/event-type.ts'
import type { Scheduler } from '../src/domain/people/scheduler.ts'
import { newId } from '../src/store/new-id.ts'
import { MONDAY_NOON } from './kit.ts'

/** A `created` change of a booking of this event type; a test overrides the fields it is about. */
export function changeOf(
  scheduler: Scheduler,
  eventType: EventType,
  given: Partial<BookingChange> = {},
): BookingChange {
  const bookingId = given.bookingId ?? newId()
  const times = {
    startsAt: given.startsAt ?? MONDAY_NOON + 24 * 3_600_000,
    endsAt: given.endsAt ?? MONDAY_NOON + 24 * 3_600_000 + eventType.durationMinutes * 60_000,
  }
  const status = given.status ?? 'Confirmed'
  return {
    ...times,
    id: newId(),
    type: 'created',
    bookingId,
    by: 'guest',
    reason: '',
    status,
    previousStartsAt: null,
    sequence: 0,
    at: MONDAY_NOON,
    eventType,
    scheduler: { ...scheduler, ...scheduler.branding },
    hosts: [
      {
        id: scheduler.id,
        slug: scheduler.slug,
        name: scheduler.name,
        email: `${scheduler.slug}@hosts.example`,
        timeZone: scheduler.timeZone,
        locale: scheduler.locale,
      },
    ],
    booking: {
      ...times,
      id: bookingId,
      eventTypeId: eventType.id,
      meetingId: bookingId,
      status,
      invitee: {
        name: 'Grace Guest',
        email: 'grace@guests.example',
        phone: '+49 30 1234567',
        timeZone: 'Europe/Berlin',
        locale: 'de',
      },
      guests: [],
      location: eventType.location,
      notes: 'Bring the plans.',
      customFields: { topic: 'Plans' },
      source: 'API',
      utm: {},
      createdAt: MONDAY_NOON,
      sequence: 0,
      reason: '',
    },
    ...given,
  }
}
