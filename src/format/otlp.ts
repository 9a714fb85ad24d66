/** One request, from its arrival to its answer. Nothing in it names a person: no address, no client. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** The caller's span; empty: the trace begins here. */
  readonly parentId: string
  readonly method: string
  /** A pattern such as `/:userSlug`. */
  readonly route: string
  readonly status: number
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number
  readonly endedAt: number
}

/** Which service the spans are of. */
export interface TracedService {
  readonly name: string
  readonly version: string
}

// Numbers that OTLP gives to kinds of spans and to outcomes.
const [KIND_SERVER, STATUS_ERROR] = [2, 2]

/** Spans as an OpenTelemetry collector takes them, in the JSON form of OTLP. */
export function otlpRequest(spans: readonly Span[], { name, version }: TracedService) {
  const resource = { attributes: [text('service.name', name), text('service.version', version)] }
  const scope = { name: 'punctual', version }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(otlpSpan) }] }] }
}

function otlpSpan({ traceId, spanId, parentId, method, route, status, startedAt, endedAt }: Span) {
  return {
    traceId,
    spanId,
    ...(parentId !== '' && { parentSpanId: parentId }),
    name: `${method} ${route}`,
    kind: KIND_SERVER,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: [
      text('http.request.method', method),
      text('http.route', route),
      { key: 'http.response.status_code', value: { intValue: String(status) } },
    ],
    status: status >= 500 ? { code: STATUS_ERROR } : {},
  }
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } })

/** As text: a number has too few digits. */
function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}
