import type { Db } from './engine/database.ts'
import { engine } from './engine/engine.ts'

/** One request, counted against its limit. */
export interface Count {
  readonly name: string
  readonly windowSeconds: number
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * Counts requests per key and window. It throws if it cannot count: no request passes uncounted.
 *
 * `times`: this key may make that many times as many.
 */
export type RateLimit = (key: string, times?: number) => Promise<Count>

/** A limit for fixed windows, each of which begins with its first request. All instances share it. */
export function createRateLimit(db: Db, name: string, limit: number, windowSeconds: number): RateLimit {
  const count = engine(db).requestCounter(db, name, windowSeconds)
  return async (key, times = 1) => {
    const { points, millisecondsLeft } = await count(key)
    const most = limit * times
    return {
      name,
      windowSeconds,
      allowed: points <= most,
      limit: most,
      remaining: Math.max(0, most - points),
      resetSeconds: Math.max(1, Math.ceil(millisecondsLeft / 1000)),
    }
  }
}
