import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { CalendarKind } from '../../domain/calendars/calendar.ts'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import { receiveNotices, takesNotices } from '../../services/calendars/receive-notices.ts'
import type { Context } from '../../services/context.ts'
import { receiveSms } from '../../services/messages/receive-sms.ts'
import { receivePaymentNotice } from '../../services/payments/receive-notice.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { countRequest, type RateLimits } from '../gate.ts'
import { nothingThere } from '../problems.ts'

interface HookOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
}

/** A provider may send many notices at once; each has some hundred bytes. */
const MAX_BODY = 256 * 1024
/** Notices that are not genuine, for each client and minute. */
const MAX_WRONG = 30

/** Where providers tell us that a calendar has changed, what became of a text message, or of a payment. Notices that are not theirs change nothing. */
export const hookRoutes: FastifyPluginAsync<HookOptions> = async (app, { context, rateLimits }) => {
  const wrong = rateLimits('hooks', MAX_WRONG, 60)
  acceptAnyBody(app)
  takeSmsCalls(app, context, wrong)
  takePaymentNotices(app, context, wrong)

  async function receive(
    kind: CalendarKind,
    notices: Parameters<typeof receiveNotices>[2],
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if ((await receiveNotices(context, kind, notices)) > 0) return reply.code(202).send()
    // Only wrong ones are counted: a provider sends those of all hosts from a few addresses.
    await countRequest(wrong, request, reply, { silent: true })
    throw nothingThere()
  }

  for (const { name: kind, calendar } of context.kinds.all) {
    const protocol = calendar?.watch
    if (protocol === undefined) continue
    app.post(`/${kind}`, { schema: { hide: true } }, (request, reply) => {
      const told = {
        headers: request.headers,
        query: request.query as Readonly<Record<string, unknown>>,
        body: String(request.body ?? ''),
      }
      const confirmation = takesNotices(context, kind) ? protocol.confirm?.(told) : undefined
      if (confirmation !== undefined) return reply.type('text/plain; charset=utf-8').send(confirmation)
      return receive(kind, protocol.receive(told), request, reply)
    })
  }
}

/** Where Twilio tells what became of text messages, and what people answer. */
function takeSmsCalls(app: FastifyInstance, context: Context, wrong: RateLimit): void {
  const { sms, publicUrl } = context
  const isGenuine = sms?.sender.isGenuine
  if (isGenuine === undefined) return
  app.post('/sms/twilio', { schema: { hide: true } }, async (request, reply) => {
    const call = {
      url: `${publicUrl}${request.url}`,
      form: new URLSearchParams(String(request.body ?? '')),
      signature: String(request.headers['x-twilio-signature'] ?? ''),
    }
    if (!isGenuine(call)) {
      await countRequest(wrong, request, reply, { silent: true })
      throw new Problem('forbidden', english`The signature is not Twilio’s.`)
    }
    await receiveSms(context, call)
    // An answer in Twilio's own language that answers nothing.
    return reply.type('text/xml; charset=utf-8').send('<Response/>')
  })
}

/** Where Stripe tells that something was paid, given back or disputed. */
function takePaymentNotices(app: FastifyInstance, context: Context, wrong: RateLimit): void {
  app.post<{ Params: { id: string } }>('/stripe/:id', { schema: { hide: true } }, async (request, reply) => {
    const outcome = await receivePaymentNotice(context, request.params.id, {
      body: Buffer.from(String(request.body ?? '')),
      signature: String(request.headers['stripe-signature'] ?? ''),
    })
    if (outcome === 'heard') return reply.code(200).send()
    await countRequest(wrong, request, reply, { silent: true })
    if (outcome === 'unknown') throw nothingThere()
    throw new Problem('invalid', english`The signature is not Stripe’s, or more than five minutes old.`)
  })
}

/** Each provider reads its own: some send no JSON, and some no text. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY }, (_request, body, done) =>
    done(null, body),
  )
}
