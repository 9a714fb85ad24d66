import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { printableLine, printableProse } from '../printable.ts'

/** An iCalendar text, and the method it has inside; a mail's MIME type must name the same. */
export interface Invitation {
  readonly method: 'REQUEST' | 'CANCEL'
  readonly ics: string
}

/** A meeting as calendars know it. */
export interface InvitedMeeting {
  /** Constant through the life of a meeting: by it a calendar finds what to move or remove. */
  readonly uid: string
  /** Grows with every change; a calendar keeps the highest. */
  readonly sequence: number
  readonly at: number
  readonly startsAt: number
  readonly endsAt: number
  readonly summary: string
  readonly description: string
  /** Empty: nowhere in particular. */
  readonly location: string
  readonly url: string
  readonly organizer: Person
  readonly attendees: readonly Person[]
}

interface Person {
  readonly name: string
  readonly email: string
}

/** Times are in UTC: no calendar has to be told what a zone is. */
export function writeInvitation(method: Invitation['method'], meeting: InvitedMeeting): Invitation {
  const calendar = ical({
    prodId: { company: 'Punctual', product: 'Punctual' },
    method: ICalCalendarMethod[method],
  })
  calendar.createEvent({
    id: meeting.uid,
    sequence: meeting.sequence,
    stamp: new Date(meeting.at),
    start: new Date(meeting.startsAt),
    end: new Date(meeting.endsAt),
    summary: printableLine(meeting.summary),
    description: printableProse(meeting.description),
    location: printableLine(meeting.location),
    url: meeting.url,
    organizer: { name: nameOf(meeting.organizer), email: meeting.organizer.email },
    // They chose the time themselves, so nobody is asked for an answer.
    attendees: meeting.attendees.map((person) => ({
      name: nameOf(person),
      email: person.email,
      role: ICalAttendeeRole.REQ,
      status: ICalAttendeeStatus.ACCEPTED,
      rsvp: false,
    })),
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })
  return { method, ics: calendar.toString() }
}

/** Calendars differ in how they read quotation marks and backslashes inside a parameter. */
const nameOf = ({ name, email }: Person) =>
  printableLine(name).replaceAll('"', '’').replaceAll('\\', '/') || email
