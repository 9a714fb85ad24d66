import type { CalendarItem, ItemChanges } from '../../domain/calendars/item.ts'
import type { Db, Trx } from '../engine/database.ts'

/** All events that we know of a provider's calendar. */
export async function findItems(db: Db, calendarId: string): Promise<CalendarItem[]> {
  const rows = await db
    .selectFrom('calendar_items')
    .selectAll()
    .where('calendar_id', '=', calendarId)
    .orderBy('external_id')
    .execute()
  return rows.map((row) => ({
    externalId: row.external_id,
    seriesId: row.series_id,
    uid: row.uid,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    wholeDay: flagOf(row.whole_day),
    blocks: flagOf(row.blocks),
  }))
}

const flagOf = (value: number | null) => (value === null ? null : value === 1)
const numberOf = (flag: boolean | null) => (flag === null ? null : Number(flag))

const BATCH = 500

/** Stores what has changed in a provider's calendar. */
export async function changeItems(
  trx: Trx,
  calendarId: string,
  { items, removed }: Pick<ItemChanges, 'items' | 'removed'>,
): Promise<void> {
  const gone = [...removed, ...items.map(({ externalId }) => externalId)]
  for (let at = 0; at < gone.length; at += BATCH) {
    await trx
      .deleteFrom('calendar_items')
      .where('calendar_id', '=', calendarId)
      .where('external_id', 'in', gone.slice(at, at + BATCH))
      .execute()
  }
  for (let at = 0; at < items.length; at += BATCH) {
    await trx
      .insertInto('calendar_items')
      .values(
        items.slice(at, at + BATCH).map((item) => ({
          calendar_id: calendarId,
          external_id: item.externalId,
          series_id: item.seriesId,
          uid: item.uid,
          starts_at: item.startsAt,
          ends_at: item.endsAt,
          whole_day: numberOf(item.wholeDay),
          blocks: numberOf(item.blocks),
        })),
      )
      .execute()
  }
}

/** Forgets all events of a provider's calendar. */
export async function deleteItems(trx: Trx, calendarId: string): Promise<void> {
  await trx.deleteFrom('calendar_items').where('calendar_id', '=', calendarId).execute()
}
