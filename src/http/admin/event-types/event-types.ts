import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { CAPTCHA_PROVIDERS, LOCATION_TYPES } from '../../../domain/event-types/event-type.ts'
import { QUESTION_TYPES } from '../../../domain/event-types/questions.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeEventType,
  cloneEventType,
  createEventType,
  type EventTypeInput,
  getEventType,
  listEventTypes,
  type ManagedEventType,
  removeEventType,
} from '../../../services/event-types/event-types.ts'
import { previewSlots } from '../../../services/slots/preview.ts'
import { problems } from '../../problems.ts'
import { SlotListing, SlotQuery } from '../../public/scheduling.ts'
import {
  checkVersion,
  IdPath,
  PageQuery,
  pageOf,
  pick,
  principalOf,
  readLimit,
  sendVersioned,
  toPage,
} from '../desk.ts'

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values })
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Limit = nullable(Type.Integer({ minimum: 1 }))

const BookingWindow = Type.Union([
  Type.Object({ kind: oneOf(['rolling']), days: Type.Integer() }),
  Type.Object({ kind: oneOf(['fixed']), from: Type.String(), to: Type.String() }),
  Type.Object({ kind: oneOf(['unlimited']) }),
])

const fields = {
  slug: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  description: Type.String({ maxLength: 5000 }),
  durationMinutes: Type.Integer(),
  intervalMinutes: nullable(Type.Integer({ description: 'Distance between starts; null: the duration.' })),
  bufferBeforeMinutes: Type.Integer(),
  bufferAfterMinutes: Type.Integer(),
  noticeMinutes: Type.Integer(),
  window: BookingWindow,
  limits: Type.Object({ day: Limit, week: Limit, month: Limit }),
  seats: Type.Integer(),
  requiresApproval: Type.Boolean(),
  hidden: Type.Boolean(),
  location: Type.Object({ type: oneOf(LOCATION_TYPES), value: Type.String({ maxLength: 2000 }) }),
  questions: Type.Array(
    Type.Object({
      key: Type.String(),
      label: Type.String({ maxLength: 500 }),
      type: oneOf(QUESTION_TYPES),
      required: Type.Boolean(),
      options: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200 }),
    }),
    { maxItems: 50 },
  ),
  abuse: Type.Object({
    honeypot: Type.Boolean(),
    captcha: oneOf([...CAPTCHA_PROVIDERS, '']),
    blocklist: Type.Array(Type.String({ maxLength: 254 }), { maxItems: 1000 }),
    detectDuplicates: Type.Boolean(),
    rateLimit: Limit,
  }),
  assignment: oneOf(['collective', 'round-robin']),
  position: Type.Integer(),
  scheduleId: nullable(Type.String()),
  cancelNoticeMinutes: Type.Integer({
    description: 'Until so long before the start a guest may cancel; 0: until it starts.',
  }),
  rescheduleNoticeMinutes: Type.Integer({ description: 'Likewise for rescheduling.' }),
  reminderMinutes: Type.Array(Type.Integer(), {
    maxItems: 5,
    description: 'How long before the start both parties are reminded: 5 to 43200 minutes each.',
  }),
  allowedOrigins: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 50,
    description:
      'Sites that may embed its page, such as https://www.example.com; empty: all. http is for this machine alone.',
  }),
  hosts: Type.Array(
    Type.Object({ userId: Type.String(), fixed: Type.Boolean(), weight: Type.Optional(Type.Integer()) }),
    { maxItems: 100 },
  ),
}

const EventTypeView = Type.Object({ id: Type.String(), ownerId: Type.String(), ...fields })
const ChangeEventType = Type.Partial(Type.Object(fields))
const CreateEventType = Type.Object({
  ...ChangeEventType.properties,
  slug: fields.slug,
  name: fields.name,
  durationMinutes: fields.durationMinutes,
  teamId: Type.Optional(Type.String({ description: 'Whose it is to be; without it, yours.' })),
})

/** Event types of the user and of their teams. */
export const eventTypeRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Event types']
  const seen = { 200: EventTypeView, ...problems(401, 404) }

  app.get(
    '/event-types',
    {
      schema: {
        operationId: 'listEventTypes',
        summary: 'Your event types, and your teams’',
        tags,
        querystring: Type.Object({ ...PageQuery.properties, ownerId: Type.Optional(Type.String()) }),
        response: { 200: pageOf(EventTypeView), ...problems(401, 404) },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const { ownerId, cursor } = request.query
      const found = await listEventTypes(context, principalOf(request), ownerId, cursor, limit + 1)
      return toPage(found, limit, ({ eventType }) => eventType.id, toView)
    },
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
      const made = await createEventType(context, principal, teamId, input as never, hosts?.map(toSeat))
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
        summary: 'Change an event type; an old slug goes on working',
        tags,
        params: IdPath,
        body: ChangeEventType,
        response: { ...seen, ...problems(400, 403, 409, 412) },
      },
    },
    async (request, reply) => {
      const { hosts, ...input } = pick(request.body, ChangeEventType)
      const changed = await changeEventType(
        context,
        principalOf(request),
        request.params.id,
        input as EventTypeInput,
        hosts?.map(toSeat),
        (now) => checkVersion(request, toView(now)),
      )
      return sendVersioned(reply, toView(changed))
    },
  )

  app.post(
    '/event-types/:id/clone',
    {
      schema: {
        operationId: 'cloneEventType',
        summary: 'Copy an event type, hidden at first',
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
        summary: 'What would be listed with these settings; nothing is saved',
        description: 'Hosts and schedule stay those that are saved.',
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
      const json = await previewSlots(
        context,
        principalOf(request),
        id,
        input as EventTypeInput,
        request.query,
      )
      // The listing is JSON already.
      return reply.type('application/json; charset=utf-8').send(Buffer.from(json) as never)
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
      await removeEventType(context, principalOf(request), request.params.id, (now) =>
        checkVersion(request, toView(now)),
      )
      return reply.code(204).send(null)
    },
  )
}

const toSeat = (host: { userId: string; fixed: boolean; weight?: number }) => ({
  hostId: host.userId,
  fixed: host.fixed,
  ...(host.weight !== undefined && { weight: host.weight }),
})

function toView({ eventType, hosts }: ManagedEventType): Static<typeof EventTypeView> {
  const { schedulerId, ...rest } = eventType
  return {
    ...rest,
    ownerId: schedulerId,
    hosts: hosts.map(({ hostId, fixed, weight }) => ({ userId: hostId, fixed, weight })),
  } as unknown as Static<typeof EventTypeView>
}
