import { sql } from 'kysely'
import { Batcher, type Pending } from '../batcher.ts'
import type { Db } from '../database.ts'
import { type CountRequest, engine, type RequestCount } from '../engine.ts'
import { prepared } from '../prepared.ts'

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
  const { rows } = await addCounts(db, { counts: JSON.stringify(counts), window })
  for (const { key, points, left } of rows) {
    const requests = byKey.get(key) ?? []
    // The row has the count after the last of them; the first one's is lower by those that follow it.
    for (const [i, { resolve }] of requests.entries()) {
      resolve({ points: points - requests.length + 1 + i, millisecondsLeft: left })
    }
  }
}

interface CountRow {
  readonly key: string
  readonly points: number
  readonly left: number
}

/**
 * A window ends by the database's clock, which all instances share.
 *
 * One that ends more than a window too late began before that clock was set back, and is over. Not "too late" at
 * all: another instance may have read the clock a moment later and written first.
 */
const addCounts = prepared<{ counts: string; window: number }, CountRow>((db, value) => {
  const { now } = engine(db)
  const isOpen = sql`rate_limits.expire > excluded.expire - ${value('window')}::bigint
    and rate_limits.expire <= excluded.expire + ${value('window')}::bigint`
  // In the order of keys, so that two statements cannot deadlock.
  return sql`
    insert into rate_limits (key, points, expire)
    select key, points, ${now} + ${value('window')}::bigint
    from json_to_recordset(${value('counts')}::json) as c(key text, points integer) order by key
    on conflict (key) do update set
      points = case when ${isOpen} then rate_limits.points + excluded.points else excluded.points end,
      expire = case when ${isOpen} then rate_limits.expire else excluded.expire end
    returning key, points, expire - ${now} as left`
})
