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

export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Replaces a secret unless it has changed meanwhile; returns whether it did. */
export async function replaceSecret(db: Db, name: string, before: string, value: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secrets')
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes all secrets, before others are restored. */
export async function deleteSecrets(trx: Trx): Promise<void> {
  await trx.deleteFrom('secrets').execute()
}
