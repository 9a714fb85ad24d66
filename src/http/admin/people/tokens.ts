import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { createToken, listTokens, revokeToken } from '../../../services/people/sign-in/tokens.ts'
import type { MadeByToken } from '../../../store/people/made-by-token.ts'
import type { ApiToken } from '../../../store/people/tokens.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { CreateToken, NewTokenView, TokenView } from './schemas.ts'

/** API tokens, for automation. */
export const tokenRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/tokens', { schema: LIST }, (request) => list(context, request))
  app.post('/tokens', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.delete('/tokens/:id', { schema: REVOKE }, (request, reply) => revoke(context, request, reply))
}

const tags = ['API tokens']

const LIST = {
  operationId: 'listTokens',
  summary: 'Your API tokens, newest first, without their secrets',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(TokenView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listTokens(context, principalOf(request), page),
    ({ id }) => id,
    (token) => ({ ...toView(token), made: toMadeView(token.made) }),
  )
}

const CREATE = {
  operationId: 'createToken',
  summary: 'Create an API token, which is shown only once',
  tags,
  body: CreateToken,
  response: { 201: NewTokenView, ...problems(400, 401, 403) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const input = pick(request.body, CreateToken)
  const { token, secret } = await createToken(context, principalOf(request), input)
  return reply.code(201).send({ ...toView(token), token: secret })
}

const REVOKE = {
  operationId: 'revokeToken',
  summary: 'Revoke an API token immediately',
  tags,
  description: 'What the token made goes on working, unless `end` says otherwise.',
  params: IdPath,
  querystring: Type.Object({
    end: Type.Optional(
      oneOf(['true', 'false', ''], '`true`: also delete the webhooks, calendars and feed link that it made.'),
    ),
  }),
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404) },
}

async function revoke(context: Context, request: RequestOf<typeof REVOKE>, reply: ReplyOf<typeof REVOKE>) {
  const end = request.query.end === 'true'
  await revokeToken(context, principalOf(request), request.params.id, { end })
  return reply.code(204).send(null)
}

function toMadeView({ webhooks, calendars, feed }: MadeByToken): TokenView['made'] {
  return { webhooks: [...webhooks], calendars: [...calendars], feed }
}

function toView({ id, name, scopes, createdAt, expiresAt }: ApiToken): Omit<TokenView, 'made'> {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: formatInstant(createdAt),
    expiresAt: expiresAt === null ? null : formatInstant(expiresAt),
  }
}
