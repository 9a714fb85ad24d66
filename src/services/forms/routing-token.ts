import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'

/**
 * The token of a response that led to an event type. It proves that its holder gave these answers.
 *
 * It names the response, which has the rest. Signed, because hosts and webhooks know the ids of responses.
 */
export function routingToken({ jwtSecret }: Pick<Context, 'jwtSecret'>, responseId: string): string {
  // A separate key, so that nothing else can be signed with it.
  const key = createHmac('sha256', jwtSecret).update('routing-tokens').digest()
  return `${responseId}_${createHmac('sha256', key).update(responseId).digest('base64url')}`
}

const ID_LENGTH = 36

/** The response that a token is for; undefined unless the service made it. */
export function readRoutingToken(
  { jwtSecret, previousJwtSecret = '' }: Pick<Context, 'jwtSecret' | 'previousJwtSecret'>,
  token: string,
): string | undefined {
  const responseId = token.slice(0, ID_LENGTH)
  const secrets = [jwtSecret, previousJwtSecret].filter((secret) => secret !== '')
  const isOurs = secrets.some((secret) => isSame(token, routingToken({ jwtSecret: secret }, responseId)))
  return isOurs ? responseId : undefined
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
