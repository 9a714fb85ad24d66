import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../../domain/webhooks/webhook.ts'
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
import { problems } from '../../problems.ts'
import { checkVersion, IdPath, PageQuery, pageOf, pick, principalOf, readLimit, toPage } from '../desk.ts'

const fields = {
  url: Type.String({
    maxLength: 2000,
    description: 'A public https address, without user name or password.',
  }),
  events: Type.Array(Type.Unsafe<WebhookEvent>({ type: 'string', enum: WEBHOOK_EVENTS }), {
    maxItems: WEBHOOK_EVENTS.length,
    description: 'What is told; empty: everything.',
  }),
  eventTypeIds: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 200,
    description:
      'Bookings of these event types alone; empty: of all the owner’s. form.submitted is not filtered by it.',
  }),
  active: Type.Boolean({
    description: 'Switching on one that the service has switched off makes its failures forgotten.',
  }),
}
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const WebhookView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  ...fields,
  createdAt: Type.String(),
  previousSecretUntil: nullable(
    Type.String({ description: 'Until when the secret before the present one signs as well.' }),
  ),
  failingSince: nullable(
    Type.String({ description: 'The first failure since anything arrived; null when all is well.' }),
  ),
  disabledAt: nullable(Type.String({ description: 'When the service itself switched it off.' })),
  disabledReason: Type.String(),
})
const NewSecretView = Type.Object({
  ...WebhookView.properties,
  secret: Type.String({ description: 'Verifies what is sent (Standard Webhooks). Shown this once.' }),
})
const ChangeWebhook = Type.Partial(Type.Object(fields))
const CreateWebhook = Type.Object({
  ...ChangeWebhook.properties,
  url: fields.url,
  teamId: Type.Optional(Type.String({ description: 'Whose it is to be; without it, yours.' })),
})

/** Addresses that are told what happens to the bookings and forms of the user and the teams they manage. */
export const webhookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Webhooks']
  const refused = { ...problems(401, 403, 404) }

  app.get(
    '/webhooks',
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'Your webhooks, and those of teams you manage, without their secrets',
        tags,
        querystring: Type.Object({ ...PageQuery.properties, ownerId: Type.Optional(Type.String()) }),
        response: { 200: pageOf(WebhookView), ...problems(400), ...refused },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const { ownerId, cursor } = request.query
      const found = await listWebhooks(context, principalOf(request), ownerId, cursor, limit + 1)
      return toPage(found, limit, ({ id }) => id, toView)
    },
  )

  app.post(
    '/webhooks',
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Add a webhook, whose secret is shown this once',
        tags,
        body: CreateWebhook,
        response: { 201: NewSecretView, ...problems(400), ...refused },
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
        summary: 'Change a webhook, or switch it on and off',
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
        summary: 'Delete a webhook, and the record of what was sent to it',
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
        summary: 'Give a webhook a new secret; the old one signs along for 24 hours',
        tags,
        params: IdPath,
        response: { 200: NewSecretView, ...refused },
      },
    },
    async (request, reply) => {
      const rotated = await rotateSecret(context, principalOf(request), request.params.id)
      return { ...send(reply, rotated), secret: rotated.secret }
    },
  )
}

/** What a host can change. Its version is of this alone: a failed delivery is no edit. */
function settingsOf({ id, schedulerId, url, events, eventTypeIds, active }: Webhook) {
  return { id, ownerId: schedulerId, url, events: [...events], eventTypeIds: [...eventTypeIds], active }
}

function send(reply: FastifyReply, webhook: Webhook): Static<typeof WebhookView> {
  reply.header('etag', etagOf(settingsOf(webhook)))
  return toView(webhook)
}

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

function toView(webhook: Webhook): Static<typeof WebhookView> {
  return {
    ...settingsOf(webhook),
    createdAt: formatInstant(webhook.createdAt),
    previousSecretUntil: instant(webhook.previousSecretUntil),
    failingSince: instant(webhook.failingSince),
    disabledAt: instant(webhook.disabledAt),
    disabledReason: webhook.disabledReason,
  }
}
