import cors from '@fastify/cors'
import type { FastifyPluginAsync } from 'fastify'
import { hostMailLimits } from '../../../services/bookings/host/host-mails.ts'
import { guessCounter } from '../../old-uids.ts'
import { answerNotFound, type ProblemOptions } from '../../problems.ts'
import { CHANGES_PER_MINUTE } from '../../public/bookings.ts'
import { bookingCounter, type PublicOptions } from '../../public/scheduling.ts'
import { addBookingRoutes } from './bookings.ts'
import { addEmailCodeRoutes } from './email-codes.ts'
import { answerInEnvelope } from './envelope.ts'
import { addEventTypeRoutes } from './event-types.ts'
import { addPeopleRoutes } from './people.ts'
import { addSlotRoutes } from './slots.ts'
import { VERSION_HEADER } from './versions.ts'
import { addWebhookRoutes } from './webhooks.ts'

interface CalcomOptions extends PublicOptions, Pick<ProblemOptions, 'isUnavailable'> {}

/**
 * The part of Cal.com's API v2 that programs use, translated: every request is answered by the same services as ours, with
 * the same rules and limits.
 */
export const calcomRoutes: FastifyPluginAsync<CalcomOptions> = async (
  app,
  { context, rateLimits, isUnavailable },
) => {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Accept',
      'Authorization',
      'Content-Type',
      'Origin',
      'x-cal-client-id',
      'x-cal-secret-key',
      'x-cal-platform-embed',
      VERSION_HEADER,
    ],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
    maxAge: 86_400,
    strictPreflight: false,
  })
  answerInEnvelope(app, context, { isUnavailable })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  })
  // They have a document of their own.
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
  const counted = bookingCounter(rateLimits)
  const changes = rateLimits('manage', CHANGES_PER_MINUTE, 60)
  app.get('/openapi.json', async () => (await import('./openapi.ts')).calcomDocument(context.publicUrl))
  addPeopleRoutes(app, { context })
  addEventTypeRoutes(app, { context })
  const countGuess = guessCounter(rateLimits)
  addSlotRoutes(app, { context, counted, countGuess })
  addBookingRoutes(app, { context, counted, changes, countGuess, mailLimits: hostMailLimits(context) })
  addEmailCodeRoutes(app, { context, counted })
  addWebhookRoutes(app, { context })
  // Pages have addresses of two parts, too: what is left out here is not theirs.
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: answerNotFound,
  })
}
