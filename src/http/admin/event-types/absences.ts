import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant, parseInstant } from '../../../domain/instant.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  type AbsenceInput,
  changeAbsence,
  createAbsence,
  getAbsence,
  type ListedAbsence,
  listAbsences,
  removeAbsence,
} from '../../../services/event-types/absences.ts'
import { etagOf } from '../../etag.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { versionIn } from '../versions.ts'
import { AbsenceView, ChangeAbsence, CreateAbsence } from './schemas.ts'

/** The user's time off. */
export const absenceRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/absences', { schema: LIST }, (request) => list(context, request))
  app.post('/absences', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.get('/absences/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/absences/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.delete('/absences/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Absences']
const seen = { 200: AbsenceView, ...problems(401, 404) }

const LIST = {
  operationId: 'listAbsences',
  summary: 'Your time off; what ends last comes first',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(AbsenceView), ...problems(400, 401) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listAbsences(context, principalOf(request), page),
    ({ id, endsAt }) => formatCursor({ at: endsAt, id }),
    toView,
  )
}

const CREATE = {
  operationId: 'createAbsence',
  summary: 'Add time off, during which no slots are offered',
  tags,
  body: CreateAbsence,
  response: { 201: AbsenceView, ...problems(400, 401) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const input = toInput(pick(request.body, CreateAbsence))
  const made = await createAbsence(context, principalOf(request), input)
  return reply.code(201).send(withVersion(reply, made))
}

const GET = {
  operationId: 'getAbsence',
  summary: 'One entry of your time off',
  tags,
  params: IdPath,
  response: seen,
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return withVersion(reply, await getAbsence(context, principalOf(request), request.params.id))
}

const UPDATE = {
  operationId: 'updateAbsence',
  summary: 'Change time off',
  tags,
  params: IdPath,
  body: ChangeAbsence,
  response: { ...seen, ...problems(400, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const input = toInput(pick(request.body, ChangeAbsence))
  const changed = await changeAbsence(context, principalOf(request), versionIn(request, settingsOf), input)
  return withVersion(reply, changed)
}

const REMOVE = {
  operationId: 'deleteAbsence',
  summary: 'Delete time off',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 404, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeAbsence(context, principalOf(request), versionIn(request, settingsOf))
  return reply.code(204).send(null)
}

const SECOND = 1000

/** From the wire's names to the domain's. Instants leave in whole seconds, so a fraction widens the span. */
function toInput({ startTime, endTime, startDate, endDate, note, redirectTo }: ChangeAbsence): AbsenceInput {
  if ((startDate === undefined) !== (endDate === undefined)) {
    throw invalidField(
      startDate === undefined ? 'startDate' : 'endDate',
      sentence`{field} is required with the other date.`,
    )
  }
  if (startDate !== undefined && (startTime !== undefined || endTime !== undefined)) {
    throw invalidField(
      'startDate',
      sentence`{field} replaces startTime and endTime. Send either dates or instants.`,
    )
  }
  return {
    ...(startDate !== undefined && endDate !== undefined && { days: { startDate, endDate } }),
    ...(startTime !== undefined && {
      startsAt: Math.floor(instantIn('startTime', startTime) / SECOND) * SECOND,
    }),
    ...(endTime !== undefined && { endsAt: Math.ceil(instantIn('endTime', endTime) / SECOND) * SECOND }),
    ...(note !== undefined && { note }),
    ...(redirectTo !== undefined && { redirectTo }),
  }
}

function instantIn(name: string, text: string): number {
  const instant = parseInstant(text)
  if (instant === undefined) {
    throw invalidField(name, sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  return instant
}

/** What the host has set: a booking inside is no new version. */
const settingsOf = ({ startsAt, endsAt, note, redirectTo }: ListedAbsence) => ({
  startsAt,
  endsAt,
  note,
  redirectTo,
})

function withVersion(reply: FastifyReply, absence: ListedAbsence): AbsenceView {
  reply.header('etag', etagOf(settingsOf(absence)))
  return toView(absence)
}

function toView({ id, startsAt, endsAt, note, redirectTo, days, bookings }: ListedAbsence): AbsenceView {
  return {
    id,
    startTime: formatInstant(startsAt),
    endTime: formatInstant(endsAt),
    note,
    redirectTo,
    startDate: days?.startDate ?? null,
    endDate: days?.endDate ?? null,
    bookings,
  }
}
