import { uidOf } from '../../domain/bookings/booking.ts'
import { updatedEntry } from '../../format/icalendar/update.ts'
import { deleteEvent, findEvent, putEvent, type RemoteEvent, readEvent } from '../../outside/caldav.ts'
import type { CalendarServer } from '../../outside/calendar-server.ts'
import { findAnyCalendar, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { deleteCalendarEvent, findHref, updateHref } from '../../store/calendars/events.ts'
import type { Context } from '../context.ts'
import { serverOf } from './server.ts'

/** A booking's event in a connected calendar. */
export interface WrittenEvent {
  readonly server: CalendarServer
  readonly calendar: StoredCalendar
  readonly bookingId: string
  /** The event's URL, now or once it is written. */
  readonly url: string
}

/** Undefined if there is nothing to do: the calendar was disconnected, or the event already removed. */
export async function findWrittenEvent(
  context: Context,
  calendarId: string,
  bookingId: string,
): Promise<WrittenEvent | undefined> {
  const calendar = await findAnyCalendar(context.db, calendarId)
  if (calendar === undefined) return undefined
  const known = await findHref(context.db, calendarId, bookingId)
  // Deleted when the event was removed.
  if (known === undefined) return undefined
  const folder = calendar.url.endsWith('/') ? calendar.url : `${calendar.url}/`
  const url = known === '' ? new URL(`${bookingId}.ics`, folder).href : known
  return { server: serverOf(context, calendar), calendar, bookingId, url }
}

/** If someone else keeps changing the event, give up and let the job retry later. */
const MAX_CONFLICTS = 5

/** Writes `text` as the event, unless the calendar has a newer version. What the host has added to it stays. */
export async function writeEvent(
  context: Context,
  event: WrittenEvent,
  text: string,
  sequence: number,
): Promise<void> {
  const { server, calendar, bookingId } = event
  const remember = (url: string) => updateHref(context.db, calendar.id, bookingId, url)
  let url = event.url
  let seen: RemoteEvent | undefined
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    // An earlier attempt may have written this version, and only its answer was lost.
    if (seen !== undefined && isDone(seen.text, text, sequence)) return remember(url)
    const kept = seen === undefined ? text : updatedEntry(seen.text, text)
    const outcome = await putEvent(server, url, kept, seen)
    if (outcome === 'done') return remember(url)
    if (outcome === 'elsewhere') {
      // The host's mail program may have stored the invitation at a URL of its own.
      seen = await findEvent(server, calendar.url, uidOf(bookingId))
      url = seen?.url ?? url
    } else {
      seen = await readEvent(server, url)
    }
  }
  throw new Error('The event is being changed by someone else.')
}

/** Removes the event from the calendar. It may already be gone there. */
export async function removeEvent(context: Context, event: WrittenEvent): Promise<void> {
  const { server, calendar, bookingId } = event
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    const seen =
      (await readEvent(server, event.url)) ?? (await findEvent(server, calendar.url, uidOf(bookingId)))
    if (seen === undefined || (await deleteEvent(server, seen)) === 'done') {
      return deleteCalendarEvent(context.db, calendar.id, bookingId)
    }
  }
  throw new Error('The event is being changed by someone else.')
}

const START = /^DTSTART[^:\r\n]*:(\S+)/m
const SEQUENCE = /^SEQUENCE:(\d+)/m

/** Whether the calendar has a later version, or this one at the same time. */
function isDone(present: string, wanted: string, sequence: number): boolean {
  const there = Number(SEQUENCE.exec(present)?.[1] ?? -1)
  if (there !== sequence) return there > sequence
  return START.exec(present)?.[1] === START.exec(wanted)?.[1]
}
