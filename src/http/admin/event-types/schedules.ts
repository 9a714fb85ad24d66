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
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { ChangeSchedule, CreateSchedule, ScheduleView } from './schemas.ts'

/** A user's own schedules. */
export const scheduleRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/schedules', { schema: LIST }, (request) => list(context, request))
  app.post('/schedules', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.get('/schedules/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/schedules/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.delete('/schedules/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Schedules']

const LIST = {
  operationId: 'listSchedules',
  summary: 'Your schedules',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(ScheduleView), ...problems(401) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listSchedules(context, principalOf(request), page),
    ({ id }) => id,
    toView,
  )
}

const CREATE = {
  operationId: 'createSchedule',
  summary: 'Add a schedule',
  tags,
  body: CreateSchedule,
  response: { 201: ScheduleView, ...problems(400, 401) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const { timezone, ...rest } = pick(request.body, CreateSchedule)
  const made = await createSchedule(context, principalOf(request), { ...rest, timeZone: timezone })
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const GET = {
  operationId: 'getSchedule',
  summary: 'One of your schedules',
  tags,
  params: IdPath,
  response: { 200: ScheduleView, ...problems(401, 404) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(reply, toView(await getSchedule(context.db, principalOf(request), request.params.id)))
}

const UPDATE = {
  operationId: 'updateSchedule',
  summary: 'Change a schedule',
  tags,
  params: IdPath,
  body: ChangeSchedule,
  response: { 200: ScheduleView, ...problems(400, 401, 404, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const { timezone, ...rest } = pick(request.body, ChangeSchedule)
  const input = { ...rest, ...(timezone !== undefined && { timeZone: timezone }) } as ScheduleInput
  const changed = await changeSchedule(context, principalOf(request), versionIn(request, toView), input)
  return sendVersioned(reply, toView(changed))
}

const REMOVE = {
  operationId: 'deleteSchedule',
  summary: 'Delete a schedule that nothing uses',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 404, 409, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeSchedule(context, principalOf(request), versionIn(request, toView))
  return reply.code(204).send(null)
}

function toView(schedule: NamedSchedule): ScheduleView {
  const { id, name, timeZone, weekly, overrides, isDefault, confirmed } = schedule
  return { id, name, timezone: timeZone, weekly, overrides, isDefault, confirmed } as ScheduleView
}
