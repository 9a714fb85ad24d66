import type { Db, Trx } from '../engine/database.ts'

/** The calendars that a booking has been written to, or will be. */
export async function findWrittenTo(
  db: Db,
  bookingId: string,
): Promise<{ readonly calendarId: string; readonly userId: string }[]> {
  const rows = await db
    .selectFrom('calendar_events as e')
    .innerJoin('calendars as c', 'c.id', 'e.calendar_id')
    .select(['e.calendar_id', 'c.user_id'])
    .where('e.booking_id', '=', bookingId)
    .orderBy('e.calendar_id')
    .execute()
  return rows.map((row) => ({ calendarId: row.calendar_id, userId: row.user_id }))
}

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
