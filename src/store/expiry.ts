import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './engine/database.ts'
import { engine } from './engine/engine.ts'
import type { Schema } from './engine/schema.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long webhook deliveries can be viewed and replayed. */
export const DELIVERY_RETENTION = 30 * DAY

/** Stripe repeats a notice for three days. */
const NOTICE_RETENTION = 30 * DAY

/** How long it is kept what was read from another service: until it is applied, and after that, to compare with it. */
const UNAPPLIED = 7 * DAY
const APPLIED = 30 * DAY

/** How many days to keep rows that have no expiry of their own; 0: forever. */
export interface Retention {
  readonly auditDays: number
  readonly deadJobsDays: number
  readonly responsesDays: number
}

/** Rows per statement: a delete locks its rows, and on SQLite all other writes wait for it. */
const BATCH = 500
/** Half a million rows of a table in one go; the rest follows with the next sweep. */
const MAX_BATCHES = 1000

/** Deletes everything that has expired. */
export async function deleteExpired(db: Db, now: number, keep: Retention): Promise<void> {
  const expired = sql`expires_at <= ${now}`
  await deleteInBatches(db, 'idempotency_keys', ['event_type_id', 'key'], expired)
  await deleteInBatches(db, 'used_solutions', ['id'], expired)
  await deleteInBatches(db, 'login_links', ['token_hash'], expired)
  await deleteInBatches(db, 'sign_in_attempts', ['state_hash'], expired)
  await deleteInBatches(db, 'passkey_challenges', ['holder_hash'], expired)
  await deleteInBatches(db, 'email_changes', ['user_id'], expired)
  await deleteInBatches(db, 'email_codes', ['event_type_id', 'address_hash'], expired)
  await deleteInBatches(db, 'erasure_codes', ['address_hash'], expired)
  await deleteInBatches(db, 'sessions', ['id'], expired)
  await deleteInBatches(db, 'invitations', ['id'], expired)
  // Holds end by the database's clock, which all instances share. Selected, because the index serves a fixed value only.
  await deleteInBatches(db, 'claims', ['host_id', 'starts_at'], sql`expires_at <= (select ${engine(db).now})`)
  await deleteInBatches(db, 'connection_attempts', ['state_hash'], expired)
  await deleteInBatches(db, 'added_guests', ['booking_id', 'position'], sql`created_at <= ${now - HOUR}`)
  await deleteInBatches(db, 'webhook_deliveries', ['id'], sql`created_at <= ${now - DELIVERY_RETENTION}`)
  await deleteInBatches(db, 'payment_notices', ['id'], sql`at <= ${now - NOTICE_RETENTION}`)
  const yesterday = new Date(now - DAY).toISOString().slice(0, 10)
  await deleteInBatches(db, 'sms_counts', ['day', 'number_hash'], sql`day < ${yesterday}`)
  await deleteOldImports(db, now)
  const since = (days: number) => now - days * DAY
  if (keep.auditDays > 0) {
    await deleteInBatches(db, 'audit', ['id'], sql`created_at <= ${since(keep.auditDays)}`)
    const old = sql`at <= ${since(keep.auditDays)}`
    await deleteInBatches(db, 'booking_history', ['booking_id', 'id'], old)
  }
  if (keep.responsesDays > 0) {
    await deleteInBatches(db, 'routing_responses', ['id'], sql`created_at <= ${since(keep.responsesDays)}`)
  }
  if (keep.deadJobsDays > 0) {
    await deleteInBatches(db, 'outbox', ['id'], sql`failed_at <= ${since(keep.deadJobsDays)}`)
  }
  await engine(db).deleteExpiredCounts(db)
}

/** Forgets what was read from other services and is of no more use. What came of it is remembered. */
async function deleteOldImports(db: Db, now: number): Promise<void> {
  const imports = await db
    .selectFrom('imports')
    .select(['id', 'state', 'created_at'])
    .where('created_at', '<=', now - UNAPPLIED)
    .where('state', '<>', 'applying')
    .execute()
  for (const { id, state, created_at } of imports) {
    if (state === 'applied' && created_at > now - APPLIED) continue
    const ofIt = sql`import_id = ${id}`
    await deleteInBatches(db, 'import_rows', ['import_id', 'table_name', 'position'], ofIt)
    await deleteInBatches(db, 'import_lines', ['import_id', 'position'], ofIt)
    if (state !== 'applied') await db.deleteFrom('imports').where('id', '=', id).execute()
  }
}

/** Deletes the rows of a table that meet a condition, a few at a time. */
export async function deleteInBatches<T extends keyof Schema>(
  db: Db,
  table: T,
  primaryKey: readonly (keyof Schema[T] & string)[],
  condition: RawBuilder<unknown>,
): Promise<void> {
  const key = sql.join(primaryKey.map((column) => sql.ref(column)))
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    // The condition stands outside as well: a row that another transaction has just changed is looked at again.
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${condition}
        and (${key}) in (select ${key} from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH)})`.execute(
      db,
    )
    if (numAffectedRows < BATCH) return
    // On SQLite, requests wait while a statement runs: let them in between two.
    await nextTurn()
  }
}
