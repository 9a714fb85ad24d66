import { sql } from 'kysely'
import type { Db, Trx } from './database.ts'
import { engine } from './engine.ts'
import { MIGRATIONS } from './migrations.ts'

/**
 * Brings the database to the newest schema, all or nothing.
 *
 * However many instances start together, one does the work: SQLite takes the write lock as a transaction begins,
 * PostgreSQL an advisory lock.
 */
export async function migrate(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockMigrations(trx)
    await runMigrations(trx, MIGRATIONS.length)
  })
}

/** Makes this transaction the only one that migrates until it ends. */
export function lockMigrations(trx: Trx): Promise<void> {
  return engine(trx).lockMigrations(trx)
}

/** Runs the first `count` migrations, except those that have run already. */
export async function runMigrations(trx: Trx, count: number): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, ran_at bigint not null)`.execute(
    trx,
  )
  const done = new Set(await findMigrations(trx))
  for (const { name, statements } of MIGRATIONS.slice(0, count)) {
    if (done.has(name)) continue
    for (const statement of statements(engine(trx).name)) await sql.raw(statement).execute(trx)
    await trx.insertInto('migrations').values({ name, ran_at: Date.now() }).execute()
  }
}

/** Names of the migrations that have run, in order. */
export async function findMigrations(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}
