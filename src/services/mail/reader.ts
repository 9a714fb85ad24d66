import { type Booking, shownLocation } from '../../domain/bookings/booking.ts'
import type { BookedMeeting, MeetingHost } from '../../domain/bookings/change.ts'
import { isCalledAt, type Location } from '../../domain/event-types/location.ts'
import { printableLine, shortened, unlinked } from '../../format/text/printable.ts'
import type { MailTexts } from '../../texts/catalogue.ts'
import { languageOf, type MailLanguage } from './languages.ts'

/** Who a mail is for. */
export type MailReader =
  | { readonly role: 'guest' }
  | {
      /** Someone whom the guest brings. They can't change the booking. */
      readonly role: 'addedGuest'
      readonly email: string
      /** Their place in the booking's list. */
      readonly index: number
    }
  | {
      readonly role: 'host'
      readonly host: MeetingHost
      /** How many more guests a seated meeting has, when the mail covers all of them. */
      readonly otherGuests?: number
      readonly entry?: SeatedEntry
      /** We write to their calendar ourselves: with an invitation, the meeting would be in it twice. */
      readonly hasEvent?: boolean
    }
  | {
      /** A former host hosted the meeting until it was rescheduled or reassigned; a staying one hosts the meeting that a guest left. */
      readonly role: 'formerHost' | 'stayingHost'
      readonly host: MeetingHost
      readonly entry?: SeatedEntry
      /** We write to their calendar ourselves: with an invitation, the meeting would be in it twice. */
      readonly hasEvent?: boolean
    }

export type HostReader = Extract<MailReader, { readonly host: MeetingHost }>

export const isHost = (reader: MailReader): reader is HostReader => 'host' in reader

/** A host's calendar entry of a seated meeting, which all its guests share. */
export interface SeatedEntry {
  readonly meetingId: string
  readonly sequence: number
  /** Its iCalendar UID, if that was made elsewhere. */
  readonly uid?: string
  /** Undefined if the meeting is gone, or this host no longer hosts it. */
  readonly attended: AttendedMeeting | undefined
}

/** A seated meeting and the guests who attend it. */
export interface AttendedMeeting {
  readonly startsAt: number
  readonly endsAt: number
  readonly seats: number
  readonly guests: readonly string[]
}

/** Links in emails and calendars open pages only: opening one changes nothing. */
export interface MailLinks {
  /** The address of this service, without a slash at its end. */
  readonly site: string
  /** The guest's own page of the booking. */
  readonly manage: string
  /** The same page in calendar entries, which the guest may also download. */
  readonly calendarEntry: string
  /** The host's. */
  readonly dashboard: string
  /** Where a guest can choose another time. */
  readonly bookAgain: string
}

/** The location as this reader sees it: the number of a guest who is called is not for those whom they bring. */
export function locationFor(booking: Booking, { role }: MailReader): Location {
  const location = shownLocation(booking)
  const isHidden = role === 'addedGuest' && isCalled(booking)
  return isHidden ? { ...location, value: '' } : location
}

/** What stands for the link of a video call that its host still has to add. */
export const awaitedPlace = (reader: MailReader, texts: MailTexts): string =>
  isHost(reader) ? texts.addLink : texts.linkFollows

/** Whether the host calls the guest. */
export const isCalled = ({ location, invitee }: Booking): boolean => isCalledAt(location, invitee.phone)

const LONGEST_NAME = 60

/** The guest's own language, or that of the page where they booked. Its owner says how German addresses them. */
export function readersLanguage(
  { booking, scheduler }: Pick<BookedMeeting, 'booking' | 'scheduler'>,
  reader: MailReader,
): MailLanguage {
  if (isHost(reader)) return languageOf(reader.host.locale, reader.host.germanAddress)
  return languageOf(booking.invitee.locale || scheduler.locale, scheduler.germanAddress)
}

/** Short enough for a subject, and safe in a header. */
export const shortName = (text: string) => shortened(printableLine(text), LONGEST_NAME)

/** The names for the placeholders in a mail's texts. */
export function namesIn(
  { booking, eventType, scheduler, hosts }: BookedMeeting,
  reader: MailReader,
  tag: string,
) {
  const others = otherGuests(reader)
  const name = shortName(booking.invitee.name)
  // Anyone can book in another person's name, and give an address as that name.
  const guest = isHost(reader) ? name : unlinked(name)
  const hostNames = hosts.map(({ name }) => shortName(name)).filter((name) => name !== '')
  return {
    event: shortName(eventType.name),
    guest: others > 0 ? `${guest} +${others}` : guest,
    host: shortName(listOf(hostNames, tag)) || shortName(scheduler.name),
    scheduler: shortName(scheduler.name),
  }
}

/** Most meetings have one host, and making a formatter takes longer than the rest of the names. */
function listOf(names: readonly string[], tag: string): string {
  return names.length > 1 ? new Intl.ListFormat(tag).format(names) : (names[0] ?? '')
}

export const otherGuests = (reader: MailReader) => (reader.role === 'host' && reader.otherGuests) || 0
