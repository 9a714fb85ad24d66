import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BARE_ENVIRONMENT } from '../test/bare-environment.ts'
import { readSettings, SettingsError, VARIABLES } from './settings.ts'

const RANDOM_SECRET = 'qL3v9-xT2mB7_wK5rZ8nD1cF6hJ4sP0y'

/** For each variable: texts that are taken, with what they are read as, and texts that are not. */
const VALUES: Record<
  string,
  { reads: keyof ReturnType<typeof readSettings>; good: Record<string, unknown>; bad: string[] }
> = {
  REQUIRE_PASSKEY: { reads: 'requirePasskey', good: { on: true, off: false }, bad: ['yes', 'true'] },
  PORT: {
    reads: 'port',
    good: { 1: 1, 8080: 8080, 65535: 65_535, ' 80 ': 80 },
    bad: ['65536', '-1', '80.5', '8o', '0x50', '1e3', '99999999999999999999', 'http'],
  },
  HOST: { reads: 'host', good: { '127.0.0.1': '127.0.0.1', '::1': '::1' }, bad: [] },
  PUBLIC_URL: {
    reads: 'publicUrl',
    good: {
      'https://book.example.com': 'https://book.example.com',
      'https://book.example.com/': 'https://book.example.com',
      'http://localhost:8080/punctual//': 'http://localhost:8080/punctual',
    },
    bad: [
      'book.example.com',
      '//book.example.com',
      'ftp://book.example.com',
      'https://',
      'javascript:alert(1)',
    ],
  },
  HOME_URL: {
    reads: 'homeUrl',
    good: { 'https://www.example.com/meet/': 'https://www.example.com/meet' },
    // The last one is this service itself: it would redirect for ever.
    bad: ['www.example.com', '/demo', 'javascript:alert(1)', 'http://localhost:3000/'],
  },
  JITSI_URL: {
    reads: 'jitsiUrl',
    good: { 'https://meet.jit.si/': 'https://meet.jit.si' },
    bad: ['meet.jit.si', 'javascript:alert(1)'],
  },
  DATA_DIR: { reads: 'dataDir', good: { '/var/lib/punctual': '/var/lib/punctual' }, bad: [] },
  DATABASE_URL: {
    reads: 'databaseUrl',
    good: {
      'postgres://user:pass@db.example/punctual': 'postgres://user:pass@db.example/punctual',
      'postgresql://db.example/punctual': 'postgresql://db.example/punctual',
      'postgres://user@one:5432,two:5433/punctual?target_session_attrs=read-write':
        'postgres://user@one:5432,two:5433/punctual?target_session_attrs=read-write',
    },
    bad: ['mysql://db.example/punctual', 'db.example', 'postgres:', 'postgres://', '/var/lib/punctual.db'],
  },
  SIGNUP: {
    reads: 'signup',
    good: { first: 'first', open: 'open', closed: 'closed' },
    bad: ['yes', 'First'],
  },
  SMTP_URL: {
    reads: 'smtpUrl',
    good: {
      'smtps://user:word@mail.example.com': 'smtps://user:word@mail.example.com',
      'smtp://localhost:25': 'smtp://localhost:25',
    },
    bad: ['mail.example.com', 'https://mail.example.com'],
  },
  MAIL_FROM: {
    reads: 'mailFrom',
    good: { 'Desk <desk@example.com>': 'Desk <desk@example.com>', 'desk@localhost': 'desk@localhost' },
    bad: ['Desk', 'desk@', 'Desk <@example.com>'],
  },
  DATABASE_POOL_SIZE: {
    reads: 'databasePoolSize',
    good: { 1: 1, 500: 500 },
    bad: ['0', '501', '-1', 'many'],
  },
  DATABASE_TIMEOUT_SECONDS: {
    reads: 'databaseTimeoutSeconds',
    good: { 1: 1, 3600: 3600 },
    bad: ['0', '3601', '10s'],
  },
  DATABASE_POOLER: {
    reads: 'databasePooler',
    good: { off: 'off', transaction: 'transaction' },
    bad: ['on', 'session', 'pgbouncer'],
  },
  DATABASE_LISTEN_URL: {
    reads: 'databaseListenUrl',
    good: { 'postgres://db.example/punctual': 'postgres://db.example/punctual' },
    bad: ['db.example', 'postgres://', '/var/lib/punctual.db'],
  },
  DATABASE_READ_URL: {
    reads: 'databaseReadUrl',
    good: { 'postgres://standby.example/punctual': 'postgres://standby.example/punctual' },
    bad: ['standby.example', 'postgres://one,two/punctual'],
  },
  JWT_SECRET: {
    reads: 'jwtSecret',
    good: { [RANDOM_SECRET]: RANDOM_SECRET },
    bad: ['secret', RANDOM_SECRET.slice(1), 'a'.repeat(64), 'abcabcabcabcabcabcabcabcabcabcabcabc'],
  },
  CALENDSO_ENCRYPTION_KEY: {
    reads: 'calendsoEncryptionKey',
    good: { [RANDOM_SECRET]: RANDOM_SECRET },
    bad: ['too short'],
  },
  STRIPE_API_URL: {
    reads: 'stripeApiUrl',
    good: {
      'http://127.0.0.1:1/': 'http://127.0.0.1:1',
      'https://proxy.example/stripe': 'https://proxy.example/stripe',
    },
    bad: ['api.stripe.com', 'ftp://api.stripe.com'],
  },
  JWT_SECRET_PREVIOUS: {
    reads: 'jwtSecretPrevious',
    good: { [RANDOM_SECRET]: RANDOM_SECRET },
    bad: ['secret', 'a'.repeat(64)],
  },
  WEBHOOK_ALLOW_PRIVATE: {
    reads: 'webhookAllowPrivate',
    good: { on: true, off: false },
    bad: ['yes', 'true', '1', 'OFF'],
  },
  WEB_PUSH: {
    reads: 'webPush',
    good: { on: true, off: false },
    bad: ['yes', 'true', '0', 'OFF'],
  },
  TRUST_PROXY: {
    reads: 'trustProxy',
    good: {
      off: false,
      0: false,
      1: 1,
      32: 32,
      '10.0.0.1': ['10.0.0.1'],
      '10.0.0.0/8, 192.168.0.1,fd00::/8': ['10.0.0.0/8', '192.168.0.1', 'fd00::/8'],
      'loopback,uniquelocal': ['loopback', 'uniquelocal'],
    },
    bad: [
      'on',
      'true',
      '33',
      '-1',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/',
      '::/129',
      '10.0.0.1/8/8',
      'proxy.example',
      '10.0.0.1,',
      ',',
    ],
  },
  LOG_LEVEL: { reads: 'logLevel', good: { trace: 'trace', silent: 'silent' }, bad: ['loud', 'INFO', '30'] },
  DRAIN_SECONDS: { reads: 'drainSeconds', good: { 0: 0, 30: 30 }, bad: ['-1', '5s', '3601'] },
  METRICS_PORT: { reads: 'metricsPort', good: { 9464: 9464 }, bad: ['0', '65536', 'on'] },
  METRICS_TOKEN: {
    reads: 'metricsToken',
    good: { 's3cret~': 's3cret~' },
    bad: ['two words', 'geheimnisträger'],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    reads: 'otlpEndpoint',
    good: { 'http://localhost:4318/': 'http://localhost:4318' },
    bad: ['localhost:4318', 'grpc://localhost:4317'],
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    reads: 'otlpHeaders',
    good: { 'authorization=Bearer%20x,tenant=1': { authorization: 'Bearer x', tenant: '1' } },
    bad: ['authorization', '=1', 'a b=1', 'a=%zz', 'a=1,'],
  },
  OTEL_SERVICE_NAME: { reads: 'otelServiceName', good: { desk: 'desk' }, bad: [] },
  BACKUP_EVERY: {
    reads: 'backupEvery',
    good: { '45s': 45_000, '30m': 1_800_000, '24h': 86_400_000, '7d': 604_800_000 },
    bad: ['24', 'daily', '0h', '1.5h', '-1h', '1h30m', '24 h'],
  },
  BACKUP_KEEP: { reads: 'backupKeep', good: { 1: 1, 365: 365 }, bad: ['0', '-1', 'all'] },
  BACKUP_DIR: { reads: 'backupDir', good: { '/mnt/backups': '/mnt/backups' }, bad: [] },
  KEEP_AUDIT_DAYS: { reads: 'keepAuditDays', good: { 0: 0, 365: 365 }, bad: ['-1', '1y', '36501'] },
  KEEP_DEAD_JOBS_DAYS: { reads: 'keepDeadJobsDays', good: { 0: 0, 30: 30 }, bad: ['-1', 'never'] },
  KEEP_MAIL_FILES_DAYS: { reads: 'keepMailFilesDays', good: { 0: 0, 1: 1 }, bad: ['-1', 'never'] },
  KEEP_RESPONSES_DAYS: { reads: 'keepResponsesDays', good: { 0: 0, 180: 180 }, bad: ['-1', 'never'] },
  DEMO: { reads: 'demo', good: { on: true, off: false }, bad: ['yes', 'true', '1', 'OFF'] },
  NODE_ENV: { reads: 'production', good: { production: true, development: false, test: false }, bad: [] },
}

const CAPTCHAS = [
  ['TURNSTILE', 'turnstile'],
  ['HCAPTCHA', 'hcaptcha'],
  ['RECAPTCHA', 'recaptcha'],
] as const

/** For each provider's client: what its variables are read as. */
const CLIENTS = {
  google: {
    GOOGLE_CLIENT_ID: 'clientId',
    GOOGLE_CLIENT_SECRET: 'clientSecret',
    GOOGLE_AUTHORIZE_URL: 'authorizeUrl',
    GOOGLE_TOKEN_URL: 'tokenUrl',
    GOOGLE_REVOKE_URL: 'revokeUrl',
    GOOGLE_API_URL: 'apiUrl',
  },
  microsoft: {
    MICROSOFT_CLIENT_ID: 'clientId',
    MICROSOFT_CLIENT_SECRET: 'clientSecret',
    MICROSOFT_TENANT: 'tenant',
    MICROSOFT_LOGIN_URL: 'loginUrl',
    MICROSOFT_GRAPH_URL: 'graphUrl',
  },
  zoom: {
    ZOOM_CLIENT_ID: 'clientId',
    ZOOM_CLIENT_SECRET: 'clientSecret',
    ZOOM_OAUTH_URL: 'oauthUrl',
    ZOOM_API_URL: 'apiUrl',
  },
} as const

const OIDC = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'SCOPES', 'ONLY', 'ADMIN_GROUP'].map(
  (end) => `OIDC_${end}`,
)

const SMS = { SMS_PROVIDER: 'twilio', SMS_COUNTRIES: '+49, +43', SMS_DAILY_LIMIT: '20' }
const TWILIO = {
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: 'hunter2',
  TWILIO_FROM: '+15005550006',
  TWILIO_API_URL: 'http://127.0.0.1:1/',
}
const GATEWAY = { SMS_HTTP_URL: 'http://gateway.internal/sms', SMS_HTTP_SECRET: 'MTIzNDU2Nzg5MDEyMzQ1Ng==' }

describe('readSettings', () => {
  it('needs no variable at all', () => {
    const { turnstile, hcaptcha, recaptcha, google, microsoft, zoom, oidc, ...rest } = readSettings({})
    assert.deepEqual(rest, {
      port: 3000,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:3000',
      homeUrl: '',
      jitsiUrl: '',
      dataDir: './data',
      databaseUrl: '',
      databasePoolSize: 10,
      databaseTimeoutSeconds: 10,
      databasePooler: 'off',
      databaseListenUrl: '',
      databaseReadUrl: '',
      jwtSecret: '',
      jwtSecretPrevious: '',
      signup: 'first',
      smtpUrl: '',
      mailFrom: 'Punctual <punctual@localhost>',
      webhookAllowPrivate: false,
      webPush: true,
      trustProxy: false,
      logLevel: 'info',
      drainSeconds: 0,
      metricsPort: 0,
      metricsToken: '',
      otlpEndpoint: '',
      otlpHeaders: {},
      otelServiceName: 'punctual',
      backupEvery: 0,
      backupKeep: 7,
      backupDir: 'data/backups',
      keepAuditDays: 0,
      keepDeadJobsDays: 90,
      keepMailFilesDays: 30,
      keepResponsesDays: 0,
      requirePasskey: false,
      calendsoEncryptionKey: '',
      stripeApiUrl: 'https://api.stripe.com',
      sms: undefined,
      demo: true,
      production: false,
    })
    assert.deepEqual(oidc, {
      issuer: '',
      clientId: '',
      clientSecret: '',
      name: 'single sign-on',
      scopes: 'openid email profile',
      only: false,
      adminGroup: '',
    })
    for (const { siteKey, secret, verifyUrl } of [turnstile, hcaptcha, recaptcha]) {
      assert.deepEqual([siteKey, secret], ['', ''])
      assert.equal(new URL(verifyUrl).protocol, 'https:')
    }
    for (const { clientId, clientSecret, ...where } of [google, microsoft, zoom]) {
      assert.deepEqual([clientId, clientSecret], ['', ''])
      for (const [name, value] of Object.entries(where)) {
        if (name !== 'tenant') assert.equal(new URL(value).protocol, 'https:')
      }
    }
  })

  it('takes an empty or blank variable for one that is not set', () => {
    const names = Object.values(VARIABLES).map(({ name }) => name)
    for (const blank of ['', '  ']) {
      assert.deepEqual(readSettings(Object.fromEntries(names.map((name) => [name, blank]))), readSettings({}))
    }
  })

  for (const [name, { reads, good, bad }] of Object.entries(VALUES)) {
    it(`reads ${name}, and refuses a wrong value with one line that names it`, () => {
      for (const [value, expected] of Object.entries(good)) {
        assert.deepEqual(readSettings({ [name]: value })[reads], expected, value)
      }
      for (const value of bad) {
        assert.throws(
          () => readSettings({ [name]: value }),
          (error) => error instanceof SettingsError && new RegExp(`^${name} [^\n]+\\.$`).test(error.message),
          value,
        )
      }
    })
  }

  for (const [prefix, service] of CAPTCHAS) {
    it(`reads the keys and the address of ${service}`, () => {
      const settings = readSettings({
        [`${prefix}_SITE_KEY`]: 'site',
        [`${prefix}_SECRET`]: 'secret',
        [`${prefix}_VERIFY_URL`]: 'http://127.0.0.1:9/verify',
      })
      assert.deepEqual(settings[service], {
        siteKey: 'site',
        secret: 'secret',
        verifyUrl: 'http://127.0.0.1:9/verify',
      })
      for (const [, other] of CAPTCHAS) if (other !== service) assert.equal(settings[other].siteKey, '')
      assert.throws(
        () => readSettings({ [`${prefix}_VERIFY_URL`]: 'nowhere' }),
        new RegExp(`${prefix}_VERIFY_URL`),
      )
    })
  }

  for (const [provider, variables] of Object.entries(CLIENTS)) {
    it(`reads the client and the addresses of ${provider}`, () => {
      const given = Object.fromEntries(
        Object.keys(variables).map(
          (name) => [name, name.endsWith('_URL') ? `http://127.0.0.1:9/${name}` : 'x'] as const,
        ),
      )
      assert.deepEqual(
        readSettings(given)[provider as keyof typeof CLIENTS],
        Object.fromEntries(Object.entries(variables).map(([name, reads]) => [reads, given[name]])),
      )
      for (const name of Object.keys(variables).filter((one) => one.endsWith('_URL'))) {
        assert.throws(() => readSettings({ [name]: 'nowhere' }), new RegExp(`${name} `))
      }
      const prefix = provider.toUpperCase()
      for (const half of ['CLIENT_ID', 'CLIENT_SECRET']) {
        assert.throws(() => readSettings({ [`${prefix}_${half}`]: 'x' }), /must be set together\.$/)
      }
    })
  }

  it('refuses a tenant that would change the address it is part of', () => {
    for (const tenant of ['a/b', '..', 'a b', 'https://login.example']) {
      assert.throws(() => readSettings({ MICROSOFT_TENANT: tenant }), /MICROSOFT_TENANT/)
    }
    assert.equal(
      readSettings({ MICROSOFT_TENANT: 'contoso.onmicrosoft.com' }).microsoft.tenant,
      'contoso.onmicrosoft.com',
    )
  })

  it('reads single sign-on', () => {
    const given = {
      OIDC_ISSUER: 'https://id.example.com/realms/company/',
      OIDC_CLIENT_ID: 'punctual',
      OIDC_CLIENT_SECRET: 'secret',
      OIDC_NAME: 'Company ID',
      OIDC_SCOPES: 'email, groups',
      OIDC_ONLY: 'on',
      OIDC_ADMIN_GROUP: 'ops',
    }
    assert.deepEqual(Object.keys(given).sort(), OIDC.toSorted())
    assert.deepEqual(readSettings(given).oidc, {
      issuer: 'https://id.example.com/realms/company/',
      clientId: 'punctual',
      clientSecret: 'secret',
      name: 'Company ID',
      scopes: 'openid email groups',
      only: true,
      adminGroup: 'ops',
    })
    for (const issuer of ['http://localhost:8080', 'http://127.0.0.1:9/realms/x', 'http://[::1]:9']) {
      assert.equal(readSettings({ ...given, OIDC_ISSUER: issuer }).oidc.issuer, issuer)
    }
    for (const issuer of [
      'id.example.com',
      'http://id.example.com',
      'https://id.example.com?x',
      'http://127.0.0.1.example',
    ]) {
      assert.throws(() => readSettings({ ...given, OIDC_ISSUER: issuer }), /OIDC_ISSUER /)
    }
    assert.throws(() => readSettings({ OIDC_ISSUER: given.OIDC_ISSUER }), /must be set together\.$/)
    assert.throws(() => readSettings({ OIDC_CLIENT_ID: 'punctual' }), /must be set together\.$/)
    assert.throws(() => readSettings({ OIDC_ONLY: 'on' }), /OIDC_ONLY needs OIDC_ISSUER\.$/)
    assert.throws(() => readSettings({ OIDC_ONLY: 'yes' }), /OIDC_ONLY must be one of/)
  })

  it('requires passkeys where browsers can make them, of those who sign in by link', () => {
    const on = { REQUIRE_PASSKEY: 'on' }
    assert.equal(readSettings(on).requirePasskey, true)
    assert.equal(readSettings({ ...on, PUBLIC_URL: 'https://book.example.com' }).requirePasskey, true)
    const elsewhere = { ...on, PUBLIC_URL: 'http://192.0.2.1' }
    assert.throws(
      () => readSettings(elsewhere),
      /^Error: REQUIRE_PASSKEY needs a PUBLIC_URL with https and a domain .* http:\/\/192\.0\.2\.1\.$/,
    )
    const only = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'punctual', OIDC_ONLY: 'on' }
    assert.equal(readSettings({ ...elsewhere, ...only }).requirePasskey, false)
  })

  it('reads who sends text messages, which are off without a provider and countries', () => {
    const given = { ...SMS, ...TWILIO }
    assert.deepEqual(readSettings(given).sms, {
      countries: ['+49', '+43'],
      dailyLimit: 20,
      twilio: {
        accountSid: 'AC1',
        authToken: 'hunter2',
        from: '+15005550006',
        apiUrl: 'http://127.0.0.1:1',
      },
    })
    assert.equal(readSettings({ ...given, SMS_COUNTRIES: '' }).sms, undefined)
    assert.equal(readSettings({ ...given, SMS_PROVIDER: '' }).sms, undefined)
    const gateway = readSettings({ ...SMS, ...GATEWAY, SMS_PROVIDER: 'http' }).sms?.gateway
    assert.deepEqual(gateway, { url: GATEWAY.SMS_HTTP_URL, secret: `whsec_${GATEWAY.SMS_HTTP_SECRET}` })
    const refused: [object, RegExp][] = [
      [{ SMS_PROVIDER: 'pigeon' }, /^SMS_PROVIDER must be one of/],
      [{ SMS_COUNTRIES: '49' }, /^SMS_COUNTRIES must be a list of calling codes/],
      [{ SMS_DAILY_LIMIT: '-1' }, /^SMS_DAILY_LIMIT must be a whole number/],
      [{ TWILIO_FROM: 'Punctual' }, /^TWILIO_FROM must be a number/],
      [{ SMS_HTTP_SECRET: 'hunter2' }, /^SMS_HTTP_SECRET must be at least 16 bytes/],
      [{ SMS_PROVIDER: 'twilio' }, /needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM\.$/],
      [{ SMS_PROVIDER: 'http' }, /needs SMS_HTTP_URL and SMS_HTTP_SECRET\.$/],
    ]
    for (const [values, says] of refused) assert.throws(() => readSettings({ ...values }), { message: says })
  })

  it('puts the port into the default public address', () => {
    assert.equal(readSettings({ PORT: '8080' }).publicUrl, 'http://localhost:8080')
  })

  it('has tests for every variable there is', () => {
    const tested = [
      ...Object.keys(VALUES),
      ...CAPTCHAS.flatMap(([prefix]) =>
        ['SITE_KEY', 'SECRET', 'VERIFY_URL'].map((end) => `${prefix}_${end}`),
      ),
      ...Object.values(CLIENTS).flatMap((variables) => Object.keys(variables)),
      ...OIDC,
      ...Object.keys({ ...SMS, ...TWILIO, ...GATEWAY }),
    ]
    assert.deepEqual(
      Object.values(VARIABLES)
        .map(({ name }) => name)
        .sort(),
      tested.sort(),
    )
  })

  it('says of every variable what it is for', () => {
    for (const { name, doc } of Object.values(VARIABLES)) assert.match(doc, /\S/, name)
  })

  it('never repeats a secret in what it says', () => {
    const given = { JWT_SECRET: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@db.example' }
    for (const [name, value] of Object.entries(given)) {
      assert.throws(
        () => readSettings({ [name]: value }),
        (error) => error instanceof SettingsError && !error.message.includes('hunter2'),
      )
    }
  })
})

describe('starting with settings that cannot work', () => {
  let folder: string
  const main = fileURLToPath(new URL('main.ts', import.meta.url))

  const start = async (environment: Record<string, string>) => {
    const child = spawn(process.execPath, [main], {
      env: { ...BARE_ENVIRONMENT, DATA_DIR: join(folder, 'data'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, complaint, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { output, complaint, code }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-settings-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('says why in one line, exits with 1, and leaves nothing behind', async () => {
    for (const [name, value] of [
      ['PORT', 'eighty'],
      ['DATABASE_URL', 'mysql://db.example'],
    ] as const) {
      const { output, complaint, code } = await start({ [name]: value })
      assert.match(complaint, new RegExp(`^${name} [^\n]+\n$`))
      assert.deepEqual([output, code], ['', 1])
    }
    assert.deepEqual(await readdir(folder), [])
  })

  it('fails with one line if the port is taken or the database is unreachable', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const { port } = squatter.address() as AddressInfo
    const taken = { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'silent' }
    assert.deepEqual(await start(taken).then(inOneLine), { lines: 1, naming: true, code: 1 })
    squatter.close()
    await once(squatter, 'close')
    const away = { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`, LOG_LEVEL: 'silent' }
    assert.deepEqual(await start(away).then(inOneLine), { lines: 1, naming: true, code: 1 })

    function inOneLine({ complaint, code }: { complaint: string; code: number }) {
      return { lines: complaint.split('\n').length - 1, naming: complaint.includes(String(port)), code }
    }
  })
})
