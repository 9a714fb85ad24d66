import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { withShownImages } from '../../../domain/people/image.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeTeam,
  createTeam,
  getTeam,
  listTeams,
  removeTeam,
} from '../../../services/people/teams/teams.ts'
import type { Membership } from '../../../store/people/teams.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { toPageChange } from './me.ts'
import { ChangeTeam, CreateTeam, TeamView } from './schemas.ts'

/** The teams that the user belongs to. */
export const teamRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/teams', { schema: LIST }, (request) => list(context, request))
  app.post('/teams', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.get('/teams/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/teams/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.delete('/teams/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Teams']

const LIST = {
  operationId: 'listTeams',
  summary: 'The teams you belong to',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(TeamView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listTeams(context, principalOf(request), page),
    ({ team }) => team.id,
    viewIn(context),
  )
}

const CREATE = {
  operationId: 'createTeam',
  summary: 'Add a team that you own',
  tags,
  body: CreateTeam,
  response: { 201: TeamView, ...problems(400, 401, 403, 409) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const body = pick(request.body, CreateTeam)
  const { slug, name } = body
  const made = await createTeam(context, principalOf(request), { ...toTeamChange(context, body), slug, name })
  return reply.code(201).send(sendVersioned(reply, viewIn(context)(made)))
}

const GET = {
  operationId: 'getTeam',
  summary: 'One of your teams',
  tags,
  params: IdPath,
  response: { 200: TeamView, ...problems(401, 404) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(
    reply,
    viewIn(context)(await getTeam(context.db, principalOf(request), request.params.id)),
  )
}

const UPDATE = {
  operationId: 'updateTeam',
  summary: 'Change a team’s page or what its members see; the old slug keeps working',
  tags,
  params: IdPath,
  body: ChangeTeam,
  response: { 200: TeamView, ...problems(400, 401, 403, 404, 409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const input = toTeamChange(context, pick(request.body, ChangeTeam))
  const changed = await changeTeam(context, principalOf(request), versionIn(request, viewIn(context)), input)
  return sendVersioned(reply, viewIn(context)(changed))
}

const REMOVE = {
  operationId: 'deleteTeam',
  summary: 'Delete a team that was never booked',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeTeam(context, principalOf(request), versionIn(request, viewIn(context)))
  return reply.code(204).send(null)
}

const viewIn =
  ({ publicUrl }: Context) =>
  (membership: Membership) =>
    toTeamView(membership, publicUrl)

const toTeamChange = ({ publicUrl }: Context, { membersSeeAll, ...page }: ChangeTeam) => ({
  ...toPageChange(page, publicUrl),
  ...(membersSeeAll !== undefined && { membersSeeAll }),
})

export function toTeamView({ team, role, membersSeeAll }: Membership, publicUrl: string): TeamView {
  const { id, slug, name, bio, avatarUrl, timeZone, locale, germanAddress, theme, branding } =
    withShownImages(publicUrl, team)
  return {
    id,
    role,
    slug,
    name,
    bio,
    avatarUrl,
    timezone: timeZone,
    locale: locale as TeamView['locale'],
    germanAddress,
    theme,
    branding,
    membersSeeAll,
  }
}
