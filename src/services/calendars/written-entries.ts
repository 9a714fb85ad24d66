import type { Interval } from '../../domain/interval.ts'
import {
  type EventCalendar,
  orDeleted,
  type WantedEvent,
  type WrittenEvent,
} from '../../outside/kinds/event-calendar.ts'
import { forgetCtag, refreshSoon, type StoredCalendar } from '../../store/calendars/calendars.ts'
import {
  countWriting,
  deleteEntry,
  type EntryKey,
  findProviderEvent,
  type KnownEntry,
  type ProviderEvent,
  updateWritten,
} from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'
import { sourceOf, withCalendar } from './opened-calendar.ts'

/** A meeting's entry in a connected calendar. */
export interface WrittenEntry extends EntryKey {
  readonly calendar: StoredCalendar
  readonly known: KnownEntry
}

/** The same, with its event as the calendar has it; undefined if it has none. */
interface SeenEntry extends WrittenEntry {
  readonly seen: WrittenEvent | undefined
}

/** What an entry should say. */
type WantedEntry = Pick<WantedEvent, 'event' | 'start' | 'end' | 'wantsLink'>

/** If someone else keeps changing the entry, give up and let the job retry later. */
const MAX_CONFLICTS = 5

/** Whether a meeting is in a calendar of the host's connected accounts, or is to be written there. */
export const findWritten = ({ db }: Context, hostId: string, meetingId: string): Promise<ProviderEvent> =>
  findProviderEvent(db, hostId, meetingId)

/** The event of an entry, where we last wrote it. */
export async function findWrittenEvent(
  context: Context,
  { calendar, known }: WrittenEntry,
): Promise<WrittenEvent | undefined> {
  const { write } = sourceOf(context, calendar)
  if (write === undefined || known.href === '') return undefined
  return withCalendar(context, calendar, undefined, (opened) => write(opened).find(known.href))
}

/**
 * Writes what `read` returns as the meeting's event, or removes the event if that is undefined. Returns the event. What the
 * host has added to it stays.
 *
 * Where the meeting has not moved, neither does its event: if the host has put it elsewhere, a guest who joins must not
 * put it back. `restore` does.
 *
 * `read` is called for every attempt, after the event was seen: a worker that was frozen for a while must not
 * overwrite what another one has written since.
 */
export async function syncEntry(
  context: Context,
  entry: SeenEntry,
  restore: boolean,
  read: () => Promise<WantedEntry | undefined>,
): Promise<WrittenEvent | undefined> {
  const { calendar, known, meetingId } = entry
  const { write } = sourceOf(context, calendar)
  if (write === undefined) return undefined
  return withCalendar(context, calendar, undefined, async (opened) => {
    const remote = write(opened)
    let { seen } = entry
    for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
      const wanted = await read()
      if (wanted === undefined) {
        await removeEntry(context, entry, remote)
        return undefined
      }
      const { version, written } = known
      const keepTime = seen !== undefined && !seen.isCancelled && !restore && isSame(wanted, written)
      const event =
        seen === undefined
          ? await orDeleted(remote.insert({ ...wanted, meetingId, version, keepTime: false }))
          : await remote.update(seen, { ...wanted, meetingId, version, keepTime })
      if (event !== undefined) {
        await note(context, entry, event, wanted, keepTime)
        return event
      }
      seen = (await findKnown(remote, known)) ?? (await remote.findByMeeting(meetingId, known.uid))
    }
    // The event of a meeting that left this calendar, and came back, has used up this number. The next attempt takes
    // another; by then, one that could only not be found yet is found.
    if (seen === undefined) await countWriting(context.db, entry)
    throw beingChanged()
  })
}

/** Where we know the event to be. One that was written elsewhere is found by nothing else at some providers. */
const findKnown = async (remote: EventCalendar, { href }: KnownEntry) =>
  href === '' ? undefined : remote.find(href)

const beingChanged = () => new Error('The event is being changed by someone else.')

const isSame = (a: Interval, b: Interval | undefined) => a.start === b?.start && a.end === b.end

async function note(
  context: Context,
  entry: WrittenEntry,
  { id }: WrittenEvent,
  span: Interval,
  keepTime: boolean,
): Promise<void> {
  if (keepTime) await countWriting(context.db, entry)
  else {
    await updateWritten(context.db, entry, id, span)
    // What the host had moved no longer blocks the time where it was.
    if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
  }
  await forgetVersion(context, entry)
}

/** Removes the event from the calendar. It may already be gone there. */
async function removeEntry(context: Context, entry: WrittenEntry, remote: EventCalendar): Promise<void> {
  for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
    if (!(await remote.remove(entry.known.href, entry.meetingId, entry.known.uid))) continue
    await deleteEntry(context.db, entry)
    await forgetVersion(context, entry)
    if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
    return
  }
  throw beingChanged()
}

/** Has the next refresh read a calendar that only has a ctag: after our writing, an earlier one may come back. */
async function forgetVersion(context: Context, { calendar }: WrittenEntry): Promise<void> {
  if (sourceOf(context, calendar).watch === undefined) await forgetCtag(context.db, calendar.id)
}
