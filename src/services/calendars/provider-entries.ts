import type { ProviderKind } from '../../domain/calendars/calendar.ts'
import type { LinkProvider } from '../../domain/event-types/location.ts'
import type { Interval } from '../../domain/interval.ts'
import type { EventCalendar, WantedEvent, WrittenEvent } from '../../outside/event-calendar.ts'
import { googleCalendar } from '../../outside/google-writing.ts'
import { microsoftCalendar } from '../../outside/microsoft-writing.ts'
import type { Access } from '../../outside/provider.ts'
import { refreshSoon, type StoredCalendar } from '../../store/calendars/calendars.ts'
import {
  countWriting,
  deleteEntry,
  type EntryKey,
  type KnownEntry,
  updateWritten,
} from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'
import { providerOf, withAccess } from './access-token.ts'

/** Whose events come with links of this provider. */
export const CALENDARS_WITH_LINKS: Readonly<Partial<Record<LinkProvider, ProviderKind>>> = {
  'google-meet': 'google',
  'microsoft-teams': 'microsoft',
}

/** What a meeting's event should say. */
export type WantedProviderEntry = Omit<WantedEvent, 'meetingId' | 'keepTime' | 'version'>

interface ProviderEntry extends EntryKey {
  readonly calendar: StoredCalendar
  readonly known: KnownEntry
}

/** If someone else keeps changing the event, give up and let the job retry later. */
const MAX_CONFLICTS = 5

/**
 * Writes what `read` returns as the meeting's event, or removes the event if that is undefined. Returns the event.
 *
 * `read` is called for every attempt, after the event was seen, as for CalDAV.
 */
export function syncProviderEntry(
  context: Context,
  entry: ProviderEntry,
  restore: boolean,
  read: () => Promise<WantedProviderEntry | undefined>,
): Promise<WrittenEvent | undefined> {
  const { calendar, known, meetingId } = entry
  return withAccess(context, calendar.connectionId ?? '', async (access) => {
    const remote = open(context, calendar, access)
    let seen = known.href === '' ? undefined : await remote.find(known.href)
    for (let tries = 0; tries < MAX_CONFLICTS; tries++) {
      const wanted = await read()
      if (wanted === undefined) {
        await remove(context, entry, remote)
        return undefined
      }
      const { version, written } = known
      const keepTime = seen !== undefined && !seen.isCancelled && !restore && isSame(wanted, written)
      const event =
        seen === undefined
          ? await remote.insert({ ...wanted, meetingId, version, keepTime: false })
          : await remote.update(seen, { ...wanted, meetingId, version, keepTime })
      if (event !== undefined) {
        await note(context, entry, event, wanted, keepTime)
        return event
      }
      seen = await remote.findByMeeting(meetingId)
    }
    // The event of a meeting that left this calendar, and came back, has used up this number. The next attempt takes
    // another; by then, one that could only not be found yet is found.
    if (seen === undefined) await countWriting(context.db, entry)
    throw new Error('The event is being changed by someone else.')
  })
}

function open(context: Context, { kind, externalId }: StoredCalendar, access: Access): EventCalendar {
  return kind === 'google'
    ? googleCalendar(providerOf(context, 'google').apiUrl, externalId, access)
    : microsoftCalendar(providerOf(context, 'microsoft').apiUrl, externalId, access)
}

const isSame = (a: Interval, b: Interval | undefined) => a.start === b?.start && a.end === b.end

async function note(
  context: Context,
  entry: ProviderEntry,
  { id }: WrittenEvent,
  span: Interval,
  keepTime: boolean,
): Promise<void> {
  if (keepTime) return countWriting(context.db, entry)
  await updateWritten(context.db, entry, id, span)
  // What the host had moved no longer blocks the time where it was.
  if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
}

async function remove(context: Context, entry: ProviderEntry, remote: EventCalendar): Promise<void> {
  const { href } = entry.known
  const id = href || (await remote.findByMeeting(entry.meetingId))?.id
  if (id !== undefined) await remote.remove(id)
  await deleteEntry(context.db, entry)
  if (entry.known.isDifferent) await refreshSoon(context.db, entry.calendarId, context.now())
}
