import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { PrivateLink } from '../../../domain/bookings/private-link.ts'
import { formatInstant, parseInstant } from '../../../domain/instant.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { nullable } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import {
  createPrivateLink,
  deleteLink,
  listPrivateLinks,
  type PrivateLinkInput,
} from '../../../services/bookings/links/private-links.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'

const link = {
  uses: nullable(Type.Integer(), 'How many bookings it is good for, 1 to 10000; null: any number.'),
  expiresAt: nullable(Type.String({ maxLength: 64 }), 'A UTC instant in the future; null: never.'),
  durationMinutes: nullable(
    Type.Integer(),
    'Replaces the durations of the event type, 1 to 1440; null: they stay.',
  ),
  hostIds: Type.Array(Type.String(), {
    maxItems: 100,
    description:
      'Hosts of the event type who may take the meeting; empty: all. In a round robin, required hosts always come.',
  }),
  answers: Type.Unsafe<PrivateLink['answers']>({
    type: 'object',
    maxProperties: 100,
    additionalProperties: {
      anyOf: [{ type: 'string', maxLength: 5000 }, { type: 'number' }, { type: 'boolean' }],
    },
    description:
      'Fills in the form, and can be changed by the guest: `name`, `email`, `phone`, `notes`, and questions by key. Empty for members of a team who see only the bookings that they host.',
  }),
  note: Type.String({ maxLength: 1000, description: 'What it is for. Guests never see it.' }),
}

export type CreatePrivateLink = Static<typeof CreatePrivateLink>
const CreatePrivateLink = Type.Partial(Type.Object(link))

export type PrivateLinkView = Static<typeof PrivateLinkView>
export const PrivateLinkView = Type.Object({
  id: Type.String(),
  ...link,
  used: Type.Integer({ description: 'How many bookings were made through it, cancelled ones included.' }),
  createdAt: Type.String({ description: 'ISO 8601, UTC.' }),
})

export type IssuedLinkView = Static<typeof IssuedLinkView>
export const IssuedLinkView = Type.Object({
  ...PrivateLinkView.properties,
  token: Type.String({ description: 'Shown only now.' }),
  url: Type.String({ description: 'For the guest. Shown only now.' }),
})

const LinkPath = Type.Object({ ...IdPath.properties, linkId: Type.String() })

/** Links that open one event type, a number of times. */
export const privateLinkRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.get('/event-types/:id/links', { schema: LIST }, (request) => list(context, request))
  app.post('/event-types/:id/links', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.delete('/event-types/:id/links/:linkId', { schema: REMOVE }, (request, reply) =>
    remove(context, request, reply),
  )
}

const tags = ['Event types']

const LIST = {
  operationId: 'listPrivateLinks',
  summary: 'Private links to an event type',
  tags,
  params: IdPath,
  querystring: PageQuery,
  response: { 200: pageOf(PrivateLinkView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listPrivateLinks(context, principalOf(request), request.params.id, page),
    ({ id }) => id,
    toView,
  )
}

const CREATE = {
  operationId: 'createPrivateLink',
  summary: 'Make a private link to an event type',
  description:
    'The link opens the event type even if it is hidden, or for private links only. Every booking through it spends a use, and cancelling gives none back.',
  tags,
  params: IdPath,
  body: CreatePrivateLink,
  response: { 201: IssuedLinkView, ...problems(400, 401, 403, 404) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const { expiresAt, ...rest } = pick(request.body, CreatePrivateLink)
  const input: PrivateLinkInput = {
    ...rest,
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : readExpiry(expiresAt) }),
  }
  const made = await createPrivateLink(context, principalOf(request), request.params.id, input)
  return reply.code(201).send({ ...toView(made.link), token: made.token, url: made.url })
}

const REMOVE = {
  operationId: 'deletePrivateLink',
  summary: 'End a private link; its bookings stay',
  tags,
  params: LinkPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  const { id, linkId } = request.params
  await deleteLink(context, principalOf(request), id, linkId)
  return reply.code(204).send(null)
}

function readExpiry(text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField('expiresAt', sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  return Math.floor(instant)
}

function toView({ eventTypeId: _, expiresAt, createdAt, hostIds, ...link }: PrivateLink): PrivateLinkView {
  return {
    ...link,
    hostIds: [...hostIds],
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
    createdAt: formatInstant(createdAt),
  }
}
