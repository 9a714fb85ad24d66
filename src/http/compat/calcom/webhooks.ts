import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noSuchEventType } from '../../../domain/bookings/bookable.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { CALCOM_EVENTS, MAX_SECRET } from '../../../domain/webhooks/formats.ts'
import type { Webhook } from '../../../domain/webhooks/webhook.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { getEventType } from '../../../services/event-types/event-types.ts'
import { notFound } from '../../../services/people/access.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import {
  changeWebhook,
  createWebhook,
  getOwnWebhook,
  listWebhooks,
  removeWebhook,
} from '../../../services/webhooks/webhooks.ts'
import { takeIn } from './booking-list.ts'
import { success } from './envelope.ts'
import { bodyOf, type Query, requirePrincipal } from './request.ts'

const ALL = 200

const fields = {
  subscriberUrl: Type.String({ maxLength: 2000 }),
  triggers: Type.Array(oneOf(CALCOM_EVENTS), { maxItems: 50 }),
  active: Type.Boolean(),
  secret: Type.Union([Type.String({ maxLength: MAX_SECRET }), Type.Null()]),
  payloadTemplate: Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]),
}

const ChangeWebhook = Type.Object({
  subscriberUrl: Type.Optional(fields.subscriberUrl),
  triggers: Type.Optional(fields.triggers),
  active: Type.Optional(fields.active),
  secret: Type.Optional(fields.secret),
  payloadTemplate: Type.Optional(fields.payloadTemplate),
})

const CreateWebhook = Type.Object({
  ...ChangeWebhook.properties,
  subscriberUrl: fields.subscriberUrl,
  triggers: fields.triggers,
})

/** Webhooks in their format. Those of ours are not theirs to see. */
export function addWebhookRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  for (const [base, byEventType] of [
    ['/webhooks', false],
    ['/event-types/:id/webhooks', true],
  ] as const) {
    const place = (request: FastifyRequest) => placeOf(context, request, byEventType)
    app.get(base, async (request) => {
      const { principal, eventTypeId } = await place(request)
      const { skip, take } = takeIn(request.query as Query, 250)
      const found = (await listWebhooks(context, principal, undefined, { limit: ALL })).filter((one) =>
        isThere(one, principal, eventTypeId),
      )
      return success(await Promise.all(found.slice(skip, skip + take).map((one) => toView(context, one))))
    })
    app.post(base, async (request, reply) => {
      const { principal, eventTypeId, ownerId } = await place(request)
      const { subscriberUrl: url, ...body } = bodyOf(request, CreateWebhook)
      const made = await createWebhook(context, principal, ownerId, {
        url,
        format: 'calcom',
        eventTypeIds: eventTypeId === undefined ? [] : [eventTypeId],
        ...contentOf(body),
      })
      return reply.code(201).send(success({ ...(await toView(context, made)), secret: made.secret }))
    })
    app.get(`${base}/:webhookId`, async (request) => {
      return success(await toView(context, await find(context, request, await place(request))))
    })
    app.patch(`${base}/:webhookId`, async (request) => {
      const at = await place(request)
      const { id } = await find(context, request, at)
      const { subscriberUrl: url, ...body } = bodyOf(request, ChangeWebhook)
      const input = { ...(url !== undefined && { url }), ...contentOf(body) }
      return success(
        await toView(context, await changeWebhook(context, at.principal, { id, expect: () => {} }, input)),
      )
    })
    app.delete(`${base}/:webhookId`, async (request) => {
      const at = await place(request)
      const webhook = await find(context, request, at)
      await removeWebhook(context, at.principal, { id: webhook.id, expect: () => {} })
      return success(await toView(context, webhook))
    })
  }
}

interface Place {
  readonly principal: Principal
  readonly ownerId: string
  /** Undefined: of all event types. */
  readonly eventTypeId?: string
}

async function placeOf(context: Context, request: FastifyRequest, byEventType: boolean): Promise<Place> {
  const principal = await requirePrincipal(context, request)
  if (!byEventType) return { principal, ownerId: principal.userId }
  const id = await context.numbers.idOf('event-type', Number((request.params as { id: string }).id))
  if (id === undefined) throw noSuchEventType()
  const { eventType } = await getEventType(context.db, principal, id)
  return { principal, ownerId: eventType.schedulerId, eventTypeId: eventType.id }
}

function isThere(
  { format, schedulerId, eventTypeIds }: Webhook,
  { userId }: Principal,
  eventTypeId: string | undefined,
): boolean {
  if (format !== 'calcom') return false
  return eventTypeId === undefined
    ? schedulerId === userId && eventTypeIds.length === 0
    : eventTypeIds.includes(eventTypeId)
}

async function find(
  context: Context,
  request: FastifyRequest,
  { principal, eventTypeId }: Place,
): Promise<Webhook> {
  const { webhookId } = request.params as { webhookId: string }
  const webhook = await getOwnWebhook(context.db, principal, webhookId)
  if (!isThere(webhook, principal, eventTypeId)) throw notFound()
  return webhook
}

interface Given {
  readonly triggers?: readonly (typeof CALCOM_EVENTS)[number][]
  readonly active?: boolean
  readonly secret?: string | null
  readonly payloadTemplate?: string | null
}

function contentOf({ triggers, active, secret, payloadTemplate }: Given) {
  if (payloadTemplate) throw invalidField('payloadTemplate', sentence`{field} is not valid.`)
  return {
    ...(triggers !== undefined && { events: [...new Set(triggers)] }),
    ...(active !== undefined && { active }),
    ...(secret && { secret }),
  }
}

/** Without the secret, which is shown once: it is sealed by now. */
async function toView({ numbers }: Context, webhook: Webhook) {
  const { id, schedulerId, url, events, eventTypeIds, active } = webhook
  const [eventTypeId] = eventTypeIds
  return {
    id,
    subscriberUrl: url,
    triggers: [...events],
    active,
    payloadTemplate: null,
    ...(eventTypeId === undefined
      ? { userId: await numbers.of('user', schedulerId) }
      : { eventTypeId: await numbers.of('event-type', eventTypeId) }),
  }
}
