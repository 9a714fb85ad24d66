import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import { passkeysWorkAt } from './domain/people/passkey.ts'
import {
  type ReadVariable,
  type RegisteredClient,
  SettingsError,
  text,
  type Variable,
  variable,
  webAddress,
} from './format/setting.ts'
import type { Kinds } from './outside/kinds/kind.ts'
import { KINDS, type REGISTERED } from './outside/registry.ts'

export { SettingsError }

type SetUp = Extract<(typeof REGISTERED)[number], { readonly setUp: object }>['setUp']
type Joined<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What the providers of calendars and meeting links read: each a part of its own. */
type KindSettings = Joined<ReturnType<SetUp['read']>>

/** Everything an operator can set, read once at start. */
export interface Settings extends KindSettings {
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly homeUrl: string
  readonly dataDir: string
  readonly databaseUrl: string
  readonly databasePoolSize: number
  readonly databaseTimeoutSeconds: number
  readonly databasePooler: 'off' | 'transaction'
  readonly databaseListenUrl: string
  readonly databaseReadUrl: string
  readonly jwtSecret: string
  readonly jwtSecretPrevious: string
  readonly signup: 'first' | 'open' | 'closed'
  readonly smtpUrl: string
  readonly mailFrom: string
  readonly webhookAllowPrivate: boolean
  readonly webPush: boolean
  readonly trustProxy: false | string[] | number
  readonly logLevel: string
  readonly drainSeconds: number
  readonly metricsPort: number
  readonly metricsToken: string
  readonly otlpEndpoint: string
  readonly otlpHeaders: Readonly<Record<string, string>>
  readonly otelServiceName: string
  /** Milliseconds; 0: no scheduled backups. */
  readonly backupEvery: number
  readonly backupKeep: number
  readonly backupDir: string
  /** Days; 0: forever. */
  readonly keepAuditDays: number
  readonly keepDeadJobsDays: number
  readonly keepMailFilesDays: number
  readonly keepResponsesDays: number
  readonly demo: boolean
  readonly production: boolean
  readonly turnstile: CaptchaKeys
  readonly hcaptcha: CaptchaKeys
  readonly recaptcha: CaptchaKeys
  readonly oidc: OidcClient
  /** Whether those who sign in by an emailed link must have a passkey. */
  readonly requirePasskey: boolean
  /** With which Cal.com encrypted passwords of calendars; empty: not known. */
  readonly calendsoEncryptionKey: string
  readonly stripeApiUrl: string
  /** Undefined: no text messages are sent. */
  readonly sms: SmsSettings | undefined
}

/** Where text messages may go, how many a day, and who sends them. */
interface SmsSettings {
  readonly countries: readonly string[]
  readonly dailyLimit: number
  readonly twilio?: Readonly<Record<'accountSid' | 'authToken' | 'from' | 'apiUrl', string>>
  readonly gateway?: Readonly<Record<'url' | 'secret', string>>
}

/** Single sign-on. An empty issuer: there is none. */
interface OidcClient extends RegisteredClient {
  readonly issuer: string
  /** What the button calls it. */
  readonly name: string
  readonly scopes: string
  /** Nobody signs in by an emailed link. */
  readonly only: boolean
  /** Whose members are admins of this instance; empty: groups do not matter. */
  readonly adminGroup: string
}

interface CaptchaKeys {
  readonly siteKey: string
  readonly secret: string
  readonly verifyUrl: string
}

const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (value: string): T => {
    if (!(allowed as string[]).includes(value))
      throw new SettingsError(`must be one of ${allowed.join(', ')}`)
    return value as T
  }

const wholeNumber = (least: number, most: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new SettingsError(`must be a whole number from ${least} to ${most}`)
  }
  return number
}

const days = wholeNumber(0, 36_500)

/** As the provider writes it: other software compares it letter by letter. */
function issuer(value: string): string {
  if (value === '') return ''
  webAddress(value)
  const { protocol, hostname } = new URL(value)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) {
    throw new SettingsError('must be an https address; http is for this machine alone')
  }
  return value
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function scopeList(value: string): string {
  const scopes = value.split(/[\s,]+/).filter((scope) => scope !== '')
  return [...new Set(['openid', ...scopes])].join(' ')
}

function databaseUrl(value: string): string {
  if (value !== '' && !/^postgres(?:ql)?:\/\/./.test(value)) {
    throw new SettingsError('must be empty (SQLite) or begin with postgres://')
  }
  return value
}

function postgresUrl(value: string): string {
  if (value !== '' && !/^postgres(?:ql)?:\/\/./.test(value)) {
    throw new SettingsError('must be empty or begin with postgres://')
  }
  return value
}

function standbyUrl(value: string): string {
  const url = postgresUrl(value)
  if (/^[^?]*,/.test(url)) throw new SettingsError('must name one host')
  return url
}

function trustProxy(value: string): false | string[] | number {
  if (value === '' || value === 'off') return false
  if (/^\d+$/.test(value)) return wholeNumber(0, 32)(value) || false
  const entries = value.split(',').map((entry) => entry.trim())
  for (const entry of entries) {
    if (!isNetwork(entry))
      throw new SettingsError(`"${entry}" is neither off, a number of hops, an address nor a CIDR`)
  }
  return entries
}

function isNetwork(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(bits) ? Number(bits) : Number.NaN,
      version === 6 ? 'ipv6' : 'ipv4',
    )
    return true
  } catch {
    return false
  }
}

function smtpUrl(value: string): string {
  if (value !== '' && !/^smtps?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new SettingsError('must be empty or begin with smtp:// or smtps://')
  }
  return value
}

function mailbox(value: string): string {
  if (!/[^\s@<>]@[^\s@<>]/.test(value)) {
    throw new SettingsError('must have an email address, such as Punctual <mail@example.com>')
  }
  return value
}

function jwtSecret(value: string): string {
  if (value !== '' && (value.length < 32 || new Set(value).size < 8)) {
    throw new SettingsError('must be at least 32 characters, and random (try: openssl rand -base64 32)')
  }
  return value
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds; an empty text is 0. */
function duration(value: string): number {
  if (value === '') return 0
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(value) ?? []
  if (unit === undefined) throw new SettingsError('must be a length of time such as 30m, 24h or 7d')
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}

/** `name=value` pairs with values as in addresses, as OpenTelemetry's own SDKs read them. */
function headerList(value: string): Record<string, string> {
  if (value === '') return {}
  try {
    return Object.fromEntries(
      value.split(',').map((pair) => {
        const [, name = '', encoded = ''] = /^\s*([\w-]+)=([\x21-\x7e]+)\s*$/.exec(pair) ?? []
        if (name === '') throw new URIError()
        return [name, decodeURIComponent(encoded)]
      }),
    )
  } catch {
    throw new SettingsError('must be a list such as name=value,other=value')
  }
}

/** Calling codes, such as `+49,+43`. */
function callingCodes(value: string): string[] {
  const codes = value.split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim()]))
  if (!codes.every((code) => /^\+[1-9]\d{0,6}$/.test(code))) {
    throw new SettingsError('must be a list of calling codes such as +49,+43')
  }
  return codes
}

/** In the format of Standard Webhooks, whether its prefix was given or not. */
function webhookSecret(value: string): string {
  const key = Buffer.from(value.replace(/^whsec_/, ''), 'base64')
  if (value !== '' && (key.length < 16 || !/^(?:whsec_)?[A-Za-z0-9+/]+=*$/.test(value))) {
    throw new SettingsError('must be at least 16 bytes in base64 (try: openssl rand -base64 32)')
  }
  return value === '' ? '' : `whsec_${key.toString('base64')}`
}

/** Cal.com takes its first 32 bytes. */
function encryptionKey(value: string): string {
  if (value !== '' && Buffer.byteLength(value, 'latin1') < 32) {
    throw new SettingsError('must have at least 32 characters, as it has there')
  }
  return value
}

function twilioSender(value: string): string {
  if (value !== '' && !/^(?:\+?\d{3,15}|MG\w+)$/.test(value)) {
    throw new SettingsError('must be a number such as +15005550006, or a messaging service (MG…)')
  }
  return value
}

function bearerToken(value: string): string {
  if (!/^[\x21-\x7e]*$/.test(value)) throw new SettingsError('must be printable ASCII without spaces')
  return value
}

/** The variables of all providers of calendars and meeting links. */
const KIND_VARIABLES: Readonly<Record<string, Variable<unknown>>> = Object.assign(
  {},
  ...KINDS.all.map(({ setUp }) => setUp?.variables),
)

/** The table: name, default, what it is for, how it is read. */
export const VARIABLES = {
  port: variable('PORT', '3000', 'Port to listen on.', wholeNumber(1, 65_535)),
  host: variable('HOST', '0.0.0.0', 'Address to listen on.', text),
  publicUrl: variable(
    'PUBLIC_URL',
    '',
    'The address at which guests reach the service. All links start with it. Default: `http://localhost:PORT`.',
    webAddress,
  ),
  homeUrl: variable(
    'HOME_URL',
    '',
    'Where `/` redirects, such as your own website. Empty: `/` is a page that says what this service is.',
    webAddress,
  ),
  dataDir: variable(
    'DATA_DIR',
    './data',
    'Folder of the embedded database, and of emails without `SMTP_URL`.',
    text,
  ),
  databaseUrl: variable(
    'DATABASE_URL',
    '',
    'Empty: SQLite in `DATA_DIR`. `postgres://…`: PostgreSQL 15 or newer; with several hosts (`postgres://user@one,two/name`), the one that can be written to.',
    databaseUrl,
  ),
  databasePoolSize: variable(
    'DATABASE_POOL_SIZE',
    '10',
    'Connections to PostgreSQL per instance.',
    wholeNumber(1, 500),
  ),
  databaseTimeoutSeconds: variable(
    'DATABASE_TIMEOUT_SECONDS',
    '10',
    'How long PostgreSQL may take for a statement until the request is answered with 503. A lock is waited for for three tenths of it, a connection for a fifth.',
    wholeNumber(1, 3600),
  ),
  databasePooler: variable(
    'DATABASE_POOLER',
    'off',
    '`transaction`: `DATABASE_URL` leads to PgBouncer, or another pooler, in transaction mode.',
    oneOf('off', 'transaction'),
  ),
  databaseListenUrl: variable(
    'DATABASE_LISTEN_URL',
    '',
    'With a pooler: PostgreSQL itself, for notifications and migrations. Empty: workers poll every 5 seconds.',
    postgresUrl,
  ),
  databaseReadUrl: variable(
    'DATABASE_READ_URL',
    '',
    'A standby of PostgreSQL. Slot listings are read from it while it is up to date. Empty: none.',
    standbyUrl,
  ),
  jwtSecret: variable(
    'JWT_SECRET',
    '',
    'Signs tokens and links, and encrypts stored passwords. Empty: generated once and stored in the database.',
    jwtSecret,
  ),
  jwtSecretPrevious: variable(
    'JWT_SECRET_PREVIOUS',
    '',
    'The `JWT_SECRET` before a change: what it encrypted can still be read, and guests’ links that it signed still work. See `secret rotate`.',
    jwtSecret,
  ),
  signup: variable(
    'SIGNUP',
    'first',
    'Who may sign up by requesting a sign-in link: only the `first` address (which becomes the owner), anyone (`open`), or no one (`closed`). Invitations always work.',
    oneOf('first', 'open', 'closed'),
  ),
  smtpUrl: variable(
    'SMTP_URL',
    '',
    'Mail server, such as `smtps://user:password@mail.example.com`. Empty: emails are saved in `DATA_DIR/mail`, and sign-in links are printed in the server log, except on a public server (`https` or `NODE_ENV=production`).',
    smtpUrl,
  ),
  mailFrom: variable('MAIL_FROM', 'Punctual <punctual@localhost>', 'Sender of all emails.', mailbox),
  webhookAllowPrivate: variable(
    'WEBHOOK_ALLOW_PRIVATE',
    'off',
    '`on`: webhooks and connected calendars may also use private and loopback addresses, and plain http. Only for closed networks: hosts can then reach every server that this machine can reach.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  webPush: variable(
    'WEB_PUSH',
    'on',
    '`off`: hosts can’t turn on notifications in their browsers. They pass through the push service of the browser’s maker, encrypted.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    'off',
    'Proxies whose `X-Forwarded-For` is trusted: `off`, a number of hops, or a list of addresses and CIDRs. Name the proxies alone: whoever is in a trusted network can claim any address, and is never limited.',
    trustProxy,
  ),
  logLevel: variable(
    'LOG_LEVEL',
    'info',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  drainSeconds: variable(
    'DRAIN_SECONDS',
    '0',
    'How long requests are still served after `SIGTERM`, while `/readyz` already answers 503. Behind a load balancer, set it a little longer than the balancer needs to notice.',
    wholeNumber(0, 3600),
  ),
  metricsPort: variable('METRICS_PORT', '', 'Serves `/metrics` on a separate port. Empty: off.', (value) =>
    value === '' ? 0 : wholeNumber(1, 65_535)(value),
  ),
  metricsToken: variable(
    'METRICS_TOKEN',
    '',
    'Bearer token for `/metrics`, which is then also served on `PORT`. Empty: `METRICS_PORT` needs no token.',
    bearerToken,
  ),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'OpenTelemetry collector that gets a span for every request, such as `http://localhost:4318`. Empty: none.',
    webAddress,
  ),
  otlpHeaders: variable(
    'OTEL_EXPORTER_OTLP_HEADERS',
    '',
    'Headers for the collector, such as `authorization=Bearer%20…,tenant=1`.',
    headerList,
  ),
  otelServiceName: variable('OTEL_SERVICE_NAME', 'punctual', 'What the service is called in traces.', text),
  backupEvery: variable(
    'BACKUP_EVERY',
    '',
    'How often a backup is taken, such as `24h` or `30m`. Empty: never.',
    duration,
  ),
  backupKeep: variable('BACKUP_KEEP', '7', 'How many scheduled backups are kept.', wholeNumber(1, 10_000)),
  backupDir: variable('BACKUP_DIR', '', 'Folder of scheduled backups. Default: `DATA_DIR/backups`.', text),
  keepAuditDays: variable(
    'KEEP_AUDIT_DAYS',
    '0',
    'After how many days entries of the audit log and of the history of bookings are deleted; `0`: never.',
    days,
  ),
  keepDeadJobsDays: variable(
    'KEEP_DEAD_JOBS_DAYS',
    '90',
    'After how many days jobs are deleted that were given up; `0`: never. They may hold personal data.',
    days,
  ),
  keepMailFilesDays: variable(
    'KEEP_MAIL_FILES_DAYS',
    '30',
    'After how many days the files in `DATA_DIR/mail` are deleted; `0`: never.',
    days,
  ),
  keepResponsesDays: variable(
    'KEEP_RESPONSES_DAYS',
    '0',
    'After how many days responses to routing forms are deleted; `0`: never.',
    days,
  ),
  demo: variable(
    'DEMO',
    'on',
    '`off`: don’t create the demo workspace on an empty database. Always off with `NODE_ENV=production`.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  production: variable(
    'NODE_ENV',
    '',
    'Set it to `production` on a public server.',
    (value) => value === 'production',
  ),
  turnstileSiteKey: variable('TURNSTILE_SITE_KEY', '', 'Cloudflare Turnstile: public key.', text),
  turnstileSecret: variable('TURNSTILE_SECRET', '', 'Cloudflare Turnstile: secret key.', text),
  turnstileVerifyUrl: variable(
    'TURNSTILE_VERIFY_URL',
    'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    'Cloudflare Turnstile: where tokens are verified.',
    webAddress,
  ),
  hcaptchaSiteKey: variable('HCAPTCHA_SITE_KEY', '', 'hCaptcha: public key.', text),
  hcaptchaSecret: variable('HCAPTCHA_SECRET', '', 'hCaptcha: secret key.', text),
  hcaptchaVerifyUrl: variable(
    'HCAPTCHA_VERIFY_URL',
    'https://api.hcaptcha.com/siteverify',
    'hCaptcha: where tokens are verified.',
    webAddress,
  ),
  recaptchaSiteKey: variable('RECAPTCHA_SITE_KEY', '', 'reCAPTCHA: public key.', text),
  recaptchaSecret: variable('RECAPTCHA_SECRET', '', 'reCAPTCHA: secret key.', text),
  recaptchaVerifyUrl: variable(
    'RECAPTCHA_VERIFY_URL',
    'https://www.google.com/recaptcha/api/siteverify',
    'reCAPTCHA: where tokens are verified.',
    webAddress,
  ),
  ...KIND_VARIABLES,
  oidcIssuer: variable(
    'OIDC_ISSUER',
    '',
    'Single sign-on with OpenID Connect: the issuer, as the identity provider writes it; see `docs/single-sign-on.md`. Empty: off.',
    issuer,
  ),
  oidcClientId: variable('OIDC_CLIENT_ID', '', 'The client registered there.', text),
  oidcClientSecret: variable('OIDC_CLIENT_SECRET', '', 'Its secret. Empty: a public client.', text),
  oidcName: variable('OIDC_NAME', 'single sign-on', 'What the sign-in page calls it.', text),
  oidcScopes: variable(
    'OIDC_SCOPES',
    'openid email profile',
    'What is asked for. Some providers need `groups` here.',
    scopeList,
  ),
  oidcOnly: variable(
    'OIDC_ONLY',
    'off',
    '`on`: nobody signs in by an emailed link. The command line’s `login-link` still works.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  oidcAdminGroup: variable(
    'OIDC_ADMIN_GROUP',
    '',
    'Members of this group (claim `groups`) are admins of the instance, and others are not. Empty: groups don’t matter.',
    text,
  ),
  requirePasskey: variable(
    'REQUIRE_PASSKEY',
    'off',
    '`on`: whoever signs in by an emailed link must have a passkey; see `docs/passkeys.md`. Needs a `PUBLIC_URL` with https and a domain, or `localhost`.',
    (value) => oneOf('on', 'off')(value) === 'on',
  ),
  calendsoEncryptionKey: variable(
    'CALENDSO_ENCRYPTION_KEY',
    '',
    'The key of a Cal.com that moves in: with it, its CalDAV connections come along; see `docs/moving.md`. Remove it afterwards. Empty: hosts connect these calendars anew.',
    encryptionKey,
  ),
  stripeApiUrl: variable(
    'STRIPE_API_URL',
    'https://api.stripe.com',
    'Where Stripe’s API is, for those who reach it through a proxy; see `docs/providers.md`.',
    webAddress,
  ),
  smsProvider: variable(
    'SMS_PROVIDER',
    '',
    'Who sends text messages: `twilio`, or `http` for a gateway of your own; see `docs/messages.md`. Empty: none are sent.',
    (value) => (value === '' ? '' : oneOf('twilio', 'http')(value)),
  ),
  smsCountries: variable(
    'SMS_COUNTRIES',
    '',
    'Calling codes that may be texted, such as `+49,+43`. Empty: none, and text messages are not offered.',
    callingCodes,
  ),
  smsDailyLimit: variable(
    'SMS_DAILY_LIMIT',
    '500',
    'The most text messages of this instance a day (UTC). A number gets at most 5.',
    wholeNumber(0, 10_000_000),
  ),
  twilioAccountSid: variable('TWILIO_ACCOUNT_SID', '', 'Twilio: the account.', text),
  twilioAuthToken: variable('TWILIO_AUTH_TOKEN', '', 'Twilio: its primary auth token.', text),
  twilioFrom: variable('TWILIO_FROM', '', 'Twilio: a number, or a messaging service (`MG…`).', twilioSender),
  twilioApiUrl: variable('TWILIO_API_URL', 'https://api.twilio.com', 'Twilio: where its API is.', webAddress),
  smsHttpUrl: variable('SMS_HTTP_URL', '', 'The gateway that gets `{ id, to, text }`.', webAddress),
  smsHttpSecret: variable(
    'SMS_HTTP_SECRET',
    '',
    'Signs what the gateway gets, as webhooks are signed: `whsec_` and base64.',
    webhookSecret,
  ),
} as const

/** Reads the environment; throws a `SettingsError` of one line that names the variable. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  kinds: Kinds = KINDS,
): Settings {
  const read = <T>({ name, fallback, parse }: Variable<T>): T => {
    const value = environment[name]?.trim()
    try {
      return parse(value === undefined || value === '' ? fallback : value)
    } catch (error) {
      if (error instanceof SettingsError) throw new SettingsError(`${name} ${error.message}.`)
      throw error
    }
  }
  const port = read(VARIABLES.port)
  const publicUrl = read(VARIABLES.publicUrl) || `http://localhost:${port}`
  const homeUrl = read(VARIABLES.homeUrl)
  if (homeUrl === publicUrl) throw new SettingsError('HOME_URL must differ from PUBLIC_URL.')
  const dataDir = read(VARIABLES.dataDir)
  const keys = (
    siteKey: Variable<string>,
    secret: Variable<string>,
    verifyUrl: Variable<string>,
  ): CaptchaKeys => ({
    siteKey: read(siteKey),
    secret: read(secret),
    verifyUrl: read(verifyUrl),
  })
  const ofKinds: KindSettings = Object.assign({}, ...kinds.all.map(({ setUp }) => setUp?.read(read)))
  const oidc = readOidc()
  const requirePasskey = readRequirePasskey()
  return {
    port,
    host: read(VARIABLES.host),
    publicUrl,
    homeUrl,
    dataDir,
    databaseUrl: read(VARIABLES.databaseUrl),
    databasePoolSize: read(VARIABLES.databasePoolSize),
    databaseTimeoutSeconds: read(VARIABLES.databaseTimeoutSeconds),
    databasePooler: read(VARIABLES.databasePooler),
    databaseListenUrl: read(VARIABLES.databaseListenUrl),
    databaseReadUrl: read(VARIABLES.databaseReadUrl),
    jwtSecret: read(VARIABLES.jwtSecret),
    jwtSecretPrevious: read(VARIABLES.jwtSecretPrevious),
    signup: read(VARIABLES.signup),
    smtpUrl: read(VARIABLES.smtpUrl),
    mailFrom: read(VARIABLES.mailFrom),
    webhookAllowPrivate: read(VARIABLES.webhookAllowPrivate),
    webPush: read(VARIABLES.webPush),
    trustProxy: read(VARIABLES.trustProxy),
    logLevel: read(VARIABLES.logLevel),
    drainSeconds: read(VARIABLES.drainSeconds),
    metricsPort: read(VARIABLES.metricsPort),
    metricsToken: read(VARIABLES.metricsToken),
    otlpEndpoint: read(VARIABLES.otlpEndpoint),
    otlpHeaders: read(VARIABLES.otlpHeaders),
    otelServiceName: read(VARIABLES.otelServiceName),
    backupEvery: read(VARIABLES.backupEvery),
    backupKeep: read(VARIABLES.backupKeep),
    backupDir: read(VARIABLES.backupDir) || join(dataDir, 'backups'),
    keepAuditDays: read(VARIABLES.keepAuditDays),
    keepDeadJobsDays: read(VARIABLES.keepDeadJobsDays),
    keepMailFilesDays: read(VARIABLES.keepMailFilesDays),
    keepResponsesDays: read(VARIABLES.keepResponsesDays),
    demo: read(VARIABLES.demo),
    production: read(VARIABLES.production),
    turnstile: keys(VARIABLES.turnstileSiteKey, VARIABLES.turnstileSecret, VARIABLES.turnstileVerifyUrl),
    hcaptcha: keys(VARIABLES.hcaptchaSiteKey, VARIABLES.hcaptchaSecret, VARIABLES.hcaptchaVerifyUrl),
    recaptcha: keys(VARIABLES.recaptchaSiteKey, VARIABLES.recaptchaSecret, VARIABLES.recaptchaVerifyUrl),
    ...ofKinds,
    oidc,
    requirePasskey,
    calendsoEncryptionKey: read(VARIABLES.calendsoEncryptionKey),
    stripeApiUrl: read(VARIABLES.stripeApiUrl),
    sms: readSms(read),
  }

  function readRequirePasskey(): boolean {
    // Where nobody signs in by link, nobody needs a second factor for it.
    const required = read(VARIABLES.requirePasskey) && !oidc.only
    if (required && !passkeysWorkAt(publicUrl)) {
      throw new SettingsError(
        `REQUIRE_PASSKEY needs a PUBLIC_URL with https and a domain (or http://localhost): browsers make no passkeys for ${publicUrl}.`,
      )
    }
    return required
  }

  function readOidc(): OidcClient {
    const [address, clientId] = [read(VARIABLES.oidcIssuer), read(VARIABLES.oidcClientId)]
    if ((address === '') !== (clientId === '')) {
      throw new SettingsError('OIDC_ISSUER and OIDC_CLIENT_ID must be set together.')
    }
    const only = read(VARIABLES.oidcOnly)
    if (only && address === '') throw new SettingsError('OIDC_ONLY needs OIDC_ISSUER.')
    return {
      issuer: address,
      clientId,
      clientSecret: read(VARIABLES.oidcClientSecret),
      name: read(VARIABLES.oidcName),
      scopes: read(VARIABLES.oidcScopes),
      only,
      adminGroup: read(VARIABLES.oidcAdminGroup),
    }
  }
}

/** Reads who sends text messages; throws if something of it is missing. */
function readSms(read: ReadVariable): SmsSettings | undefined {
  const [provider, countries] = [read(VARIABLES.smsProvider), read(VARIABLES.smsCountries)]
  const twilio = {
    accountSid: read(VARIABLES.twilioAccountSid),
    authToken: read(VARIABLES.twilioAuthToken),
    from: read(VARIABLES.twilioFrom),
    apiUrl: read(VARIABLES.twilioApiUrl),
  }
  const gateway = { url: read(VARIABLES.smsHttpUrl), secret: read(VARIABLES.smsHttpSecret) }
  const dailyLimit = read(VARIABLES.smsDailyLimit)
  if (provider === 'twilio' && Object.values(twilio).includes('')) {
    throw new SettingsError(
      'SMS_PROVIDER=twilio needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.',
    )
  }
  if (provider === 'http' && Object.values(gateway).includes('')) {
    throw new SettingsError('SMS_PROVIDER=http needs SMS_HTTP_URL and SMS_HTTP_SECRET.')
  }
  if (provider === '' || countries.length === 0) return undefined
  return { countries, dailyLimit, ...(provider === 'twilio' ? { twilio } : { gateway }) }
}
