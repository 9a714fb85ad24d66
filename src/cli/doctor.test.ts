import assert from 'node:assert/strict'
import { access, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { type Instance, startInstance } from '../../test/command-line.ts'
import { type GoogleStandIn, startGoogle } from '../../test/outside/google.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../../test/outside/identity-provider.ts'
import { startTwilio, type TwilioStandIn } from '../../test/outside/twilio.ts'
import { startServer } from '../../test/server-process.ts'
import { type SmtpSink, startSmtpSink } from '../../test/smtp-sink.ts'

const DAY = 86_400_000

interface Line {
  readonly state: string
  readonly what: string
  readonly says: string
  readonly advice: string
}

async function consult(instance: Instance, env: Record<string, string> = {}, ...args: string[]) {
  Object.assign(instance.env, env)
  const { code, stdout, stderr } = await instance.run('doctor', ...args)
  const lines: Line[] = []
  for (const line of stdout.trimEnd().split('\n')) {
    const advice = /^ {21}→ (.+)$/.exec(line)?.[1]
    const last = lines.at(-1)
    if (advice !== undefined && last !== undefined) {
      lines[lines.length - 1] = { ...last, advice }
      continue
    }
    const [, state = '', what = '', says = ''] = /^(ok|warning|BROKEN) +(\S+) +(.+)$/.exec(line) ?? []
    assert.notEqual(state, '', line)
    lines.push({ state, what, says, advice: '' })
  }
  const find = (what: string) => lines.find((line) => line.what === what) ?? assert.fail(`${what}: ${stdout}`)
  return { code, stdout, stderr, lines, find }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`punctual doctor on ${engine}`, () => {
    let here: Instance
    let sink: SmtpSink
    let google: GoogleStandIn
    let identities: TestIdentityProvider
    let twilio: TwilioStandIn
    before(async () => {
      google = await startGoogle()
      twilio = await startTwilio()
      identities = await startIdentityProvider({
        redirectUri: 'http://localhost/auth/oidc/callback',
        signedOutUri: 'http://localhost/app/sign-in',
      })
      sink = await startSmtpSink()
      here = await startInstance(engine)
    })
    after(async () => {
      await here?.end()
      await sink?.close()
      await google?.close()
      await twilio?.close()
      await identities?.close()
    })

    it('creates nothing on a machine where the service has never run', async () => {
      const { code, find } = await consult(here)
      assert.equal(code, 0)
      assert.equal(find('DATA_DIR').state, 'ok')
      assert.match(find('Mail').says, /written to .*mail, not sent/)
      await assert.rejects(access(here.env.DATA_DIR ?? ''), /ENOENT/)
      if (engine === 'postgres') assert.match(find('Migrations').says, /have not run yet/)
      else assert.match(find('Database').says, /made at the first start/)
    })

    it('finds no problem if everything works', async () => {
      await here.do('migrate')
      const server = await startServer({ environment: here.env })
      try {
        const { code, stderr, lines } = await consult(here, {
          PUBLIC_URL: `http://127.0.0.1:${server.port}`,
          SMTP_URL: sink.url,
          MAIL_FROM: 'Punctual <punctual@example.com>',
          GOOGLE_CLIENT_ID: google.settings.clientId,
          GOOGLE_CLIENT_SECRET: google.settings.clientSecret,
          GOOGLE_TOKEN_URL: google.settings.tokenUrl,
          OIDC_ISSUER: identities.issuer,
          OIDC_CLIENT_ID: 'punctual',
          SMS_PROVIDER: 'twilio',
          SMS_COUNTRIES: '+49',
          TWILIO_ACCOUNT_SID: twilio.settings.accountSid,
          TWILIO_AUTH_TOKEN: twilio.settings.authToken,
          TWILIO_FROM: twilio.settings.from,
          TWILIO_API_URL: twilio.url,
        })
        assert.deepEqual([code, stderr], [0, ''])
        const complaints = lines.filter(({ state }) => state !== 'ok').map(({ what }) => what)
        // The tests are no production.
        assert.deepEqual(complaints, ['Settings'])
        const expected = [
          'Settings',
          'Database',
          'Migrations',
          'Jobs',
          'DATA_DIR',
          'Mail',
          'PUBLIC_URL',
          'Google',
          'Sign-on',
          'SMS',
        ]
        const more = engine === 'postgres' ? ['Connections', 'Clock'] : []
        assert.deepEqual(lines.map(({ what }) => what).sort(), [...expected, ...more].sort())
        assert.equal(sink.received.length, 0)
        assert.equal(twilio.texts.length, 0)
        const left = await readdir(here.folder, { recursive: true })
        assert.deepEqual(
          left.filter((path) => path.includes('.doctor')),
          [],
        )
      } finally {
        server.send('SIGTERM')
        await server.exited
      }
    })

    it('warns of what works badly, and does not fail for it', async () => {
      const due = { kind: 'mail', lane: null, data: '{}', due_at: Date.now(), created_at: 0 } as const
      await here
        .db()
        .insertInto('outbox')
        .values({ ...due, failed_at: Date.now() })
        .execute()
      const { code, find } = await consult(here, {
        NODE_ENV: 'production',
        PUBLIC_URL: 'http://0.0.0.0:1',
        GOOGLE_CLIENT_ID: '',
        GOOGLE_CLIENT_SECRET: '',
      })
      assert.equal(code, 0)
      assert.equal(find('Settings').state, 'ok')
      assert.match(find('PUBLIC_URL').says, /not https/)
      assert.deepEqual([find('Jobs').state, find('Jobs').says], ['warning', '1 was given up'])
      assert.match(find('Jobs').advice, /outbox list/)
      await here
        .db()
        .insertInto('outbox')
        .values({ ...due, due_at: Date.now() - DAY })
        .execute()
      assert.match((await consult(here)).find('Jobs').says, /due for 1440 minutes/)
      await here.db().deleteFrom('outbox').execute()
    })

    it('fails if something is broken, says what to do, and repeats no password', async () => {
      const file = join(here.folder, 'a-file')
      await writeFile(file, '')
      const { code, stdout, stderr, find } = await consult(here, {
        PUBLIC_URL: 'http://localhost:1',
        SMTP_URL: 'smtp://user:hunter2@127.0.0.1:1',
        BACKUP_EVERY: '24h',
        BACKUP_DIR: join(file, 'backups'),
        GOOGLE_CLIENT_ID: google.settings.clientId,
        GOOGLE_CLIENT_SECRET: 'hunter2',
        OIDC_ISSUER: `${identities.issuer}/elsewhere`,
        REQUIRE_PASSKEY: 'on',
        TWILIO_AUTH_TOKEN: 'hunter2',
      })
      assert.equal(code, 1)
      assert.equal(stderr, '6 checks failed.\n')
      for (const what of ['PUBLIC_URL', 'Mail', 'BACKUP_DIR', 'Google', 'Sign-on', 'SMS']) {
        assert.equal(find(what).state, 'BROKEN', what)
        assert.match(find(what).advice, /\S/)
      }
      assert.deepEqual([find('Passkeys').state, find('Passkeys').says], ['ok', 'required, for localhost'])
      assert.match(find('Mail').says, /ECONNREFUSED/)
      assert.doesNotMatch(stdout, /hunter2/)
      Object.assign(here.env, {
        PUBLIC_URL: '',
        SMTP_URL: '',
        NODE_ENV: '',
        BACKUP_EVERY: '',
        BACKUP_DIR: '',
        GOOGLE_CLIENT_ID: '',
        GOOGLE_CLIENT_SECRET: '',
        OIDC_ISSUER: '',
        REQUIRE_PASSKEY: '',
        OIDC_CLIENT_ID: '',
        SMS_PROVIDER: '',
      })
    })

    it('recognises a database of a newer version', async () => {
      const newer = { name: '999-from-the-future', ran_at: 0 }
      await here.db().insertInto('migrations').values(newer).execute()
      const { code, find } = await consult(here)
      await here.db().deleteFrom('migrations').where('name', '=', newer.name).execute()
      assert.equal(code, 1)
      assert.match(find('Migrations').says, /newer version \(999-from-the-future\)/)
    })

    if (engine === 'postgres') {
      it('counts connections', async () => {
        const { rows } = await sql<{
          max: number
        }>`select current_setting('max_connections')::int as max`.execute(here.db())
        const max = rows[0]?.max ?? 0
        const { code, find } = await consult(
          here,
          { DATABASE_POOL_SIZE: '9' },
          '--instances',
          String(max / 10),
        )
        assert.equal(code, 1)
        assert.match(
          find('Connections').says,
          new RegExp(`^${max / 10} × \\(9 \\+ 1\\) = ${max} of the ${max - 3} `),
        )
        assert.match(
          find('Connections').advice,
          /^Set DATABASE_POOL_SIZE=8, or raise max_connections to \d+\.$/,
        )
        const fewer = await consult(here, {}, '--instances', String(max / 10 - 1))
        assert.deepEqual([fewer.code, fewer.find('Connections').state], [0, 'warning'])
        assert.match(fewer.find('Connections').advice, /rolling update/)
      })

      it('compares the clocks', async () => {
        // A database whose clock is ahead of ours.
        await sql`create schema wrong`.execute(here.db())
        await sql`create function wrong.clock_timestamp() returns timestamptz language sql
          as $$ select pg_catalog.clock_timestamp() + interval '50 seconds' $$`.execute(here.db())
        const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(here.db())
        const database = sql.id(rows[0]?.name ?? '')
        await sql`alter database ${database} set search_path = public, wrong, pg_catalog`.execute(here.db())
        const { code, find } = await consult(here)
        assert.deepEqual([code, find('Clock').state], [0, 'warning'])
        // Less by what the question took.
        assert.match(find('Clock').says, /^(?:4\d\.\d|50\.0) s away/)
        await sql`alter database ${database} reset search_path`.execute(here.db())
      })

      it('misses time-outs behind a pooler, and a standby that is one', async () => {
        const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(here.db())
        const database = sql.id(rows[0]?.name ?? '')
        const own = here.env.DATABASE_URL as string
        const ofRole = sql`alter role session_user in database ${database}`
        await sql`${ofRole} set jit = on`.execute(here.db())
        const wrong = await consult(here, { DATABASE_POOLER: 'transaction', DATABASE_READ_URL: own })
        assert.deepEqual([wrong.code, wrong.find('Pooler').state], [0, 'warning'])
        assert.match(wrong.find('Pooler').advice, /set statement_timeout/)
        assert.equal(wrong.find('Standby').says, 'is not a standby')
        await sql`alter database ${database} set statement_timeout = '8s'`.execute(here.db())
        await sql`alter database ${database} set lock_timeout = '3s'`.execute(here.db())
        const slow = await consult(here, { DATABASE_POOLER: 'transaction' })
        assert.match(slow.find('Pooler').advice, /set jit = off/)
        await sql`${ofRole} set jit = off`.execute(here.db())
        const away = await consult(here, { DATABASE_READ_URL: 'postgres://user:hunter2@127.0.0.1:1/none' })
        assert.deepEqual([away.code, away.find('Pooler').state], [0, 'ok'])
        assert.match(away.find('Standby').says, /can't be reached: .*ECONNREFUSED/)
        assert.doesNotMatch(away.stdout, /hunter2/)
        Object.assign(here.env, { DATABASE_POOLER: '', DATABASE_READ_URL: '' })
        for (const name of ['statement_timeout', 'lock_timeout']) {
          await sql`alter database ${database} reset ${sql.raw(name)}`.execute(here.db())
        }
      })

      it('says why a database cannot be reached', async () => {
        const { code, stdout, find } = await consult(here, {
          DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/none',
        })
        assert.equal(code, 1)
        assert.deepEqual(
          [find('Database').state, /ECONNREFUSED/.test(find('Database').says)],
          ['BROKEN', true],
        )
        assert.doesNotMatch(stdout, /hunter2/)
      })
    }
  })
}
