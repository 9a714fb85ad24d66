import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Connection } from '../../../domain/calendars/connection.ts'
import type { PageRequest } from '../../../domain/cursor.ts'
import type { PaymentAccount } from '../../../domain/payments/account.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import {
  ATTEMPT_LASTS,
  beginConnection,
  disconnect,
  listConnections,
  listProviderCalendars,
  listProviders,
} from '../../../services/calendars/connections.ts'
import { listKinds } from '../../../services/calendars/list-kinds.ts'
import type { Context } from '../../../services/context.ts'
import { listLinkProviders } from '../../../services/event-types/link-providers.ts'
import { listPaymentAccounts } from '../../../services/payments/accounts.ts'
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
} from '../../../services/payments/connect-account.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import { type Asking, answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import { CONNECTION_COOKIE, setReturnCookie } from '../../return-cookie.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { type OutsideOptions, principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import {
  BegunConnectionView,
  ConnectionView,
  CreateConnection,
  KindsView,
  PaymentAccountView,
  ProviderCalendarsView,
  ProvidersView,
} from './schemas.ts'

/** The user's accounts at other services. */
export const connectionRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  app.get('/connections', { schema: LIST }, (request) => list(context, request))
  app.get('/connections/providers', { schema: SHOW_PROVIDERS }, () => showProviders(context))
  app.get('/connections/kinds', { schema: SHOW_KINDS }, () => showKinds(context))
  app.post('/connections', { schema: CREATE, preHandler: countOutside }, (request, reply) =>
    create(context, request, reply),
  )
  app.get('/connections/:id/calendars', { schema: SHOW_CALENDARS, preHandler: countOutside }, (request) =>
    showCalendars(context, request),
  )
  app.delete('/connections/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Calendars']

const LIST = {
  operationId: 'listConnections',
  summary: 'Your connected accounts, and whether they still work',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(ConnectionView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listAll(context, principalOf(request), page),
    ({ id }) => id,
    (connection) => toView(connection, principalOf(request), request),
  )
}

/** Accounts of both kinds, by their ids. */
async function listAll(context: Context, principal: Principal, page: PageRequest) {
  const connections = await listConnections(context, principal, page)
  const accounts = await listPaymentAccounts(context, principal, page)
  return [...connections, ...accounts].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, page.limit)
}

const SHOW_PROVIDERS = {
  operationId: 'listProviders',
  summary: 'The providers at which you can connect an account',
  tags,
  response: { 200: ProvidersView, ...problems(401) },
}

async function showProviders(context: Context) {
  return { providers: listProviders(context), meetingLinks: listLinkProviders(context) }
}

const SHOW_KINDS = {
  operationId: 'listKinds',
  summary: 'The kinds of calendars and meeting links, and what they can do',
  tags,
  response: { 200: KindsView, ...problems(401) },
}

async function showKinds(context: Context) {
  return { kinds: listKinds(context) }
}

const CREATE = {
  operationId: 'createConnection',
  summary: 'Start connecting an account, or reconnecting one',
  tags,
  body: CreateConnection,
  response: {
    201: Type.Union([BegunConnectionView, PaymentAccountView]),
    ...problems(400, 401, 403, 404, 409, 429, 503),
  },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const { provider, secretKey, teamId } = request.body
  if (provider === 'stripe') {
    if (secretKey === undefined) throw invalidField('secretKey', sentence`{field} is required.`)
    const { id, account, status } = await connectPaymentAccount(context, principalOf(request), {
      secretKey,
      teamId,
    })
    return reply.code(201).send({ id, provider, account, status })
  }
  for (const [field, value] of Object.entries({ secretKey, teamId })) {
    if (value !== undefined)
      throw invalidField(
        field,
        sentence`{field} must be left out: this account is connected on its provider’s pages.`,
      )
  }
  const { authorizationUrl, verifier } = await beginConnection(context, principalOf(request), provider)
  setReturnCookie(reply, context.publicUrl, CONNECTION_COOKIE, {
    secret: verifier,
    seconds: ATTEMPT_LASTS / 1000,
  })
  return reply.code(201).send({ authorizationUrl })
}

const SHOW_CALENDARS = {
  operationId: 'listProviderCalendars',
  summary: 'The calendars of a connected account',
  tags,
  params: IdPath,
  response: { 200: ProviderCalendarsView, ...problems(400, 401, 404, 409, 429, 503) },
}

async function showCalendars(context: Context, request: RequestOf<typeof SHOW_CALENDARS>) {
  return {
    calendars: await listProviderCalendars(context, principalOf(request), request.params.id),
  }
}

const REMOVE = {
  operationId: 'deleteConnection',
  summary: 'Disconnect an account; its calendars and busy times are forgotten, events in it stay there',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  const { id } = request.params
  const isPaymentAccount = await disconnectPaymentAccount(context, principalOf(request), id)
  if (!isPaymentAccount) await disconnect(context, principalOf(request), id)
  return reply.code(204).send(null)
}

function toView(
  connection: Connection | PaymentAccount,
  { userId }: Principal,
  request: Asking,
): ConnectionView {
  const { id, provider, account, status, lastError } = connection
  const common = { id, provider, account, status, lastError: answerIn(request, lastError).text }
  if (!('schedulerId' in connection)) return common
  const { schedulerId, name } = connection
  return { ...common, name, teamId: schedulerId === userId ? null : schedulerId }
}
