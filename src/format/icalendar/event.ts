import ical, { ICalEventStatus } from 'ical-generator'
import { type Booking, uidOf } from '../../domain/bookings/booking.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import { printableLine, printableProse } from '../printable.ts'

/** A booking as it is shown in its host's own calendar. */
export interface CalendarEvent {
  readonly booking: Pick<
    Booking,
    'id' | 'status' | 'startsAt' | 'endsAt' | 'invitee' | 'location' | 'notes' | 'customFields'
  >
  readonly eventTypeName: string
  readonly questions: readonly Question[]
  /** Grows with every change; calendars keep the highest. */
  readonly sequence: number
  readonly changedAt: number
}

/**
 * These bookings as iCalendar text. The same bookings make the same text.
 *
 * It has no attendees: a CalDAV server would email them, and the guest already
 * has our email.
 */
export function writeCalendarEvents(events: readonly CalendarEvent[], name?: string): string {
  const calendar = ical({
    prodId: { company: 'Punctual', product: 'Punctual' },
    ...(name !== undefined && { name: printableLine(name) }),
  })
  for (const event of events) {
    const { booking } = event
    calendar.createEvent({
      id: uidOf(booking.id),
      sequence: event.sequence,
      stamp: new Date(event.changedAt),
      start: new Date(booking.startsAt),
      end: new Date(booking.endsAt),
      summary: printableLine(`${event.eventTypeName}: ${booking.invitee.name}`),
      description: printableProse(describe(event)),
      location: printableLine(booking.location.value),
      status: booking.status === 'PendingApproval' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    })
  }
  return calendar.toString()
}

/** The guest and their answers. */
function describe({ booking, questions }: CalendarEvent): string {
  const { invitee, notes, customFields } = booking
  const answers = questions
    .filter(({ key }) => Object.hasOwn(customFields, key))
    .map(({ key, label }) => `${label}: ${spell(customFields[key])}`)
  return [[invitee.name, invitee.email, invitee.phone].filter(Boolean).join('\n'), notes, answers.join('\n')]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

const spell = (answer: unknown) => (typeof answer === 'string' ? answer : JSON.stringify(answer))
