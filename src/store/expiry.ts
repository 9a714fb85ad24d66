import { sql } from 'kysely'
import { type Db, engineOf } from './engine/database.ts'

const DAY = 24 * 3_600_000

/** How long what was sent to webhooks can be looked at and sent again. */
export const DELIVERIES_KEPT = 30 * DAY

/** Forgets what only had to be remembered for a while. */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('expires_at', '<=', now).execute()
  await db.deleteFrom('used_solutions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('login_links').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<=', now - DELIVERIES_KEPT)
    .execute()
  if (engineOf(db) === 'postgres') await sql`delete from rate_limits where expire <= ${now}`.execute(db)
}
