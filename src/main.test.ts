import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BARE_ENVIRONMENT } from '../test/bare-environment.ts'
import { ONE_LINE } from '../test/command-line.ts'
import { type FreshDatabase, freshDatabase, migratedDatabase, openPatiently } from '../test/databases.ts'
import { startTcpProxy, type TcpProxy } from '../test/tcp-proxy.ts'

const MAIN = new URL('./main.ts', import.meta.url).pathname

/** Starts the service in its own process, and waits for it to end. */
async function runUntilExit(environment: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

describe('a start that loses its database', () => {
  let fresh: FreshDatabase
  let proxy: TcpProxy
  /** Holds what the start has to wait for. */
  let holder: pg.Client
  /** Sees it wait: inside a transaction, as the holder is, the list of connections stays as it was first read. */
  let watcher: pg.Client

  const open = async (make: typeof freshDatabase) => {
    fresh = await make('postgres')
    proxy = await startTcpProxy(fresh.url)
    holder = new pg.Client(fresh.url)
    watcher = new pg.Client(fresh.url)
    await Promise.all([holder.connect(), watcher.connect()])
  }
  afterEach(async () => {
    await proxy.close()
    await Promise.all([holder.end(), watcher.end()])
    await fresh.drop()
  })

  const MIGRATING = async () => {
    await open(freshDatabase)
    await holder.query('select pg_advisory_lock(7264301)')
  }
  const SEEDING = async () => {
    await open(migratedDatabase)
    await holder.query('begin; lock table schedulers in access exclusive mode')
  }

  /** The database's process that serves the start, once it waits for the holder. */
  async function untilItWaits(start: ReturnType<typeof runUntilExit>): Promise<number> {
    let ended: Awaited<typeof start> | undefined
    void start.then((result) => {
      ended = result
    })
    for (;;) {
      assert.equal(ended, undefined, 'it ended before it could lose anything')
      const { rows } = await watcher.query(
        'select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
      )
      if (rows.length > 0) return rows[0].pid
      await sleep(20)
    }
  }

  for (const [where, hold] of Object.entries({ 'a migration': MIGRATING, 'seeding the demo': SEEDING })) {
    for (const [how, lose] of Object.entries({
      'the network cuts the connection': async () => proxy.cut(),
      'the server ends it': async (pid: number) => {
        await watcher.query('select pg_terminate_backend($1)', [pid])
      },
    })) {
      it(`prints one line and exits with 1 when ${how} during ${where}`, async () => {
        await hold()
        const start = runUntilExit({ DATABASE_URL: proxy.url })
        await lose(await untilItWaits(start))
        const { code, stdout, stderr } = await start
        assert.match(stderr, ONE_LINE)
        assert.match(stderr, /^Punctual could not start: .*terminat/i)
        assert.equal(stdout, '')
        assert.equal(code, 1)
      })
    }
  }
})

describe('a start without a database', () => {
  it('says why it could not connect', async () => {
    const { code, stderr } = await runUntilExit({ DATABASE_URL: 'postgres://localhost:1/none' })
    assert.equal(code, 1)
    assert.match(stderr, ONE_LINE)
    assert.match(stderr, /^Punctual could not start: .*ECONNREFUSED/)
  })
})

describe('a start on a database that a newer version has migrated', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`is refused with one sentence on ${engine}, and changes nothing`, async (t) => {
      const fresh = await migratedDatabase(engine)
      t.after(() => fresh.drop())
      const db = openPatiently(fresh.url)
      t.after(() => db.destroy())
      await db.insertInto('migrations').values({ name: '900-later', ran_at: 5 }).execute()
      const migrations = () => db.selectFrom('migrations').selectAll().orderBy('name').execute()
      const before = await migrations()
      const { code, stdout, stderr } = await runUntilExit(
        engine === 'sqlite' ? { DATA_DIR: dirname(fresh.url) } : { DATABASE_URL: fresh.url },
      )
      assert.equal(
        stderr,
        'Punctual could not start: The database belongs to a newer version of Punctual (900-later): use that version, or restore a backup from before the upgrade into an empty database.\n',
      )
      assert.deepEqual([code, stdout], [1, ''])
      assert.deepEqual(await migrations(), before)
      assert.deepEqual(await db.selectFrom('schedulers').select('id').execute(), [])
    })
  }
})
