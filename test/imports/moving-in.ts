import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Sourced } from '../../src/domain/imports/source.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { beginSnapshot, readPages } from '../../src/store/workspace/dump.ts'
import type { Host } from '../host-api.ts'
import { asDump } from './seeded-source.ts'

/** Sends a dump, and returns the id of the import. */
export async function sendDump(
  app: FastifyInstance,
  { token }: Pick<Host, 'token'>,
  dump: string | Buffer,
): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/admin/imports?source=calcom',
    payload: Buffer.from(dump),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
  })
  assert.equal(answer.statusCode, 202, answer.body)
  return answer.json().id
}

/** The import, once it is no longer read. */
export async function whenRead(host: Pick<Host, 'get'>, id: string) {
  for (;;) {
    const answer = await host.get(`/imports/${id}`)
    assert.equal(answer.statusCode, 200, answer.body)
    const found = answer.json()
    if (found.state !== 'reading') return found
    // Each question takes as long as a part of the reading.
    await sleep(20)
  }
}

/** Sends rows as a dump, and waits for the plan. */
export async function plan(app: FastifyInstance, host: Host, rows: readonly Sourced[]) {
  const id = await sendDump(app, host, asDump(rows, { style: 'copy' }))
  const found = await whenRead(host, id)
  assert.equal(found.state, 'planned', JSON.stringify(found.report))
  return found
}

/** All lines of a plan. */
export async function linesOf(host: Pick<Host, 'get'>, id: string, query = '') {
  const lines: { state: string; table: string; id: string; name: string; sentence: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await host.get(`/imports/${id}/lines?limit=100${query}${more}`)
    assert.equal(answer.statusCode, 200, answer.body)
    const { items, nextCursor } = answer.json()
    lines.push(...items)
    cursor = nextCursor
  }
  return lines
}

/** They tell what was done, or grow with every change. */
const LEFT_OUT: ReadonlySet<string> = new Set(['audit', 'sessions', 'login_links', 'secrets'])

/** Every row of every table, without what an import that was undone may leave behind. */
export async function everyRow(db: Db): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  const trx = await beginSnapshot(db)
  try {
    for await (const { table, rows } of readPages(trx)) {
      if (LEFT_OUT.has(table)) continue
      const kept = rows.map((row) => {
        const { revision: _, booking_revision: __, ...rest } = row
        return table === 'schedulers' ? rest : row
      })
      tables[table] = [...(tables[table] ?? []), ...kept]
    }
  } finally {
    await trx.rollback().execute()
  }
  return tables
}
