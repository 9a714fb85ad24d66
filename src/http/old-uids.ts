import type { FastifyReply, FastifyRequest } from 'fastify'
import { countRequest, type RateLimits } from './gate.ts'

/** Tries to open a booking by a uid that is not ours, for each client and minute. */
const TRIES_PER_MINUTE = 30

/** Counts a try; throws `rate_limited` beyond the limit. */
export type CountGuess = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Whoever has the uid that a booking had before it was imported may move and cancel it, and some were made from times and
 * names. So every try is counted before it is answered, also one that finds a booking: else it would tell who guessed right.
 */
export function guessCounter(rateLimits: RateLimits): CountGuess {
  const limit = rateLimits('old-uids', TRIES_PER_MINUTE, 60)
  return (request, reply) => countRequest(limit, request, reply)
}
