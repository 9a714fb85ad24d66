import type { Db } from '../../engine/database.ts'

/** Marks a CAPTCHA solution as used. Returns false if it was used before. */
export async function insertUsedSolution(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const result = await db
    .insertInto('used_solutions')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}
