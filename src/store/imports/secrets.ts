import type { Db } from '../engine/database.ts'

/** What an account signs in with, encrypted. */
export interface SealedSecret {
  readonly key: string
  readonly sealed: string
}

export async function insertSecrets(
  db: Db,
  importId: string,
  secrets: readonly SealedSecret[],
): Promise<void> {
  if (secrets.length === 0) return
  await db
    .insertInto('import_secrets')
    .values(secrets.map(({ key, sealed }) => ({ import_id: importId, source_key: key, sealed })))
    // A broken dump may have a row twice.
    .onConflict((conflict) => conflict.columns(['import_id', 'source_key']).doNothing())
    .execute()
}

/** Undefined if it was never kept, or is forgotten by now. */
export async function findSecret(db: Db, importId: string, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('import_secrets')
    .select('sealed')
    .where('import_id', '=', importId)
    .where('source_key', '=', key)
    .executeTakeFirst()
  return row?.sealed
}

export async function findSecretKeys(db: Db, importId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('import_secrets')
    .select('source_key')
    .where('import_id', '=', importId)
    .execute()
  return rows.map(({ source_key }) => source_key)
}

/** Forgets one secret of an import, or all. */
export async function deleteSecrets(db: Db, importId: string, key?: string): Promise<void> {
  await db
    .deleteFrom('import_secrets')
    .where('import_id', '=', importId)
    .$if(key !== undefined, (query) => query.where('source_key', '=', key ?? ''))
    .execute()
}
