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
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { toPageChange } from './me.ts'
import { ChangeTeam, CreateTeam, TeamView } from './schemas.ts'

/** The teams that the user belongs to. */
export const teamRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Teams']

  const view = (membership: Membership) => toTeamView(membership, context.publicUrl)

  const toTeamChange = ({ membersSeeAll, ...page }: ChangeTeam) => ({
    ...toPageChange(page, context.publicUrl),
    ...(membersSeeAll !== undefined && { membersSeeAll }),
  })

  app.get(
    '/teams',
    {
      schema: {
        operationId: 'listTeams',
        summary: 'The teams you belong to',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(TeamView), ...problems(400, 401, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (page) => listTeams(context, principalOf(request), page),
        ({ team }) => team.id,
        view,
      ),
  )

  app.post(
    '/teams',
    {
      schema: {
        operationId: 'createTeam',
        summary: 'Add a team that you own',
        tags,
        body: CreateTeam,
        response: { 201: TeamView, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const body = pick(request.body, CreateTeam)
      const { slug, name } = body
      const made = await createTeam(context, principalOf(request), { ...toTeamChange(body), slug, name })
      return reply.code(201).send(sendVersioned(reply, view(made)))
    },
  )

  app.get(
    '/teams/:id',
    {
      schema: {
        operationId: 'getTeam',
        summary: 'One of your teams',
        tags,
        params: IdPath,
        response: { 200: TeamView, ...problems(401, 404) },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, view(await getTeam(context.db, principalOf(request), request.params.id))),
  )

  app.patch(
    '/teams/:id',
    {
      schema: {
        operationId: 'updateTeam',
        summary: 'Change a team’s page or what its members see; the old slug keeps working',
        tags,
        params: IdPath,
        body: ChangeTeam,
        response: { 200: TeamView, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const input = toTeamChange(pick(request.body, ChangeTeam))
      const changed = await changeTeam(context, principalOf(request), versionIn(request, view), input)
      return sendVersioned(reply, view(changed))
    },
  )

  app.delete(
    '/teams/:id',
    {
      schema: {
        operationId: 'deleteTeam',
        summary: 'Delete a team that was never booked',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      await removeTeam(context, principalOf(request), versionIn(request, view))
      return reply.code(204).send(null)
    },
  )
}

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
