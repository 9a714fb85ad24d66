import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './domain/problem.ts'
import { english } from './domain/sentence.ts'
import type { Kinds } from './outside/kinds/kind.ts'
import { fileMailer, type Mail, type SmtpMailer, smtpMailer } from './outside/mail/mail.ts'
import { createGuard } from './outside/network/guard.ts'
import { stripeProvider } from './outside/payments/stripe/stripe.ts'
import { createPushSender, type PushSender } from './outside/push/push.ts'
import { KINDS } from './outside/registry.ts'
import { identityProvider } from './outside/sign-on/oidc.ts'
import { gatewaySender } from './outside/sms/gateway.ts'
import { twilioSender } from './outside/sms/twilio.ts'
import { createThreadedSender } from './outside/webhooks/threaded-sender.ts'
import {
  type CaptchaSettings,
  type Context,
  createContext,
  type Providers,
  type SingleSignOn,
  type SmsService,
} from './services/context.ts'
import { saveFormCounts } from './services/forms/count-visitors.ts'
import { openPushKeys } from './services/push/keys.ts'
import type { Surroundings } from './services/surroundings.ts'
import { sealPlainSecrets } from './services/webhooks/secret.ts'
import type { Settings } from './settings.ts'
import type { Db } from './store/engine/database.ts'
import { migrate } from './store/engine/migrate.ts'
import { type DatabaseOptions, openDatabase } from './store/engine/open-database.ts'
import { takeProcessLock } from './store/engine/sqlite/process-lock.ts'
import { findOrInsertSecret } from './store/secrets.ts'
import { readRelease } from './version.ts'

/** What the server and the command line share. */
interface Service {
  readonly context: Context
  readonly close: () => Promise<void>
}

interface ServiceOptions extends Pick<DatabaseOptions, 'onError' | 'queryTimeout' | 'connectTimeout'> {
  /** Receives errors of tasks that run after the response. */
  readonly onBackgroundError?: (error: Error) => void
  /** Those of the registry, unless given. */
  readonly kinds?: Kinds
}

/** Migrates the database, opens it, and creates the context of all services. */
export async function openService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const { kinds = KINDS } = options
  await migrateStore(settings, options)
  const db = openStore(settings, options)
  const replica = openReplica(settings, options)
  const closeStores = async () => {
    await replica?.destroy()
    await db.destroy()
  }
  const mail = openMailer(settings)
  try {
    const secret = await signingSecret(settings, db)
    const guard = createGuard({ allowPrivate: settings.webhookAllowPrivate })
    const context = createContext({
      db,
      replica,
      publicUrl: settings.publicUrl,
      captcha: { altchaSecret: `${secret}:altcha`, services: captchaServices(settings) },
      jwtSecret: secret,
      previousJwtSecret: settings.jwtSecretPrevious,
      signup: settings.signup,
      mailer: mail.send,
      mailFolder: mailFolderOf(settings),
      guard,
      webhooks: createThreadedSender({
        allowPrivate: settings.webhookAllowPrivate,
        onError: (error) => options.onBackgroundError?.(error),
      }),
      webPush: await openWebPush(settings, { db, jwtSecret: secret, guard }),
      providers: providersOf(settings, kinds),
      kinds,
      singleSignOn: singleSignOnOf(settings),
      requirePasskey: settings.requirePasskey,
      sms: smsServiceOf(settings),
      payments: stripeProvider({ apiUrl: settings.stripeApiUrl }),
      calcomKey: settings.calendsoEncryptionKey,
      surroundings: surroundingsOf(settings),
      inBackground: (task) => {
        // After the response has left, so that its timing reveals nothing.
        setImmediate(() => task().catch((error: Error) => options.onBackgroundError?.(error)))
      },
    })
    await sealPlainSecrets(context)
    return {
      context,
      close: async () => {
        await saveFormCounts(context).catch((error: Error) => options.onBackgroundError?.(error))
        await mail.close()
        context.webhooks.close()
        await closeStores()
      },
    }
  } catch (error) {
    await closeStores()
    throw error
  }
}

/** Notifies browsers, unless that is turned off. */
async function openWebPush(
  { webPush, publicUrl, mailFrom, jwtSecretPrevious: previousJwtSecret }: Settings,
  { guard, ...store }: Pick<Context, 'db' | 'jwtSecret' | 'guard'>,
): Promise<PushSender | undefined> {
  if (!webPush) return undefined
  const address = /[^\s<>]+@[^\s<>]+/.exec(mailFrom)?.[0]
  return createPushSender({
    keys: await openPushKeys({ ...store, previousJwtSecret }),
    contact: publicUrl.startsWith('https:') ? publicUrl : `mailto:${address}`,
    guard,
  })
}

function singleSignOnOf({ oidc }: Settings): SingleSignOn | undefined {
  if (oidc.issuer === '') return undefined
  const { name, only, adminGroup } = oidc
  return { provider: identityProvider(oidc), name, only, adminGroup }
}

/** Text messages, if the operator has set them up. */
export function smsServiceOf({ sms, publicUrl }: Settings): SmsService | undefined {
  if (sms === undefined) return undefined
  const { countries, dailyLimit, twilio, gateway } = sms
  const sender = twilio
    ? twilioSender(twilio, { statusUrl: `${publicUrl}/api/hooks/sms/twilio` })
    : gateway && gatewaySender(gateway, { now: Date.now })
  return sender && { sender, countries, dailyLimit }
}

/** What takes longer than this on a standby is read from the primary instead. */
const REPLICA_TIMEOUT = 1000

/** Opens the standby from which listings may be read, if there is one. */
function openReplica(settings: Settings, { onError }: ServiceOptions): Db | undefined {
  const { databaseUrl, databaseReadUrl, databasePoolSize: poolSize } = settings
  if (databaseUrl === '' || databaseReadUrl === '') return undefined
  const pooledTransactions = settings.databasePooler === 'transaction'
  const queryTimeout = REPLICA_TIMEOUT
  return openDatabase(databaseReadUrl, {
    poolSize,
    pooledTransactions,
    queryTimeout,
    ...(onError && { onError }),
  })
}

/**
 * Migrates on connections of its own, which have no time-outs.
 *
 * Building an index on a large table takes minutes. A pooler may have time-outs of its own.
 */
async function migrateStore(settings: Settings, options: ServiceOptions): Promise<void> {
  const { databaseListenUrl } = settings
  const direct = { databaseUrl: databaseListenUrl, databasePooler: 'off' } as const
  const db = openStore(databaseListenUrl === '' ? settings : { ...settings, ...direct }, {
    // One transaction keeps other instances from migrating while another connection builds an index.
    poolSize: 2,
    ...options,
    queryTimeout: 0,
  })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Makes this process the only one that serves or restores a SQLite database, until the returned function is called.
 *
 * Two servers would each count requests and cache settings for themselves. A PostgreSQL can be shared.
 */
export function reserveStore({ databaseUrl, dataDir }: Settings): () => void {
  if (databaseUrl !== '') return () => {}
  makeDataDir(dataDir)
  const release = takeProcessLock(join(dataDir, 'lock.sqlite'))
  if (release !== undefined) return release
  throw new Problem(
    'in_use',
    english`Another Punctual process uses ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  )
}

function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

/** Opens the database without migrating it. */
export function openStore(settings: Settings, options: DatabaseOptions = {}): Db {
  const { databaseUrl, dataDir, databasePoolSize: poolSize, databaseListenUrl: listenUrl } = settings
  if (databaseUrl !== '') {
    const pooledTransactions = settings.databasePooler === 'transaction'
    const listening = listenUrl === '' ? {} : { listenUrl }
    const queryTimeout = settings.databaseTimeoutSeconds * 1000
    const limits = { queryTimeout, connectTimeout: queryTimeout / 5 }
    return openDatabase(databaseUrl, { poolSize, pooledTransactions, ...listening, ...limits, ...options })
  }
  makeDataDir(dataDir)
  const path = sqliteFileOf(settings)
  // SQLite would make the file readable for every user of this machine.
  closeSync(openSync(path, 'a', 0o600))
  return openDatabase(path, options)
}

/** The signing secret: from the settings, or generated once and kept in the database for all instances. */
async function signingSecret(settings: Settings, db: Db): Promise<string> {
  if (settings.jwtSecret !== '') return settings.jwtSecret
  const proposed =
    (settings.databaseUrl === '' && fileSecret(settings)) || randomBytes(32).toString('base64url')
  return findOrInsertSecret(db, 'jwt', proposed)
}

/** On SQLite, the secret used to be a file. */
function fileSecret({ dataDir }: Settings): string | undefined {
  try {
    return readFileSync(join(dataDir, 'secret'), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Sends by SMTP if configured; otherwise writes emails to files. */
function openMailer(settings: Settings): SmtpMailer {
  const { smtpUrl, mailFrom, dataDir } = settings
  if (smtpUrl !== '') return smtpMailer(smtpUrl, mailFrom)
  const send = fileMailer(mailFolderOf({ dataDir }), mailFrom, (mail, path) => {
    process.stdout.write(`${noticeOf(mail, path, !isPublic(settings))}\n`)
  })
  return { send, close: async () => {} }
}

/**
 * Whether others than its operator use this service.
 *
 * Its log is then read and kept by others too, and anyone may ask for a sign-in link: it must not be printed there.
 */
export const isPublic = ({ production, publicUrl }: Pick<Settings, 'production' | 'publicUrl'>) =>
  production || publicUrl.startsWith('https:')

/**
 * Prints sign-in links in full, for first users. A mail about a booking, which has a Message-ID, gets one line. The log of
 * a public server names nobody.
 */
function noticeOf({ to, subject, text, messageId }: Mail, path: string, withLink: boolean): string {
  if (!withLink) return `Mail saved: ${path}`
  if (messageId !== undefined) return `Mail to ${to}: ${subject} (${path})`
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
  return `Mail to ${to}: ${subject}\n  ${link}\n  ${path}`
}

/** The services that have keys. An event type that uses another one refuses bookings. */
function captchaServices({ turnstile, hcaptcha, recaptcha }: Settings): CaptchaSettings['services'] {
  return Object.fromEntries(
    Object.entries({ turnstile, hcaptcha, recaptcha }).filter(([, service]) => service.secret !== ''),
  )
}

/** The providers that the operator has set up. */
export function providersOf(settings: Settings, { all }: Kinds = KINDS): Providers {
  return Object.fromEntries(
    all.flatMap(({ name, setUp }) => {
      const provider = setUp?.open(settings)
      return provider === undefined ? [] : [[name, provider]]
    }),
  )
}

/** What checks look at, and what admins are told. */
export function surroundingsOf(settings: Settings): Surroundings {
  return {
    ...readRelease(),
    production: settings.production,
    publicUrl: settings.publicUrl,
    dataDir: settings.dataDir,
    smtpUrl: settings.smtpUrl,
    mailFrom: settings.mailFrom,
    mailFolder: mailFolderOf(settings),
    databaseUrl: settings.databaseUrl,
    databaseReadUrl: settings.databaseReadUrl,
    databasePooler: settings.databasePooler,
    databasePoolSize: settings.databasePoolSize,
    sqliteFile: sqliteFileOf(settings),
    openStore: (options, databaseUrl = settings.databaseUrl) =>
      openStore({ ...settings, databaseUrl }, options),
    backupEvery: settings.backupEvery,
    backupKeep: settings.backupKeep,
    backupDir: settings.backupDir,
    oidc: settings.oidc,
    requirePasskey: settings.requirePasskey,
  }
}

/** Where emails are written if there is no mail server. */
export function mailFolderOf({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'mail')
}

/** The file of the embedded database, if it is used. */
function sqliteFileOf({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'punctual.sqlite')
}
