import { shownLocation, uidOf } from '../../domain/bookings/booking.ts'
import type { BookedMeeting } from '../../domain/bookings/change.ts'
import type { CalendarEntry } from '../../format/calendar-links.ts'
import type { InvitedMeeting } from '../../format/icalendar/invitation.ts'
import { printableLine, shortened } from '../../format/printable.ts'
import { type MailLinks, type MailReader, namesIn, readersLanguage } from './reader.ts'
import type { MailTexts } from './texts/texts.ts'

/** A meeting as a calendar shows it: the same title for everyone, and a link to the reader's own page. */
export function calendarEntry(meeting: BookedMeeting, reader: MailReader, links: MailLinks): CalendarEntry {
  const { texts, tag } = readersLanguage(meeting, reader)
  const { event, host, guest } = namesIn(meeting, reader, tag)
  const [label, page] =
    reader.role === 'guest'
      ? [texts.button.manage, links.calendarEntry]
      : [texts.button.open, links.dashboard]
  return {
    title: `${event}: ${guest} & ${host}`,
    startsAt: meeting.booking.startsAt,
    endsAt: meeting.booking.endsAt,
    details: `${label}: ${page}`,
    location: locationOf(meeting, texts),
  }
}

/** The event that is emailed and downloaded; undefined if the meeting has no host left. */
export function calendarEvent(
  meeting: BookedMeeting,
  reader: MailReader,
  links: MailLinks,
  at: number,
): InvitedMeeting | undefined {
  const [organizer, ...otherHosts] = meeting.hosts
  if (organizer === undefined) return undefined
  const { title, startsAt, endsAt, details, location } = calendarEntry(meeting, reader, links)
  return {
    uid: uidOf(meeting.booking.id),
    sequence: meeting.booking.sequence,
    at,
    startsAt,
    endsAt,
    summary: title,
    description: details,
    location,
    url: reader.role === 'guest' ? links.calendarEntry : links.dashboard,
    organizer,
    attendees: [meeting.booking.invitee, ...otherHosts],
  }
}

function locationOf({ booking }: BookedMeeting, texts: MailTexts): string {
  const { type, value } = shownLocation(booking)
  return shortened(printableLine(value), 500) || texts.place[type]
}
