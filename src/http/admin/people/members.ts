import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { changeMember, getMember, listMembers, removeMember } from '../../../services/people/teams/members.ts'
import type { TeamMember } from '../../../store/people/members.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { checkVersion, sendVersioned } from '../versions.ts'
import { toValuesView } from './attributes.ts'
import { ChangeMember, MemberView } from './schemas.ts'

const MemberPath = Type.Object({ ...IdPath.properties, userId: Type.String() })

/** The members of a team and their roles. */
export const memberRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/teams/:id/members', { schema: LIST }, (request) => list(context, request))
  app.get('/teams/:id/members/:userId', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/teams/:id/members/:userId', { schema: UPDATE }, (request, reply) =>
    update(context, request, reply),
  )
  app.delete('/teams/:id/members/:userId', { schema: REMOVE }, (request, reply) =>
    remove(context, request, reply),
  )
}

const tags = ['Teams']

const LIST = {
  operationId: 'listTeamMembers',
  summary: 'The members of a team',
  tags,
  params: IdPath,
  querystring: PageQuery,
  response: { 200: pageOf(MemberView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listMembers(context, principalOf(request), request.params.id, page),
    ({ userId }) => userId,
    toView,
  )
}

const GET = {
  operationId: 'getTeamMember',
  summary: 'A member of a team',
  tags,
  params: MemberPath,
  response: { 200: MemberView, ...problems(401, 404) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  const { id, userId } = request.params
  return sendVersioned(reply, toView(await getMember(context.db, principalOf(request), id, userId)))
}

const UPDATE = {
  operationId: 'updateTeamMember',
  summary: 'Change the role of a member, or their attributes',
  description:
    'Owners can give any role; admins can give roles up to their own, except to owners. No one can raise their own role. Admins and owners set attributes.',
  tags,
  params: MemberPath,
  body: ChangeMember,
  response: { 200: MemberView, ...problems(400, 401, 403, 404, 409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const { id, userId } = request.params
  const input = pick(request.body, ChangeMember)
  const changed = await changeMember(
    context,
    principalOf(request),
    { teamId: id, userId, expect: (now) => checkVersion(request, toView(now)) },
    input,
  )
  return sendVersioned(reply, toView(changed))
}

const REMOVE = {
  operationId: 'deleteTeamMember',
  summary: 'Remove a member from a team, or leave it',
  description:
    'They stop hosting the team’s event types; meetings already made stay theirs. Refused (409) for the last owner, and for the only host of an event type, unless that is oneself: what a leaver alone hosted is hidden.',
  tags,
  params: MemberPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  const { id, userId } = request.params
  await removeMember(context, principalOf(request), {
    teamId: id,
    userId,
    expect: (now) => checkVersion(request, toView(now)),
  })
  return reply.code(204).send(null)
}

function toView({ createdAt, attributes, ...member }: TeamMember): MemberView {
  const { userId, email, name, role, hoursConfirmed } = member
  const joinedAt = formatInstant(createdAt)
  return { userId, email, name, role, joinedAt, hoursConfirmed, attributes: toValuesView(attributes) }
}
