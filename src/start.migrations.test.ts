import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { type FreshDatabase, freshDatabase, openPatiently } from '../test/databases.ts'
import { readSettings } from './settings.ts'
import { openService } from './start.ts'
import { isUnavailable } from './store/engine/database.ts'
import { runMigrations } from './store/engine/migrate.ts'
import { MIGRATIONS } from './store/engine/migrations.ts'

/** What a request may take; on the server, waiting for a lock ends after a third of it. */
const QUERY_TIMEOUT = 300

describe('instances that start while a migration takes long', () => {
  let fresh: FreshDatabase
  let holder: pg.Client
  /** Not the holder: a transaction sees the activity of its first look. */
  let observer: pg.Client
  beforeEach(async () => {
    fresh = await freshDatabase('postgres')
    holder = new pg.Client(fresh.url)
    observer = new pg.Client(fresh.url)
    await Promise.all([holder.connect(), observer.connect()])
  })
  afterEach(async () => {
    await Promise.all([holder.end(), observer.end()])
    await fresh.drop()
  })

  const countMigrations = async (): Promise<number> => {
    const { rows } = await observer.query('select count(*)::int as count from migrations')
    return rows[0].count
  }
  const start = async () => {
    const limits = { queryTimeout: QUERY_TIMEOUT, connectTimeout: 60_000 }
    try {
      const { close } = await openService(readSettings({ DATABASE_URL: fresh.url }), limits)
      await close()
    } catch (error) {
      // What follows the migrations has the time of a request, which may not do on a busy machine.
      if (!isUnavailable(error) || (await countMigrations()) < MIGRATIONS.length) throw error
    }
  }
  /** Until this many instances have waited for a lock, given up, and waited again. */
  const untilTheyHaveWaited = async (count: number, starts: Promise<unknown>) => {
    let failed = false
    starts.catch(() => {
      failed = true
    })
    const attempts = new Map<number, Set<number>>()
    const haveWaitedTwice = () => [...attempts.values()].filter(({ size }) => size > 1).length
    while (haveWaitedTwice() < count && !failed) {
      const { rows } = await observer.query(
        `select pid, extract(epoch from xact_start) as attempt from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      for (const { pid, attempt } of rows) attempts.set(pid, (attempts.get(pid) ?? new Set()).add(attempt))
    }
  }
  const assertMigrated = async () => {
    assert.equal(await countMigrations(), MIGRATIONS.length)
  }

  it('wait for the one that migrates', async () => {
    await holder.query('begin; select pg_advisory_xact_lock(7264301)')
    const starts = Promise.all([start(), start()])
    await untilTheyHaveWaited(2, starts)
    await holder.query('commit')
    await starts
    await assertMigrated()
  })

  it('give a statement of a migration all the time that it needs', async () => {
    const db = openPatiently(fresh.url)
    const count = MIGRATIONS.findIndex(({ name }) => name === '008-booking-revision')
    await db.transaction().execute((trx) => runMigrations(trx, count))
    await db.destroy()
    await holder.query('begin; lock table schedulers in access exclusive mode')
    const starts = Promise.all([start(), start()])
    await untilTheyHaveWaited(2, starts)
    await holder.query('commit')
    await starts
    await assertMigrated()
  })
})
