import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Span } from '../../format/otlp.ts'
import { LISTING_ROUTE } from '../meter.ts'
import { readTraceparent } from '../trace-context.ts'

export type ExportSpan = (span: Span) => void

const traces = new WeakMap<IncomingMessage, string>()

const now = () => performance.timeOrigin + performance.now()

/** The trace of a request, for its log lines: its caller's, or the one that was begun for it. */
export function traceIdOf(request: IncomingMessage): string | undefined {
  return traces.get(request) ?? readTraceparent(request.headers.traceparent)?.traceId
}

/** Hands over a span for every request, unless its caller doesn't record the trace. */
export function traceRequests(app: FastifyInstance, exportSpan: ExportSpan): void {
  const routes = new WeakMap<ServerResponse, string>()
  app.addHook('onRequest', (request, reply, done) => {
    routes.set(reply.raw, request.routeOptions.url ?? 'none')
    done()
  })
  // Before the listener that answers, which may do so at once.
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const parent = readTraceparent(request.headers.traceparent)
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    traces.set(request, traceId)
    if (parent?.sampled === false) return
    const startedAt = now()
    response.once('close', () => {
      // Listings that are answered before routing are the only successes without a route.
      const route = routes.get(response) ?? (response.statusCode === 200 ? LISTING_ROUTE : 'none')
      exportSpan({
        traceId,
        spanId: randomBytes(8).toString('hex'),
        parentId: parent?.parentId ?? '',
        method: request.method ?? '',
        route,
        status: response.statusCode,
        startedAt,
        endedAt: now(),
      })
    })
  })
}
