import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { engine } from '../../src/store/engine/engine.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { migratedDatabase, openPatiently } from '../databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  askReadiness,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../kit.ts'
import { startPostgres } from '../postgres.ts'

const REFUSED = {
  status: 503,
  retryAfter: '60',
  body: {
    error: 'The service has run out of storage, so nothing was booked or changed. Please try again later.',
  },
}

/** The service on a database, with what it logs. */
async function serve(t: TestContext, db: Db, eventType: EventType) {
  const log: string[] = []
  const { app } = await appOn(db, {
    now: stoppedClock().now,
    logger: { level: 'warn', stream: { write: (line: string) => void log.push(JSON.parse(line).msg) } },
  })
  t.after(() => app.close())
  let bookings = 0
  return {
    log,
    book: async (headers: Readonly<Record<string, string>> = {}) => {
      const reply = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/ada/${eventType.slug}/book`,
        headers: { ...fromSomeoneNew(), ...headers },
        // Longer than a page of SQLite: it doesn't fit into what the tables have left.
        payload: bookingOf(eventType, MONDAY_NOON + 60 * MINUTE * bookings++, {
          inviteeNotes: 'x'.repeat(5000),
        }),
      })
      return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], body: reply.json() }
    },
    ready: async () => {
      const reply = await askReadiness(app)
      return [reply.statusCode, reply.json().status]
    },
  }
}

/** Fills the disk, sees what is said, makes room, and sees that the service goes on. */
async function check(t: TestContext, db: Db, fill: () => Promise<void>, makeRoom: () => Promise<void>) {
  const eventType = await addEventType(db, await addUser(db, 'ada'))
  const { book, ready, log } = await serve(t, db, eventType)
  assert.deepEqual(await ready(), [200, 'ready'])
  await fill()
  // Reading still works, and nothing has failed yet.
  assert.deepEqual(await ready(), [200, 'ready'])
  assert.deepEqual(await book(), REFUSED)
  assert.deepEqual(await book(), REFUSED)
  assert.match(
    (await book({ 'accept-language': 'de' })).body.error,
    /^Der Dienst hat keinen Speicherplatz mehr/,
  )
  assert.deepEqual(await ready(), [503, 'disk full'])
  assert.deepEqual(await ready(), [503, 'disk full'])
  assert.deepEqual(log, ['The disk is full: nothing is saved until there is room. No restart is needed.'])
  await makeRoom()
  assert.deepEqual(await ready(), [200, 'ready'])
  assert.equal((await book()).status, 201)
  assert.deepEqual(log.slice(1), ['There is room on the disk again.'])
  assert.equal((await db.selectFrom('bookings').select('id').execute()).length, 1)
  assert.deepEqual(await db.selectFrom('sign_in_attempts').selectAll().execute(), [])
}

describe('a full disk', () => {
  it('is told to guests, in the log and by /readyz on SQLite, until there is room', async (t) => {
    await using ending = new AsyncDisposableStack()
    const fresh = await migratedDatabase('sqlite')
    ending.defer(() => fresh.drop())
    const db = openPatiently(fresh.url)
    ending.defer(() => db.destroy())
    const limit = async (pages: number) => {
      await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db)
    }
    // SQLite raises a limit below the size of the file to that size.
    await check(
      t,
      db,
      () => limit(1),
      () => limit(1_000_000),
    )
  })

  it('is told to guests, in the log and by /readyz on PostgreSQL, until there is room', async (t) => {
    await using ending = new AsyncDisposableStack()
    const server = await startPostgres({ durable: false, settings: { shared_buffers: '16MB' } })
    ending.defer(() => server.stop())
    const db = openPatiently(server.url)
    ending.defer(() => db.destroy())
    await migrate(db)
    const { rows } = await sql<{ path: string }>`
      select current_setting('data_directory') || '/' || pg_relation_filepath(oid) as path from pg_class
      where relname = 'bookings'
        or oid = (select reltoastrelid from pg_class where relname = 'sign_in_attempts')`.execute(db)
    assert.equal(rows.length, 2)
    const other = new pg.Client(server.url)
    await other.connect()
    ending.defer(() => other.end())
    /** Connections keep files open. */
    const reconnect = async () => {
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()',
      )
      while ((engine(db).poolUsage?.().idle ?? 0) > 0) await sleep(10)
    }
    await check(
      t,
      db,
      async () => {
        // Linux answers every write to this device with ENOSPC, and PostgreSQL takes it for the file of an empty table.
        for (const { path } of rows) {
          await rename(path, `${path}.kept`)
          await symlink('/dev/full', path)
        }
        await reconnect()
      },
      async () => {
        for (const { path } of rows) await rename(`${path}.kept`, path)
        await reconnect()
      },
    )
  })

  it('leaves no half of an email', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'punctual-full-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const script = `
      const { fileMailer } = await import(${JSON.stringify(import.meta.resolve('../../src/outside/mail/mail.ts'))})
      const send = fileMailer(process.env.FOLDER, 'Punctual <book@example.com>', () => {})
      const mail = { to: 'ada@hosts.example', subject: 'Hello', text: 'Hello. '.repeat(100_000), html: '' }
      process.stdout.write(await send(mail).then(() => 'sent', ({ code, message }) => code ?? message))`
    // A limit for the size of files, in blocks of 512 bytes: the first ones are written.
    const limited = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath]
    const { stdout } = await promisify(execFile)(
      'sh',
      [...limited, '--input-type=module', '--eval', script],
      { env: { ...BARE_ENVIRONMENT, NODE_COMPILE_CACHE: '', FOLDER: folder } },
    )
    assert.equal(stdout, 'EFBIG')
    assert.deepEqual(await readdir(folder), [])
  })
})
