import { isProviderKind } from '../../domain/calendars/calendar.ts'
import { calendarEventText, writeCalendarEvents } from '../../format/icalendar/event.ts'
import type { WrittenEvent } from '../../outside/event-calendar.ts'
import { findRoster, type Roster } from '../../store/bookings/rosters.ts'
import { findAnyCalendar, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { type EntryKey, findEntry } from '../../store/calendars/entries.ts'
import { findLink, type MadeLink, type MeetingLink } from '../../store/calendars/meeting-links.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { hostEntryOf } from './host-entry.ts'
import { CALENDARS_WITH_LINKS, syncProviderEntry } from './provider-entries.ts'
import { findWrittenEntry, syncEntry } from './written-entries.ts'

/** The link that came with a written event; `pending` while the provider makes it, undefined if none was wanted. */
export type LinkOfEntry = MadeLink | 'pending' | 'failed' | undefined

/**
 * Writes a meeting to a host's calendar, updates it there, or removes it.
 *
 * The entry says what the database says now: guests who join at the same time are all in it, whichever job comes last.
 */
export async function writeEntry(context: Context, key: EntryKey, restore: boolean): Promise<LinkOfEntry> {
  const calendar = await findAnyCalendar(context.db, key.calendarId)
  if (calendar === undefined) return undefined
  const host = await findUser(context.db, calendar.userId)
  const read = async () => {
    const roster = await findRoster(context.db, key.meetingId)
    if (roster === undefined || host === undefined || !roster.hostIds.includes(host.id)) return undefined
    if (!(await isWrittenTo(context, calendar, roster))) return undefined
    const [{ startsAt: start, endsAt: end }] = roster.bookings
    return { event: hostEntryOf(roster, host.locale, context.now()), start, end }
  }
  if (isProviderKind(calendar.kind)) return writeToProvider(context, key, calendar, restore, read)
  const entry = await findWrittenEntry(context, key)
  if (entry === undefined) return undefined
  await syncEntry(context, entry, restore, async () => {
    const wanted = await read()
    return wanted && { ...wanted, text: writeCalendarEvents([wanted.event]) }
  })
  return undefined
}

/** An event type's own calendar wins over the one that this host has chosen for all bookings. */
async function isWrittenTo(
  context: Context,
  { id, userId, writeTo }: StoredCalendar,
  { writeToCalendarId }: Roster,
): Promise<boolean> {
  if (writeToCalendarId === null || writeToCalendarId === id) return writeTo || writeToCalendarId === id
  return writeTo && (await findAnyCalendar(context.db, writeToCalendarId))?.userId !== userId
}

async function writeToProvider(
  context: Context,
  key: EntryKey,
  calendar: StoredCalendar,
  restore: boolean,
  read: () => Promise<
    | {
        readonly event: Parameters<typeof calendarEventText>[0]
        readonly start: number
        readonly end: number
      }
    | undefined
  >,
): Promise<LinkOfEntry> {
  const known = await findEntry(context.db, key)
  // Deleted when the entry was removed.
  if (known === undefined) return undefined
  let awaited: MeetingLink | undefined
  let span = { start: 0, end: 0 }
  const event = await syncProviderEntry(context, { ...key, calendar, known }, restore, async () => {
    const wanted = await read()
    if (wanted === undefined) return undefined
    const link = await findLink(context.db, key.meetingId)
    const makesIt = link !== undefined && CALENDARS_WITH_LINKS[link.provider] === calendar.kind
    awaited = makesIt && link.hostId === calendar.userId && link.url === '' ? link : undefined
    span = { start: wanted.start, end: wanted.end }
    return { ...span, ...calendarEventText(wanted.event), wantsLink: awaited !== undefined }
  })
  return awaited === undefined || event === undefined ? undefined : linkOf(event, awaited, span)
}

function linkOf(
  { id, link, isLinkPending }: WrittenEvent,
  { meetingId, awaitedUntil }: MeetingLink,
  told: MadeLink['told'],
): LinkOfEntry {
  if (link !== '') return { meetingId, awaitedUntil, externalId: id, url: link, told }
  return isLinkPending ? 'pending' : 'failed'
}
