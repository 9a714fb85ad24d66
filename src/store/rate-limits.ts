import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type Db, poolOf } from './database.ts'

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

/** A fixed window that begins with the first request; on PostgreSQL, all instances share it. */
export function createRateLimit(db: Db, name: string, limit: number, windowSeconds: number): RateLimit {
  const pool = poolOf(db)
  const options = { keyPrefix: name, points: limit, duration: windowSeconds }
  const limiter =
    pool === undefined
      ? new RateLimiterMemory(options)
      : new RateLimiterPostgres({
          ...options,
          storeClient: pool,
          tableName: 'rate_limits',
          tableCreated: true,
        })

  const toCount = (allowed: boolean, result: RateLimiterRes): Count => ({
    name,
    windowSeconds,
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  })

  return async (key) => {
    try {
      return toCount(true, await limiter.consume(key))
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toCount(false, refusal)
      throw refusal
    }
  }
}
