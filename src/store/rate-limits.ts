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

/** Counts requests per key and window. It throws if it cannot count: no request passes uncounted. */
export type RateLimit = (key: string) => Promise<Count>

/** A limit for fixed windows, each of which begins with its first request. All instances share it. */
export function createRateLimit(db: Db, name: string, limit: number, windowSeconds: number): RateLimit {
  const count = engine(db).requestCounter(db, name, windowSeconds)
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
