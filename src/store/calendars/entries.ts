import { uidOf } from '../../domain/bookings/booking.ts'
import { CALENDAR_DELETED } from '../../domain/calendars/calendar.ts'
import type { CalendarDifference, SeenDifference, WrittenSpan } from '../../domain/calendars/difference.ts'
import type { Interval } from '../../domain/interval.ts'
import { say } from '../../domain/sentence.ts'
import { batchedRead } from '../engine/batcher.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'

/** A meeting in a calendar. */
export interface EntryKey {
  readonly calendarId: string
  readonly meetingId: string
}

/** A meeting in a calendar, and who has moved it there; null: we have written it there. */
interface PlacedEntry extends EntryKey {
  readonly movedBy: string | null
}

/** The calendars that these meetings have been written to, or will be. */
export async function findWrittenTo(db: Db, meetingIds: readonly string[]): Promise<PlacedEntry[]> {
  const { rows } = await writtenTo(db, { ids: engine(db).idList(meetingIds) })
  return rows.map((row) => ({
    meetingId: row.meeting_id,
    calendarId: row.calendar_id,
    movedBy: row.followed === 1 ? row.user_id : null,
  }))
}

const writtenTo = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('calendar_events as e')
    .innerJoin('calendars as c', 'c.id', 'e.calendar_id')
    .select(['e.meeting_id', 'e.calendar_id', 'e.followed', 'c.user_id'])
    .where(engine(db).isAmong('e.meeting_id', value('ids')))
    .orderBy('e.calendar_id'),
)

/** Records that the meeting will be written to the calendar. Its address there is not known yet. */
export async function insertEntry(trx: Trx, { calendarId, meetingId }: EntryKey): Promise<void> {
  await trx
    .insertInto('calendar_events')
    .values({ calendar_id: calendarId, meeting_id: meetingId, href: '' })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'meeting_id']).doNothing())
    .execute()
}

/** Records that the meeting is in the calendar already: it was written there before it came over. */
export async function insertWritten(
  trx: Trx,
  { calendarId, meetingId }: EntryKey,
  href: string,
  { start, end }: Interval,
): Promise<void> {
  await trx
    .insertInto('calendar_events')
    .values({
      calendar_id: calendarId,
      meeting_id: meetingId,
      href,
      starts_at: start,
      ends_at: end,
      // It stays there, whichever calendar the host chooses for others.
      followed: 1,
    })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'meeting_id']).doNothing())
    .execute()
}

/** An entry as we know it. */
export interface KnownEntry {
  /** Its address in the calendar; empty if not known yet. */
  readonly href: string
  /** Its iCalendar UID. */
  readonly uid: string
  /** When the meeting was by what we wrote last; undefined before the first time. */
  readonly written: Interval | undefined
  readonly isDifferent: boolean
  /** The host has moved it to this calendar. */
  readonly isFollowed: boolean
  /** How often it was written. */
  readonly version: number
}

/** Undefined if the meeting is not in the calendar, and is not about to be. */
export async function findEntry(
  db: Db,
  { calendarId, meetingId }: EntryKey,
): Promise<KnownEntry | undefined> {
  const row = await db
    .selectFrom('calendar_events as e')
    .leftJoin('bookings as b', 'b.id', 'e.meeting_id')
    .leftJoin('meeting_sequences as m', 'm.meeting_id', 'e.meeting_id')
    .select(['e.href', 'e.starts_at', 'e.ends_at', 'e.difference', 'e.version', 'e.followed'])
    .select((eb) => eb.fn.coalesce('m.ical_uid', 'b.ical_uid').as('ical_uid'))
    .where('e.calendar_id', '=', calendarId)
    .where('e.meeting_id', '=', meetingId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { href, starts_at: start, ends_at: end, difference, version } = row
  const written = start === null || end === null ? undefined : { start, end }
  return {
    href,
    uid: row.ical_uid ?? uidOf(meetingId),
    written,
    isDifferent: difference !== null,
    isFollowed: row.followed === 1,
    version,
  }
}

/** Moves an entry to another calendar, where its host has put it. */
export async function moveEntry(
  trx: Trx,
  { calendarId, meetingId }: EntryKey,
  to: { readonly calendarId: string; readonly href: string },
): Promise<void> {
  await deleteEntry(trx, { calendarId: to.calendarId, meetingId })
  await trx
    .updateTable('calendar_events')
    .set((eb) => ({
      calendar_id: to.calendarId,
      href: to.href,
      followed: 1,
      version: eb('version', '+', 1),
      ...differenceRow(null),
      seen_at: null,
    }))
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}

/** Records that the entry was written: the calendar says what we say. */
export async function updateWritten(
  db: Db,
  { calendarId, meetingId }: EntryKey,
  href: string,
  { start, end }: Interval,
): Promise<void> {
  await db
    .updateTable('calendar_events')
    .set((eb) => ({
      href,
      starts_at: start,
      ends_at: end,
      version: eb('version', '+', 1),
      ...differenceRow(null),
      seen_at: null,
    }))
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}

/** Records that the entry was written where the host has moved it: they still differ. */
export async function countWriting(db: Db, { calendarId, meetingId }: EntryKey): Promise<void> {
  await db
    .updateTable('calendar_events')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}

/** An entry that was written to a calendar, with the meeting's time then. */
export interface UpcomingEntry extends WrittenSpan {
  readonly meetingId: string
  readonly href: string
  readonly version: number
  /** We have seen before that the host has deleted it. */
  readonly isKnownDeleted: boolean
  /** The meeting has left this time, and the entry is about to be written again or deleted. Until then it is still ours. */
  readonly isLeaving: boolean
}

/** What we have written to a calendar within `span`. */
export async function findUpcomingEntries(
  db: Db,
  calendar: { readonly id: string; readonly userId: string },
  span: Interval,
): Promise<UpcomingEntry[]> {
  const rows = await db
    .selectFrom('calendar_events as e')
    .leftJoin('claims as c', (join) =>
      join
        .onRef('c.meeting_id', '=', 'e.meeting_id')
        .onRef('c.starts_at', '=', 'e.starts_at')
        .onRef('c.ends_at', '=', 'e.ends_at')
        .on('c.host_id', '=', calendar.userId),
    )
    .leftJoin('bookings as b', 'b.id', 'e.meeting_id')
    .leftJoin('meeting_sequences as m', 'm.meeting_id', 'e.meeting_id')
    .select(['e.meeting_id', 'e.href', 'e.version', 'e.difference', 'c.host_id'])
    .select((eb) => [
      eb.ref('e.starts_at').$notNull().as('starts_at'),
      eb.ref('e.ends_at').$notNull().as('ends_at'),
      eb.fn.coalesce('m.ical_uid', 'b.ical_uid').as('ical_uid'),
    ])
    .where('e.calendar_id', '=', calendar.id)
    .where('e.href', '<>', '')
    .where('e.ends_at', '>', span.start)
    .where('e.starts_at', '<', span.end)
    .execute()
  return rows.map((row) => ({
    meetingId: row.meeting_id,
    eventId: row.ical_uid ?? uidOf(row.meeting_id),
    href: row.href,
    version: row.version,
    isKnownDeleted: row.difference === 'deleted',
    start: row.starts_at,
    end: row.ends_at,
    isLeaving: row.host_id === null,
  }))
}

/** Stores what the calendar says about an entry, unless we have written it again since it was read. */
export async function updateDifference(
  trx: Trx,
  { calendarId, meetingId, version }: EntryKey & { readonly version: number },
  difference: CalendarDifference | null,
  now: number,
): Promise<void> {
  await trx
    .updateTable('calendar_events')
    .set((eb) => ({
      ...differenceRow(difference),
      seen_at: difference === null ? null : eb.fn.coalesce('seen_at', eb.val(now)),
    }))
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .where('version', '=', version)
    .execute()
}

const differenceRow = (difference: CalendarDifference | null) => ({
  difference: difference?.kind ?? null,
  moved_starts_at: difference?.kind === 'moved' ? difference.startsAt : null,
  moved_ends_at: difference?.kind === 'moved' ? difference.endsAt : null,
})

/** A difference, and the calendar that it was seen in. */
export interface EntryDifference extends EntryKey {
  readonly difference: SeenDifference
}

/** What calendars say differently about these meetings, the oldest difference first. */
export async function findDifferences(db: Db, meetingIds: readonly string[]): Promise<EntryDifference[]> {
  const { rows } = await differencesOf(db, { ids: engine(db).idList(meetingIds) })
  return rows.map((row) => {
    const seenAt = row.seen_at ?? 0
    const { moved_starts_at: startsAt, moved_ends_at: endsAt } = row
    return {
      calendarId: row.calendar_id,
      meetingId: row.meeting_id,
      difference:
        startsAt === null || endsAt === null
          ? { kind: 'deleted', seenAt }
          : { kind: 'moved', startsAt, endsAt, seenAt },
    }
  })
}

const differencesOf = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('calendar_events')
    .select(['calendar_id', 'meeting_id', 'moved_starts_at', 'moved_ends_at', 'seen_at'])
    .where(engine(db).isAmong('meeting_id', value('ids')))
    .where('difference', 'is not', null)
    .orderBy('seen_at')
    .orderBy('calendar_id'),
)

/**
 * Whether a meeting is, was or will be in a calendar of a user's connected accounts, as far as that is still there.
 * `pending`: it was not written yet, and the calendar may turn out to be gone.
 */
export type ProviderEvent = 'written' | 'pending' | 'none'

export async function findProviderEvent(db: Db, userId: string, meetingId: string): Promise<ProviderEvent> {
  return (await findProviderEvents(db, `${userId} ${meetingId}`)) ?? 'none'
}

/** By user and meeting; those that are asked for at the same time share a statement. */
const findProviderEvents = batchedRead<ProviderEvent>(async (db, keys) => {
  const asked = keys.map((key) => key.split(' ') as [string, string])
  const { rows } = await providerCalendars(db, {
    userIds: engine(db).idList([...new Set(asked.map(([userId]) => userId))]),
    meetingIds: engine(db).idList([...new Set(asked.map(([, meetingId]) => meetingId))]),
  })
  const there = rows.filter((row) => row.last_error !== say(CALENDAR_DELETED))
  const eventOf = ([userId, meetingId]: [string, string]): ProviderEvent => {
    const theirs = there.filter(({ user_id }) => user_id === userId)
    const its = theirs.filter(({ meeting_id }) => meeting_id === meetingId)
    if (its.some(({ href }) => href === '')) return 'pending'
    return its.length > 0 || theirs.some(({ write_to }) => write_to === 1) ? 'written' : 'none'
  }
  return new Map(keys.map((key, i) => [key, eventOf(asked[i] as [string, string])]))
})

const providerCalendars = prepared((db, value: Placeholder<{ userIds: IdList; meetingIds: IdList }>) =>
  db
    .selectFrom('calendars as c')
    .leftJoin('calendar_events as e', (join) =>
      join.onRef('e.calendar_id', '=', 'c.id').on(engine(db).isAmong('e.meeting_id', value('meetingIds'))),
    )
    .select(['c.user_id', 'c.write_to', 'c.last_error', 'e.meeting_id', 'e.href'])
    .where(engine(db).isAmong('c.user_id', value('userIds')))
    .where('c.connection_id', 'is not', null)
    .where((eb) => eb.or([eb('c.write_to', '=', eb.lit(1)), eb('e.meeting_id', 'is not', null)])),
)

export async function deleteEntry(db: Db, { calendarId, meetingId }: EntryKey): Promise<void> {
  await db
    .deleteFrom('calendar_events')
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}
