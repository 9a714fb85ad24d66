import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyPluginAsync } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { english } from '../../domain/sentence.ts'
import { bearerOf } from '../gate.ts'
import type { HttpMeter } from '../meter.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsOptions {
  /** All metrics, as Prometheus reads them. */
  readonly write: () => Promise<string>
  /** Requests must send it; empty: none is needed. */
  readonly token: string
}

/** `/metrics` for those who have the token. */
export const metricsRoutes: FastifyPluginAsync<MetricsOptions> = async (app, { write, token }) => {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isToken(token, bearerOf(request))) {
      reply.header('www-authenticate', 'Bearer')
      throw new Problem('unauthenticated', english`Send the METRICS_TOKEN as a bearer token.`)
    }
    return reply
      .header('cache-control', 'no-store')
      .type(CONTENT_TYPE)
      .send(await write())
  })
}

/** `/metrics` and nothing else, for a port that only the monitoring can reach. */
export function createMetricsServer({ write, token }: MetricsOptions): Server {
  return createServer(async (request, response) => {
    const isGet = request.method === 'GET' || request.method === 'HEAD'
    if (!isGet || request.url?.replace(/\?.*/, '') !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    if (token !== '' && !isToken(token, bearerOf(request))) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    try {
      const body = await write()
      response.writeHead(200, { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' }).end(body)
    } catch {
      response.writeHead(500).end()
    }
  })
}

function isToken(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}

const BOOK_ROUTE = '/api/public/scheduling/:userSlug/:eventSlug/book'

/** Counts every request that goes through the app, and how requests to book end. */
export function countRequests(
  app: FastifyInstance,
  meter: HttpMeter,
  isUnavailable: (error: unknown) => boolean,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    meter.count(request.method, route, reply.statusCode, reply.elapsedTime)
    if (route === BOOK_ROUTE && reply.statusCode === 201) meter.countBooking('booked')
    done()
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if (request.routeOptions.url === BOOK_ROUTE) meter.countBooking(reasonOf(error, isUnavailable))
    done()
  })
}

/** One of a closed list: labels must not grow with what guests send. */
function reasonOf(error: FastifyError, isUnavailable: (error: unknown) => boolean): string {
  if (error instanceof Problem) return error.code
  if (isUnavailable(error)) return 'unavailable'
  return error.validation !== undefined || (error.statusCode ?? 500) < 500 ? 'invalid' : 'failed'
}
