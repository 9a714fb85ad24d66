import { otlpRequest, type Span, type TracedService } from '../format/otlp.ts'

interface ExporterOptions {
  /** The collector's base address; spans go to its `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly service: TracedService
  readonly onError: (error: Error) => void
}

export interface SpanExporter {
  readonly export: (span: Span) => void
  /** Sends what is left. */
  close(): Promise<void>
}

const SEND_EVERY = 5000
const BATCH = 512
/** Beyond these, spans are dropped: a collector that is away must not fill the memory. */
const MAX_WAITING = 4096
/** What exporters of OpenTelemetry give a collector, too. */
const PATIENCE = 10_000

/** Sends spans in batches by OTLP over HTTP. What can't be sent is dropped: traces are not worth a delay. */
export function createSpanExporter({ endpoint, headers, service, onError }: ExporterOptions): SpanExporter {
  let waiting: Span[] = []
  let sending: Promise<void> | undefined

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      try {
        const response = await fetch(`${endpoint}/v1/traces`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(otlpRequest(batch, service)),
          signal: AbortSignal.timeout(PATIENCE),
        })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`The collector answered ${response.status}.`)
      } catch (error) {
        waiting = []
        onError(error as Error)
      }
    }
  }
  const flush = (): Promise<void> => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }
  const timer = setInterval(flush, SEND_EVERY)
  timer.unref()
  return {
    export(span) {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      if (waiting.length === BATCH) void flush()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
