import type { Db, Trx } from '../engine/database.ts'

/** A new address that waits for its proof. A user has at most one. */
interface EmailChange {
  readonly userId: string
  readonly email: string
  readonly tokenHash: string
  readonly expiresAt: number
}

/** When the user's pending change expires; undefined: there is none. */
export async function findEmailChangeExpiry(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select('expires_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.expires_at
}

/** Stores a change. It replaces the one before, whose link no longer works. */
export async function putEmailChange(trx: Trx, change: EmailChange): Promise<void> {
  await trx.deleteFrom('email_changes').where('user_id', '=', change.userId).execute()
  await trx
    .insertInto('email_changes')
    .values({
      user_id: change.userId,
      email: change.email,
      token_hash: change.tokenHash,
      expires_at: change.expiresAt,
    })
    .execute()
}

/** Uses a change up. Returns its address, or undefined if this user has no such change. */
export async function takeEmailChange(
  trx: Trx,
  userId: string,
  tokenHash: string,
  now: number,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst()
  return row?.email
}
