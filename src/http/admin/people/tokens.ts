import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { SCOPES } from '../../../domain/people/user.ts'
import type { Context } from '../../../services/context.ts'
import { createToken, listTokens, revokeToken } from '../../../services/people/tokens.ts'
import type { ApiToken } from '../../../store/people/tokens.ts'
import { problems } from '../../problems.ts'
import { IdPath, PageQuery, pageOf, pick, principalOf, readLimit, toPage } from '../desk.ts'

const Scopes = Type.Array(Type.Unsafe<(typeof SCOPES)[number]>({ type: 'string', enum: SCOPES }), {
  minItems: 1,
  maxItems: 2,
  description: 'write includes read.',
})

const TokenView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  createdAt: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
})
const NewTokenView = Type.Object({
  ...TokenView.properties,
  token: Type.String({ description: 'A bearer token. Shown this once, and stored nowhere.' }),
})
const CreateToken = Type.Object({
  name: Type.String({ maxLength: 100 }),
  scopes: Scopes,
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
})

/** Keys for automation. */
export const tokenRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['API tokens']

  app.get(
    '/tokens',
    {
      schema: {
        operationId: 'listTokens',
        summary: 'Your API tokens, newest first, without their secrets',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(TokenView), ...problems(400, 401, 404) },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const found = await listTokens(context, principalOf(request), request.query.cursor, limit + 1)
      return toPage(found, limit, ({ id }) => id, toView)
    },
  )

  app.post(
    '/tokens',
    {
      schema: {
        operationId: 'createToken',
        summary: 'Make an API token, which is shown this once',
        tags,
        body: CreateToken,
        response: { 201: NewTokenView, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const input = pick(request.body, CreateToken)
      const { token, secret } = await createToken(context, principalOf(request), input)
      return reply.code(201).send({ ...toView(token), token: secret })
    },
  )

  app.delete(
    '/tokens/:id',
    {
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke an API token, at once',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      await revokeToken(context, principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

function toView({ id, name, scopes, createdAt, expiresAt }: ApiToken): Static<typeof TokenView> {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: formatInstant(createdAt),
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
  }
}
