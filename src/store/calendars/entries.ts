import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'

/** A meeting in a calendar. */
export interface EntryKey {
  readonly calendarId: string
  readonly meetingId: string
}

/** The calendars that these meetings have been written to, or will be. */
export async function findWrittenTo(db: Db, meetingIds: readonly string[]): Promise<EntryKey[]> {
  const { rows } = await writtenTo(db, { ids: engine(db).idList(meetingIds) })
  return rows.map((row) => ({ meetingId: row.meeting_id, calendarId: row.calendar_id }))
}

const writtenTo = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('calendar_events')
    .select(['meeting_id', 'calendar_id'])
    .where(engine(db).isAmong('meeting_id', value('ids')))
    .orderBy('calendar_id'),
)

/** Records that the meeting will be written to the calendar. Its address there is not known yet. */
export async function insertEntry(trx: Trx, { calendarId, meetingId }: EntryKey): Promise<void> {
  await trx
    .insertInto('calendar_events')
    .values({ calendar_id: calendarId, meeting_id: meetingId, href: '' })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'meeting_id']).doNothing())
    .execute()
}

/** The meeting's address in the calendar: empty if not known yet, undefined if it is not there. */
export async function findHref(db: Db, { calendarId, meetingId }: EntryKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('calendar_events')
    .select('href')
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .executeTakeFirst()
  return row?.href
}

export async function updateHref(db: Db, { calendarId, meetingId }: EntryKey, href: string): Promise<void> {
  await db
    .updateTable('calendar_events')
    .set({ href })
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}

export async function deleteEntry(db: Db, { calendarId, meetingId }: EntryKey): Promise<void> {
  await db
    .deleteFrom('calendar_events')
    .where('calendar_id', '=', calendarId)
    .where('meeting_id', '=', meetingId)
    .execute()
}
