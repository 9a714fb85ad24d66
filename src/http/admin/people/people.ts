import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { getPerson, listPeople, signPersonOut, updatePerson } from '../../../services/people/people.ts'
import type { DeparturePreview } from '../../../services/workspace/erasure/delete-person.ts'
import type { Person } from '../../../store/people/people.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { ChangePerson, DepartedView, DepartureView, PersonView } from './schemas.ts'

/** Everyone who has an account here, for admins of the instance. */
export const peopleRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/people', { schema: LIST }, (request) => list(context, request))
  app.get('/people/:id', { schema: GET }, (request) => get(context, request))
  app.patch('/people/:id', { schema: UPDATE }, (request) => update(context, request))
  app.post('/people/:id/sign-out', { schema: SIGN_OUT }, (request, reply) => signOut(context, request, reply))
  app.get('/people/:id/departure', { schema: PREVIEW_DEPARTURE }, (request) =>
    previewDeparture(context, request),
  )
  app.delete('/people/:id', { schema: REMOVE }, (request) => remove(context, request))
}

const tags = ['Instance']
const search = Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or an address.' }))
const sort = Type.Optional(
  Type.String({ maxLength: 20, description: '`created` (the default), `name`, or either with a minus.' }),
)
const handOverTo = Type.Optional(
  Type.String({ maxLength: 64, description: 'The id of the person who takes over.' }),
)

const LIST = {
  operationId: 'listPeople',
  summary: 'Everyone who has an account here',
  tags,
  querystring: Type.Object({ ...PageQuery.properties, search, sort }),
  response: { 200: pageOf(PersonView), ...problems(400, 401, 403, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listPeople(context, principalOf(request), request.query, page),
    ({ user }) => user.id,
    toPersonView,
  )
}

const GET = {
  operationId: 'getPerson',
  summary: 'One person',
  tags,
  params: IdPath,
  response: { 200: PersonView, ...problems(401, 403, 404) },
}

async function get(context: Context, request: RequestOf<typeof GET>) {
  return toPersonView(await getPerson(context, principalOf(request), request.params.id))
}

const UPDATE = {
  operationId: 'updatePerson',
  summary: 'Change a person’s role, or disable or enable them',
  description: 'Disabling ends their sessions and API tokens, and closes their page. The last admin stays.',
  tags,
  params: IdPath,
  body: ChangePerson,
  response: { 200: PersonView, ...problems(400, 401, 403, 404, 409) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>) {
  return toPersonView(
    await updatePerson(context, principalOf(request), request.params.id, pick(request.body, ChangePerson)),
  )
}

const SIGN_OUT = {
  operationId: 'signPersonOut',
  summary: 'End all sessions and API tokens of a person',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404) },
}

async function signOut(
  context: Context,
  request: RequestOf<typeof SIGN_OUT>,
  reply: ReplyOf<typeof SIGN_OUT>,
) {
  await signPersonOut(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

const PREVIEW_DEPARTURE = {
  operationId: 'previewDeparture',
  summary: 'What deleting a person would do',
  description: 'With `handOverTo`, also the meetings that this person could not take.',
  tags,
  params: IdPath,
  querystring: Type.Object({ handOverTo }),
  response: { 200: DepartureView, ...problems(400, 401, 403, 404) },
}

async function previewDeparture(context: Context, request: RequestOf<typeof PREVIEW_DEPARTURE>) {
  const { previewDeparture } = await import('../../../services/workspace/erasure/delete-person.ts')
  const to = request.query.handOverTo
  return toDepartureView(await previewDeparture(context, principalOf(request), request.params.id, to))
}

const REMOVE = {
  operationId: 'deletePerson',
  summary: 'Delete a person, and hand over what they have',
  description:
    'With `handOverTo`, event types, forms, upcoming meetings, places in teams and the addresses of the page go to that person, all or nothing: if they can’t take a meeting, because they have another one, time off or a busy calendar, the answer is 409 with the times, unless `cancel=true` cancels these meetings. Without `handOverTo`, everything is deleted; upcoming meetings and teams without another owner are refused, the meetings unless `cancel=true`. Sessions and API tokens end at once, guests are told, and the rest is deleted in the moments after. The last admin stays, and no one deletes themselves here. Cannot be undone.',
  tags,
  params: IdPath,
  querystring: Type.Object({
    handOverTo,
    cancel: Type.Optional(
      Type.String({
        description:
          '`true`: cancel meetings that the other person can’t take, or all upcoming ones if there is none.',
      }),
    ),
  }),
  response: { 200: DepartedView, ...problems(400, 401, 403, 404, 409, 503) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>) {
  const { deletePerson } = await import('../../../services/workspace/erasure/delete-person.ts')
  const { handOverTo: to, cancel } = request.query
  return deletePerson(context, principalOf(request), request.params.id, {
    ...(to !== undefined && { handOverTo: to }),
    meetings: cancel === 'true' ? 'cancel' : 'refuse',
  })
}

function toDepartureView({ collisions, ...counts }: DeparturePreview): DepartureView {
  // Guests of a seated meeting share its time.
  const meetings = new Map(collisions.map((one) => [one.listed.booking.meetingId, one]))
  return {
    ...counts,
    collisions: [...meetings.values()].map(({ listed: { booking }, conflict }) => ({
      startTime: formatInstant(booking.startsAt),
      endTime: formatInstant(booking.endsAt),
      inviteeName: booking.invitee.name,
      conflict,
    })),
  }
}

function toPersonView({
  user,
  createdAt,
  teams,
  sessions,
  tokens,
  singleSignOn,
  passkeys,
}: Person): PersonView {
  const { id, slug, email, name } = user
  return {
    id,
    slug,
    email,
    name,
    role: user.admin ? 'admin' : 'member',
    disabled: user.disabledAt !== null,
    createdAt: formatInstant(createdAt),
    teams: [...teams],
    sessions,
    tokens,
    singleSignOn,
    passkeys,
  }
}
