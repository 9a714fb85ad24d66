import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as the collector got it, with its attributes by name. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string>>
  readonly status: { readonly code?: number }
}

export interface OtlpCollector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** The headers and the resource of the last batch. */
  last(): { readonly headers: IncomingHttpHeaders; readonly resource: Readonly<Record<string, string>> }
  /** How often something was sent. */
  requests(): number
  answer(status: number): void
  close(): Promise<void>
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[]

/** The parts of a request of OTLP that tests look at. */
interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: Attributes })[]
    }[]
  }[]
}

/** Stands in for an OpenTelemetry collector: OTLP over HTTP, as JSON, on loopback. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  let last = { headers: {} as IncomingHttpHeaders, resource: {} as Record<string, string> }
  let [requests, status] = [0, 200]
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    const body = (await json(request)) as SentTraces
    requests++
    if (status === 200) {
      for (const { resource, scopeSpans } of body.resourceSpans) {
        last = { headers: request.headers, resource: byName(resource.attributes) }
        for (const scope of scopeSpans) {
          for (const span of scope.spans) spans.push({ ...span, attributes: byName(span.attributes) })
        }
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    last: () => last,
    requests: () => requests,
    answer(next) {
      status = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function byName(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))
}
