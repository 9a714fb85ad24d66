import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientKey } from '../domain/client-address.ts'
import { Problem } from '../domain/problem.ts'
import type { Count, RateLimit } from '../store/rate-limits.ts'

/** Makes the limits that requests are counted against. */
export type RateLimits = (name: string, limit: number, windowSeconds: number) => RateLimit

/** The client's own address: a proxy's word for it, if that proxy is trusted. */
export function clientAddress(request: FastifyRequest): string {
  // Some proxies add a port. Others may pass on nonsense; the socket never does.
  const address = request.ip.replace(/^\[(.*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1$2')
  return isIP(address) !== 0 ? address : (request.socket.remoteAddress ?? 'unknown')
}

/** The bearer token of a request, or an empty string, which no token is. */
export function bearerOf(request: Pick<IncomingMessage, 'headers'>): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

/**
 * Counts this request, tells the client where it stands, and throws `rate_limited` beyond the limit.
 *
 * Clients are counted by their address, unless another key is given; a scope keeps counts apart.
 */
export async function countRequest(
  limit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  { scope = '', key = clientKey(clientAddress(request)) } = {},
): Promise<void> {
  let count: Count
  try {
    count = await limit(scope + key)
  } catch (cause) {
    // A limiter that cannot count refuses: otherwise breaking it would be the way around it.
    throw new Problem('unavailable', 'The service is too busy just now. Please try again in a moment.', {
      cause,
    })
  }
  const reset = String(count.resetSeconds)
  reply.header('ratelimit-limit', String(count.limit))
  reply.header('ratelimit-remaining', String(count.remaining))
  reply.header('ratelimit-reset', reset)
  reply.header('ratelimit-policy', `"${count.name}";q=${count.limit};w=${count.windowSeconds}`)
  reply.header('ratelimit', `"${count.name}";r=${count.remaining};t=${reset}`)
  if (!count.allowed) {
    reply.header('retry-after', reset)
    throw new Problem('rate_limited', `Too many requests. Please try again in ${reset} seconds.`)
  }
}
