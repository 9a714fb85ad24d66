import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Connection } from '../../../domain/calendars/connection.ts'
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
import { listLinkProviders } from '../../../services/event-types/link-providers.ts'
import { type Asking, answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import { CONNECTION_COOKIE, setReturnCookie } from '../../return-cookie.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { type OutsideOptions, principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import {
  BegunConnectionView,
  ConnectionView,
  CreateConnection,
  KindsView,
  ProviderCalendarsView,
  ProvidersView,
} from './schemas.ts'

/** The user's accounts at other services. */
export const connectionRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  const tags = ['Calendars']

  app.get(
    '/connections',
    {
      schema: {
        operationId: 'listConnections',
        summary: 'Your connected accounts, and whether they still work',
        tags,
        querystring: PageQuery,
        response: { 200: pageOf(ConnectionView), ...problems(400, 401, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (cursor, limit) => listConnections(context, principalOf(request), cursor, limit),
        ({ id }) => id,
        (connection) => toView(connection, request),
      ),
  )

  app.get(
    '/connections/providers',
    {
      schema: {
        operationId: 'listProviders',
        summary: 'The providers at which you can connect an account',
        tags,
        response: { 200: ProvidersView, ...problems(401) },
      },
    },
    async () => ({ providers: listProviders(context), meetingLinks: listLinkProviders(context) }),
  )

  app.get(
    '/connections/kinds',
    {
      schema: {
        operationId: 'listKinds',
        summary: 'The kinds of calendars and meeting links, and what they can do',
        tags,
        response: { 200: KindsView, ...problems(401) },
      },
    },
    async () => ({ kinds: listKinds(context) }),
  )

  app.post(
    '/connections',
    {
      schema: {
        operationId: 'createConnection',
        summary: 'Start connecting an account, or reconnecting one',
        tags,
        body: CreateConnection,
        response: { 201: BegunConnectionView, ...problems(400, 401, 429, 503) },
      },
      preHandler: countOutside,
    },
    async (request, reply) => {
      const { provider } = request.body
      const { authorizationUrl, verifier } = await beginConnection(context, principalOf(request), provider)
      setReturnCookie(reply, context.publicUrl, CONNECTION_COOKIE, verifier, ATTEMPT_LASTS / 1000)
      return reply.code(201).send({ authorizationUrl })
    },
  )

  app.get(
    '/connections/:id/calendars',
    {
      schema: {
        operationId: 'listProviderCalendars',
        summary: 'The calendars of a connected account',
        tags,
        params: IdPath,
        response: { 200: ProviderCalendarsView, ...problems(400, 401, 404, 409, 429, 503) },
      },
      preHandler: countOutside,
    },
    async (request) => ({
      calendars: await listProviderCalendars(context, principalOf(request), request.params.id),
    }),
  )

  app.delete(
    '/connections/:id',
    {
      schema: {
        operationId: 'deleteConnection',
        summary: 'Disconnect an account; its calendars and busy times are forgotten, events in it stay there',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 404) },
      },
    },
    async (request, reply) => {
      await disconnect(context, principalOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}

const toView = (
  { id, provider, account, status, lastError }: Connection,
  request: Asking,
): ConnectionView => ({
  id,
  provider,
  account,
  status,
  lastError: answerIn(request, lastError).text,
})
