import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../../test/databases.ts'
import type { Db } from './database.ts'
import { engine } from './engine.ts'
import { preparedBatch } from './prepared.ts'

onEveryDatabase('a batched write', ({ db }) => {
  beforeEach(async () => {
    await db().deleteFrom('secrets').execute()
  })

  const insert = (name: string, to: Db = db()) =>
    to.insertInto('secrets').values({ name, value: 'x' }).compile()
  const names = async () =>
    (await db().selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)

  it('runs every one of its statements', async () => {
    await engine(db()).batchedWrite(db(), [insert('a'), insert('b'), insert('c')])
    assert.deepEqual(await names(), ['a', 'b', 'c'])
  })

  it('runs every one of its statements in a transaction, which may still be rolled back', async () => {
    const rolledBack = db()
      .transaction()
      .execute(async (trx) => {
        await engine(trx).batchedWrite(trx, [insert('a', trx), insert('b', trx)])
        const { count } = await trx
          .selectFrom('secrets')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        assert.equal(count, 2)
        throw new Error('rolled back')
      })
    await assert.rejects(rolledBack, /rolled back/)
    assert.deepEqual(await names(), [])
  })

  it('runs none of its statements if one fails', async () => {
    await assert.rejects(engine(db()).batchedWrite(db(), [insert('a'), insert('b'), insert('a')]))
    assert.deepEqual(await names(), [])
  })

  it('runs prepared statements, each with its own values, all or none', async () => {
    const swap = preparedBatch<{ added: string; removed: string }>((_, value) => [
      sql`insert into secrets (name, value) values (${value('added')}, 'x')`,
      sql`delete from secrets where name = ${value('removed')}`,
    ])
    await swap(db(), { added: 'a', removed: 'z' })
    await swap(db(), { added: 'b', removed: 'a' })
    await swap(db(), { added: 'c', removed: 'z' })
    assert.deepEqual(await names(), ['b', 'c'])
    await assert.rejects(swap(db(), { added: 'b', removed: 'c' }))
    assert.deepEqual(await names(), ['b', 'c'])
  })
})
