import { uidOf } from '../../domain/bookings/booking.ts'
import { deleteEvent, findEvent, putEvent, type RemoteEvent, readEvent } from '../../outside/caldav.ts'
import type { CalendarServer } from '../../outside/calendar-server.ts'
import { findAnyCalendar, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { deleteCalendarEvent, findHref, updateHref } from '../../store/calendars/events.ts'
import type { Context } from '../context.ts'
import { serverOf } from './server.ts'

/** One booking's place in one connected calendar. */
export interface EventPlace {
  readonly server: CalendarServer
  readonly calendar: StoredCalendar
  readonly bookingId: string
  /** Where it is, or is to be. */
  readonly url: string
}

/** Undefined when there is nothing to do any more: the calendar is no longer connected. */
export async function findEventPlace(
  context: Context,
  calendarId: string,
  bookingId: string,
): Promise<EventPlace | undefined> {
  const calendar = await findAnyCalendar(context.db, calendarId)
  if (calendar === undefined) return undefined
  const known = await findHref(context.db, calendarId, bookingId)
  // Gone from here when the booking was removed again.
  if (known === undefined) return undefined
  const folder = calendar.url.endsWith('/') ? calendar.url : `${calendar.url}/`
  const url = known === '' ? new URL(`${bookingId}.ics`, folder).href : known
  return { server: serverOf(context, calendar), calendar, bookingId, url }
}

/** Someone else keeps changing the event; a later try will find it at rest. */
const MAX_CONFLICTS = 5

/** Makes `text` the event there, unless a newer version of it is there already. */
export async function writeEvent(
  context: Context,
  place: EventPlace,
  text: string,
  sequence: number,
): Promise<void> {
  const { server, calendar, bookingId } = place
  const remember = (url: string) => updateHref(context.db, calendar.id, bookingId, url)
  let url = place.url
  let seen: RemoteEvent | undefined
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    // What is there is this version already, when the answer to an earlier try was lost.
    if (seen !== undefined && isDone(seen.text, text, sequence)) return remember(url)
    const outcome = await putEvent(server, url, text, seen)
    if (outcome === 'done') return remember(url)
    if (outcome === 'elsewhere') {
      // An invitation that the host has accepted may have put it under an address of its own.
      seen = await findEvent(server, calendar.url, uidOf(bookingId))
      url = seen?.url ?? url
    } else {
      seen = await readEvent(server, url)
    }
  }
  throw new Error('The event is being changed by someone else.')
}

/** Takes the event out of the calendar. It may have been deleted there before. */
export async function removeEvent(context: Context, place: EventPlace): Promise<void> {
  const { server, calendar, bookingId } = place
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    const seen =
      (await readEvent(server, place.url)) ?? (await findEvent(server, calendar.url, uidOf(bookingId)))
    if (seen === undefined || (await deleteEvent(server, seen)) === 'done') {
      return deleteCalendarEvent(context.db, calendar.id, bookingId)
    }
  }
  throw new Error('The event is being changed by someone else.')
}

const START = /^DTSTART[^:\r\n]*:(\S+)/m
const SEQUENCE = /^SEQUENCE:(\d+)/m

/** Is what is there of a later version, or of this one and at the same time? */
function isDone(present: string, wanted: string, sequence: number): boolean {
  const there = Number(SEQUENCE.exec(present)?.[1] ?? -1)
  if (there !== sequence) return there > sequence
  return START.exec(present)?.[1] === START.exec(wanted)?.[1]
}
