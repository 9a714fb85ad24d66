import { sql } from 'kysely'
import type { Db } from '../engine/database.ts'

/** Notes that a number must not be texted; repeating it changes nothing. */
export async function insertStopped(db: Db, numberHash: string, now: number): Promise<void> {
  await db
    .insertInto('stopped_numbers')
    .values({ number_hash: numberHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteStopped(db: Db, numberHash: string): Promise<void> {
  await db.deleteFrom('stopped_numbers').where('number_hash', '=', numberHash).execute()
}

export async function isStopped(db: Db, numberHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('stopped_numbers')
    .select('created_at')
    .where('number_hash', '=', numberHash)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts a text message to a number, or to all with an empty hash, unless that day has `most` of them. Returns whether
 * it was counted.
 *
 * One statement, so that instances together stay within the limit.
 */
export async function countSms(db: Db, day: string, numberHash: string, most: number): Promise<boolean> {
  if (most < 1) return false
  const { rows } = await sql`
    insert into sms_counts (day, number_hash, count) values (${day}, ${numberHash}, 1)
    on conflict (day, number_hash) do update set count = sms_counts.count + 1 where sms_counts.count < ${most}
    returning count`.execute(db)
  return rows.length > 0
}
