import { uidOf } from '../../../domain/bookings/booking.ts'
import { writeCalendarEvents } from '../../../format/icalendar/event.ts'
import { saysTheSame, updatedEntry } from '../../../format/icalendar/update.ts'
import type { OpenedCalendar } from '../../kinds/calendar-source.ts'
import type { EventCalendar, WantedEvent, WrittenEvent } from '../../kinds/event-calendar.ts'
import { deleteEvent, findEvent, putEvent, type RemoteEvent, readEvent } from './caldav.ts'

/** An event with its text: what the host has added to it stays. */
interface SeenEvent extends WrittenEvent {
  readonly text: string
}

/** Writes to a calendar on a CalDAV server. The id of an event is its URL. */
export function caldavCalendar(calendar: OpenedCalendar): EventCalendar<SeenEvent> {
  const folder = calendar.url.endsWith('/') ? calendar.url : `${calendar.url}/`
  const urlOf = (meetingId: string) => new URL(`${meetingId}.ics`, folder).href
  const look = async (url: string, uid: string) =>
    // The host's mail program may have stored the invitation at a URL of its own.
    (await readEvent(calendar, url)) ?? (await findEvent(calendar, calendar.url, uid))
  return {
    find: async (id) => seenOf(await readEvent(calendar, id)),
    findByMeeting: async (meetingId, uid) => seenOf(await look(urlOf(meetingId), uid)),
    insert: async (wanted) => {
      const { uid } = wanted.event
      // One that was written elsewhere is at a URL which we may not know, and not every server refuses a second with its UID.
      const isElsewhere = uid !== uidOf(wanted.meetingId) && (await findEvent(calendar, calendar.url, uid))
      if (isElsewhere) return undefined
      const written = { url: urlOf(wanted.meetingId), etag: '', text: textOf(wanted) }
      const outcome = await putEvent(calendar, written.url, written.text, undefined)
      return outcome === 'done' ? seenOf(written) : undefined
    },
    update: async (seen, wanted) => {
      const { id: url, etag, text } = seen
      // An earlier attempt may have written this version, and only its answer was lost.
      if (saysTheSame(text, textOf(wanted), wanted.keepTime)) return seen
      const kept = updatedEntry(text, textOf(wanted), wanted.keepTime)
      return (await putEvent(calendar, url, kept, { url, etag, text })) === 'done' ? seen : undefined
    },
    remove: async (id, meetingId, uid) => {
      const seen = await look(id || urlOf(meetingId), uid)
      return seen === undefined || (await deleteEvent(calendar, seen)) === 'done'
    },
  }
}

const textOf = ({ event }: WantedEvent) => writeCalendarEvents([event])

function seenOf(event: RemoteEvent): SeenEvent
function seenOf(event: RemoteEvent | undefined): SeenEvent | undefined
function seenOf(event: RemoteEvent | undefined): SeenEvent | undefined {
  return (
    event && {
      id: event.url,
      etag: event.etag,
      text: event.text,
      isCancelled: false,
      link: '',
      isLinkPending: false,
    }
  )
}
