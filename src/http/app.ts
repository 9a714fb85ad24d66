import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import type { Context } from '../services/context.ts'
import { adminRoutes } from './admin/admin.ts'
import { agentRoutes, agentUrl } from './agents/agents.ts'
import { mcpRoutes } from './agents/mcp.ts'
import { authRoutes } from './auth/auth.ts'
import { singleSignOnRoutes } from './auth/single-sign-on.ts'
import { calcomRoutes } from './compat/calcom/calcom.ts'
import { plainListings } from './compat/calcom/slot-query.ts'
import { docsRoutes } from './docs/docs.ts'
import { embedDocsRoutes } from './docs/embed.ts'
import { openApiOptions } from './docs/openapi.ts'
import { switchingDocsRoutes } from './docs/switching.ts'
import { embedRoutes } from './embed/embed.ts'
import { serveListingsFast } from './fast-listing.ts'
import { type RateLimits, shareLimits } from './gate.ts'
import { compileLazily } from './lazy-schemas.ts'
import { describeError } from './log.ts'
import type { HttpMeter } from './meter.ts'
import { healthRoutes } from './operations/health.ts'
import { countRequests, type MetricsOptions, metricsRoutes } from './operations/metrics.ts'
import { type ExportSpan, traceIdOf, traceRequests } from './operations/tracing.ts'
import { createPages } from './pages/pages.ts'
import {
  answerBrokenHttp,
  answerExpectation,
  answerNotFound,
  answerProblems,
  nothingThere,
  sendRefusal,
} from './problems.ts'
import { ownBookingRoutes } from './public/bookings.ts'
import { calendarFeedRoutes } from './public/calendar-feed.ts'
import { connectionCallbackRoutes } from './public/connection-callback.ts'
import { ownErasureRoutes } from './public/erasures.ts'
import { hookRoutes } from './public/hooks.ts'
import { imageRoutes } from './public/images.ts'
import { routingRoutes } from './public/routing.ts'
import { type PublicOptions, schedulingRoutes } from './public/scheduling.ts'
import { describeInvalid } from './validation.ts'

export interface AppOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
  readonly isUnavailable: (error: unknown) => boolean
  /** Which proxies' `X-Forwarded-For` to trust: none, these addresses, or this many hops. */
  readonly trustProxy?: false | string[] | number
  readonly logger?: FastifyServerOptions['logger']
  /** Whether this instance is about to stop. */
  readonly isDraining?: () => boolean
  /** Counts requests, if given. */
  readonly meter?: HttpMeter
  /** What `/metrics` answers with; 404 without it. */
  readonly metrics?: MetricsOptions
  /** Gets a span for every request, if given. */
  readonly exportSpan?: ExportSpan
  /** Where `/` redirects; a page is shown there if it is empty. */
  readonly homeUrl?: string
  /** Where the built pages are, if not in the usual folder. */
  readonly pagesFolder?: string
}

const MAX_BODY = 64 * 1024

const SERVER_OPTIONS = {
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  // A hook checks this instead, so that the error has the usual body.
  requireHostHeader: false,
}

// Under these paths, a 404 is answered after the hooks for CORS or authentication have run.
const OPEN = /^\/(?:api\/(?:public|embed|admin)|v2)(?:\/|$)/

/** The whole HTTP side; the same in tests and in production. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { context, isUnavailable, trustProxy = false, logger = false } = options
  const rateLimits = shareLimits(options.rateLimits)
  const pages = createPages(context, { ...options, rateLimits })
  const app = Fastify({
    logger: typeof logger === 'object' ? { ...logger, serializers: { err: describeError } } : logger,
    serverFactory: (handler) =>
      serveListingsFast(
        context.slots,
        handler,
        SERVER_OPTIONS,
        options.meter?.listings,
        plainListings(context),
      ),
    // Requests carry personal data in their addresses and bodies: only failures are logged.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    // Requests in progress when the server stops still get their answer.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenHttp,
    rewriteUrl: agentUrl,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      // Hooks do not run for a URL that cannot be parsed.
      reply.header('x-content-type-options', 'nosniff').header('access-control-allow-origin', '*')
      sendRefusal(request, reply, 400, sentence`The address is not valid.`)
    },
    schemaErrorFormatter: describeInvalid,
    schemaController: { compilersFactory: compileLazily },
    ajv: {
      customOptions: {
        // "5" is not 5, and unknown fields are ignored, not removed.
        coerceTypes: false,
        removeAdditional: false,
        allErrors: false,
        // Adds the schema and the data to errors; validation.ts needs them.
        verbose: true,
        // A test does it. Ajv would compile the schema of schemas first: 10 to 20 ms of the first answer.
        validateSchema: false,
      },
    },
  })

  app.removeContentTypeParser('text/plain')
  answerProblems(app, {
    isUnavailable,
    storage: context.storage,
    showFailure: pages.showFailure,
    leadOn: pages.leadOn,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new Problem('invalid', sentence`The request does not say which host it is for.`))
    }
    // Answer 404 before looking at the body. Paths with CORS do it after their own hooks.
    if (request.is404 && !OPEN.test(request.url)) return done(nothingThere())
    done()
  })
  if (options.meter) countRequests(app, options.meter, isUnavailable)
  if (options.exportSpan) traceRequests(app, options.exportSpan)
  if (logger !== false) {
    app.setChildLoggerFactory((parent, bindings, childOptions, request) => {
      const traceId = traceIdOf(request)
      return parent.child(traceId === undefined ? bindings : { ...bindings, traceId }, childOptions)
    })
  }
  app.server.on('checkExpectation', answerExpectation)
  await app.register(swagger, openApiOptions(context.publicUrl))

  await app.register(openToAll, { prefix: '/api/public', routes: publicRoutes, context, rateLimits })
  await app.register(openToAll, { prefix: '/api/embed', routes: embedRoutes, context, rateLimits })
  await app.register(calcomRoutes, { prefix: '/v2', context, rateLimits, isUnavailable })
  await app.register(authRoutes, { prefix: '/api/auth', context, rateLimits })
  await app.register(singleSignOnRoutes, { context, rateLimits })
  await app.register(adminRoutes, { prefix: '/api/admin', context })
  await app.register(healthRoutes, { context, isDraining: options.isDraining ?? (() => false) })
  if (options.metrics) await app.register(metricsRoutes, options.metrics)
  await app.register(calendarFeedRoutes, { context })
  await app.register(imageRoutes, { context })
  await app.register(connectionCallbackRoutes, { context })
  await app.register(hookRoutes, { prefix: '/api/hooks', context, rateLimits })
  await app.register(docsRoutes, { now: context.now })
  await app.register(agentRoutes, { context })
  await app.register(mcpRoutes, { context })
  await app.register(embedDocsRoutes, { context })
  await app.register(switchingDocsRoutes, { context })
  await app.register(pages.routes)
  return app
}

interface OpenOptions extends PublicOptions {
  readonly routes: FastifyPluginAsync<PublicOptions>
}

/** Routes that a page of any origin may use. */
const openToAll: FastifyPluginAsync<OpenOptions> = async (app, { routes, context, rateLimits }) => {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: [
      'Location',
      'RateLimit',
      'RateLimit-Limit',
      'RateLimit-Policy',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
    ],
    maxAge: 86_400,
    strictPreflight: false,
  })
  app.setNotFoundHandler(answerNotFound)
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nothingThere() : undefined))
  await app.register(routes, { context, rateLimits })
}

const publicRoutes: FastifyPluginAsync<PublicOptions> = async (app, options) => {
  await app.register(schedulingRoutes, { prefix: '/scheduling', ...options })
  await app.register(routingRoutes, { prefix: '/routing', ...options })
  await app.register(ownBookingRoutes, { prefix: '/bookings', ...options })
  await app.register(ownErasureRoutes, { prefix: '/erasures', ...options })
}
