import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant, parseInstant } from '../../../domain/instant.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayFailed,
  sendTest,
} from '../../../services/webhooks/deliveries.ts'
import type { Delivery, DeliverySummary } from '../../../store/webhooks/deliveries.ts'
import { type Asking, answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, pageOf } from '../paging.ts'
import { type OutsideOptions, principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import {
  DeliveryListQuery,
  DeliverySummaryView,
  DeliveryView,
  ReplayedView,
  ReplayFailed,
  TestWebhookQuery,
} from './schemas.ts'

const DeliveryPath = Type.Object({ id: Type.String(), deliveryId: Type.String() })

/** Deliveries to webhooks with their responses, and replaying them. Kept for 30 days. */
export const webhookDeliveryRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  app.get('/webhooks/:id/deliveries', { schema: LIST }, (request) => list(context, request))
  app.get('/webhooks/:id/deliveries/:deliveryId', { schema: GET }, (request) => get(context, request))
  app.post('/webhooks/:id/deliveries/:deliveryId/replay', { schema: REPLAY_ONE }, (request, reply) =>
    replayOne(context, request, reply),
  )
  app.post('/webhooks/:id/replay', { schema: REPLAY_ALL_FAILED }, (request, reply) =>
    replayAllFailed(context, request, reply),
  )
  app.post('/webhooks/:id/test', { schema: TEST, preHandler: countOutside }, (request) =>
    test(context, request),
  )
}

const tags = ['Webhooks']
const refused = { ...problems(401, 403, 404) }

const LIST = {
  operationId: 'listWebhookDeliveries',
  summary: 'What was sent to a webhook in the last 30 days, newest first',
  tags,
  params: IdPath,
  querystring: DeliveryListQuery,
  response: { 200: pageOf(DeliverySummaryView), ...problems(400), ...refused },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => {
      const wanted = { webhookId: request.params.id, status: request.query.status }
      return listDeliveries(context, principalOf(request), wanted, page)
    },
    (one) => formatCursor({ at: one.createdAt, id: one.id }),
    (one) => toSummary(request, one),
  )
}

const GET = {
  operationId: 'getWebhookDelivery',
  summary: 'A delivery, with the last request and response',
  tags,
  params: DeliveryPath,
  response: { 200: DeliveryView, ...refused },
}

async function get(context: Context, request: RequestOf<typeof GET>) {
  const { id, deliveryId } = request.params
  return toView(request, await readDelivery(context, principalOf(request), id, deliveryId))
}

const REPLAY_ONE = {
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again with the same id',
  description: 'A delivery that is waiting for its next attempt is sent immediately.',
  tags,
  params: DeliveryPath,
  response: { 202: DeliveryView, ...problems(400), ...refused },
}

async function replayOne(
  context: Context,
  request: RequestOf<typeof REPLAY_ONE>,
  reply: ReplyOf<typeof REPLAY_ONE>,
) {
  const { id, deliveryId } = request.params
  const replayed = await replayDelivery(context, principalOf(request), id, deliveryId)
  return reply.code(202).send(toView(request, replayed))
}

const REPLAY_ALL_FAILED = {
  operationId: 'replayFailedWebhookDeliveries',
  summary: 'Send all deliveries again that failed since then',
  tags,
  params: IdPath,
  body: ReplayFailed,
  response: {
    202: ReplayedView,
    ...problems(400),
    ...refused,
  },
}

async function replayAllFailed(
  context: Context,
  request: RequestOf<typeof REPLAY_ALL_FAILED>,
  reply: ReplyOf<typeof REPLAY_ALL_FAILED>,
) {
  const since = parseInstant(request.body.since)
  if (since === undefined) {
    throw invalidField('since', sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  const replayed = await replayFailed(context, principalOf(request), request.params.id, Math.floor(since))
  return reply.code(202).send({ replayed })
}

const TEST = {
  operationId: 'testWebhook',
  summary: 'Send a sample immediately, and return the response',
  description:
    'The sample is marked by `data.test`, in other formats by `payload.test`. It is sent once, even if the webhook is turned off, and a failure has no consequences.',
  tags,
  params: IdPath,
  querystring: TestWebhookQuery,
  response: { 200: DeliveryView, ...problems(400, 429, 503), ...refused },
}

async function test(context: Context, request: RequestOf<typeof TEST>) {
  const { id } = request.params
  return toView(request, await sendTest(context, principalOf(request), id, request.query.event))
}

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

function toSummary(request: Asking, delivery: DeliverySummary): DeliverySummaryView {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    event: delivery.event,
    bookingId: delivery.bookingId,
    test: delivery.test,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: formatInstant(delivery.createdAt),
    nextAttemptAt: instant(delivery.nextAttemptAt),
    lastAttemptAt: instant(delivery.attemptedAt),
    durationMs: delivery.duration,
    responseStatus: delivery.responseStatus,
    error: answerIn(request, delivery.error).text,
  }
}

function toView(request: Asking, delivery: Delivery): DeliveryView {
  return {
    ...toSummary(request, delivery),
    request: { headers: { ...delivery.requestHeaders }, body: delivery.body },
    response: { headers: { ...delivery.responseHeaders }, body: delivery.responseBody },
  }
}
