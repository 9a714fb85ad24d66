import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../domain/text.ts'
import { withNames } from '../../format/schema.ts'
import { hostMailLimits } from '../../services/bookings/host/host-mails.ts'
import type { Context } from '../../services/context.ts'
import { outsideLimit } from '../../services/outside-limit.ts'
import { authenticate, requireScope } from '../../services/people/sign-in/principal.ts'
import { bearerOf, countRequest } from '../gate.ts'
import { answerNotFound } from '../problems.ts'
import { describeInvalidToHosts, UnknownField } from '../validation.ts'
import { blocklistRoutes } from './bookings/blocklist.ts'
import { bookingRoutes } from './bookings/bookings.ts'
import { bulkRoutes } from './bookings/bulk.ts'
import { fairnessRoutes } from './bookings/fairness.ts'
import { handOverRoutes } from './bookings/hand-over.ts'
import { insightsRoutes } from './bookings/insights.ts'
import { paymentRoutes } from './bookings/payments.ts'
import { privateLinkRoutes } from './bookings/private-links.ts'
import { busyRoutes } from './calendars/busy.ts'
import { calendarRoutes } from './calendars/calendars.ts'
import { connectionRoutes } from './calendars/connections.ts'
import { absenceRoutes } from './event-types/absences.ts'
import { eventTypeRoutes } from './event-types/event-types.ts'
import { scheduleRoutes } from './event-types/schedules.ts'
import { routingFormRoutes } from './forms/forms.ts'
import { formResponseRoutes } from './forms/responses.ts'
import { importRoutes } from './imports/imports.ts'
import { messageRoutes } from './messages/messages.ts'
import { attributeRoutes } from './people/attributes.ts'
import { auditRoutes } from './people/audit.ts'
import { imageUploadRoutes } from './people/images.ts'
import { invitationRoutes } from './people/invitations.ts'
import { meRoutes } from './people/me.ts'
import { memberRoutes } from './people/members.ts'
import { BEFORE_PASSKEY, passkeyRoutes } from './people/passkeys.ts'
import { peopleRoutes } from './people/people.ts'
import { savedFilterRoutes } from './people/saved-filters.ts'
import { teamRoutes } from './people/teams.ts'
import { tokenRoutes } from './people/tokens.ts'
import { principalOf, setPrincipal } from './principal.ts'
import { pushRoutes } from './push/push.ts'
import { explainRoutes } from './slots/explain.ts'
import { closed, requireAccess } from './unknown-fields.ts'
import { webhookDeliveryRoutes } from './webhooks/deliveries.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'
import { accountRoutes } from './workspace/account.ts'
import { attentionRoutes } from './workspace/attention.ts'
import { erasureRoutes } from './workspace/erasures.ts'
import { searchRoutes } from './workspace/search.ts'
import { systemRoutes } from './workspace/system.ts'

/** Schemas and their parts with the names that there are. They are compiled once, because each is always the same object. */
const NAMED = new WeakMap<Context['kinds']['names'], WeakMap<object, object>>()

/** The host API. Every route needs a bearer token with the scope for its method. */
export const adminRoutes: FastifyPluginAsync<{ context: Context }> = async (app, { context }) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const route = `${request.method} ${request.routeOptions.url}`
    const beforePasskey = BEFORE_PASSKEY.has(route)
    const principal = await authenticate(context, bearerOf(request), { beforePasskey })
    requireScope(principal, request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write')
    setPrincipal(request, principal)
  })
  const { names } = context.kinds
  const named = NAMED.getOrInsertComputed(names, () => new WeakMap())
  const withAllNames = (schema: object) => withNames(schema, names, named)
  app.addHook('onRoute', (route) => {
    const { body, response, ...schema } = route.schema ?? {}
    const answers = Object.entries(response ?? {}).map(([status, of]) => [status, withAllNames(of)])
    route.schema = {
      ...schema,
      ...(body !== undefined && body !== null && { body: withAllNames(closed(body)) }),
      ...(response !== undefined && { response: Object.fromEntries(answers) }),
      security: [{ bearer: [] }],
    }
  })
  app.addHook('preValidation', async (request) => {
    if (!Buffer.isBuffer(request.body)) refuseUnstorable(request.body)
  })
  app.setNotFoundHandler(answerNotFound)
  app.setSchemaErrorFormatter(describeInvalidToHosts)
  app.setErrorHandler(async (error, request) => {
    if (error instanceof UnknownField) await requireAccess(context, request)
    throw error
  })

  const outside = outsideLimit(context)
  const mailLimits = hostMailLimits(context)
  const countOutside = (request: FastifyRequest, reply: FastifyReply) =>
    countRequest(outside, request, reply, { key: principalOf(request).userId })

  await app.register(meRoutes, { context })
  await app.register(savedFilterRoutes, { context })
  await app.register(pushRoutes, { context, countOutside })
  await app.register(accountRoutes, { context })
  await app.register(scheduleRoutes, { context })
  await app.register(eventTypeRoutes, { context })
  await app.register(explainRoutes, { context })
  await app.register(routingFormRoutes, { context })
  await app.register(formResponseRoutes, { context })
  await app.register(blocklistRoutes, { context })
  await app.register(absenceRoutes, { context })
  await app.register(busyRoutes, { context })
  await app.register(calendarRoutes, { context, countOutside })
  await app.register(connectionRoutes, { context, countOutside })
  await app.register(teamRoutes, { context })
  await app.register(memberRoutes, { context })
  await app.register(attributeRoutes, { context })
  await app.register(invitationRoutes, { context })
  await app.register(peopleRoutes, { context })
  await app.register(passkeyRoutes, { context })
  await app.register(tokenRoutes, { context })
  await app.register(imageUploadRoutes, { context })
  await app.register(auditRoutes, { context })
  await app.register(bookingRoutes, { context, mailLimits })
  await app.register(bulkRoutes, { context, mailLimits })
  await app.register(insightsRoutes, { context })
  await app.register(paymentRoutes, { context })
  await app.register(privateLinkRoutes, { context })
  await app.register(handOverRoutes, { context, mailLimits })
  await app.register(fairnessRoutes, { context })
  await app.register(erasureRoutes, { context })
  await app.register(systemRoutes, { context })
  await app.register(attentionRoutes, { context })
  await app.register(searchRoutes, { context })
  await app.register(messageRoutes, { context })
  await app.register(importRoutes, { context })
  await app.register(webhookRoutes, { context })
  await app.register(webhookDeliveryRoutes, { context, countOutside })
}

function refuseUnstorable(body: unknown): void {
  // A file that is still being uploaded is no JSON.
  if (body instanceof Readable) return
  const reason = findUnstorable(body)
  if (reason === undefined) return
  const field = Object.entries(Object(body)).find(([, value]) => findUnstorable(value) !== undefined)?.[0]
  if (field === undefined) throw new Problem('invalid', unstorable(reason, sentence`The body`))
  throw invalidField(field, unstorable(reason, field))
}
