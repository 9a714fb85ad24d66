import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import { type Db, isLockTimeout, type Trx } from './database.ts'
import { type EngineName, engine } from './engine.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'

/** Milliseconds that a migration waits for a lock. Requests queue behind it for as long. */
const LOCK_WAIT = 300
/** Milliseconds until it tries again, in which those requests are served. */
const PAUSE = 700

/**
 * Brings the database to the newest schema, while instances of the version before may use it.
 *
 * However many instances start together, one does the work at a time. What fails is undone, except for indexes that were
 * built before.
 */
export async function migrate(db: Db, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  for (let done = false; !done; ) {
    try {
      done = await db.transaction().execute((trx) => migrateFurther(db, trx, migrations))
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await sleep(PAUSE)
    }
  }
}

/**
 * Runs all pending migrations that change tables, or the next one that builds indexes. True when none is left.
 *
 * Tables change at once, because the version before has to prepare its statements again after each change.
 */
async function migrateFurther(db: Db, trx: Trx, migrations: readonly Migration[]): Promise<boolean> {
  const on = engine(trx)
  await on.limitLockWaits(trx, LOCK_WAIT)
  await on.lockMigrations(trx, 'indexes')
  const applied = await findAppliedMigrations(trx)
  refuseNewer(applied, migrations)
  const pending = migrations.filter(({ name }) => !applied.includes(name))
  // A new database is nobody's yet: its indexes can be built like its tables.
  const together =
    applied.length === 0 || !on.buildIndex ? pending : pending.filter(({ indexes }) => !indexes)
  if (pending.length === 0) return true
  if (together.length > 0) {
    await on.lockMigrations(trx, 'tables')
    await runAll(trx, together, migrations)
    return together.length === pending.length
  }
  const [next, ...others] = pending as [Migration, ...Migration[]]
  for (const index of next.indexes?.(on.name) ?? []) await on.buildIndex?.(db, index, trx)
  await recordMigration(trx, next)
  return others.length === 0
}

/** Makes this transaction the only one that migrates tables until it ends. */
export function lockMigrations(trx: Trx): Promise<void> {
  return engine(trx).lockMigrations(trx, 'tables')
}

/** Runs the first `count` migrations in this transaction, except those that have run already. */
export function runMigrations(trx: Trx, count: number): Promise<void> {
  return runAll(trx, MIGRATIONS.slice(0, count), MIGRATIONS)
}

/** Runs the wanted migrations, except those that have run already, if `known` has all that have run. */
async function runAll(trx: Trx, wanted: readonly Migration[], known: readonly Migration[]): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, ran_at bigint not null)`.execute(
    trx,
  )
  const applied = await findMigrations(trx)
  refuseNewer(applied, known)
  for (const migration of wanted) {
    if (applied.includes(migration.name)) continue
    for (const statement of statementsOf(migration, engine(trx).name)) await sql.raw(statement).execute(trx)
    await recordMigration(trx, migration)
  }
}

function statementsOf({ statements, indexes }: Migration, name: EngineName): readonly string[] {
  if (statements !== undefined) return statements(name)
  return indexes(name).map((index) => `create index ${index.name} on ${index.on}`)
}

async function recordMigration(trx: Trx, { name }: Migration): Promise<void> {
  await trx.insertInto('migrations').values({ name, ran_at: Date.now() }).execute()
}

/** Names of the migrations that have run, in order. */
export async function findMigrations(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** Migrations that have run on this database; none if it has no tables yet. */
export async function findAppliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await engine(db).tableNames.execute(db)
  return rows.some(({ name }) => name === 'migrations') ? findMigrations(db) : []
}

/** Those among the applied migrations that this version doesn't have: a newer one has run them. */
export function findUnknown(
  applied: readonly string[],
  migrations: readonly Migration[] = MIGRATIONS,
): string[] {
  return applied.filter((name) => !migrations.some((migration) => migration.name === name))
}

/** Refuses a database that a newer version has migrated: this one doesn't know what its tables mean now. */
export function refuseNewer(applied: readonly string[], migrations: readonly Migration[] = MIGRATIONS): void {
  const unknown = findUnknown(applied, migrations)
  if (unknown.length === 0) return
  throw new Problem(
    'invalid',
    english`The database belongs to a newer version of Punctual (${unknown.join(', ')}): use that version, or restore a backup from before the upgrade into an empty database.`,
  )
}
