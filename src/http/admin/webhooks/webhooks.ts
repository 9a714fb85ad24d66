import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { formatInstant } from '../../../domain/instant.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import type { Webhook } from '../../../domain/webhooks/webhook.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeWebhook,
  createWebhook,
  getOwnWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from '../../../services/webhooks/webhooks.ts'
import { etagOf } from '../../etag.ts'
import { type Asking, answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { versionIn } from '../versions.ts'
import { ChangeWebhook, CreateWebhook, WebhookView, WebhookWithSecretView } from './schemas.ts'

/** Webhooks of the user and the teams they manage. */
export const webhookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/webhooks', { schema: LIST }, (request) => list(context, request))
  app.post('/webhooks', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.get('/webhooks/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/webhooks/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.delete('/webhooks/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
  app.post('/webhooks/:id/rotate-secret', { schema: ROTATE }, (request, reply) =>
    rotate(context, request, reply),
  )
}

const tags = ['Webhooks']
const refused = { ...problems(401, 403, 404) }

const LIST = {
  operationId: 'listWebhooks',
  summary: 'Webhooks of you and the teams you manage, without their secrets',
  tags,
  querystring: OwnedPageQuery,
  response: { 200: pageOf(WebhookView), ...problems(400), ...refused },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listWebhooks(context, principalOf(request), request.query.ownerId, page),
    ({ id }) => id,
    (webhook) => toView(webhook, request),
  )
}

const CREATE = {
  operationId: 'createWebhook',
  summary: 'Add a webhook; its secret is shown only once',
  tags,
  body: CreateWebhook,
  response: { 201: WebhookWithSecretView, ...problems(400), ...refused },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, payloadTemplate, ...input } = pick(request.body, CreateWebhook)
  refuseTemplate(payloadTemplate)
  const made = await createWebhook(context, principal, teamId, input)
  return reply.code(201).send({ ...send(reply, made), secret: made.secret })
}

const GET = {
  operationId: 'getWebhook',
  summary: 'A webhook, without its secret',
  tags,
  params: IdPath,
  response: { 200: WebhookView, ...refused },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return send(reply, await getOwnWebhook(context.db, principalOf(request), request.params.id))
}

const UPDATE = {
  operationId: 'updateWebhook',
  summary: 'Change a webhook, or turn it on or off',
  tags,
  params: IdPath,
  body: ChangeWebhook,
  response: { 200: WebhookView, ...problems(400), ...refused, ...problems(412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const { payloadTemplate, ...input } = pick(request.body, ChangeWebhook)
  refuseTemplate(payloadTemplate)
  const changed = await changeWebhook(context, principalOf(request), versionIn(request, settingsOf), input)
  return send(reply, changed)
}

const REMOVE = {
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook and its deliveries',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...refused, ...problems(412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeWebhook(context, principalOf(request), versionIn(request, settingsOf))
  return reply.code(204).send(null)
}

const ROTATE = {
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret; the old one keeps signing for 24 hours',
  tags,
  params: IdPath,
  response: { 200: WebhookWithSecretView, ...refused },
}

async function rotate(context: Context, request: RequestOf<typeof ROTATE>, reply: ReplyOf<typeof ROTATE>) {
  const rotated = await rotateSecret(context, principalOf(request), request.params.id)
  return { ...send(reply, rotated), secret: rotated.secret }
}

/** What a host can change. Only this has a version, so that a failed delivery does not change it. */
function settingsOf({ id, schedulerId, url, format, events, eventTypeIds, active }: Webhook) {
  return {
    id,
    ownerId: schedulerId,
    url,
    format,
    events: [...events],
    eventTypeIds: [...eventTypeIds],
    active,
  }
}

/** Formats are fixed: a template would be a fourth one, which nobody could check. */
function refuseTemplate(template: string | null | undefined): void {
  if (template) {
    const reason = sentence`Payload templates aren’t supported. Leave this empty.`
    throw new Problem('invalid', reason, { field: 'payloadTemplate' })
  }
}

function send(reply: FastifyReply, webhook: Webhook): WebhookView {
  reply.header('etag', etagOf(settingsOf(webhook)))
  return toView(webhook, reply.request)
}

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

function toView(webhook: Webhook, request: Asking): WebhookView {
  return {
    ...settingsOf(webhook),
    createdAt: formatInstant(webhook.createdAt),
    previousSecretUntil: instant(webhook.previousSecretUntil),
    failingSince: instant(webhook.failingSince),
    disabledAt: instant(webhook.disabledAt),
    disabledReason: answerIn(request, webhook.disabledReason).text,
  }
}
