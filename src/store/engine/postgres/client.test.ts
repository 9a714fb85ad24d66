import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { freshDatabase, openPatiently } from '../../../../test/databases.ts'
import { isUnavailable } from '../database.ts'
import { engine } from '../engine.ts'
import type { Schema } from '../schema.ts'

it('leaves a connection on which the server has become read-only', async () => {
  await using ending = new AsyncDisposableStack()
  const fresh = await freshDatabase('postgres')
  ending.defer(() => fresh.drop())
  const name = sql.id(new URL(fresh.url).pathname.slice(1))
  const db = openPatiently(fresh.url, { poolSize: 1 })
  ending.defer(() => db.destroy())
  const write = () => sql`create table if not exists notes (id int)`.execute(db)
  // Holds for sessions that begin from now on, as on a standby.
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db)
  const standby = openPatiently(fresh.url, { poolSize: 1 })
  ending.defer(() => standby.destroy())
  const writeThere = () =>
    standby.transaction().execute((trx) => sql`create table seen (id int)`.execute(trx))

  await write()
  await assert.rejects(writeThere, isUnavailable)
  await sql`alter database ${name} reset default_transaction_read_only`.execute(db)
  await writeThere()
})

it('prepares a statement again after a newer version has added a column', async () => {
  await using ending = new AsyncDisposableStack()
  const fresh = await freshDatabase('postgres')
  ending.defer(() => fresh.drop())
  const db = openPatiently(fresh.url, { poolSize: 2 })
  ending.defer(() => db.destroy())
  await sql`create table notes (id int)`.execute(db)
  await sql`insert into notes values (1)`.execute(db)
  const read = (one: Kysely<Schema>) => sql<object>`select * from notes where id = ${1}`.execute(one)
  const readInTrips = () =>
    engine(db).inTwoTrips([sql`select * from notes where id = ${1}`.compile(db)], ([answer]) => {
      return { writes: [], result: answer?.rows }
    })
  // On both connections.
  await Promise.all([readInTrips(), readInTrips()])

  await sql`alter table notes add column title text`.execute(db)
  assert.deepEqual(await readInTrips(), [{ id: 1, title: null }])
  await sql`alter table notes add column place text`.execute(db)
  const both = await Promise.all([read(db), read(db)])
  assert.deepEqual(
    both.map(({ rows }) => rows),
    Array(2).fill([{ id: 1, title: null, place: null }]),
  )

  // With a single connection, so that it is the one on which the statement is prepared.
  const single = openPatiently(fresh.url, { poolSize: 1 })
  ending.defer(() => single.destroy())
  await read(single)
  await sql`alter table notes add column pages int`.execute(db)
  assert.equal((await single.transaction().execute(read)).rows.length, 1)
  // Prepared for the first time in a transaction, and used in another after the next column.
  const write = (trx: Kysely<Schema>) =>
    sql<object>`update notes set id = id + ${1} returning notes.*`.execute(trx)
  await single.transaction().execute(write)
  await sql`alter table notes add column author text`.execute(db)
  assert.deepEqual((await single.transaction().execute(write)).rows, [
    { id: 3, title: null, place: null, pages: null, author: null },
  ])
})
