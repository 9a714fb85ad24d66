import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { type FreshDatabase, freshDatabase } from '../../../../test/databases.ts'
import { addUser } from '../../../../test/kit.ts'
import { type Db, isUnavailable } from '../database.ts'
import { engine } from '../engine.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import type { BatchedWrite } from './driver.ts'

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

describe('SQLite', () => {
  let fresh: FreshDatabase
  let db: Db
  beforeEach(async () => {
    fresh = await freshDatabase('sqlite')
    db = openDatabase(fresh.url)
    await migrate(db)
    await addUser(db, 'ada')
  })
  afterEach(async () => {
    await db.destroy()
    await fresh.drop()
  })

  const slugs = async (from: Db = db) =>
    (await from.selectFrom('schedulers').select('slug').orderBy('slug').execute()).map((row) => row.slug)

  const rename = (slug: string, to: string, at: Db = db) =>
    at.updateTable('schedulers').set({ slug: to }).where('slug', '=', slug).execute()

  const assertWorks = async () => {
    const before = await slugs()
    await addUser(db, 'works')
    await db.transaction().execute((trx) => rename('works', 'works-in-a-transaction', trx))
    assert.deepEqual(await slugs(), [...before, 'works-in-a-transaction'])
  }

  it('syncs every commit, uses a write-ahead log and enforces foreign keys', async () => {
    const pragma = async (name: string) => (await sql.raw(`pragma ${name}`).execute(db)).rows
    assert.deepEqual(await pragma('journal_mode'), [{ journal_mode: 'wal' }])
    assert.deepEqual(await pragma('synchronous'), [{ synchronous: 2 }])
    assert.deepEqual(await pragma('foreign_keys'), [{ foreign_keys: 1 }])
  })

  it('reads during an open transaction, and sees only committed rows', {
    timeout: 120_000,
  }, async () => {
    const written = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const writing = db.transaction().execute(async (trx) => {
      await rename('ada', 'written', trx)
      assert.deepEqual(await slugs(trx), ['written'])
      written.resolve()
      await released.promise
    })
    await written.promise
    // If readers queued behind the writer, this would never end.
    assert.deepEqual(await slugs(), ['ada'])
    released.resolve()
    await writing
    assert.deepEqual(await slugs(), ['written'])
  })

  it('runs writers one by one, in the order of arrival', async () => {
    const events: string[] = []
    const began = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const first = db.transaction().execute(async (trx) => {
      began.resolve()
      await released.promise
      await rename('ada', 'first', trx)
      events.push('first')
    })
    await began.promise
    const second = rename('first', 'second').then(() => events.push('second'))
    const third = db.transaction().execute(async (trx) => {
      await rename('second', 'third', trx)
      events.push('third')
    })
    released.resolve()
    await Promise.all([first, second, third])
    assert.deepEqual(events, ['first', 'second', 'third'])
    assert.deepEqual(await slugs(), ['third'])
  })

  it('rolls back a transaction that throws, and keeps working', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await rename('ada', 'gone', trx)
      throw new Error('on second thoughts')
    })
    await assert.rejects(failing, /on second thoughts/)
    assert.deepEqual(await slugs(), ['ada'])
    await assertWorks()
  })

  it('rolls back a transaction whose commit fails, and keeps working', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await sql`pragma defer_foreign_keys = on`.execute(trx)
      await rename('ada', 'gone', trx)
      await sql`insert into event_type_hosts (event_type_id, host_id, fixed) values (${UNKNOWN}, ${UNKNOWN}, 1)`.execute(
        trx,
      )
    })
    await assert.rejects(failing, /FOREIGN KEY constraint failed/)
    assert.deepEqual(await slugs(), ['ada'])
    await assertWorks()
  })

  it('keeps working after a statement that rolled back its transaction, and reports its error', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await rename('ada', 'gone', trx)
      await sql`insert or rollback into secrets values ('a', '1'), ('a', '2')`.execute(trx)
    })
    await assert.rejects(failing, /UNIQUE constraint failed/)
    assert.deepEqual(await slugs(), ['ada'])
    await assertWorks()
  })

  it('keeps working after a failed statement', async () => {
    await assert.rejects(sql`insert into nowhere values (1)`.execute(db), /no such table/)
    await assertWorks()
  })

  it('is unavailable while another process writes, and works again after that', async () => {
    await sql`pragma busy_timeout = 0`.execute(db)
    const elsewhere = new DatabaseSync(fresh.url)
    elsewhere.exec('begin immediate')
    await assert.rejects(rename('ada', 'ben'), isUnavailable)
    await assert.rejects(
      db.transaction().execute((trx) => rename('ada', 'ben', trx)),
      isUnavailable,
    )
    assert.deepEqual(await slugs(), ['ada'])
    elsewhere.exec('commit')
    elsewhere.close()
    await assertWorks()
  })

  it('sees what another process commits', async () => {
    const elsewhere = new DatabaseSync(fresh.url)
    assert.deepEqual(await slugs(), ['ada'])
    elsewhere.exec(`update schedulers set slug = 'ben'`)
    elsewhere.close()
    assert.deepEqual(await slugs(), ['ben'])
  })

  it('commits delayed writes together with the next urgent one, or before it closes', async () => {
    const renameWithin = (maxDelay: number, slug: string, to: string) => {
      const query = db.updateTable('schedulers').set({ slug: to }).where('slug', '=', slug).compile()
      const write: BatchedWrite = { ...query, writes: [query], maxDelay }
      return db.executeQuery(write)
    }
    const anHour = 3_600_000
    // Until the driver has it.
    const handedOver = () => new Promise((resolve) => setImmediate(resolve))
    const joining = renameWithin(anHour, 'ada', 'ben')
    await handedOver()
    const urgent = sql`update schedulers set name = 'Ben'`.compile(db)
    await engine(db).inTwoTrips([], () => ({ writes: [urgent], result: undefined }))
    await joining
    assert.deepEqual(await slugs(), ['ben'])

    const alone = renameWithin(anHour, 'ben', 'cy')
    await handedOver()
    await db.destroy()
    await alone
    db = openDatabase(fresh.url)
    assert.deepEqual(await slugs(), ['cy'])
  })

  it('returns rows as plain objects', async () => {
    const row = await db.selectFrom('schedulers').select('slug').executeTakeFirstOrThrow()
    assert.equal(Object.getPrototypeOf(row), Object.prototype)
  })
})
