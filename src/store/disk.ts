import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from './engine/database.ts'

/** More than what tables and the log have left in their last pages. */
const PROBE_BYTES = 64 * 1024

/** Writes some kilobytes and removes them; throws if there is no room for them. */
export async function tryToWrite(db: Db): Promise<void> {
  const state_hash = `probe:${randomUUID()}`
  // Random, since PostgreSQL compresses. If it can't be removed, it has expired.
  const challenge = randomBytes(PROBE_BYTES / 2).toString('hex')
  await db
    .insertInto('sign_in_attempts')
    .values({ state_hash, challenge, return_to: '', expires_at: 0 })
    .execute()
  await db.deleteFrom('sign_in_attempts').where('state_hash', '=', state_hash).execute()
}
