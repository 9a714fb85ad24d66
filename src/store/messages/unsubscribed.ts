import type { Db } from '../engine/database.ts'

/** Notes that an address wants no more of this owner's mail; repeating it changes nothing. */
export async function insertUnsubscribed(
  db: Db,
  schedulerId: string,
  addressHash: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('unsubscribed')
    .values({ scheduler_id: schedulerId, address_hash: addressHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isUnsubscribed(db: Db, schedulerId: string, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('unsubscribed')
    .select('created_at')
    .where('scheduler_id', '=', schedulerId)
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}
