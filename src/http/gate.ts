import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientKey, SITE_FACTOR, siteKey } from '../domain/client-address.ts'
import { Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import type { Count, RateLimit } from '../store/rate-limits.ts'

/** Creates rate limits. */
export type RateLimits = (name: string, limit: number, windowSeconds: number) => RateLimit

/** One limit for all routes that name it: where counts are kept in memory, each limit would have its own. */
export function shareLimits(rateLimits: RateLimits): RateLimits {
  const made = new Map<string, RateLimit>()
  return (name, limit, windowSeconds) => {
    const key = `${name} ${limit} ${windowSeconds}`
    const shared = made.get(key) ?? rateLimits(name, limit, windowSeconds)
    made.set(key, shared)
    return shared
  }
}

/** The client's address, as reported by a trusted proxy if there is one. */
export function clientAddress(request: FastifyRequest): string {
  // Some proxies add a port, and some send nonsense; then the socket's address counts.
  const address = request.ip.replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2')
  return isIP(address) !== 0 ? address : (request.socket.remoteAddress ?? 'unknown')
}

/** The bearer token of a request, or an empty string, which is never valid. */
export function bearerOf(request: Pick<IncomingMessage, 'headers'>): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

/**
 * Counts this request, sets the rate limit headers, and throws `rate_limited` beyond the limit.
 *
 * Requests are counted by client address and its site unless a key is given; scopes are counted separately. A `silent`
 * limit sets headers only when it refuses: for limits that the client shares with others.
 */
export async function countRequest(
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  { scope = '', key, silent = false }: { scope?: string; key?: string; silent?: boolean } = {},
): Promise<void> {
  let count: Count
  try {
    count = await countBoth(limit, scope, key, clientAddress(request))
  } catch (cause) {
    // If the limiter fails, refuse: otherwise breaking it would be a way around it.
    throw new Problem(
      'unavailable',
      sentence`The service is too busy just now. Please try again in a moment.`,
      {
        cause,
      },
    )
  }
  const reset = String(count.resetSeconds)
  if (silent && count.allowed) return
  reply.header('ratelimit-limit', String(count.limit))
  reply.header('ratelimit-remaining', String(count.remaining))
  reply.header('ratelimit-reset', reset)
  reply.header('ratelimit-policy', `"${count.name}";q=${count.limit};w=${count.windowSeconds}`)
  reply.header('ratelimit', `"${count.name}";r=${count.remaining};t=${reset}`)
  if (!count.allowed) {
    reply.header('retry-after', reset)
    throw new Problem('rate_limited', sentence`Too many requests. Please try again in ${reset} seconds.`)
  }
}

/** Counts for the client and for its site at once: one after the other, a booking would wait for one more round trip. */
async function countBoth(
  limit: RateLimit,
  scope: string,
  key: string | undefined,
  address: string,
): Promise<Count> {
  const site = key === undefined ? siteKey(address) : undefined
  const [own, shared] = await Promise.all([
    limit(scope + (key ?? clientKey(address))),
    site === undefined ? undefined : limit(scope + site, SITE_FACTOR),
  ])
  return own.allowed && shared?.allowed === false ? shared : own
}
