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

/** A time that is held. */
export interface HeldTime {
  readonly eventTypeId: string
  readonly startsAt: number
  readonly endsAt: number
  readonly expiresAt: number
}

/** The time of a hold that has not ended. */
export async function findHold(db: Db, id: string): Promise<HeldTime | undefined> {
  const row = await db
    .selectFrom('claims')
    .select(['event_type_id', 'starts_at', 'ends_at', 'expires_at'])
    .where('meeting_id', '=', id)
    .where('expires_at', 'is not', null)
    .where(takesTime(db))
    .executeTakeFirst()
  if (row?.expires_at == null) return undefined
  return {
    eventTypeId: row.event_type_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    expiresAt: row.expires_at,
  }
}

/** The holds on one start of an event type that have not ended, and whose they are. */
export async function findHoldsAt(
  db: Db,
  eventTypeId: string,
  hostIds: readonly string[],
  startsAt: number,
): Promise<{ readonly id: string; readonly client: string }[]> {
  const rows = await db
    .selectFrom('claims')
    .select(['meeting_id', 'hold_client'])
    .where('host_id', 'in', hostIds)
    .where('starts_at', '=', startsAt)
    .where('event_type_id', '=', eventTypeId)
    .where('expires_at', 'is not', null)
    .where(takesTime(db))
    .execute()
  return rows.map((row) => ({ id: row.meeting_id, client: row.hold_client ?? '' }))
}
