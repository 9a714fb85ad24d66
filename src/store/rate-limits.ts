import { sql } from 'kysely'
import { Together, type Waiting } from './engine/batcher.ts'
import { type Db, engineOf } from './engine/database.ts'
import { prepared } from './engine/prepared.ts'

/** What became of counting one request. */
export interface Count {
  readonly name: string
  readonly windowSeconds: number
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** Counts requests per key and window. A count that cannot be made throws: it never waves through. */
export type RateLimit = (key: string) => Promise<Count>

/** How many there were in this window, and how long it lasts. */
interface Counted {
  readonly points: number
  readonly millisecondsLeft: number
}

/** A fixed window that begins with the first request; on PostgreSQL, all instances share it. */
export function createRateLimit(db: Db, name: string, limit: number, windowSeconds: number): RateLimit {
  const count = engineOf(db) === 'postgres' ? countShared(db, name, windowSeconds) : countHere(windowSeconds)
  return async (key) => {
    const { points, millisecondsLeft } = await count(key)
    return {
      name,
      windowSeconds,
      allowed: points <= limit,
      limit,
      remaining: Math.max(0, limit - points),
      resetSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)),
    }
  }
}

const SWEEP_FROM = 10_000

/** In this process alone: SQLite has no others. */
function countHere(windowSeconds: number) {
  const windows = new Map<string, { points: number; readonly expire: number }>()
  let sweepAt = SWEEP_FROM
  return async (key: string): Promise<Counted> => {
    const now = Date.now()
    let window = windows.get(key)
    if (window === undefined || window.expire <= now) {
      window = { points: 0, expire: now + windowSeconds * 1000 }
      windows.set(key, window)
      if (windows.size >= sweepAt) {
        for (const [old, { expire }] of windows) if (expire <= now) windows.delete(old)
        // Not again for each of those that are left.
        sweepAt = Math.max(SWEEP_FROM, windows.size * 2)
      }
    }
    window.points++
    return { points: window.points, millisecondsLeft: window.expire - now }
  }
}

/** Requests that come together are counted in one statement: one each would cost as much as what they ask for. */
function countShared(db: Db, name: string, windowSeconds: number) {
  const together = new Together<string, Counted>({
    answer: (waiting) => countAll(db, waiting, windowSeconds * 1000),
  })
  return (key: string) => together.ask(`${name}:${key}`)
}

async function countAll(db: Db, waiting: readonly Waiting<string, Counted>[], window: number): Promise<void> {
  const byKey = Map.groupBy(waiting, ({ wish }) => wish)
  const counts = [...byKey].map(([key, those]) => ({ key, points: those.length }))
  const now = Date.now()
  const { rows } = await countInOneStatement(db, {
    counts: JSON.stringify(counts),
    now,
    expire: now + window,
  })
  for (const { key, points, expire } of rows) {
    const those = byKey.get(key) ?? []
    // The first of several with one key was that many before the last.
    for (const [i, { resolve }] of those.entries()) {
      resolve({ points: points - those.length + 1 + i, millisecondsLeft: expire - now })
    }
  }
}

interface CountRow {
  readonly key: string
  readonly points: number
  readonly expire: number
}

const countInOneStatement = prepared<{ counts: string; now: number; expire: number }, CountRow>(
  (db, value) => ({
    compile: () =>
      // In one order, whoever does it, so that two statements never wait for each other.
      sql<CountRow>`
        insert into rate_limits (key, points, expire)
        select key, points, ${value('expire')}::bigint
        from json_to_recordset(${value('counts')}::json) as c(key text, points integer) order by key
        on conflict (key) do update set
          points = case when rate_limits.expire > ${value('now')}::bigint
            then rate_limits.points + excluded.points else excluded.points end,
          expire = case when rate_limits.expire > ${value('now')}::bigint
            then rate_limits.expire else excluded.expire end
        returning key, points, expire`.compile(db),
  }),
)
