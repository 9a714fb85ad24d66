import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import type { Context } from '../../../services/context.ts'
import { getPerson, listPeople, signPersonOut, updatePerson } from '../../../services/people/people.ts'
import type { Person } from '../../../store/people/people.ts'
import { problems } from '../../problems.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { ChangePerson, PersonView } from './schemas.ts'

/** Everyone who has an account here, for admins of the instance. */
export const peopleRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Instance']
  const search = Type.Optional(Type.String({ maxLength: 200, description: 'Part of a name or an address.' }))

  app.get(
    '/people',
    {
      schema: {
        operationId: 'listPeople',
        summary: 'Everyone who has an account here',
        tags,
        querystring: Type.Object({ ...PageQuery.properties, search }),
        response: { 200: pageOf(PersonView), ...problems(400, 401, 403, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (cursor, limit) =>
          listPeople(context, principalOf(request), request.query.search ?? '', cursor, limit),
        ({ user }) => user.id,
        toPersonView,
      ),
  )

  app.get(
    '/people/:id',
    {
      schema: {
        operationId: 'getPerson',
        summary: 'One person',
        tags,
        params: IdPath,
        response: { 200: PersonView, ...problems(401, 403, 404) },
      },
    },
    async (request) => toPersonView(await getPerson(context, principalOf(request), request.params.id)),
  )

  app.patch(
    '/people/:id',
    {
      schema: {
        operationId: 'updatePerson',
        summary: 'Change a person’s role, or disable or enable them',
        description:
          'Disabling ends their sessions and API tokens, and closes their page. The last admin stays.',
        tags,
        params: IdPath,
        body: ChangePerson,
        response: { 200: PersonView, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request) =>
      toPersonView(
        await updatePerson(
          context,
          principalOf(request),
          request.params.id,
          pick(request.body, ChangePerson),
        ),
      ),
  )

  app.post(
    '/people/:id/sign-out',
    {
      schema: {
        operationId: 'signPersonOut',
        summary: 'End all sessions and API tokens of a person',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await signPersonOut(context, principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
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
