import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant, parseInstant } from '../../../domain/instant.ts'
import { Problem } from '../../../domain/problem.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../../domain/webhooks/webhook.ts'
import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  replayFailed,
  sendTest,
} from '../../../services/webhooks/deliveries.ts'
import type { Delivery, DeliverySummary } from '../../../store/webhooks/deliveries.ts'
import { problems } from '../../problems.ts'
import { IdPath, type OutsideOptions, PageQuery, pageOf, principalOf, readLimit, toPage } from '../desk.ts'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Status = Type.Unsafe<DeliveryStatus>({ type: 'string', enum: DELIVERY_STATUSES })
const Headers = Type.Record(Type.String(), Type.String())

const SummaryView = Type.Object({
  id: Type.String({ description: 'The webhook-id header: the same however often it is sent.' }),
  webhookId: Type.String(),
  event: Type.String(),
  bookingId: nullable(Type.String()),
  status: Status,
  attempts: Type.Integer({ description: 'Since it was queued, or last replayed.' }),
  createdAt: Type.String(),
  nextAttemptAt: nullable(Type.String({ description: 'About when it is tried again.' })),
  lastAttemptAt: nullable(Type.String()),
  durationMs: nullable(Type.Integer({ description: 'How long the last attempt took.' })),
  responseStatus: nullable(Type.Integer({ description: 'Null when there was no answer.' })),
  error: Type.String({ description: 'Why the last attempt failed; empty when it did not.' }),
})
const DeliveryView = Type.Object({
  ...SummaryView.properties,
  request: Type.Object({
    headers: Headers,
    body: Type.String({ description: 'Exactly as it is sent: signatures are over these very characters.' }),
  }),
  response: Type.Object({
    headers: Headers,
    body: Type.String({ description: 'At most the first 16 KB of it.' }),
  }),
})

const DeliveryPath = Type.Object({ id: Type.String(), deliveryId: Type.String() })

/** What was sent to webhooks, what they answered, and sending it again. Kept for 30 days. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  const tags = ['Webhooks']
  const refused = { ...problems(401, 403, 404) }

  app.get(
    '/webhooks/:id/deliveries',
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'What was sent to a webhook in the last 30 days, newest first',
        tags,
        params: IdPath,
        querystring: Type.Object({ ...PageQuery.properties, status: Type.Optional(Status) }),
        response: { 200: pageOf(SummaryView), ...problems(400), ...refused },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const { id } = request.params
      const found = await listDeliveries(context, principalOf(request), id, request.query, limit + 1)
      return toPage(found, limit, (one) => formatCursor({ at: one.createdAt, id: one.id }), toSummary)
    },
  )

  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    {
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'A delivery, with what was sent and what was answered the last time',
        tags,
        params: DeliveryPath,
        response: { 200: DeliveryView, ...refused },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params
      return toView(await getDelivery(context.db, principalOf(request), id, deliveryId))
    },
  )

  app.post(
    '/webhooks/:id/deliveries/:deliveryId/replay',
    {
      schema: {
        operationId: 'replayWebhookDelivery',
        summary: 'Send a delivery again, under the same id',
        description: 'One that waits for its next attempt is tried at once.',
        tags,
        params: DeliveryPath,
        response: { 202: DeliveryView, ...problems(400), ...refused },
      },
    },
    async (request, reply) => {
      const { id, deliveryId } = request.params
      const replayed = await replayDelivery(context, principalOf(request), id, deliveryId)
      return reply.code(202).send(toView(replayed))
    },
  )

  app.post(
    '/webhooks/:id/replay',
    {
      schema: {
        operationId: 'replayFailedWebhookDeliveries',
        summary: 'Send everything again that has failed since then',
        tags,
        params: IdPath,
        body: Type.Object({
          since: Type.String({
            maxLength: 64,
            description: 'A UTC instant: deliveries that were queued at it or later.',
          }),
        }),
        response: {
          202: Type.Object({ replayed: Type.Integer({ description: 'How many there were.' }) }),
          ...problems(400),
          ...refused,
        },
      },
    },
    async (request, reply) => {
      const since = parseInstant(request.body.since)
      if (since === undefined) {
        throw new Problem('invalid', 'since must be a UTC instant such as 2030-01-31T09:30:00Z.')
      }
      const replayed = await replayFailed(context, principalOf(request), request.params.id, Math.floor(since))
      return reply.code(202).send({ replayed })
    },
  )

  app.post(
    '/webhooks/:id/test',
    {
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a sample at once, and see what the receiver says',
        description:
          'The sample is marked by `data.test`. It is sent even to a webhook that is switched off, once, and its failure has no consequences.',
        tags,
        params: IdPath,
        querystring: Type.Object({
          event: Type.Optional(
            Type.Unsafe<WebhookEvent>({
              type: 'string',
              enum: WEBHOOK_EVENTS,
              description: 'Of what; without it, the first that the webhook wants.',
            }),
          ),
        }),
        response: { 200: DeliveryView, ...problems(400, 429, 503), ...refused },
      },
      preHandler: countOutside,
    },
    async (request) => {
      const { id } = request.params
      return toView(await sendTest(context, principalOf(request), id, request.query.event))
    },
  )
}

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

function toSummary(delivery: DeliverySummary): Static<typeof SummaryView> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    event: delivery.event,
    bookingId: delivery.bookingId,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: formatInstant(delivery.createdAt),
    nextAttemptAt: instant(delivery.nextAttemptAt),
    lastAttemptAt: instant(delivery.attemptedAt),
    durationMs: delivery.duration,
    responseStatus: delivery.responseStatus,
    error: delivery.error,
  }
}

function toView(delivery: Delivery): Static<typeof DeliveryView> {
  return {
    ...toSummary(delivery),
    request: { headers: { ...delivery.requestHeaders }, body: delivery.body },
    response: { headers: { ...delivery.responseHeaders }, body: delivery.responseBody },
  }
}
