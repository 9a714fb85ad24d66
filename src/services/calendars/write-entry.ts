import { CALENDAR_DELETED } from '../../domain/calendars/calendar.ts'
import { say } from '../../domain/sentence.ts'
import { isCalendarDeleted, type WrittenEvent } from '../../outside/kinds/event-calendar.ts'
import { findRoster, type Roster } from '../../store/bookings/rosters.ts'
import {
  findAnyCalendar,
  noteDeleted,
  noteFound,
  type StoredCalendar,
} from '../../store/calendars/calendars.ts'
import { type EntryKey, findEntry } from '../../store/calendars/entries.ts'
import { findLink, type MadeLink, type MeetingLink } from '../../store/calendars/meeting-links.ts'
import { insertJobs } from '../../store/outbox.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { findFollowed, followEntry } from './follow-entry.ts'
import { hostEntryOf } from './host-entry.ts'
import { calendarFailedJob } from './jobs.ts'
import { findWrittenEvent, syncEntry } from './written-entries.ts'

/** The link that came with a written event; `pending` while the provider makes it, undefined if none was wanted. */
type LinkOfEntry = MadeLink | 'pending' | 'failed' | undefined

/**
 * Writes a meeting to a host's calendar, updates it there, or removes it.
 *
 * The entry says what the database says now: guests who join at the same time are all in it, whichever job comes last.
 */
export async function writeEntry(context: Context, key: EntryKey, restore: boolean): Promise<LinkOfEntry> {
  const { db } = context
  const calendar = await findAnyCalendar(db, key.calendarId)
  // The calendar was disconnected.
  if (calendar === undefined) return undefined
  const [host, known] = [await findUser(db, calendar.userId), await findEntry(db, key)]
  if (known === undefined) {
    const followed = await findFollowed(context, calendar.userId, key.meetingId)
    // Deleted when the entry was removed.
    return followed === undefined ? undefined : writeEntry(context, followed, restore)
  }
  const entry = { ...key, calendar, known }
  const seen = await findWrittenEvent(context, entry)
  if (known.href !== '' && (seen === undefined || seen.isCancelled)) {
    const followed = await followEntry(context, { ...entry, uid: known.uid })
    if (followed !== undefined) return writeEntry(context, followed, restore)
  }
  let awaited: MeetingLink | undefined
  let span = { start: 0, end: 0 }
  const event = await syncEntry(context, { ...entry, seen }, restore, async () => {
    const roster = await findRoster(db, key.meetingId)
    if (roster === undefined || host === undefined || !roster.hostIds.includes(host.id)) return undefined
    if (!known.isFollowed && !(await isWrittenTo(context, calendar, roster))) return undefined
    const [{ startsAt: start, endsAt: end }] = roster.bookings
    span = { start, end }
    awaited = await findAwaited(context, calendar, key.meetingId)
    const text = hostEntryOf(roster, host.locale, context.now())
    return { ...span, event: text, wantsLink: awaited !== undefined }
  }).catch((error) => tellIfDeleted(context, calendar, error))
  if (event !== undefined && isKnownDeleted(calendar)) await noteFound(db, calendar.id)
  return awaited === undefined || event === undefined ? undefined : linkOf(event, awaited, span)
}

const isKnownDeleted = ({ lastError }: StoredCalendar) => say(lastError) === say(CALENDAR_DELETED)

/** Emails the host once that their calendar is gone. It may not be read, so that nothing else finds out. */
async function tellIfDeleted(context: Context, calendar: StoredCalendar, error: unknown): Promise<never> {
  if (!isCalendarDeleted(error)) throw error
  const isNew = await context.db.transaction().execute(async (trx) => {
    if (!(await noteDeleted(trx, calendar.id))) return false
    await insertJobs(trx, [calendarFailedJob(calendar, context.now())], context.now())
    return true
  })
  if (isNew) context.outbox.wake(['calendar-failed'])
  throw error
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

/** The meeting's link that is still to come with the event in this calendar. */
async function findAwaited(
  { db, kinds }: Context,
  { kind, userId }: StoredCalendar,
  meetingId: string,
): Promise<MeetingLink | undefined> {
  const link = kinds.find(kind)?.link
  if (link?.comes !== 'with-event') return undefined
  const known = await findLink(db, meetingId)
  return known?.provider === link.name && known.hostId === userId && known.url === '' ? known : undefined
}

function linkOf(
  { id, link, isLinkPending }: WrittenEvent,
  { meetingId, awaitedUntil }: MeetingLink,
  told: MadeLink['told'],
): LinkOfEntry {
  if (link !== '') return { meetingId, awaitedUntil, externalId: id, url: link, told }
  return isLinkPending ? 'pending' : 'failed'
}
