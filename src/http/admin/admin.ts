import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../services/context.ts'
import { authenticate, requireScope } from '../../services/principal.ts'
import { bearerOf } from '../gate.ts'
import { answerNotFound } from '../problems.ts'
import { setPrincipal } from './desk.ts'
import { eventTypeRoutes } from './event-types.ts'
import { explainRoutes } from './explain.ts'
import { meRoutes } from './me.ts'
import { scheduleRoutes } from './schedules.ts'

/** The host's desk. Every route in here is behind the gate: a bearer token, and the scope for the method. */
export const adminRoutes: FastifyPluginAsync<{ context: Context }> = async (app, { context }) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const principal = await authenticate(context, bearerOf(request))
    requireScope(principal, request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write')
    setPrincipal(request, principal)
  })
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ bearer: [] }] }
  })
  app.setNotFoundHandler(answerNotFound)

  await app.register(meRoutes, { context })
  await app.register(scheduleRoutes, { context })
  await app.register(eventTypeRoutes, { context })
  await app.register(explainRoutes, { context })
}
