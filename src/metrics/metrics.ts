import { once } from 'node:events'
import type { Server } from 'node:http'
import { HttpMeter } from '../http/meter.ts'
import { createMetricsServer } from '../http/operations/metrics.ts'
import type { Context } from '../services/context.ts'
import { readRelease } from '../version.ts'
import { countSent, noneSent } from './counted.ts'
import { createExposition } from './registry.ts'
import { startSampler } from './sampler.ts'

/** Everything that is measured about this process. */
export interface Metrics {
  /** The context that counts what it sends; the service must use it instead of the one given. */
  readonly context: Context
  readonly http: HttpMeter
  /** All metrics, as Prometheus reads them. */
  readonly write: () => Promise<string>
  /** Serves them on a port of their own. */
  listen(at: MetricsAddress): Promise<void>
  stop(): void
}

interface MetricsAddress {
  readonly host: string
  readonly metricsPort: number
  readonly metricsToken: string
}

/** Starts measuring. Only loaded if metrics are served: the library takes memory. */
export function startMetrics(given: Context, { backups }: { readonly backups: boolean }): Metrics {
  const sent = noneSent()
  const context = countSent(given, sent)
  const http = new HttpMeter()
  const sampler = startSampler(context)
  const write = createExposition({ context, http, sent, sampler, version: readRelease().version, backups })
  let server: Server | undefined
  return {
    context,
    http,
    write,
    async listen({ host, metricsPort, metricsToken }) {
      server = createMetricsServer({ write, token: metricsToken }).listen(metricsPort, host)
      await once(server, 'listening')
    },
    stop() {
      sampler.stop()
      server?.close()
      server?.closeAllConnections()
    },
  }
}
