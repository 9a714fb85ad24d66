import ical, { ICalEventStatus } from 'ical-generator'
import type { Booking } from '../../domain/bookings/booking.ts'
import { type Question, writeAnswer } from '../../domain/event-types/questions.ts'
import { printableLine, printableProse } from '../text/printable.ts'

type BookedGuest = Pick<
  Booking,
  'status' | 'startsAt' | 'endsAt' | 'invitee' | 'location' | 'notes' | 'customFields'
>

/** A meeting as it is shown in its host's own calendar. */
export interface CalendarEvent {
  readonly meetingId: string
  /** Its iCalendar UID. */
  readonly uid: string
  /** One for each guest. */
  readonly bookings: readonly [BookedGuest, ...BookedGuest[]]
  readonly eventTypeName: string
  readonly questions: readonly Question[]
  /** How many seats of how many are taken, in words; empty if the meeting is not seated. */
  readonly seats: string
  /** Grows with every change; calendars keep the highest. */
  readonly sequence: number
  readonly changedAt: number
}

/**
 * These meetings as iCalendar text. The same meetings make the same text.
 *
 * It has no attendees: a CalDAV server would email them, and the guests already
 * have our email.
 */
export function writeCalendarEvents(events: readonly CalendarEvent[], name?: string): string {
  const calendar = ical({
    prodId: { company: 'Punctual', product: 'Punctual' },
    ...(name !== undefined && { name: printableLine(name) }),
  })
  for (const event of events) {
    const [booking] = event.bookings
    const { title, details, location } = calendarEventText(event)
    const isPending = event.bookings.every(({ status }) => status === 'PendingApproval')
    calendar.createEvent({
      id: event.uid,
      sequence: event.sequence,
      stamp: new Date(event.changedAt),
      start: new Date(booking.startsAt),
      end: new Date(booking.endsAt),
      summary: title,
      description: details,
      location,
      status: isPending ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    })
  }
  return calendar.toString()
}

/** What calendars show of a meeting. */
export function calendarEventText(event: CalendarEvent) {
  const [booking] = event.bookings
  return {
    title: printableLine(`${event.eventTypeName}: ${event.seats || booking.invitee.name}`),
    details: printableProse(describe(event)),
    location: printableLine(booking.location.value),
  }
}

/** The guests and their answers. */
function describe({ bookings, questions, seats }: CalendarEvent): string {
  const names = bookings.map(({ invitee }) => printableLine(invitee.name)).join(', ')
  return [seats && `${seats}: ${names}`, ...bookings.map((booking) => describeGuest(booking, questions))]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

function describeGuest({ invitee, notes, customFields }: BookedGuest, questions: readonly Question[]) {
  const answers = questions
    .filter(({ key }) => Object.hasOwn(customFields, key))
    .map(({ key, label }) => `${label}: ${writeAnswer(customFields[key])}`)
  return [[invitee.name, invitee.email, invitee.phone].filter(Boolean).join('\n'), notes, answers.join('\n')]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}
