import { uidOf } from '../../domain/bookings/booking.ts'
import type { Interval } from '../../domain/interval.ts'
import { saysTheSame, updatedEntry } from '../../format/icalendar/update.ts'
import { deleteEvent, findEvent, putEvent, type RemoteEvent, readEvent } from '../../outside/caldav.ts'
import type { CalendarServer } from '../../outside/calendar-server.ts'
import { findAnyCalendar, refreshSoon, type StoredCalendar } from '../../store/calendars/calendars.ts'
import {
  countWriting,
  deleteEntry,
  type EntryKey,
  findEntry,
  type KnownEntry,
  updateWritten,
} from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'
import { serverOf } from './server.ts'

/** A meeting's entry in a connected calendar. */
export interface WrittenEntry extends EntryKey {
  readonly server: CalendarServer
  readonly calendar: StoredCalendar
  readonly known: KnownEntry
  /** The entry's URL, now or once it is written. */
  readonly url: string
}

/** What an entry should say. */
export interface WantedEntry extends Interval {
  readonly text: string
}

/** Undefined if there is nothing to do: the calendar was disconnected, or the entry already removed. */
export async function findWrittenEntry(context: Context, key: EntryKey): Promise<WrittenEntry | undefined> {
  const calendar = await findAnyCalendar(context.db, key.calendarId)
  if (calendar === undefined) return undefined
  const known = await findEntry(context.db, key)
  // Deleted when the entry was removed.
  if (known === undefined) return undefined
  const folder = calendar.url.endsWith('/') ? calendar.url : `${calendar.url}/`
  const url = known.href === '' ? new URL(`${key.meetingId}.ics`, folder).href : known.href
  return { ...key, server: serverOf(context, calendar), calendar, known, url }
}

/** If someone else keeps changing the entry, give up and let the job retry later. */
const MAX_CONFLICTS = 5

/**
 * Writes what `read` returns as the entry, or removes the entry if that is undefined. What the host has added stays.
 *
 * Where the meeting has not moved, neither does its entry: if the host has put it elsewhere, a guest who joins must not
 * put it back. `restore` does.
 *
 * `read` is called for every attempt, after the entry was seen: a worker that was frozen for a while must not
 * overwrite what another one has written since.
 */
export async function syncEntry(
  context: Context,
  entry: WrittenEntry,
  restore: boolean,
  read: () => Promise<WantedEntry | undefined>,
): Promise<void> {
  const { server, calendar, meetingId } = entry
  let url = entry.url
  let seen: RemoteEvent | undefined
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    const wanted = await read()
    if (wanted === undefined) return removeEntry(context, entry)
    const keepTime = seen !== undefined && !restore && isSame(wanted, entry.known.written)
    const done = () => (keepTime ? countWriting(context.db, entry) : written(context, entry, url, wanted))
    // An earlier attempt may have written this version, and only its answer was lost.
    if (seen !== undefined && saysTheSame(seen.text, wanted.text, keepTime)) return done()
    const kept = seen === undefined ? wanted.text : updatedEntry(seen.text, wanted.text, keepTime)
    const outcome = await putEvent(server, url, kept, seen)
    if (outcome === 'done') return done()
    if (outcome === 'elsewhere') {
      // The host's mail program may have stored the invitation at a URL of its own.
      seen = await findEvent(server, calendar.url, uidOf(meetingId))
      url = seen?.url ?? url
    } else {
      seen = await readEvent(server, url)
    }
  }
  throw new Error('The event is being changed by someone else.')
}

const isSame = (a: Interval, b: Interval | undefined) => a.start === b?.start && a.end === b.end

async function written(context: Context, entry: WrittenEntry, url: string, span: Interval): Promise<void> {
  await updateWritten(context.db, entry, url, span)
  // What the host had moved no longer blocks the time where it was.
  if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
}

/** Removes the entry from the calendar. It may already be gone there. */
async function removeEntry(context: Context, entry: WrittenEntry): Promise<void> {
  const { server, calendar, meetingId } = entry
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    const seen =
      (await readEvent(server, entry.url)) ?? (await findEvent(server, calendar.url, uidOf(meetingId)))
    if (seen === undefined || (await deleteEvent(server, seen)) === 'done') {
      await deleteEntry(context.db, entry)
      if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
      return
    }
  }
  throw new Error('The event is being changed by someone else.')
}
