import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderKind } from '../../domain/calendars/calendar.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type Notice, receiveNotices, takesNotices } from '../../services/calendars/receive-notices.ts'
import type { Context } from '../../services/context.ts'
import { countRequest, type RateLimits } from '../gate.ts'
import { nothingThere } from '../problems.ts'

export interface HookOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
}

/** Microsoft sends many notices at once; each has some hundred bytes. */
const MAX_BODY = 256 * 1024
const MAX_NOTICES = 1000
/** Notices that are not genuine, for each client and minute. */
const MAX_WRONG = 30
const MAX_VALIDATION = 2048

/** Where Google and Microsoft tell us that a calendar has changed. Notices that are not theirs change nothing. */
export const hookRoutes: FastifyPluginAsync<HookOptions> = async (app, { context, rateLimits }) => {
  const wrong = rateLimits('hooks', MAX_WRONG, 60)
  acceptAnyBody(app)

  async function receive(
    kind: ProviderKind,
    notices: readonly Notice[],
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if ((await receiveNotices(context, kind, notices)) > 0) return reply.code(202).send()
    // Only wrong ones are counted: a provider sends those of all hosts from a few addresses.
    await countRequest(wrong, request, reply, { silent: true })
    throw nothingThere()
  }

  app.post('/google', { schema: { hide: true } }, (request, reply) => {
    const header = (name: string) => String(request.headers[name] ?? '')
    const what = header('x-goog-resource-state') === 'sync' ? 'opened' : 'changed'
    const [channelId, token] = [header('x-goog-channel-id'), header('x-goog-channel-token')]
    return receive('google', [{ channelId, token, what }], request, reply)
  })

  app.post<{ Querystring: { validationToken?: unknown } }>(
    '/microsoft',
    { schema: { hide: true } },
    (request, reply) => {
      const { validationToken } = request.query
      if (typeof validationToken === 'string' && takesNotices(context, 'microsoft')) {
        if (validationToken.length > MAX_VALIDATION) {
          throw new Problem('invalid', sentence`The validation token is too long.`)
        }
        return reply.type('text/plain; charset=utf-8').send(validationToken)
      }
      return receive('microsoft', microsoftNotices(request.body), request, reply)
    },
  )
}

/** Google sends nothing as JSON, and Microsoft nothing as text. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, body, done) =>
    done(null, body),
  )
}

const WHAT: Readonly<Record<string, Notice['what']>> = {
  reauthorizationRequired: 'renew',
  subscriptionRemoved: 'ended',
  missed: 'changed',
}

function microsoftNotices(body: unknown): Notice[] {
  const { value } = fieldsOf(parse(String(body ?? '')))
  if (!Array.isArray(value))
    throw new Problem('invalid', sentence`The body must be a collection of notifications.`)
  return value.slice(0, MAX_NOTICES).map((one) => {
    const { clientState, lifecycleEvent } = fieldsOf(one)
    const [channelId = '', token = ''] = String(clientState ?? '').split('.')
    return { channelId, token, what: WHAT[String(lifecycleEvent ?? '')] ?? 'changed' }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
