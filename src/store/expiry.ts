import type { Db } from './database.ts'

/** Forgets what only had to be remembered for a while. */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute()
  await db.deleteFrom('used_solutions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('login_links').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
}
