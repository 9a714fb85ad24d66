import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { type FreshDatabase, freshDatabase } from '../../../test/databases.ts'
import type { Db } from './database.ts'
import { engine } from './engine.ts'
import { openDatabase } from './open-database.ts'

describe('a transaction of two trips on postgres', () => {
  let fresh: FreshDatabase
  let db: Db
  before(async () => {
    fresh = await freshDatabase('postgres')
    const setUp = openDatabase(fresh.url)
    // The server of the tests waits for nothing, to be faster; a server in use does.
    await sql`alter database ${sql.raw(new URL(fresh.url).pathname.slice(1))} set synchronous_commit = on`.execute(
      setUp,
    )
    await sql`create table notes (text text not null)`.execute(setUp)
    await setUp.destroy()
    db = openDatabase(fresh.url)
  })
  after(async () => {
    await db?.destroy()
    await fresh?.drop()
  })

  const insert = (): CompiledQuery => sql`insert into notes values ('one')`.compile(db)
  const positionOf = async (what: 'insert' | 'flush') => {
    const { rows } = await sql<{ bytes: number }>`
      select pg_wal_lsn_diff(${sql.raw(`pg_current_wal_${what}_lsn()`)}, '0/0')::bigint as bytes`.execute(db)
    return rows[0]?.bytes ?? 0
  }

  it('is on the disk when it is answered', async () => {
    // Without waiting, the server would write the log by itself a few times a second: one of these is in between.
    for (let i = 0; i < 20; i++) {
      const before = await positionOf('insert')
      await engine(db).inTwoTrips([], () => ({ writes: [insert()], result: undefined }))
      assert.ok((await positionOf('flush')) > before)
    }
  })

  it('writes nothing if one of its writes fails', async () => {
    const wrong = sql`insert into notes values (null)`.compile(db)
    const { rows: earlier } = await sql`select 1 from notes`.execute(db)
    await assert.rejects(
      engine(db).inTwoTrips([], () => ({ writes: [insert(), wrong], result: undefined })),
      /null value/,
    )
    const { rows } = await sql`select 1 from notes`.execute(db)
    assert.equal(rows.length, earlier.length)
  })
})
