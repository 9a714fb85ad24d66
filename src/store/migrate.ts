import { sql } from 'kysely'
import { type Db, engineOf, type Trx } from './database.ts'
import { MIGRATIONS } from './migrations.ts'

/** Any number will do, as long as it stays the same. */
const MIGRATION_LOCK = 7_264_301

/**
 * Brings the database to the newest shape, all or nothing.
 *
 * However many instances start together, one does the work: SQLite takes the
 * write lock as a transaction begins, PostgreSQL an advisory lock.
 */
export async function migrate(db: Db): Promise<void> {
  const engine = engineOf(db)
  await db.transaction().execute(async (trx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx)
    await sql`create table if not exists migrations (name text primary key, ran_at bigint not null)`.execute(
      trx,
    )
    const done = new Set(await namesOf(trx))
    for (const { name, statements } of MIGRATIONS) {
      if (done.has(name)) continue
      for (const statement of statements(engine)) await sql.raw(statement).execute(trx)
      await trx.insertInto('migrations').values({ name, ran_at: Date.now() }).execute()
    }
  })
}

async function namesOf(trx: Trx): Promise<string[]> {
  const rows = await trx.selectFrom('migrations').select('name').execute()
  return rows.map((row) => row.name)
}
