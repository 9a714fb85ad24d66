import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { PUSH_KINDS, type PushSubscription } from '../../../domain/push/push.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  listSubscriptions,
  sendTestPush,
  subscribe,
  unsubscribe,
} from '../../../services/push/subscriptions.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { type OutsideOptions, principalOf } from '../principal.ts'

const Endpoint = Type.String({ maxLength: 1000, description: 'The address at the browser’s push service.' })
const Kinds = Type.Array(Type.Enum([...PUSH_KINDS]), {
  maxItems: PUSH_KINDS.length,
  description: 'What to notify of.',
})
const Expiration = Type.Optional(
  Type.Union([Type.Number(), Type.Null()], { description: 'As the browser gives it. Not used.' }),
)
const Key = Type.String({ maxLength: 200 })
const Keys = Type.Object({ p256dh: Key, auth: Key })

export type PushSubscriptionView = Static<typeof PushSubscriptionView>
const PushSubscriptionView = Type.Object({
  endpoint: Endpoint,
  kinds: Kinds,
  createdAt: Type.String({ format: 'date-time' }),
})

export type PushView = Static<typeof PushView>
const PushView = Type.Object({
  publicKey: Type.Union([Type.String(), Type.Null()], {
    description:
      'The `applicationServerKey` for browsers; null: notifications are turned off on this instance.',
  }),
  items: Type.Array(PushSubscriptionView),
})

const Subscribe = Type.Object({
  subscription: Type.Object(
    { endpoint: Endpoint, expirationTime: Expiration, keys: Keys },
    { description: 'The browser’s `PushSubscription` as JSON.' },
  ),
  kinds: Type.Optional(
    Type.Array(Type.Enum([...PUSH_KINDS]), {
      maxItems: PUSH_KINDS.length,
      description: 'What to notify of; left out: as before, or all of them in a browser that is new.',
    }),
  ),
})

const Known = Type.Object({
  subscription: Type.Object({
    endpoint: Endpoint,
    expirationTime: Expiration,
    keys: Type.Optional(Keys),
  }),
})

/** Notifications in the user's browsers. */
export const pushRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  app.get('/me/push', { schema: LIST }, (request) => list(context, request))
  app.post('/me/push', { schema: ADD, preHandler: countOutside }, (request, reply) =>
    add(context, request, reply),
  )
  app.delete('/me/push', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
  app.post('/me/push/test', { schema: TEST, preHandler: countOutside }, (request, reply) =>
    test(context, request, reply),
  )
}

const tags = ['Me']

const LIST = {
  operationId: 'listPushSubscriptions',
  summary: 'The browsers in which you get notifications',
  tags,
  response: { 200: PushView, ...problems(401, 403) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const subscriptions = await listSubscriptions(context, principalOf(request))
  return { publicKey: context.webPush?.publicKey ?? null, items: subscriptions.map(toView) }
}

const ADD = {
  operationId: 'addPushSubscription',
  summary: 'Turn on notifications in a browser, or change what they are about',
  tags,
  body: Subscribe,
  response: { 201: PushSubscriptionView, ...problems(400, 401, 403, 404, 429) },
}

async function add(context: Context, request: RequestOf<typeof ADD>, reply: ReplyOf<typeof ADD>) {
  const { subscription, kinds } = request.body
  return reply.code(201).send(toView(await subscribe(context, principalOf(request), subscription, kinds)))
}

const REMOVE = {
  operationId: 'removePushSubscription',
  summary: 'Turn off notifications in a browser',
  tags,
  body: Known,
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await unsubscribe(context, principalOf(request), request.body.subscription)
  return reply.code(204).send(null)
}

const TEST = {
  operationId: 'testPushSubscription',
  summary: 'Show a sample in a browser',
  tags,
  body: Known,
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404, 409, 429) },
}

async function test(context: Context, request: RequestOf<typeof TEST>, reply: ReplyOf<typeof TEST>) {
  await sendTestPush(context, principalOf(request), request.body.subscription)
  return reply.code(204).send(null)
}

function toView({ endpoint, kinds, createdAt }: PushSubscription): PushSubscriptionView {
  return { endpoint, kinds: [...kinds], createdAt: formatInstant(createdAt) }
}
