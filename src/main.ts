import { buildApp } from './http/app.ts'
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
  const { context, close } = await openService(settings, {
    onError: (error) => app.log.warn({ reason: error.message }, 'lost a database connection'),
    onBackgroundError: (error) =>
      app.log.error({ reason: error.message }, 'something in the background failed'),
  })
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
  })
  let worker: Worker | undefined

  const stop = async () => {
    if (stopping) return
    stopping = true
    await stopService(
      { app, stopWorker: async () => worker?.stop(), closeStore: close },
      settings.drainSeconds,
    )
  }
  // Not `once`: a signal that arrives twice, as from a terminal and from npm, must not end it half-way.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  let requests = 0
  app.server.on('request', () => requests++)
  // The greeting says it, and for people.
  const { level } = app.log
  app.log.level = 'warn'
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
