import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { onEveryDatabase } from '../../../test/databases.ts'
import type { Cursor } from '../../domain/cursor.ts'
import { newId } from '../new-id.ts'
import { findMerged, pageById, pageByIdDesc, pageByTimeDesc } from './paging.ts'

onEveryDatabase('paging', ({ db }) => {
  const ids = Array.from({ length: 30 }, () => newId()).sort()
  /** Many entries share their instant, and ids do not follow it. */
  const instantOf = (index: number) => 1000 + (index % 4)

  before(async () => {
    const entries = ids.map((id, index) => ({
      id,
      scheduler_id: ids[index % 3] as string,
      actor_id: null,
      actor: 'test',
      action: 'created',
      object_type: 'test',
      object_id: '',
      changes: '[]',
      created_at: instantOf(index),
    }))
    await db().insertInto('audit').values(entries).execute()
  })

  const audit = () => db().selectFrom('audit').select(['id', 'created_at'])

  /** Reads page after page until one is short. */
  async function readAll<Row>(readPage: (last: Row | undefined) => Promise<Row[]>, limit: number) {
    const rows: Row[] = []
    for (;;) {
      const page = await readPage(rows.at(-1))
      assert.ok(page.length <= limit && rows.length <= ids.length)
      rows.push(...page)
      if (page.length < limit) return rows
    }
  }
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  for (const limit of [1, 7, 30, 31]) {
    it(`returns every row once, in order, in pages of ${limit}`, async () => {
      const up = await readAll<{ id: string }>(
        (last) =>
          audit()
            .$call(pageById({ after: last?.id, limit }))
            .execute(),
        limit,
      )
      assert.deepEqual(idsOf(up), ids)

      const down = await readAll<{ id: string }>(
        (last) =>
          audit()
            .$call(pageByIdDesc({ after: last?.id, limit }))
            .execute(),
        limit,
      )
      assert.deepEqual(idsOf(down), ids.toReversed())

      const byTime = await readAll<{ id: string; created_at: number }>((last) => {
        const after: Cursor | undefined = last && { at: last.created_at, id: last.id }
        return audit().$call(pageByTimeDesc('created_at', { after, limit })).execute()
      }, limit)
      const sorted = ids
        .map((id, index) => ({ id, at: instantOf(index) }))
        .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      assert.deepEqual(idsOf(byTime), idsOf(sorted))
    })
  }

  it('merges the pages of several owners, also of more than one union takes', async () => {
    const owners = ids.slice(0, 3)
    const strangers = Array.from({ length: 400 }, () => newId())
    const partOf = (owner: string) =>
      audit()
        .where('scheduler_id', '=', owner)
        .$call(pageByIdDesc({ limit: 10 }))
    const few = await findMerged(db(), owners.map(partOf), { keys: ['id'], order: 'desc', limit: 10 })
    assert.deepEqual(idsOf(few), ids.toReversed().slice(0, 10))
    const many = [owners[0], ...strangers, owners[1], owners[2]] as string[]
    assert.deepEqual(
      await findMerged(db(), many.map(partOf), { keys: ['id'], order: 'desc', limit: 10 }),
      few,
    )
  })
})
