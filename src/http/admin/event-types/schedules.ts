import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Context } from '../../../services/context.ts'
import {
  changeSchedule,
  createSchedule,
  getSchedule,
  listSchedules,
  removeSchedule,
  type ScheduleInput,
} from '../../../services/event-types/schedules.ts'
import type { NamedSchedule } from '../../../store/event-types/schedules.ts'
import { problems } from '../../problems.ts'
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

const Ranges = Type.Array(Type.Object({ opens: Type.String(), closes: Type.String() }), { maxItems: 48 })

const fields = {
  name: Type.String({ maxLength: 200 }),
  timezone: Type.String({ maxLength: 64 }),
  weekly: Type.Record(Type.String(), Ranges, {
    description: 'By ISO weekday, "1" is Monday: ranges of wall-clock times, up to 24:00.',
  }),
  overrides: Type.Record(Type.String(), Ranges, {
    description: 'By date (YYYY-MM-DD): hours that replace the week’s; an empty list is a day off.',
  }),
  isDefault: Type.Boolean(),
}

const ScheduleView = Type.Object({ id: Type.String(), ...fields })
const CreateSchedule = Type.Object({
  name: fields.name,
  timezone: fields.timezone,
  weekly: Type.Optional(fields.weekly),
  overrides: Type.Optional(fields.overrides),
  isDefault: Type.Optional(fields.isDefault),
})
const ChangeSchedule = Type.Partial(Type.Object(fields))

/** A user's own schedules. */
export const scheduleRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Schedules']

  app.get(
    '/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'Your schedules',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(ScheduleView), ...problems(401) },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const found = await listSchedules(context, principalOf(request), request.query.cursor, limit + 1)
      return toPage(found, limit, ({ id }) => id, toView)
    },
  )

  app.post(
    '/schedules',
    {
      schema: {
        operationId: 'createSchedule',
        summary: 'Add a schedule',
        tags,
        body: CreateSchedule,
        response: { 201: ScheduleView, ...problems(400, 401) },
      },
    },
    async (request, reply) => {
      const { timezone, ...rest } = pick(request.body, CreateSchedule)
      const made = await createSchedule(context, principalOf(request), {
        ...rest,
        timeZone: timezone,
      } as never)
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.get(
    '/schedules/:id',
    {
      schema: {
        operationId: 'getSchedule',
        summary: 'One of your schedules',
        tags,
        params: IdPath,
        response: { 200: ScheduleView, ...problems(401, 404) },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getSchedule(context.db, principalOf(request), request.params.id))),
  )

  app.patch(
    '/schedules/:id',
    {
      schema: {
        operationId: 'updateSchedule',
        summary: 'Change a schedule',
        tags,
        params: IdPath,
        body: ChangeSchedule,
        response: { 200: ScheduleView, ...problems(400, 401, 404, 412) },
      },
    },
    async (request, reply) => {
      const { timezone, ...rest } = pick(request.body, ChangeSchedule)
      const input = { ...rest, ...(timezone !== undefined && { timeZone: timezone }) } as ScheduleInput
      const changed = await changeSchedule(context, principalOf(request), request.params.id, input, (now) =>
        checkVersion(request, toView(now)),
      )
      return sendVersioned(reply, toView(changed))
    },
  )

  app.delete(
    '/schedules/:id',
    {
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule that nothing uses',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      await removeSchedule(context, principalOf(request), request.params.id, (now) =>
        checkVersion(request, toView(now)),
      )
      return reply.code(204).send(null)
    },
  )
}

function toView(schedule: NamedSchedule): Static<typeof ScheduleView> {
  const { id, name, timeZone, weekly, overrides, isDefault } = schedule
  return { id, name, timezone: timeZone, weekly, overrides, isDefault } as Static<typeof ScheduleView>
}
