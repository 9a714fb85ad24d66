import type { Db, Trx } from '../engine/database.ts'
import { engine, type IdList } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'

/** The calendars that these bookings have been written to, or will be. */
export async function findWrittenTo(
  db: Db,
  bookingIds: readonly string[],
): Promise<{ readonly bookingId: string; readonly calendarId: string }[]> {
  const { rows } = await writtenTo(db, { ids: engine(db).idList(bookingIds) })
  return rows.map((row) => ({ bookingId: row.booking_id, calendarId: row.calendar_id }))
}

const writtenTo = prepared((db, value: Placeholder<{ ids: IdList }>) =>
  db
    .selectFrom('calendar_events')
    .select(['booking_id', 'calendar_id'])
    .where(engine(db).isAmong('booking_id', value('ids')))
    .orderBy('calendar_id'),
)

/** Records that the booking will be written to the calendar. Its address there is not known yet. */
export async function insertCalendarEvent(trx: Trx, calendarId: string, bookingId: string): Promise<void> {
  await trx
    .insertInto('calendar_events')
    .values({ calendar_id: calendarId, booking_id: bookingId, href: '' })
    .onConflict((conflict) => conflict.columns(['calendar_id', 'booking_id']).doNothing())
    .execute()
}

/** The booking's address in the calendar: empty if not known yet, undefined if it is not there. */
export async function findHref(db: Db, calendarId: string, bookingId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('calendar_events')
    .select('href')
    .where('calendar_id', '=', calendarId)
    .where('booking_id', '=', bookingId)
    .executeTakeFirst()
  return row?.href
}

export async function updateHref(db: Db, calendarId: string, bookingId: string, href: string): Promise<void> {
  await db
    .updateTable('calendar_events')
    .set({ href })
    .where('calendar_id', '=', calendarId)
    .where('booking_id', '=', bookingId)
    .execute()
}

export async function deleteCalendarEvent(db: Db, calendarId: string, bookingId: string): Promise<void> {
  await db
    .deleteFrom('calendar_events')
    .where('calendar_id', '=', calendarId)
    .where('booking_id', '=', bookingId)
    .execute()
}
