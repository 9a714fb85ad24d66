import type { Db, Trx } from './engine/database.ts'

/** Returns the secret of that name, storing `proposed` if there is none: all instances get the same one. */
export async function findOrInsertSecret(db: Db, name: string, proposed: string): Promise<string> {
  await db
    .insertInto('secrets')
    .values({ name, value: proposed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}

/** Deletes all secrets, before others are restored. */
export async function deleteSecrets(trx: Trx): Promise<void> {
  await trx.deleteFrom('secrets').execute()
}
