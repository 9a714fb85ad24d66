import type { Db } from '../engine/database.ts'

/** A code that was mailed to an address, to prove that its owner may erase it. */
interface ErasureCode {
  readonly address: string
  readonly codeHash: string
  readonly expiresAt: number
}

/** Stores a code in place of an older one, with all its tries. */
export async function upsertErasureCode(db: Db, code: ErasureCode): Promise<void> {
  const values = { code_hash: code.codeHash, tries: 0, expires_at: code.expiresAt }
  await db
    .insertInto('erasure_codes')
    .values({ address_hash: code.address, ...values })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(values))
    .execute()
}

/** Counts a try, and returns the code that would be right; undefined if there is none, or no try is left. */
export async function countErasureTry(
  db: Db,
  address: string,
  most: number,
  now: number,
): Promise<{ readonly codeHash: string; readonly tries: number } | undefined> {
  const row = await db
    .updateTable('erasure_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('address_hash', '=', address)
    .where('expires_at', '>', now)
    .where('tries', '<', most)
    .returning(['code_hash', 'tries'])
    .executeTakeFirst()
  return row && { codeHash: row.code_hash, tries: row.tries }
}

/** Returns false if it was gone already. */
export async function deleteErasureCode(db: Db, address: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('erasure_codes')
    .where('address_hash', '=', address)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
