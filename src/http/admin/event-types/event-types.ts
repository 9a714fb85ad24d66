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
  removeEventType,
} from '../../../services/event-types/event-types.ts'
import { previewSlots } from '../../../services/event-types/preview-slots.ts'
import { JSON_TYPE, sendEncoded } from '../../encoded.ts'
import { problems } from '../../problems.ts'
import { SlotListing, SlotQuery } from '../../public/schemas.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { ChangeEventType, CreateEventType, EventTypeView } from './schemas.ts'

/** Event types of the user and their teams. */
export const eventTypeRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Event types']
  const seen = { 200: EventTypeView, ...problems(401, 404) }

  app.get(
    '/event-types',
    {
      schema: {
        operationId: 'listEventTypes',
        summary: 'Event types of you and your teams',
        tags,
        querystring: OwnedPageQuery,
        response: { 200: pageOf(EventTypeView), ...problems(401, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (page) => listEventTypes(context, principalOf(request), request.query.ownerId, page),
        ({ eventType }) => eventType.id,
        toView,
      ),
  )

  app.post(
    '/event-types',
    {
      schema: {
        operationId: 'createEventType',
        summary: 'Add an event type',
        tags,
        body: CreateEventType,
        response: { 201: EventTypeView, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { teamId = principal.userId, hosts, ...input } = pick(request.body, CreateEventType)
      const made = await createEventType(context, principal, teamId, { ...input, hosts: hosts?.map(toSeat) })
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.get(
    '/event-types/:id',
    {
      schema: {
        operationId: 'getEventType',
        summary: 'An event type',
        tags,
        params: IdPath,
        response: seen,
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getEventType(context.db, principalOf(request), request.params.id))),
  )

  app.patch(
    '/event-types/:id',
    {
      schema: {
        operationId: 'updateEventType',
        summary: 'Change an event type; the old slug keeps working',
        tags,
        params: IdPath,
        body: ChangeEventType,
        response: { ...seen, ...problems(400, 403, 409, 412) },
      },
    },
    async (request, reply) => {
      const { hosts, ...input } = pick(request.body, ChangeEventType)
      const changed = await changeEventType(context, principalOf(request), versionIn(request, toView), {
        ...input,
        hosts: hosts?.map(toSeat),
      })
      return sendVersioned(reply, toView(changed))
    },
  )

  app.post(
    '/event-types/:id/clone',
    {
      schema: {
        operationId: 'cloneEventType',
        summary: 'Copy an event type; the copy is hidden',
        tags,
        params: IdPath,
        response: { 201: EventTypeView, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const made = await cloneEventType(context, principalOf(request), request.params.id)
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.post(
    '/event-types/:id/preview',
    {
      schema: {
        operationId: 'previewSlots',
        summary: 'Preview the slots with these settings; nothing is saved',
        description: 'Uses the saved hosts and schedule.',
        tags,
        params: IdPath,
        querystring: SlotQuery,
        body: ChangeEventType,
        response: { 200: SlotListing, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { hosts: _, ...input } = pick(request.body, ChangeEventType)
      const { id } = request.params
      const json = await previewSlots(context, principalOf(request), { id, input }, request.query)
      return sendEncoded(reply, JSON_TYPE, Buffer.from(json))
    },
  )

  app.delete(
    '/event-types/:id',
    {
      schema: {
        operationId: 'deleteEventType',
        summary: 'Delete an event type that was never booked',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      await removeEventType(context, principalOf(request), versionIn(request, toView))
      return reply.code(204).send(null)
    },
  )
}

const toSeat = (host: { userId: string; fixed: boolean; weight?: number }) => ({
  hostId: host.userId,
  fixed: host.fixed,
  ...(host.weight !== undefined && { weight: host.weight }),
})

function toView({ eventType, hosts }: ManagedEventType): EventTypeView {
  const { schedulerId, ...rest } = eventType
  return {
    ...rest,
    location: { ...rest.location, provider: rest.location.provider ?? '' },
    ownerId: schedulerId,
    hosts: hosts.map(({ hostId, fixed, weight }) => ({ userId: hostId, fixed, weight })),
  }
}
