import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '../../src/store/engine/database.ts'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { type FreshDatabase, freshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../kit.ts'

const FROZEN = fileURLToPath(new URL('../frozen-process.ts', import.meta.url))
const END_WITH_PARENT = new URL('../../tools/end-with-parent.mjs', import.meta.url).href

/** Of the instance that freezes: the server ends its transaction after half of it. */
const QUERY_TIMEOUT = 6000

describe('an instance that freezes', () => {
  let fresh: FreshDatabase
  let db: Db
  beforeEach(async () => {
    fresh = await migratedDatabase('postgres')
    db = openPatiently(fresh.url)
  })
  afterEach(async () => {
    await db.destroy()
    await fresh.drop()
  })

  it('with a host locked loses the lock, and commits nothing when it goes on', async (t) => {
    const ada = await addUser(db, 'ada')
    const eventType = await addEventType(db, ada)
    const { app } = await appOn(db, { now: stoppedClock().now })
    t.after(() => app.close())
    const frozen = spawn(
      process.execPath,
      ['--import', END_WITH_PARENT, FROZEN, fresh.url, ada.id, String(QUERY_TIMEOUT)],
      { env: BARE_ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    t.after(() => frozen.kill('SIGKILL'))
    const lines = createInterface(frozen.stdout)[Symbol.asyncIterator]()
    assert.equal((await lines.next()).value, 'locked')

    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/ada/${eventType.slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(eventType, MONDAY_NOON),
    })
    assert.equal(statusCode, 201)

    const ended = once(frozen, 'exit')
    frozen.kill('SIGCONT')
    assert.equal((await lines.next()).value, 'unavailable')
    await ended
    assert.deepEqual(await db.selectFrom('outbox').select('id').where('lane', '=', 'frozen').execute(), [])
  })
})

describe('a connection to a machine that is gone', () => {
  let fresh: FreshDatabase
  let db: Db
  beforeEach(async () => {
    fresh = await freshDatabase('postgres')
    db = openPatiently(fresh.url, { poolSize: 1 })
  })
  afterEach(async () => {
    await db.destroy()
    await fresh.drop()
  })

  it('is noticed by the server within seconds', async () => {
    const { rows } = await sql`
      select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
        current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as timeout`.execute(
      db,
    )
    assert.deepEqual(rows, [{ idle: '5', interval: '1', count: '10', timeout: '15000' }])
  })

  if (process.platform === 'linux') {
    it('is noticed by this side within seconds', async () => {
      const { rows } = await sql<{ port: number }>`select inet_client_port() as port`.execute(db)
      const port = Number(rows[0]?.port).toString(16).toUpperCase().padStart(4, '0')
      const sockets = (await readFile('/proc/net/tcp', 'utf8'))
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
      const [, , , , , timer = ''] = sockets.find(([, local]) => local?.endsWith(`:${port}`)) ?? []
      // Its kind (2: keepalive), and when it ends, in hundredths of a second.
      const [kind, left = ''] = timer.split(':')
      assert.equal(kind, '02')
      assert.ok(Number.parseInt(left, 16) <= 500, timer)
    })
  }
})
