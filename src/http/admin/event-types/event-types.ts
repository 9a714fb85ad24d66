import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeEventType,
  cloneEventType,
  createEventType,
  getEventType,
  listEventTypes,
  type ManagedEventType,
  orderEventTypes,
  removeEventType,
} from '../../../services/event-types/event-types.ts'
import { previewSlots } from '../../../services/event-types/preview-slots.ts'
import { JSON_TYPE, sendEncoded } from '../../encoded.ts'
import { problems } from '../../problems.ts'
import { SlotListing, SlotQuery } from '../../public/schemas.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { draftOf, toSeat } from './draft.ts'
import { ChangeEventType, CreateEventType, EventTypeView, OrderEventTypes } from './schemas.ts'

/** Event types of the user and their teams. */
export const eventTypeRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/event-types', { schema: LIST }, (request) => list(context, request))
  app.post('/event-types', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.put('/event-types/order', { schema: ORDER }, (request, reply) => order(context, request, reply))
  app.get('/event-types/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/event-types/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.post('/event-types/:id/clone', { schema: CLONE }, (request, reply) => clone(context, request, reply))
  app.post('/event-types/:id/preview', { schema: PREVIEW }, (request, reply) =>
    preview(context, request, reply),
  )
  app.delete('/event-types/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Event types']
const seen = { 200: EventTypeView, ...problems(401, 404) }

const LIST = {
  operationId: 'listEventTypes',
  summary: 'Event types of you and your teams',
  tags,
  querystring: OwnedPageQuery,
  response: { 200: pageOf(EventTypeView), ...problems(401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listEventTypes(context, principalOf(request), request.query.ownerId, page),
    ({ eventType }) => eventType.id,
    toView,
  )
}

const CREATE = {
  operationId: 'createEventType',
  summary: 'Add an event type',
  tags,
  body: CreateEventType,
  response: { 201: EventTypeView, ...problems(400, 401, 403, 404, 409) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, hosts, ...input } = pick(request.body, CreateEventType)
  const made = await createEventType(context, principal, teamId, { ...input, hosts: hosts?.map(toSeat) })
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const ORDER = {
  operationId: 'orderEventTypes',
  summary: 'Put all your event types, or those of a team, into an order',
  tags,
  body: OrderEventTypes,
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404) },
}

async function order(context: Context, request: RequestOf<typeof ORDER>, reply: ReplyOf<typeof ORDER>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, ids } = request.body
  await orderEventTypes(context, principal, teamId, ids)
  return reply.code(204).send(null)
}

const GET = {
  operationId: 'getEventType',
  summary: 'An event type',
  tags,
  params: IdPath,
  response: seen,
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(reply, toView(await getEventType(context.db, principalOf(request), request.params.id)))
}

const UPDATE = {
  operationId: 'updateEventType',
  summary: 'Change an event type; the old slug keeps working',
  tags,
  params: IdPath,
  body: ChangeEventType,
  response: { ...seen, ...problems(400, 403, 409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const { input } = draftOf(request.params.id, request.body)
  const changed = await changeEventType(context, principalOf(request), versionIn(request, toView), input)
  return sendVersioned(reply, toView(changed))
}

const CLONE = {
  operationId: 'cloneEventType',
  summary: 'Copy an event type; the copy is hidden',
  tags,
  params: IdPath,
  response: { 201: EventTypeView, ...problems(401, 403, 404) },
}

async function clone(context: Context, request: RequestOf<typeof CLONE>, reply: ReplyOf<typeof CLONE>) {
  const made = await cloneEventType(context, principalOf(request), request.params.id)
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const PREVIEW = {
  operationId: 'previewSlots',
  summary: 'Preview the slots with these settings; nothing is saved',
  description: 'What is left out is as saved.',
  tags,
  params: IdPath,
  querystring: SlotQuery,
  body: ChangeEventType,
  response: { 200: SlotListing, ...problems(400, 401, 403, 404) },
}

async function preview(context: Context, request: RequestOf<typeof PREVIEW>, reply: ReplyOf<typeof PREVIEW>) {
  const draft = draftOf(request.params.id, request.body)
  const json = await previewSlots(context, principalOf(request), draft, request.query)
  return sendEncoded(reply, JSON_TYPE, Buffer.from(json))
}

const REMOVE = {
  operationId: 'deleteEventType',
  summary: 'Delete an event type that was never booked',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeEventType(context, principalOf(request), versionIn(request, toView))
  return reply.code(204).send(null)
}

function toView({ eventType, hosts }: ManagedEventType): EventTypeView {
  const { schedulerId, ...rest } = eventType
  return {
    ...rest,
    location: { ...rest.location, provider: rest.location.provider ?? '' },
    ownerId: schedulerId,
    hosts: hosts.map(({ hostId, fixed, weight }) => ({ userId: hostId, fixed, weight })),
  }
}
