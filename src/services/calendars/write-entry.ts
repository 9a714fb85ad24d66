import { writeCalendarEvents } from '../../format/icalendar/event.ts'
import { findRoster } from '../../store/bookings/rosters.ts'
import type { EntryKey } from '../../store/calendars/entries.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { hostEntryOf } from './host-entry.ts'
import { findWrittenEntry, syncEntry } from './written-entries.ts'

/**
 * Writes a meeting to a host's calendar, updates it there, or removes it.
 *
 * The entry says what the database says now: guests who join at the same time are all in it, whichever job comes last.
 */
export async function writeEntry(context: Context, key: EntryKey, restore: boolean): Promise<void> {
  const entry = await findWrittenEntry(context, key)
  if (entry === undefined) return
  const { userId, writeTo } = entry.calendar
  const host = await findUser(context.db, userId)
  await syncEntry(context, entry, restore, async () => {
    const roster = writeTo ? await findRoster(context.db, key.meetingId) : undefined
    if (roster === undefined || host === undefined || !roster.hostIds.includes(userId)) return undefined
    const [{ startsAt, endsAt }] = roster.bookings
    const text = writeCalendarEvents([hostEntryOf(roster, host.locale, context.now())])
    return { text, start: startsAt, end: endsAt }
  })
}
