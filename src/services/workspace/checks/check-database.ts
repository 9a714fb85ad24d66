import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { sentence, verbatim } from '../../../domain/sentence.ts'
import type { Db } from '../../../store/engine/database.ts'
import { engine, type ServerFacts } from '../../../store/engine/engine.ts'
import { findAppliedMigrations, findUnknown } from '../../../store/engine/migrate.ts'
import { MIGRATIONS } from '../../../store/engine/migrations.ts'
import { sampleWork } from '../../../store/work-sample.ts'
import type { Surroundings } from '../../surroundings.ts'
import { type Finding, reasonOf } from './check-surroundings.ts'

const PATIENCE = 5000
const [SECOND, MINUTE] = [1000, 60_000]

/** Is the database there, new enough, up to date, on time, and large enough for this many instances? */
export async function checkDatabase(surroundings: Surroundings, instances: number): Promise<Finding[]> {
  const what = sentence`Database`
  const { databaseUrl, sqliteFile } = surroundings
  if (databaseUrl === '' && !existsSync(sqliteFile)) {
    return [{ what, state: 'ok', says: sentence`SQLite; ${sqliteFile} is made at the first start` }]
  }
  let db: Db | undefined
  try {
    db = surroundings.openStore({ poolSize: 1, queryTimeout: PATIENCE })
    const began = performance.now()
    const facts = await engine(db).readServerFacts(db)
    const took = Math.round(performance.now() - began)
    return [
      checkVersion(facts, took),
      ...(await checkPooler(surroundings, db)),
      ...(await checkStandby(surroundings)),
      ...checkConnections(surroundings, instances, facts),
      ...(databaseUrl === '' ? [] : [await checkClock(db)]),
      ...(await checkTables(db)),
    ]
  } catch (error) {
    const says = sentence`can't be reached: ${reasonOf(error)}`
    return [
      { what, state: 'broken', says, advice: sentence`Check DATABASE_URL, and whether the server runs.` },
    ]
  } finally {
    await db?.destroy()
  }
}

function checkVersion({ version, isSupported }: ServerFacts, took: number): Finding {
  const what = sentence`Database`
  if (isSupported) return { what, state: 'ok', says: sentence`${version}, connected in ${took} ms` }
  return {
    what,
    state: 'broken',
    says: sentence`${version} is too old`,
    advice: sentence`Use PostgreSQL 15 or newer.`,
  }
}

/** Behind a pooler, single statements have the settings of their role. */
async function checkPooler({ databasePooler }: Surroundings, db: Db): Promise<Finding[]> {
  if (databasePooler === 'off') return []
  const what = sentence`Pooler`
  const { rows } = await sql<{ limited: boolean; compiled: boolean }>`
    select current_setting('statement_timeout') <> '0' and current_setting('lock_timeout') <> '0' as limited,
      current_setting('jit') = 'on' as compiled`.execute(db)
  const [{ limited, compiled } = { limited: false, compiled: false }] = rows
  const findings: Finding[] = []
  if (!limited) {
    const advice = verbatim(
      "alter role … set statement_timeout = '8s'; alter role … set lock_timeout = '3s';",
    )
    findings.push({ what, state: 'warning', says: sentence`single statements have no time-outs`, advice })
  }
  if (compiled) {
    const says = sentence`PostgreSQL may compile single statements, which takes longer than running them`
    findings.push({ what, state: 'warning', says, advice: verbatim('alter role … set jit = off;') })
  }
  if (findings.length > 0) return findings
  return [{ what, state: 'ok', says: sentence`single statements have time-outs` }]
}

async function checkStandby(surroundings: Surroundings): Promise<Finding[]> {
  if (surroundings.databaseUrl === '' || surroundings.databaseReadUrl === '') return []
  const what = sentence`Standby`
  const standby = surroundings.openStore(
    { poolSize: 1, queryTimeout: PATIENCE },
    surroundings.databaseReadUrl,
  )
  try {
    const { rows } = await sql<{ follows: boolean }>`select pg_is_in_recovery() as follows`.execute(standby)
    if (rows[0]?.follows) return [{ what, state: 'ok', says: sentence`follows a primary` }]
    const advice = sentence`DATABASE_READ_URL must lead to a standby. Until then, listings are read from the primary.`
    return [{ what, state: 'warning', says: sentence`is not a standby`, advice }]
  } catch (error) {
    const advice = sentence`Check DATABASE_READ_URL. Until then, listings are read from the primary.`
    return [{ what, state: 'warning', says: sentence`can't be reached: ${reasonOf(error)}`, advice }]
  } finally {
    await standby.destroy()
  }
}

/** Each instance has its pool, one connection that listens for jobs, and one for a backup. */
function checkConnections(
  surroundings: Surroundings,
  instances: number,
  { connections }: ServerFacts,
): Finding[] {
  // Behind a pooler, PostgreSQL has as many as that opens.
  if (connections === undefined || surroundings.databasePooler !== 'off') return []
  const what = sentence`Connections`
  const poolSize = surroundings.databasePoolSize
  const extra = surroundings.backupEvery > 0 ? 2 : 1
  const needed = instances * (poolSize + extra)
  const free = connections.max - connections.reserved
  const says = sentence`${instances} × (${poolSize} + ${extra}) = ${needed} of the ${free} that PostgreSQL gives`
  if (needed > free) {
    const fitting = Math.floor(free / instances) - extra
    const max = needed + connections.reserved
    const advice =
      fitting >= 1
        ? sentence`Set DATABASE_POOL_SIZE=${fitting}, or raise max_connections to ${max}.`
        : sentence`Raise max_connections to ${max}.`
    return [{ what, state: 'broken', says, advice }]
  }
  const whileUpdating = (instances + 1) * (poolSize + extra)
  if (whileUpdating > free) {
    const advice = sentence`A rolling update runs one more instance: raise max_connections to ${whileUpdating + connections.reserved}.`
    return [{ what, state: 'warning', says, advice }]
  }
  return [{ what, state: 'ok', says }]
}

async function checkClock(db: Db): Promise<Finding> {
  const what = sentence`Clock`
  const before = Date.now()
  const { rows } = await sql<{ now: number }>`select ${engine(db).now} as now`.execute(db)
  const after = Date.now()
  const theirs = rows[0]?.now ?? 0
  // Anywhere between the question and its answer is right.
  const skew = Math.max(0, theirs - after, before - theirs)
  const says = sentence`${(skew / SECOND).toFixed(1)} s away from the database's`
  if (skew < SECOND) return { what, state: 'ok', says }
  const advice = sentence`Let both machines set their clocks by NTP.`
  return { what, state: skew < MINUTE ? 'warning' : 'broken', says, advice }
}

async function checkTables(db: Db): Promise<Finding[]> {
  const what = sentence`Migrations`
  const applied = await findAppliedMigrations(db)
  const unknown = findUnknown(applied)
  if (unknown.length > 0) {
    const says = sentence`the database belongs to a newer version (${unknown})`
    return [
      { what, state: 'broken', says, advice: sentence`Use that version, or restore a backup from before.` },
    ]
  }
  const pending = MIGRATIONS.length - applied.length
  if (pending > 0) {
    const advice = sentence`They run when the service starts, or now with \`punctual migrate\`. Take a backup first.`
    return [
      { what, state: 'warning', says: sentence`${pending} of ${MIGRATIONS.length} have not run yet`, advice },
    ]
  }
  return [{ what, state: 'ok', says: sentence`all ${applied.length} have run` }, await checkJobs(db)]
}

async function checkJobs(db: Db): Promise<Finding> {
  const what = sentence`Jobs`
  const { jobs } = await sampleWork(db, Date.now())
  const all = [...jobs.values()]
  const dead = all.reduce((sum, job) => sum + job.dead, 0)
  const oldest = Math.min(...all.map(({ oldestDueAt }) => oldestDueAt ?? Number.POSITIVE_INFINITY))
  const late = Math.max(0, Math.round((Date.now() - oldest) / MINUTE))
  if (late >= 5) {
    const says = sentence`the oldest has been due for ${late} minutes`
    return {
      what,
      state: 'warning',
      says,
      advice: sentence`See that the service runs, and what its log says.`,
    }
  }
  if (dead > 0) {
    const advice = sentence`\`punctual outbox list\` says why; \`punctual outbox retry --all\` tries them again.`
    return {
      what,
      state: 'warning',
      says: dead === 1 ? sentence`1 was given up` : sentence`${dead} were given up`,
      advice,
    }
  }
  return { what, state: 'ok', says: sentence`none is late, none was given up` }
}
