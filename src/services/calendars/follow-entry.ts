import { ProviderFailure } from '../../outside/accounts/provider.ts'
import { findOtherCalendars, type StoredCalendar } from '../../store/calendars/calendars.ts'
import { type EntryKey, findWrittenTo, moveEntry } from '../../store/calendars/entries.ts'
import type { Context } from '../context.ts'
import { sourceOf, withCalendar } from './opened-calendar.ts'

/**
 * Looks for an event that is gone from its calendar in the host's other calendars, and follows it there: from then on, it
 * is written where the host has put it. Undefined if none of them has it.
 */
export async function followEntry(
  context: Context,
  {
    calendar,
    calendarId,
    meetingId,
    uid,
  }: EntryKey & { readonly calendar: StoredCalendar; readonly uid: string },
): Promise<EntryKey | undefined> {
  for (const other of await findOtherCalendars(context.db, calendar)) {
    const href = await findIn(context, other, meetingId, uid)
    if (href === undefined) continue
    const found = { calendarId: other.id, meetingId }
    await context.db
      .transaction()
      .execute((trx) => moveEntry(trx, { calendarId, meetingId }, { calendarId: other.id, href }))
    return found
  }
  return undefined
}

/** Where this host has moved a meeting's event. */
export async function findFollowed(
  { db }: Context,
  hostId: string,
  meetingId: string,
): Promise<EntryKey | undefined> {
  return (await findWrittenTo(db, [meetingId])).find(({ movedBy }) => movedBy === hostId)
}

async function findIn(
  context: Context,
  calendar: StoredCalendar,
  meetingId: string,
  uid: string,
): Promise<string | undefined> {
  try {
    const { write } = sourceOf(context, calendar)
    if (write === undefined) return undefined
    const event = await withCalendar(context, calendar, undefined, (opened) =>
      write(opened).findByMeeting(meetingId, uid),
    )
    return event === undefined || event.isCancelled ? undefined : event.id
  } catch (error) {
    // Whoever asks tries again. A calendar that fails for long must not keep others from being written.
    if (error instanceof ProviderFailure && TEMPORARY.includes(error.code)) throw error
    return undefined
  }
}

const TEMPORARY: readonly ProviderFailure['code'][] = ['unavailable', 'rate-limited']
