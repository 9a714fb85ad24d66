import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { mailboxHash } from '../../../services/mailbox-hash.ts'
import {
  acceptInvitation,
  declineInvitation,
  invitationLimits,
  inviteToInstance,
  inviteToTeam,
  listInstanceInvitations,
  listInvitations,
  listMyInvitations,
  type MyInvitation,
  withdrawInstanceInvitation,
  withdrawInvitation,
} from '../../../services/people/teams/invitations.ts'
import type { Invitation } from '../../../store/people/invitations.ts'
import { countRequest } from '../../gate.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import {
  InstanceInvitationView,
  InvitationView,
  InviteToInstance,
  InviteToTeam,
  MyInvitationView,
  TeamView,
} from './schemas.ts'
import { toTeamView } from './teams.ts'

const InvitationPath = Type.Object({ ...IdPath.properties, invitationId: Type.String() })

/** Invitations to teams and to this instance, from both sides. */
export const invitationRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const limits = invitationLimits(context)

  app.get('/teams/:id/invitations', { schema: LIST_OF_TEAM }, (request) => listOfTeam(context, request))
  app.post('/teams/:id/invitations', { schema: INVITE_MEMBER }, (request, reply) =>
    inviteMember(context, limits, request, reply),
  )
  app.delete('/teams/:id/invitations/:invitationId', { schema: WITHDRAW }, (request, reply) =>
    withdraw(context, request, reply),
  )
  app.get('/invitations', { schema: LIST_MINE }, (request) => listMine(context, request))
  app.post('/invitations/:id/accept', { schema: ACCEPT }, (request) => accept(context, request))
  app.delete('/invitations/:id', { schema: DECLINE }, (request, reply) => decline(context, request, reply))
  app.get('/instance-invitations', { schema: LIST_OF_INSTANCE }, (request) =>
    listOfInstance(context, request),
  )
  app.post('/instance-invitations', { schema: INVITE_USER }, (request, reply) =>
    inviteUser(context, limits, request, reply),
  )
  app.delete('/instance-invitations/:id', { schema: WITHDRAW_FROM_INSTANCE }, (request, reply) =>
    withdrawFromInstance(context, request, reply),
  )
}

const refused = { ...problems(400, 401, 403, 404) }
const invited = { ...refused, ...problems(409, 429, 503) }
const gone = { 204: Type.Null(), ...problems(401, 403, 404) }

const LIST_OF_TEAM = {
  operationId: 'listTeamInvitations',
  summary: 'Open invitations to a team',
  tags: ['Teams'],
  params: IdPath,
  querystring: PageQuery,
  response: { 200: pageOf(InvitationView), ...refused },
}

async function listOfTeam(context: Context, request: RequestOf<typeof LIST_OF_TEAM>) {
  return answerPage(
    request.query,
    (page) => listInvitations(context, principalOf(request), request.params.id, page),
    keyOf,
    toView,
  )
}

const INVITE_MEMBER = {
  operationId: 'inviteToTeam',
  summary: 'Invite an address to a team, for 14 days',
  description: 'Replaces an earlier invitation to that address. The role can be at most your own.',
  tags: ['Teams'],
  params: IdPath,
  body: InviteToTeam,
  response: { 201: InvitationView, ...invited },
}

async function inviteMember(
  context: Context,
  limits: Limits,
  request: RequestOf<typeof INVITE_MEMBER>,
  reply: ReplyOf<typeof INVITE_MEMBER>,
) {
  const input = { role: 'member' as const, ...pick(request.body, InviteToTeam) }
  await count(limits, request, reply, input.email)
  const made = await inviteToTeam(context, principalOf(request), request.params.id, input)
  return reply.code(201).send(toView(made))
}

const WITHDRAW = {
  operationId: 'withdrawTeamInvitation',
  summary: 'Withdraw an invitation',
  tags: ['Teams'],
  params: InvitationPath,
  response: gone,
}

async function withdraw(
  context: Context,
  request: RequestOf<typeof WITHDRAW>,
  reply: ReplyOf<typeof WITHDRAW>,
) {
  const { id, invitationId } = request.params
  await withdrawInvitation(context, principalOf(request), id, invitationId)
  return reply.code(204).send(null)
}

const LIST_MINE = {
  operationId: 'listMyInvitations',
  summary: 'Teams that you are invited to',
  tags: ['Me'],
  querystring: PageQuery,
  response: { 200: pageOf(MyInvitationView), ...problems(400, 401, 404) },
}

async function listMine(context: Context, request: RequestOf<typeof LIST_MINE>) {
  return answerPage(
    request.query,
    (page) => listMyInvitations(context, principalOf(request), page),
    ({ invitation }) => invitation.id,
    toMyView,
  )
}

const ACCEPT = {
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation and join the team',
  tags: ['Me'],
  params: IdPath,
  response: { 200: TeamView, ...problems(401, 403, 404) },
}

async function accept(context: Context, request: RequestOf<typeof ACCEPT>) {
  return toTeamView(
    await acceptInvitation(context, principalOf(request), request.params.id),
    context.publicUrl,
  )
}

const DECLINE = {
  operationId: 'declineInvitation',
  summary: 'Decline an invitation',
  tags: ['Me'],
  params: IdPath,
  response: gone,
}

async function decline(context: Context, request: RequestOf<typeof DECLINE>, reply: ReplyOf<typeof DECLINE>) {
  await declineInvitation(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

const LIST_OF_INSTANCE = {
  operationId: 'listInstanceInvitations',
  summary: 'Open invitations to sign up',
  tags: ['Instance'],
  querystring: PageQuery,
  response: { 200: pageOf(InstanceInvitationView), ...refused },
}

async function listOfInstance(context: Context, request: RequestOf<typeof LIST_OF_INSTANCE>) {
  return answerPage(
    request.query,
    (page) => listInstanceInvitations(context, principalOf(request), page),
    keyOf,
    toInstanceView,
  )
}

const INVITE_USER = {
  operationId: 'inviteToInstance',
  summary: 'Invite an address to sign up, for 14 days',
  tags: ['Instance'],
  body: InviteToInstance,
  response: { 201: InstanceInvitationView, ...invited },
}

async function inviteUser(
  context: Context,
  limits: Limits,
  request: RequestOf<typeof INVITE_USER>,
  reply: ReplyOf<typeof INVITE_USER>,
) {
  const input = pick(request.body, InviteToInstance)
  await count(limits, request, reply, input.email)
  const made = await inviteToInstance(context, principalOf(request), input.email)
  return reply.code(201).send(toInstanceView(made))
}

const WITHDRAW_FROM_INSTANCE = {
  operationId: 'withdrawInstanceInvitation',
  summary: 'Withdraw an invitation to sign up',
  tags: ['Instance'],
  params: IdPath,
  response: gone,
}

async function withdrawFromInstance(
  context: Context,
  request: RequestOf<typeof WITHDRAW_FROM_INSTANCE>,
  reply: ReplyOf<typeof WITHDRAW_FROM_INSTANCE>,
) {
  await withdrawInstanceInvitation(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

type Limits = ReturnType<typeof invitationLimits>

/** Counts for the user who invites, and for the address that would get the email. */
async function count(
  { perUser, perEmail }: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
  to: string,
): Promise<void> {
  const { userId } = principalOf(request)
  await countRequest(perUser, request, reply, { key: userId })
  await countRequest(perEmail, request, reply, { scope: `${userId} `, key: mailboxHash(to) })
}

const keyOf = ({ id }: Invitation) => id

function toInstanceView(invitation: Invitation): InstanceInvitationView {
  const { id, createdAt, expiresAt } = invitation
  return {
    id,
    email: invitation.email,
    createdAt: formatInstant(createdAt),
    expiresAt: formatInstant(expiresAt),
  }
}

function toView(invitation: Invitation): InvitationView {
  return { ...toInstanceView(invitation), role: invitation.role }
}

function toMyView({ invitation, team }: MyInvitation): MyInvitationView {
  return {
    id: invitation.id,
    role: invitation.role,
    team: { id: team.id, slug: team.slug, name: team.name },
    createdAt: formatInstant(invitation.createdAt),
    expiresAt: formatInstant(invitation.expiresAt),
  }
}
