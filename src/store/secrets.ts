import type { Db, Trx } from './engine/database.ts'

/** The secret of that name, which is `proposed` if there was none: all instances end up with one. */
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

/** Forgets all secrets: for a database that is about to be given others. */
export async function deleteSecrets(trx: Trx): Promise<void> {
  await trx.deleteFrom('secrets').execute()
}
