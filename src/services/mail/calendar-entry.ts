import { awaitsLink, type Booking, bookingUid, uidOf } from '../../domain/bookings/booking.ts'
import type { BookedMeeting, BookingChange, SeriesBooking } from '../../domain/bookings/change.ts'
import { isErased } from '../../domain/bookings/erased.ts'
import type { Zones } from '../../domain/zone.ts'
import type { CalendarEntry } from '../../format/calendar-links.ts'
import type { InvitedMeeting } from '../../format/icalendar/invitation.ts'
import type { InvitedSeries } from '../../format/icalendar/series.ts'
import { seatsText } from '../../format/seats.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'
import type { MailTexts } from '../../texts/catalogue.ts'
import { textOfRow } from '../mail-layout.ts'
import { type FactRow, factRows } from './fact-rows.ts'
import {
  type AttendedMeeting,
  type HostReader,
  isCalled,
  isHost,
  locationFor,
  type MailLinks,
  type MailReader,
  namesIn,
  readersLanguage,
  type SeatedEntry,
  shortName,
} from './reader.ts'

const IN_CALENDARS: ReadonlySet<Booking['status']> = new Set(['Confirmed', 'Completed', 'NoShow'])

/** A meeting as a calendar shows it: the same title for everyone, and a link to the reader's own page. */
export function calendarEntry(meeting: BookedMeeting, reader: MailReader, links: MailLinks): CalendarEntry {
  const { texts, tag } = readersLanguage(meeting, reader)
  const { event, host, guest } = namesIn(meeting, reader, tag)
  const [label, page] = isHost(reader)
    ? [texts.button.open, links.dashboard]
    : [texts.button.manage, links.calendarEntry]
  return {
    title: `${event}: ${guest} & ${host}`,
    startsAt: meeting.booking.startsAt,
    endsAt: meeting.booking.endsAt,
    // With the guest's page, those whom they bring could cancel the meeting.
    details: reader.role === 'addedGuest' ? '' : `${label}: ${page}`,
    location: locationOf(meeting, texts, reader),
    series: datesOf(meeting),
  }
}

function datesOf({ booking: { series: place }, series = [] }: BookedMeeting): CalendarEntry['series'] {
  if (place === undefined) return undefined
  const starts = series.filter(({ status }) => IN_CALENDARS.has(status)).map(({ startsAt }) => startsAt)
  return { every: place.every, timeZone: place.timeZone, starts }
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
    uid: bookingUid(meeting.booking),
    sequence: meeting.booking.sequence,
    at,
    startsAt,
    endsAt,
    summary: title,
    description: reader.role === 'guest' ? `${factsOf(meeting, links, at)}\n\n${details}` : details,
    location,
    url: reader.role === 'addedGuest' ? '' : isHost(reader) ? links.dashboard : links.calendarEntry,
    organizer,
    attendees: [
      ...(isErased(meeting.booking) ? [] : [meeting.booking.invitee]),
      ...meeting.booking.guests.map((email) => ({ name: email, email, isAsked: true })),
      ...otherHosts,
    ],
  }
}

/** What differs between the meetings of a series, which are one event. */
const OF_ONE_MEETING: ReadonlySet<FactRow['fact']> = new Set(['when', 'where', 'cancellation'])

/** What the guest's page and email say, as lines. */
function factsOf(meeting: BookedMeeting, { site }: MailLinks, now: number): string {
  const isSeries = meeting.booking.series !== undefined
  return factRows(meeting, readersLanguage(meeting, { role: 'guest' }), site, now)
    .filter(({ fact }) => !(isSeries && OF_ONE_MEETING.has(fact)))
    .map(textOfRow)
    .join('\n')
}

/**
 * The one event that a host has for a seated meeting, with its guests counted and listed.
 *
 * Guests are no attendees of it: a calendar that writes to attendees would show them each other's addresses.
 */
export function seatedEvent(
  change: BookingChange,
  reader: HostReader & { readonly entry: SeatedEntry },
  { startsAt, endsAt, seats, guests }: AttendedMeeting,
  links: MailLinks,
): InvitedMeeting {
  const { host, role } = reader
  const { texts, tag } = readersLanguage(change, reader)
  const { event } = namesIn(change, reader, tag)
  const taken = seatsText(guests.length, seats, host.locale)
  const names = guests.map(shortName).join(', ')
  const open = `${texts.button.open}: ${links.dashboard}`
  return {
    uid: reader.entry.uid ?? uidOf(reader.entry.meetingId),
    sequence: reader.entry.sequence,
    at: change.at,
    startsAt,
    endsAt,
    summary: guests.length === 0 ? event : `${event}: ${taken}`,
    description: guests.length === 0 ? open : `${taken}: ${names}\n\n${open}`,
    location: locationOf({ ...change, booking: { ...change.booking, status: 'Confirmed' } }, texts, reader),
    url: links.dashboard,
    organizer: host,
    attendees: [host, ...(role === 'formerHost' ? [] : change.hosts.filter(({ id }) => id !== host.id))],
  }
}

/**
 * A meeting of a series as calendars know it: the whole series is one event.
 *
 * Its `SEQUENCE` counts the changes to all its meetings, since calendars ignore a change that is not above the last.
 */
export function seriesEvent(
  event: InvitedMeeting,
  { booking, series = [], hosts }: BookedMeeting,
  zones: Zones,
  reader: MailReader,
): { readonly event: InvitedMeeting; readonly series: InvitedSeries; readonly index: number } | undefined {
  const place = booking.series
  if (place === undefined || series.length === 0) return undefined
  // Elsewhere, each meeting may have been an event of its own: then it stays one.
  if (series.some(({ uid }) => uid !== booking.uid)) return undefined
  // A host who handed meetings over has only the others. Those who attend beside the main host have all.
  const takesPart = isHost(reader) && (reader.role === 'formerHost' || reader.host.id === hosts[0]?.id)
  const isTheirs = ({ hostId }: SeriesBooking) =>
    !takesPart || hostId === undefined || hostId === reader.host.id
  const meetings = Array.from({ length: place.count }, (_, index) => {
    const one = series.find((other) => other.series?.index === index)
    return one && IN_CALENDARS.has(one.status) && isTheirs(one)
      ? { startsAt: one.startsAt, endsAt: one.endsAt }
      : undefined
  })
  return {
    event: {
      ...event,
      uid: booking.uid ?? uidOf(place.id),
      sequence: series.reduce((sum, { sequence }) => sum + sequence, 0),
      // Each meeting has a link of its own, and one event can show one.
      ...(booking.location.provider && { location: '' }),
    },
    series: {
      every: place.every,
      firstAt: place.firstAt,
      length: booking.endsAt - booking.startsAt,
      zone: zones.get(place.timeZone),
      meetings,
    },
    index: place.index,
  }
}

function locationOf({ booking }: BookedMeeting, texts: MailTexts, reader: MailReader): string {
  const { type, value } = locationFor(booking, reader)
  const place = shortened(printableLine(value), 500)
  // A guest must not take their own number for the one to call.
  if (isCalled(booking) && reader.role === 'guest') return `${texts.hostCalls} (${place})`
  return place || (awaitsLink(booking) && !isHost(reader) ? texts.linkFollows : texts.place[type])
}
