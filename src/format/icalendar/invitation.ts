import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
} from 'ical-generator'
import { printableLine, printableProse } from '../text/printable.ts'

/** An iCalendar text and its method, which the mail's MIME type must repeat. */
export interface Invitation {
  readonly method: 'REQUEST' | 'CANCEL'
  readonly ics: string
}

/** A meeting as calendars know it. */
export interface InvitedMeeting {
  /** Never changes: calendars use it to find the event to move or remove. */
  readonly uid: string
  /** Grows with every change; calendars keep the highest. */
  readonly sequence: number
  /** When this version was made. */
  readonly at: number
  readonly startsAt: number
  readonly endsAt: number
  readonly summary: string
  readonly description: string
  /** May be empty. */
  readonly location: string
  /** May be empty. */
  readonly url: string
  readonly organizer: Person
  readonly attendees: readonly Person[]
}

interface Person {
  readonly name: string
  readonly email: string
  /** Did not choose the time: their calendar asks whether they come. */
  readonly isAsked?: boolean
}

/** The part of a mail that adds, moves or removes the meeting in the reader's calendar. */
export function writeInvitation(method: Invitation['method'], meeting: InvitedMeeting): Invitation {
  const status = method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'
  return { method, ics: writeMeeting(meeting, status, method) }
}

/**
 * The same event as a file to download.
 *
 * It has no METHOD, like an event that a calendar stores: PUBLISH forbids attendees (RFC 5546, 3.2.1), and
 * REQUEST would make Outlook ask for an answer. The UID and SEQUENCE let later emails update and cancel it.
 */
export function writeCalendarFile(meeting: InvitedMeeting, status: 'CONFIRMED' | 'CANCELLED'): string {
  return writeMeeting(meeting, status)
}

/** Times are in UTC, so that no calendar needs our definition of a time zone. */
function writeMeeting(
  meeting: InvitedMeeting,
  status: 'CONFIRMED' | 'CANCELLED',
  method?: Invitation['method'],
): string {
  const calendar = ical({
    prodId: { company: 'Punctual', product: 'Punctual' },
    ...(method && { method: ICalCalendarMethod[method] }),
  })
  calendar.createEvent(eventData(meeting, status))
  // RFC 5545 ends every line with CRLF; the library leaves the last one out.
  return `${calendar.toString()}\r\n`
}

/** An event as the library takes it. */
export function eventData(meeting: InvitedMeeting, status: 'CONFIRMED' | 'CANCELLED'): ICalEventData {
  return {
    id: meeting.uid,
    sequence: meeting.sequence,
    stamp: new Date(meeting.at),
    start: new Date(meeting.startsAt),
    end: new Date(meeting.endsAt),
    summary: printableLine(meeting.summary),
    description: printableProse(meeting.description),
    location: printableLine(meeting.location),
    ...(meeting.url !== '' && { url: meeting.url }),
    organizer: { name: nameOf(meeting.organizer), email: inUri(meeting.organizer.email) },
    // Most of them chose the time, so calendars need not ask whether they accept.
    attendees: meeting.attendees.map((person) => ({
      name: nameOf(person),
      email: inUri(person.email),
      role: ICalAttendeeRole.REQ,
      status: person.isAsked ? ICalAttendeeStatus.NEEDSACTION : ICalAttendeeStatus.ACCEPTED,
      rsvp: person.isAsked === true,
    })),
    status: ICalEventStatus[status],
  }
}

/** Calendars differ in how they read quotation marks and backslashes inside a parameter. */
/** As a `mailto:` URI needs it (RFC 6068). What may stand there stays, since calendars compare the text. */
const inUri = (email: string) => email.toWellFormed().replace(/[^\w\-.~!$'()*+,;:@]/gu, encodeURIComponent)

const nameOf = ({ name, email }: Person) =>
  printableLine(name).replaceAll('"', '’').replaceAll('\\', '/') || email
