import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Settings } from '../settings.ts'
import { openStore, sqliteFileOf } from '../start.ts'
import type { Db } from '../store/engine/database.ts'
import { engine, type ServerFacts } from '../store/engine/engine.ts'
import { MIGRATIONS } from '../store/engine/migrations.ts'
import { sampleWork } from '../store/work-sample.ts'
import { findAppliedMigrations } from '../store/workspace/dump.ts'
import { type Finding, reasonOf } from './doctor-surroundings.ts'

const PATIENCE = 5000
const [SECOND, MINUTE] = [1000, 60_000]

/** Is the database there, new enough, up to date, on time, and large enough for this many instances? */
export async function checkDatabase(settings: Settings, instances: number): Promise<Finding[]> {
  const what = 'Database'
  if (settings.databaseUrl === '' && !existsSync(sqliteFileOf(settings))) {
    return [{ what, state: 'ok', says: `SQLite; ${sqliteFileOf(settings)} is made at the first start` }]
  }
  let db: Db | undefined
  try {
    db = openStore(settings, { poolSize: 1, queryTimeout: PATIENCE })
    const began = performance.now()
    const facts = await engine(db).readServerFacts(db)
    const took = Math.round(performance.now() - began)
    return [
      checkVersion(facts, took),
      ...(await checkPooler(settings, db)),
      ...(await checkStandby(settings)),
      ...checkConnections(settings, instances, facts),
      ...(settings.databaseUrl === '' ? [] : [await checkClock(db)]),
      ...(await checkTables(db)),
    ]
  } catch (error) {
    const says = `can't be reached: ${reasonOf(error)}`
    return [{ what, state: 'broken', says, advice: 'Check DATABASE_URL, and whether the server runs.' }]
  } finally {
    await db?.destroy()
  }
}

function checkVersion({ version, isSupported }: ServerFacts, took: number): Finding {
  const what = 'Database'
  if (isSupported) return { what, state: 'ok', says: `${version}, connected in ${took} ms` }
  return { what, state: 'broken', says: `${version} is too old`, advice: 'Use PostgreSQL 15 or newer.' }
}

/** Behind a pooler, single statements have the time-outs of their role. */
async function checkPooler({ databasePooler }: Settings, db: Db): Promise<Finding[]> {
  if (databasePooler === 'off') return []
  const what = 'Pooler'
  const { rows } = await sql<{ limited: boolean }>`
    select current_setting('statement_timeout') <> '0' and current_setting('lock_timeout') <> '0' as limited`.execute(
    db,
  )
  if (rows[0]?.limited) return [{ what, state: 'ok', says: 'single statements have time-outs' }]
  const advice = "alter role … set statement_timeout = '8s'; alter role … set lock_timeout = '3s';"
  return [{ what, state: 'warning', says: 'single statements have no time-outs', advice }]
}

async function checkStandby(settings: Settings): Promise<Finding[]> {
  if (settings.databaseUrl === '' || settings.databaseReadUrl === '') return []
  const what = 'Standby'
  const standby = openStore(
    { ...settings, databaseUrl: settings.databaseReadUrl },
    { poolSize: 1, queryTimeout: PATIENCE },
  )
  try {
    const { rows } = await sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`.execute(standby)
    if (rows[0]?.follows) return [{ what, state: 'ok', says: 'follows a primary' }]
    const advice = 'DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.'
    return [{ what, state: 'warning', says: 'is not a standby', advice }]
  } catch (error) {
    const advice = 'Check DATABASE_READ_URL. Until then, listings are read from the primary.'
    return [{ what, state: 'warning', says: `can't be reached: ${reasonOf(error)}`, advice }]
  } finally {
    await standby.destroy()
  }
}

/** Each instance has its pool, one connection that listens for jobs, and one for a backup. */
function checkConnections(settings: Settings, instances: number, { connections }: ServerFacts): Finding[] {
  // Behind a pooler, PostgreSQL has as many as that opens.
  if (connections === undefined || settings.databasePooler !== 'off') return []
  const what = 'Connections'
  const poolSize = settings.databasePoolSize
  const extra = settings.backupEvery > 0 ? 2 : 1
  const needed = instances * (poolSize + extra)
  const free = connections.max - connections.reserved
  const says = `${instances} × (${poolSize} + ${extra}) = ${needed} of the ${free} that PostgreSQL gives`
  if (needed > free) {
    const fitting = Math.floor(free / instances) - extra
    const lower = fitting >= 1 ? `Set DATABASE_POOL_SIZE=${fitting}, or raise` : 'Raise'
    return [
      {
        what,
        state: 'broken',
        says,
        advice: `${lower} max_connections to ${needed + connections.reserved}.`,
      },
    ]
  }
  const whileUpdating = (instances + 1) * (poolSize + extra)
  if (whileUpdating > free) {
    const advice = `A rolling update runs one more instance: raise max_connections to ${whileUpdating + connections.reserved}.`
    return [{ what, state: 'warning', says, advice }]
  }
  return [{ what, state: 'ok', says }]
}

async function checkClock(db: Db): Promise<Finding> {
  const what = 'Clock'
  const before = Date.now()
  const { rows } = await sql<{ now: number }>`select ${engine(db).now} as now`.execute(db)
  const after = Date.now()
  const theirs = rows[0]?.now ?? 0
  // Anywhere between the question and its answer is right.
  const skew = Math.max(0, theirs - after, before - theirs)
  const says = `${(skew / SECOND).toFixed(1)} s away from the database's`
  if (skew < SECOND) return { what, state: 'ok', says }
  const advice = 'Let both machines set their clocks by NTP.'
  return { what, state: skew < MINUTE ? 'warning' : 'broken', says, advice }
}

async function checkTables(db: Db): Promise<Finding[]> {
  const what = 'Migrations'
  const applied = await findAppliedMigrations(db)
  const unknown = applied.filter((name) => !MIGRATIONS.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    const says = `the database belongs to a newer version (${unknown.join(', ')})`
    return [{ what, state: 'broken', says, advice: 'Use that version, or restore a backup from before.' }]
  }
  const pending = MIGRATIONS.length - applied.length
  if (pending > 0) {
    const advice = 'They run when the service starts, or now with `punctual migrate`. Take a backup first.'
    return [{ what, state: 'warning', says: `${pending} of ${MIGRATIONS.length} have not run yet`, advice }]
  }
  return [{ what, state: 'ok', says: `all ${applied.length} have run` }, await checkJobs(db)]
}

async function checkJobs(db: Db): Promise<Finding> {
  const what = 'Jobs'
  const { jobs } = await sampleWork(db, Date.now())
  const all = [...jobs.values()]
  const dead = all.reduce((sum, job) => sum + job.dead, 0)
  const oldest = Math.min(...all.map(({ oldestDueAt }) => oldestDueAt ?? Number.POSITIVE_INFINITY))
  const late = Math.max(0, Math.round((Date.now() - oldest) / MINUTE))
  if (late >= 5) {
    const says = `the oldest has been due for ${late} minutes`
    return { what, state: 'warning', says, advice: 'See that the service runs, and what its log says.' }
  }
  if (dead > 0) {
    const advice = '`punctual outbox list` says why; `punctual outbox retry --all` tries them again.'
    return { what, state: 'warning', says: `${dead} were given up`, advice }
  }
  return { what, state: 'ok', says: 'none is late, none was given up' }
}
