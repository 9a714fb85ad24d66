import type { Trx } from '../engine/database.ts'

/** Forgets all events of a provider's calendar. */
export async function deleteItems(trx: Trx, calendarId: string): Promise<void> {
  await trx.deleteFrom('calendar_items').where('calendar_id', '=', calendarId).execute()
}
