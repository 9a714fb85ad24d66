import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase, openPatiently } from '../../../test/databases.ts'
import { isUnavailable } from './database.ts'
import { engine as engineFor } from './engine.ts'
import { openDatabase } from './open-database.ts'

onEveryDatabase('a database', ({ db, url, engine }) => {
  it('has one engine, which its transactions share', async () => {
    assert.equal(engineFor(db()).name, engine)
    await db()
      .transaction()
      .execute(async (trx) => assert.equal(engineFor(trx), engineFor(db())))
  })

  it('returns big integers and counts as numbers', async () => {
    const { rows } =
      await sql`select cast(${2 ** 52} as bigint) as big, count(*) as few from secrets`.execute(db())
    assert.deepEqual(rows, [{ big: 2 ** 52, few: 0 }])
  })

  it('does not report an invalid statement as unavailability', async () => {
    await assert.rejects(sql`select nothing from nowhere`.execute(db()), (error) => !isUnavailable(error))
  })

  if (engine === 'sqlite') {
    it('says that it is unavailable when its file cannot be opened', async () => {
      const away = openDatabase(`${url()}/not-a-folder/punctual.sqlite`)
      await assert.rejects(sql`select 1`.execute(away), isUnavailable)
      await away.destroy()
    })
  }

  if (engine === 'postgres') {
    it('is unavailable without a server', async () => {
      const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing')
      await assert.rejects(sql`select 1`.execute(away), isUnavailable)
      await away.destroy()
    })

    it('reports a lost idle connection, and keeps working', async () => {
      const lost = Promise.withResolvers<Error>()
      const own = openPatiently(url(), { poolSize: 1, onError: lost.resolve })
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(own)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::integer)`.execute(db())
      assert.match((await lost.promise).message, /terminating connection/)
      assert.deepEqual((await sql`select 1 as one`.execute(own)).rows, [{ one: 1 }])
      await own.destroy()
    })

    it('keeps working after a connection is lost during a statement', async () => {
      const own = openPatiently(url(), { poolSize: 1 })
      const asleep = sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      // Expected before the connection is ended: the failure may arrive before that statement's result.
      const failed = assert.rejects(sql`select pg_sleep(60)`.execute(own), isUnavailable)
      let pid: number | undefined
      while (pid === undefined) pid = (await asleep.execute(db())).rows[0]?.pid
      await sql`select pg_terminate_backend(${pid}::integer)`.execute(db())
      await failed
      // The next statements may still get the connection that is about to close.
      let answer: unknown
      for (let tries = 0; answer === undefined && tries < 100; tries++) {
        answer = await sql`select 1 as one`.execute(own).then(
          ({ rows }) => rows,
          (error) => assert.ok(isUnavailable(error)),
        )
      }
      assert.deepEqual(answer, [{ one: 1 }])
      await own.destroy()
    })
  }
})
