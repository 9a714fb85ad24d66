import type { Db } from './engine/database.ts'
import { engine } from './engine/engine.ts'

const DAY = 24 * 3_600_000

/** How long webhook deliveries can be viewed and replayed. */
export const DELIVERIES_KEPT = 30 * DAY

/** Deletes everything that has expired. */
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
  await engine(db).deleteExpiredCounts(db, now)
}
