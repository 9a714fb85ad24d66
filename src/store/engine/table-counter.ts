import { sql } from 'kysely'
import { Batcher, type Pending } from './batcher.ts'
import type { Db } from './database.ts'
import type { CountRequest, RequestCount } from './engine.ts'
import { prepared } from './prepared.ts'

/** Counts requests in a PostgreSQL table, in batches: a statement per request would cost as much as the request. */
export function countInTable(db: Db, name: string, windowSeconds: number): CountRequest {
  const batcher = new Batcher<string, RequestCount>({
    run: (batch) => countBatch(db, batch, windowSeconds * 1000),
  })
  return (key) => batcher.submit(`${name}:${key}`)
}

async function countBatch(
  db: Db,
  batch: readonly Pending<string, RequestCount>[],
  window: number,
): Promise<void> {
  const byKey = Map.groupBy(batch, ({ request }) => request)
  const counts = [...byKey].map(([key, requests]) => ({ key, points: requests.length }))
  const now = Date.now()
  const { rows } = await addCounts(db, { counts: JSON.stringify(counts), now, expire: now + window })
  for (const { key, points, expire } of rows) {
    const requests = byKey.get(key) ?? []
    // The row has the count after the last of them; the first one's is lower by those that follow it.
    for (const [i, { resolve }] of requests.entries()) {
      resolve({ points: points - requests.length + 1 + i, millisecondsLeft: expire - now })
    }
  }
}

interface CountRow {
  readonly key: string
  readonly points: number
  readonly expire: number
}

const addCounts = prepared<{ counts: string; now: number; expire: number }, CountRow>(
  (_, value) =>
    // In the order of keys, so that two statements cannot deadlock.
    sql`
      insert into rate_limits (key, points, expire)
      select key, points, ${value('expire')}::bigint
      from json_to_recordset(${value('counts')}::json) as c(key text, points integer) order by key
      on conflict (key) do update set
        points = case when rate_limits.expire > ${value('now')}::bigint
          then rate_limits.points + excluded.points else excluded.points end,
        expire = case when rate_limits.expire > ${value('now')}::bigint
          then rate_limits.expire else excluded.expire end
      returning key, points, expire`,
)
