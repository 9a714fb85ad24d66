import type { Db } from '../engine/database.ts'

interface LoginLink {
  readonly tokenHash: string
  readonly email: string
  readonly expiresAt: number
}

/** Stores a link. Older links of the address still work: a stranger who asks for one must not end them. */
export async function insertLoginLink(db: Db, link: LoginLink): Promise<void> {
  await db
    .insertInto('login_links')
    .values({ token_hash: link.tokenHash, email: link.email, expires_at: link.expiresAt })
    .execute()
}

/** Uses a link up. Returns its address, or undefined if there is no such link. */
export async function takeLoginLink(db: Db, tokenHash: string, now: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('login_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst()
  return row?.email
}
