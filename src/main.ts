import type { FastifyBaseLogger } from 'fastify'
import { collectGarbage } from './collect-garbage.ts'
import { withoutAddresses } from './format/text/without-addresses.ts'
import { buildApp } from './http/app.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SpanExporter } from './outside/otlp.ts'
import type { Context } from './services/context.ts'
import { createLink } from './services/people/sign-in/sign-in.ts'
import { DEMO_EMAIL, seedDemo } from './services/workspace/demo/seed-demo.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { isPublic, mailFolderOf, openService, openStore, reserveStore } from './start.ts'
import { stopService } from './stop.ts'
import { isUnavailable } from './store/engine/database.ts'
import { endAllLeases } from './store/leases.ts'
import { createRateLimit } from './store/rate-limits.ts'
import { readRelease } from './version.ts'
import { backupSweep } from './worker/backup-sweep.ts'
import { HANDLERS } from './worker/handlers.ts'
import { watchLoop } from './worker/loop-watch.ts'
import { housekeepingSweep, SWEEPS, type Sweep } from './worker/sweeps.ts'
import { startWorker, type Worker } from './worker/worker.ts'

async function main(): Promise<void> {
  const settings = readSettings()
  // As the first process of a container, it would ignore signals without a handler, and could not be stopped while it starts.
  let stop: () => unknown = () => process.exit()
  // Not `once`: a second signal (npm and the terminal both send one) must not interrupt the shutdown.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop())

  // There is no log before there is an app. What goes wrong until then ends the start.
  let log: FastifyBaseLogger | undefined
  const releaseStore = reserveStore(settings)
  const service = await openService(settings, {
    onError: (error) => {
      if (log === undefined) fail(error)
      log.warn({ reason: error.message }, 'lost a database connection')
    },
    onBackgroundError: (error) => {
      if (log === undefined) fail(error)
      const isFull = service.context.storage.notice(error, log)
      if (!isFull) log.error({ reason: withoutAddresses(error.message) }, 'a background task failed')
    },
  })
  // With SQLite this process is the only one, so mails don't wait for one that was killed.
  if (settings.databaseUrl === '') await endAllLeases(service.context.db)
  const metrics = await measure(settings, service.context)
  const context = metrics?.context ?? service.context
  const { db } = context
  const tracing = await trace(settings, (error) => {
    log?.warn({ reason: error.message }, 'could not send traces')
  })
  let stopping = false
  const seeded = settings.demo && !settings.production && (await seedDemo(db, Date.now()))
  const demoLink = seeded ? await createLink(context, DEMO_EMAIL) : undefined

  const app = await buildApp({
    context,
    rateLimits: (name, limit, windowSeconds) => createRateLimit(db, name, limit, windowSeconds),
    isUnavailable,
    trustProxy: settings.trustProxy,
    logger: { level: settings.logLevel },
    homeUrl: settings.homeUrl,
    isDraining: () => stopping,
    ...(metrics && { meter: metrics.http }),
    ...(tracing && { exportSpan: tracing.export }),
    ...(metrics &&
      settings.metricsToken && { metrics: { write: metrics.write, token: settings.metricsToken } }),
  })
  log = app.log
  let worker: Worker | undefined
  const ending = new AbortController()

  stop = async () => {
    if (stopping) return
    stopping = true
    const closeStore = async () => {
      metrics?.stop()
      await tracing?.close()
      await service.close()
      releaseStore()
    }
    const stopWorker = async () => {
      ending.abort()
      await worker?.stop()
    }
    await stopService({ app, stopWorker, closeStore }, settings.drainSeconds)
  }

  let requests = 0
  app.server.on('request', () => requests++)
  // Silence Fastify's line; greet() prints ours.
  const { level } = app.log
  app.log.level = 'warn'
  if (settings.metricsPort > 0) await metrics?.listen(settings)
  await app.listen({ port: settings.port, host: settings.host })
  app.log.level = level
  if (!stopping) {
    worker = startWorker(context, {
      handlers: HANDLERS,
      sweeps: [...SWEEPS, housekeeping(settings), ...scheduledBackups(settings, ending.signal)],
      loop: watchLoop(() => requests),
      onError: (error, what) => {
        const isFull = context.storage.notice(error, app.log)
        if (!isFull) app.log.warn({ reason: withoutAddresses(error.message) }, what)
      },
    })
  }
  if (settings.smtpUrl === '' && isPublic(settings)) {
    app.log.warn(
      'SMTP_URL is not set: nobody gets emails, and sign-in links are not printed. `punctual login-link` makes one.',
    )
  }
  greet(settings, demoLink)
  // What starting left behind is given back to the system: after the first answers, as it takes a tenth of a second.
  setTimeout(() => collectGarbage('last-resort'), 1000).unref()
}

function housekeeping(settings: Settings): Sweep {
  return housekeepingSweep({
    auditDays: settings.keepAuditDays,
    deadJobsDays: settings.keepDeadJobsDays,
    responsesDays: settings.keepResponsesDays,
    mailFilesDays: settings.keepMailFilesDays,
    mailFolder: mailFolderOf(settings),
  })
}

function scheduledBackups(settings: Settings, signal: AbortSignal): Sweep[] {
  const { backupEvery: every, backupKeep: keep, backupDir: folder } = settings
  const open = () => openStore(settings, { poolSize: 1, queryTimeout: 0 })
  return every === 0 ? [] : [backupSweep({ every, keep, folder, openStore: open, signal })]
}

/** Loads and starts the metrics, if the settings let anyone read them. */
async function measure(settings: Settings, context: Context): Promise<Metrics | undefined> {
  if (settings.metricsPort === 0 && settings.metricsToken === '') return undefined
  const { startMetrics } = await import('./metrics/metrics.ts')
  return startMetrics(context, { backups: settings.backupEvery > 0 })
}

/** Loads what sends traces, if there is a collector for them. */
async function trace(
  { otlpEndpoint: endpoint, otlpHeaders: headers, otelServiceName: name }: Settings,
  onError: (error: Error) => void,
): Promise<SpanExporter | undefined> {
  if (endpoint === '') return undefined
  const { createSpanExporter } = await import('./outside/otlp.ts')
  return createSpanExporter({ endpoint, headers, service: { name, version: readRelease().version }, onError })
}

function greet({ publicUrl }: Settings, demoLink: string | undefined): void {
  const lines = [
    `Punctual is listening at ${publicUrl}`,
    `  Dashboard       ${publicUrl}/app`,
    `  API reference   ${publicUrl}/docs`,
    ...(demoLink === undefined
      ? []
      : [
          `  Demo workspace  ${publicUrl}/demo`,
          `  Sign in to its dashboard (works once, for 15 minutes): ${demoLink}`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Prints one line and exits with 1. */
function fail(error: Error): never {
  const reason =
    error instanceof SettingsError ? error.message : `Punctual could not start: ${reasonOf(error)}`
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

/** An error of several failed connections has no message of its own. */
function reasonOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map(({ message }: Error) => message).join('; ')
}

// Not at once: a bundle exports at its end what the files that it loads need.
Promise.resolve().then(main).catch(fail)
