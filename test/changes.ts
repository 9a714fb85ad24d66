import type { Booking } from '../src/domain/bookings/booking.ts'
import type { BookingChange, MeetingHost } from '../src/domain/bookings/change.ts'
import type { MailLinks } from '../src/services/mail/reader.ts'
import { newId } from '../src/store/new-id.ts'
import { MONDAY_NOON, plainEventType } from './kit.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

export const sampleLinks: MailLinks = {
  site: 'https://book.example.com',
  manage: 'https://book.example.com/booking/123?token=abc-_',
  calendarEntry: 'https://book.example.com/booking/123?token=def-_',
  dashboard: 'https://book.example.com/app/bookings/123',
  bookAgain: 'https://book.example.com/ada/intro',
}

export const sampleHost = (given: Partial<MeetingHost> = {}): MeetingHost => ({
  id: newId(),
  slug: 'ada',
  name: 'Ada Host',
  email: 'ada@hosts.example',
  timeZone: 'America/New_York',
  locale: 'en',
  ...given,
})

type Given = Partial<Omit<BookingChange, 'booking' | 'scheduler'>> & {
  readonly booking?: Partial<Booking>
  readonly scheduler?: Partial<BookingChange['scheduler']>
}

/** A booking that has just been made, unless a test says otherwise. */
export function sampleChange(given: Given = {}): BookingChange {
  const bookingId = given.bookingId ?? newId()
  const startsAt = given.startsAt ?? MONDAY_NOON + DAY
  const endsAt = given.endsAt ?? startsAt + 30 * MINUTE
  const status = given.status ?? 'Confirmed'
  const eventType = given.eventType ?? plainEventType({ name: 'Intro call', slug: 'intro' })
  const booking = {
    id: bookingId,
    eventTypeId: eventType.id,
    meetingId: bookingId,
    status,
    startsAt,
    endsAt,
    guests: [],
    location: eventType.location,
    notes: '',
    customFields: {},
    source: 'BookingPage' as const,
    utm: {},
    createdAt: MONDAY_NOON,
    sequence: given.sequence ?? 0,
    reason: given.reason ?? '',
    ...given.booking,
    invitee: {
      name: 'Grace Guest',
      email: 'grace@guests.example',
      phone: '',
      timeZone: 'Europe/Berlin',
      locale: 'en',
      ...given.booking?.invitee,
    },
  }
  return {
    id: newId(),
    type: 'created',
    by: 'guest',
    reason: '',
    previousStartsAt: null,
    sequence: 0,
    at: MONDAY_NOON,
    hosts: [sampleHost()],
    ...given,
    bookingId,
    startsAt,
    endsAt,
    status,
    eventType,
    booking,
    scheduler: {
      id: newId(),
      kind: 'user',
      slug: 'ada',
      name: 'Ada Host',
      timeZone: 'America/New_York',
      locale: 'en',
      primaryColor: '#2563eb',
      logoUrl: '',
      avatarUrl: '',
      ...given.scheduler,
    },
  }
}

/** One change for each kind of mail, with the words that a change of this kind brings. */
export const everyKind = (given: Given = {}): Record<string, BookingChange> => {
  const before = MONDAY_NOON + 2 * DAY
  const moved = { type: 'rescheduled', previousStartsAt: before, sequence: 1 } as const
  return {
    confirmed: sampleChange(given),
    requested: sampleChange({ status: 'PendingApproval', ...given }),
    approved: sampleChange({ type: 'approved', by: 'host', sequence: 1, ...given }),
    linkAdded: sampleChange({ type: 'updated', by: 'service', sequence: 1, ...given }),
    declined: sampleChange({
      type: 'declined',
      by: 'host',
      status: 'Declined',
      reason: 'I am away.',
      ...given,
    }),
    expired: sampleChange({ type: 'declined', by: 'service', status: 'Declined', ...given }),
    cancelledByGuest: sampleChange({ type: 'cancelled', status: 'Cancelled', reason: 'Ill.', ...given }),
    cancelledByHost: sampleChange({ type: 'cancelled', by: 'host', status: 'Cancelled', ...given }),
    cancelledByService: sampleChange({ type: 'cancelled', by: 'service', status: 'Cancelled', ...given }),
    movedByGuest: sampleChange({ ...moved, ...given }),
    movedByHost: sampleChange({ ...moved, by: 'host', ...given }),
    moveRequested: sampleChange({ ...moved, status: 'PendingApproval', ...given }),
    reassigned: sampleChange({ type: 'reassigned', by: 'host', sequence: 1, ...given }),
    requestReassigned: sampleChange({
      type: 'reassigned',
      by: 'host',
      status: 'PendingApproval',
      sequence: 1,
      ...given,
    }),
  }
}
