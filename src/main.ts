import { buildApp } from './http/app.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Context } from './services/context.ts'
import { createLink } from './services/people/sign-in.ts'
import { DEMO_EMAIL, seedDemo } from './services/workspace/seed-demo.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { openService } from './start.ts'
import { stopService } from './stop.ts'
import { isUnavailable } from './store/engine/database.ts'
import { createRateLimit } from './store/rate-limits.ts'
import { HANDLERS } from './worker/handlers.ts'
import { watchLoop } from './worker/loop-watch.ts'
import { SWEEPS } from './worker/sweeps.ts'
import { startWorker, type Worker } from './worker/worker.ts'

async function main(): Promise<void> {
  const settings = readSettings()
  const service = await openService(settings, {
    onError: (error) => app.log.warn({ reason: error.message }, 'lost a database connection'),
    onBackgroundError: (error) =>
      app.log.error({ reason: error.message }, 'something in the background failed'),
  })
  const metrics = await measure(settings, service.context)
  const context = metrics?.context ?? service.context
  const { db } = context
  let stopping = false
  const seeded = settings.demo && !settings.production && (await seedDemo(db, Date.now()))
  const demoLink = seeded ? await createLink(context, DEMO_EMAIL) : undefined

  const app = await buildApp({
    context,
    rateLimits: (name, limit, windowSeconds) => createRateLimit(db, name, limit, windowSeconds),
    isUnavailable,
    trustProxy: settings.trustProxy,
    logger: { level: settings.logLevel },
    isDraining: () => stopping,
    ...(metrics && { meter: metrics.http }),
    ...(metrics &&
      settings.metricsToken && { metrics: { write: metrics.write, token: settings.metricsToken } }),
  })
  let worker: Worker | undefined

  const stop = async () => {
    if (stopping) return
    stopping = true
    const closeStore = async () => {
      metrics?.stop()
      await service.close()
    }
    await stopService({ app, stopWorker: async () => worker?.stop(), closeStore }, settings.drainSeconds)
  }
  // Not `once`: a signal that arrives twice, as from a terminal and from npm, must not end it half-way.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  let requests = 0
  app.server.on('request', () => requests++)
  // The greeting says it, and for people.
  const { level } = app.log
  app.log.level = 'warn'
  if (settings.metricsPort > 0) await metrics?.listen(settings)
  await app.listen({ port: settings.port, host: settings.host })
  app.log.level = level
  if (!stopping) {
    worker = startWorker(context, {
      handlers: HANDLERS,
      sweeps: SWEEPS,
      loop: watchLoop(() => requests),
      onError: (error, what) => app.log.warn({ reason: error.message }, what),
    })
  }
  greet(settings, demoLink)
}

/** Loads and starts the metrics, if anybody can ask for them. */
async function measure(settings: Settings, context: Context): Promise<Metrics | undefined> {
  if (settings.metricsPort === 0 && settings.metricsToken === '') return undefined
  const { startMetrics } = await import('./metrics/metrics.ts')
  return startMetrics(context)
}

function greet({ publicUrl }: Settings, demoLink: string | undefined): void {
  const lines = [
    `Punctual is listening at ${publicUrl}`,
    `  API reference   ${publicUrl}/docs`,
    ...(demoLink === undefined
      ? []
      : [
          `  Demo workspace  ${publicUrl}/demo`,
          `  Sign in as its host, once, within 15 minutes: ${demoLink}`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  const reason =
    error instanceof SettingsError ? error.message : `Punctual could not start: ${(error as Error).message}`
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
