import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../test/kit.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import { type Db, isUnavailable } from '../store/engine/database.ts'
import type { EngineName } from '../store/engine/engine.ts'

const REFUSED = {
  status: 503,
  retryAfter: '5',
  body: { error: 'The service cannot reach its database just now. Please try again in a moment.' },
}

describe('a database that cannot write', () => {
  let fresh: FreshDatabase
  let db: Db
  let eventType: EventType
  const openOn = async (engine: EngineName) => {
    fresh = await migratedDatabase(engine)
    db = openPatiently(fresh.url)
    eventType = await addEventType(db, await addUser(db, 'ada'))
  }
  afterEach(async () => {
    await db.destroy()
    await fresh.drop()
  })

  const bookOn = async (t: TestContext, on: Db) => {
    const { app } = await appOn(on, { now: stoppedClock().now })
    t.after(() => app.close())
    const reply = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/ada/${eventType.slug}/book`,
      headers: fromSomeoneNew(),
      // Longer than a page of SQLite: it doesn't fit into what the tables have left.
      payload: bookingOf(eventType, MONDAY_NOON, { inviteeNotes: 'x'.repeat(5000) }),
    })
    return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], body: reply.json() }
  }

  describe('on SQLite', () => {
    beforeEach(() => openOn('sqlite'))

    it('refuses bookings with 503 while it is read-only, and takes them after that', async (t) => {
      await sql`pragma query_only = on`.execute(db)
      assert.deepEqual(await bookOn(t, db), REFUSED)
      await sql`pragma query_only = off`.execute(db)
      assert.equal((await bookOn(t, db)).status, 201)
      assert.equal((await db.selectFrom('bookings').select('id').execute()).length, 1)
    })
  })

  describe('on PostgreSQL', () => {
    beforeEach(() => openOn('postgres'))

    it('refuses bookings with 503 while it is read-only, and takes them after that', async (t) => {
      const setReadOnly = async (value: 'on' | 'off') => {
        const client = new pg.Client(fresh.url)
        await client.connect()
        await client.query('set default_transaction_read_only = off')
        const name = new URL(fresh.url).pathname.slice(1)
        await client.query(`alter database ${name} set default_transaction_read_only = ${value}`)
        await client.end()
      }
      await setReadOnly('on')
      // The setting counts for new connections.
      const readOnly = openPatiently(fresh.url)
      t.after(() => readOnly.destroy())
      const { status, retryAfter } = await bookOn(t, readOnly)
      assert.deepEqual([status, retryAfter], [503, '5'])
      // Past the rate limit, which refuses in words of its own.
      const rename = readOnly.updateTable('schedulers').set({ slug: 'eda' })
      await assert.rejects(rename.execute(), isUnavailable)
      await setReadOnly('off')
      assert.equal((await bookOn(t, db)).status, 201)
      assert.equal((await db.selectFrom('bookings').select('id').execute()).length, 1)
    })
  })
})
