import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '../../../format/type.ts'
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
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { ChangeSchedule, CreateSchedule, ScheduleView } from './schemas.ts'

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
    async (request) =>
      answerPage(
        request.query,
        (page) => listSchedules(context, principalOf(request), page),
        ({ id }) => id,
        toView,
      ),
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
      const made = await createSchedule(context, principalOf(request), { ...rest, timeZone: timezone })
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
      const changed = await changeSchedule(context, principalOf(request), versionIn(request, toView), input)
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
      await removeSchedule(context, principalOf(request), versionIn(request, toView))
      return reply.code(204).send(null)
    },
  )
}

function toView(schedule: NamedSchedule): ScheduleView {
  const { id, name, timeZone, weekly, overrides, isDefault, confirmed } = schedule
  return { id, name, timezone: timeZone, weekly, overrides, isDefault, confirmed } as ScheduleView
}
