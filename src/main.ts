import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './http/app.ts'
import { type CaptchaSettings, createContext } from './services/context.ts'
import { seedDemo } from './services/seed-demo.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { type Db, isUnavailable, openDatabase } from './store/database.ts'
import { deleteExpired } from './store/expiry.ts'
import { migrate } from './store/migrate.ts'
import { createRateLimit } from './store/rate-limits.ts'
import { findOrInsertSecret } from './store/secrets.ts'

const HOURLY = 3_600_000
const SWEEP_EVERY = 20
const GRACE = 8000

async function main(): Promise<void> {
  const settings = readSettings()
  if (settings.databaseUrl === '') mkdirSync(settings.dataDir, { recursive: true })
  const db = openDatabase(settings.databaseUrl || join(settings.dataDir, 'punctual.sqlite'), {
    poolSize: settings.databasePoolSize,
    onError: (error) => app.log.warn({ reason: error.message }, 'lost a database connection'),
  })
  await migrate(db)
  const secret = await signingSecret(settings, db)
  const seeded = settings.demo && !settings.production && (await seedDemo(db, Date.now()))

  const context = createContext({
    db,
    publicUrl: settings.publicUrl,
    captcha: { altchaSecret: `${secret}:altcha`, services: captchaServices(settings) },
  })
  const app = await buildApp({
    context,
    rateLimits: (name, limit, windowSeconds) => createRateLimit(db, name, limit, windowSeconds),
    isUnavailable,
    trustProxy: settings.trustProxy,
    logger: { level: settings.logLevel },
  })
  const housekeeping = setInterval(() => {
    deleteExpired(db, Date.now()).catch((error: Error) =>
      app.log.warn({ reason: error.message }, 'housekeeping'),
    )
  }, HOURLY)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    clearInterval(housekeeping)
    // Accepted requests are answered first; the store closes behind them.
    const closing = app.close()
    // A connection stays open after its answer, in case there is another request; now there is none.
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_EVERY)
    // Whoever has sent half a request by then is not going to be waited for.
    const grace = setTimeout(() => app.server.closeAllConnections(), GRACE)
    await closing
    clearInterval(sweep)
    clearTimeout(grace)
    await db.destroy()
  }
  // Not `once`: a signal that arrives twice, as from a terminal and from npm, must not end it half-way.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  await app.listen({ port: settings.port, host: settings.host })
  greet(settings, seeded)
}

/** The secret that signs things: given, or made once and kept where every instance finds it. */
async function signingSecret(settings: Settings, db: Db): Promise<string> {
  if (settings.jwtSecret !== '') return settings.jwtSecret
  const proposed = randomBytes(32).toString('base64url')
  if (settings.databaseUrl !== '') return findOrInsertSecret(db, 'jwt', proposed)
  const path = join(settings.dataDir, 'secret')
  try {
    writeFileSync(path, proposed, { mode: 0o600, flag: 'wx' })
    return proposed
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readFileSync(path, 'utf8').trim()
  }
}

/** Those that have keys. An event type that asks for another is refused, not waved through. */
function captchaServices({ turnstile, hcaptcha, recaptcha }: Settings): CaptchaSettings['services'] {
  return Object.fromEntries(
    Object.entries({ turnstile, hcaptcha, recaptcha }).filter(([, service]) => service.secret !== ''),
  )
}

function greet({ publicUrl }: Settings, seeded: boolean): void {
  const lines = [
    `Punctual is listening at ${publicUrl}`,
    `  API reference   ${publicUrl}/docs`,
    ...(seeded ? [`  Demo workspace  ${publicUrl}/api/public/scheduling/demo`] : []),
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
