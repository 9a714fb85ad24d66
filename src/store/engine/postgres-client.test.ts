import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '../../../test/databases.ts'
import { isUnavailable } from './database.ts'
import { openDatabase } from './open-database.ts'

it('leaves a connection on which the server has become read-only', async () => {
  await using ending = new AsyncDisposableStack()
  const fresh = await freshDatabase('postgres')
  ending.defer(() => fresh.drop())
  const name = sql.id(new URL(fresh.url).pathname.slice(1))
  const db = openDatabase(fresh.url, { poolSize: 1 })
  ending.defer(() => db.destroy())
  const write = () => sql`create table if not exists notes (id int)`.execute(db)
  // Holds for sessions that begin from now on, as on a standby.
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db)
  const standby = openDatabase(fresh.url, { poolSize: 1 })
  ending.defer(() => standby.destroy())
  const writeThere = () =>
    standby.transaction().execute((trx) => sql`create table seen (id int)`.execute(trx))

  await write()
  await assert.rejects(writeThere, isUnavailable)
  await sql`alter database ${name} reset default_transaction_read_only`.execute(db)
  await writeThere()
})
