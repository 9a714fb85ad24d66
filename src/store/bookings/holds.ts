import { sql } from 'kysely'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'

/** Whether a claim takes time: a hold that has ended does not. By the database's clock. */
export const takesTime = (db: Db) => sql<boolean>`(expires_at is null or expires_at > ${engine(db).now})`

/** Deletes a hold of this event type, and returns the hosts whose time it took. Bookings are never touched. */
export async function deleteHold(db: Db, eventTypeId: string, id: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('claims')
    .where('meeting_id', '=', id)
    .where('event_type_id', '=', eventTypeId)
    .where('expires_at', 'is not', null)
    .returning('host_id')
    .execute()
  return rows.map((row) => row.host_id)
}
