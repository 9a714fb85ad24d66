import type { Db } from '../../engine/database.ts'

export async function hasAnswered(db: Db, addressHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('answered_guests')
    .select('address_hash')
    .where('address_hash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertAnswered(db: Db, addressHash: string, now: number): Promise<void> {
  await db
    .insertInto('answered_guests')
    .values({ address_hash: addressHash, answered_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
