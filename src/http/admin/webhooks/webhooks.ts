import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { formatInstant } from '../../../domain/instant.ts'
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
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { checkVersion } from '../versions.ts'
import { ChangeWebhook, CreateWebhook, WebhookView, WebhookWithSecretView } from './schemas.ts'

/** Webhooks of the user and the teams they manage. */
export const webhookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Webhooks']
  const refused = { ...problems(401, 403, 404) }

  app.get(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'Webhooks of you and the teams you manage, without their secrets',
        tags,
        querystring: OwnedPageQuery,
        response: { 200: pageOf(WebhookView), ...problems(400), ...refused },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (cursor, limit) => listWebhooks(context, principalOf(request), request.query.ownerId, cursor, limit),
        ({ id }) => id,
        (webhook) => toView(webhook, request),
      ),
  )

  app.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Add a webhook; its secret is shown only once',
        tags,
        body: CreateWebhook,
        response: { 201: WebhookWithSecretView, ...problems(400), ...refused },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { teamId = principal.userId, ...input } = pick(request.body, CreateWebhook)
      const made = await createWebhook(context, principal, teamId, input)
      return reply.code(201).send({ ...send(reply, made), secret: made.secret })
    },
  )

  app.get(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'getWebhook',
        summary: 'A webhook, without its secret',
        tags,
        params: IdPath,
        response: { 200: WebhookView, ...refused },
      },
    },
    async (request, reply) =>
      send(reply, await getOwnWebhook(context.db, principalOf(request), request.params.id)),
  )

  app.patch(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook, or turn it on or off',
        tags,
        params: IdPath,
        body: ChangeWebhook,
        response: { 200: WebhookView, ...problems(400), ...refused, ...problems(412) },
      },
    },
    async (request, reply) => {
      const input = pick(request.body, ChangeWebhook)
      const changed = await changeWebhook(context, principalOf(request), request.params.id, input, (now) =>
        checkVersion(request, settingsOf(now)),
      )
      return send(reply, changed)
    },
  )

  app.delete(
    '/webhooks/:id',
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook and its deliveries',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...refused, ...problems(412) },
      },
    },
    async (request, reply) => {
      await removeWebhook(context, principalOf(request), request.params.id, (now) =>
        checkVersion(request, settingsOf(now)),
      )
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret; the old one keeps signing for 24 hours',
        tags,
        params: IdPath,
        response: { 200: WebhookWithSecretView, ...refused },
      },
    },
    async (request, reply) => {
      const rotated = await rotateSecret(context, principalOf(request), request.params.id)
      return { ...send(reply, rotated), secret: rotated.secret }
    },
  )
}

/** What a host can change. Only this has a version, so that a failed delivery does not change it. */
function settingsOf({ id, schedulerId, url, events, eventTypeIds, active }: Webhook) {
  return { id, ownerId: schedulerId, url, events: [...events], eventTypeIds: [...eventTypeIds], active }
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
