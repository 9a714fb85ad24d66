import assert from 'node:assert/strict'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type CalDavServer, startCalDav } from '../../../test/caldav-server.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../test/host-api.ts'
import { linesOf, plan } from '../../../test/imports/moving-in.ts'
import { SEEDED_NOW } from '../../../test/imports/seeded-source.ts'
import { runDueJobs } from '../../../test/jobs.ts'
import { appOn, stoppedClock } from '../../../test/kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../test/outside/microsoft.ts'
import { CLIENT } from '../../../test/outside/oauth.ts'
import type { Sourced } from '../../domain/imports/source.ts'
import { DAY, HOUR } from '../../domain/interval.ts'
import { googleProvider } from '../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../outside/calendars/microsoft/microsoft.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { refreshDueCalendars } from '../calendars/refresh.ts'
import type { Context } from '../context.ts'

const KEY = 'the encryption key of the service before, with more than it needs'
const SCOPES = ['calendar.readonly', 'calendar.events'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)

/** A dump without any is none of this service. */
const EVENT_TYPE: Sourced = {
  table: 'EventType',
  row: { id: 1, title: 'Call', slug: 'call', length: 30, userId: 1 },
}

onEveryDatabase('calendar connections that come along', ({ db }) => {
  const clock = stoppedClock(SEEDED_NOW)
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let caldav: CalDavServer
  let app: FastifyInstance
  let context: Context
  let mailbox: readonly Mail[]
  let ada: Host
  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    caldav = await startCalDav()
    ;({ app, context, mailbox } = await appOn(db(), {
      now: clock.now,
      calcomKey: KEY,
      providers: {
        google: googleProvider(google.settings),
        microsoft: microsoftProvider(microsoft.settings),
      },
    }))
    ada = await signInWithToken(app, mailbox, 'ada@hosts.example')
  })
  after(async () => {
    await app.close()
    await Promise.all([google.close(), microsoft.close(), caldav.stop()])
  })

  /** Gives access as a person once did to the service before, which has the same client. */
  async function refreshTokenOf(
    { oauth, settings }: GoogleStandIn | MicrosoftStandIn,
    scopes: readonly string[],
  ): Promise<string> {
    const redirectUri = 'https://cal.example.org/callback'
    oauth.redirectUris.add(redirectUri)
    const verifier = randomBytes(32).toString('base64url')
    const [authorizeUrl, tokenUrl] =
      'loginUrl' in settings
        ? [
            `${settings.loginUrl}/common/oauth2/v2.0/authorize`,
            `${settings.loginUrl}/common/oauth2/v2.0/token`,
          ]
        : [settings.authorizeUrl, settings.tokenUrl]
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state: 'any',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(!('loginUrl' in settings) && { access_type: 'offline' }),
    })
    const page = await fetch(`${authorizeUrl}?${query}`, { redirect: 'manual' })
    const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
      }),
    })
    return ((await answer.json()) as { refresh_token: string }).refresh_token
  }

  function encrypted(secret: object, key = KEY): string {
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'latin1').subarray(0, 32), iv)
    return `${iv.toString('hex')}:${cipher.update(JSON.stringify(secret), 'utf8', 'hex')}${cipher.final('hex')}`
  }

  const person = (id: number): Sourced => ({
    table: 'users',
    row: { id, username: `p${id}`, name: `P${id}`, email: `p${id}@example.org`, timeZone: 'UTC' },
  })
  const appRow = (slug: string, clientId: string): Sourced => ({
    table: 'App',
    row: { slug, keys: { client_id: clientId, client_secret: 'secret of the app' }, enabled: true },
  })
  const credential = (id: number, type: string, key: unknown): Sourced => ({
    table: 'Credential',
    row: {
      id,
      userId: id,
      type,
      appId: type.replace('_', '-'),
      key,
      invalid: false,
      encryptedKey: 'sealed there',
    },
  })
  const calendar = (
    table: 'SelectedCalendar' | 'DestinationCalendar',
    id: number,
    integration: string,
    externalId: string,
  ): Sourced => ({
    table,
    row: {
      id: table === 'SelectedCalendar' ? `s${id}` : id,
      userId: id,
      integration,
      externalId,
      credentialId: id,
    },
  })

  async function stored(): Promise<string> {
    const tables = [
      'import_rows',
      'import_lines',
      'import_secrets',
      'import_changes',
      'import_objects',
      'imports',
      'connections',
      'calendars',
      'outbox',
      'audit',
    ] as const
    const all = await Promise.all(tables.map((table) => db().selectFrom(table).selectAll().execute()))
    return JSON.stringify(all)
  }

  it('are tried, read for conflicts and written to; others are left out; undoing removes them', async () => {
    const tokens = {
      google: await refreshTokenOf(google, SCOPES),
      microsoft: await refreshTokenOf(microsoft, ['User.Read', 'Calendars.ReadWrite', 'offline_access']),
    }
    const login = { username: caldav.username, password: caldav.password, url: caldav.url }
    const rows = (): Sourced[] => [
      ...[1, 2, 3, 4, 5].map(person),
      EVENT_TYPE,
      appRow('google-calendar', CLIENT.clientId),
      appRow('office365-calendar', CLIENT.clientId),
      credential(1, 'google_calendar', { refresh_token: tokens.google, access_token: 'old access' }),
      credential(2, 'office365_calendar', { refresh_token: tokens.microsoft }),
      credential(3, 'caldav_calendar', encrypted(login)),
      credential(4, 'google_calendar', { refresh_token: 'a token that was revoked' }),
      credential(5, 'caldav_calendar', encrypted(login, 'quite another key, just as long as it has to be')),
      calendar('SelectedCalendar', 1, 'google_calendar', ADA.address),
      calendar('DestinationCalendar', 1, 'google_calendar', 'team@group.example'),
      calendar('SelectedCalendar', 2, 'office365_calendar', 'AAMkAGI2-calendar='),
      calendar('SelectedCalendar', 3, 'caldav_calendar', caldav.work),
      calendar('DestinationCalendar', 3, 'caldav_calendar', caldav.work),
    ]
    google.eventsOf(ADA.address).put({
      id: 'lunch',
      status: 'confirmed',
      start: { dateTime: new Date(SEEDED_NOW + DAY).toISOString() },
      end: { dateTime: new Date(SEEDED_NOW + DAY + HOUR).toISOString() },
    })
    const planned = await plan(app, ada, rows())
    const secrets = [
      tokens.google,
      tokens.microsoft,
      caldav.password,
      'a token that was',
      'old access',
      'secret of the app',
      'sealed there',
    ]
    const kept = await stored()
    for (const secret of secrets) assert.ok(!kept.includes(secret), secret)
    assert.equal((await db().selectFrom('import_secrets').selectAll().execute()).length, 5)

    assert.equal((await ada.post(`/imports/${planned.id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    const lines = await linesOf(ada, planned.id, '&table=Credential')
    const states = Object.fromEntries(lines.map(({ id, state, sentence }) => [id, `${state} ${sentence}`]))
    assert.deepEqual([states[1], states[2], states[3]], ['new ', 'new ', 'new '])
    assert.match(states[4] ?? '', /^left-out Google has ended our access.* Please connect it again/)
    assert.match(states[5] ?? '', /^left-out What the connection signs in with can’t be read/)
    assert.deepEqual(await db().selectFrom('import_secrets').selectAll().execute(), [])
    const after = await stored()
    for (const secret of secrets) assert.ok(!after.includes(secret), secret)
    const made = await db()
      .selectFrom('calendars')
      .select(['external_id', 'url', 'busy', 'write_to'])
      .orderBy('kind')
      .orderBy('external_id')
      .execute()
    assert.deepEqual(made, [
      { external_id: '', url: caldav.work, busy: 1, write_to: 1 },
      { external_id: ADA.address, url: '', busy: 1, write_to: 0 },
      { external_id: 'team@group.example', url: '', busy: 0, write_to: 1 },
      { external_id: 'AAMkAGI2-calendar=', url: '', busy: 1, write_to: 0 },
    ])
    await refreshDueCalendars(context)
    const failed = await db()
      .selectFrom('calendars')
      .select('last_error')
      .where('last_error', '<>', '')
      .execute()
    assert.deepEqual(failed, [])
    const lunch = db()
      .selectFrom('busy_times')
      .select('ends_at')
      .where('starts_at', '=', SEEDED_NOW + DAY)
    assert.deepEqual(await lunch.execute(), [{ ends_at: SEEDED_NOW + DAY + HOUR }])

    const again = await plan(app, ada, rows())
    assert.equal((await ada.post(`/imports/${again.id}/apply`, {})).statusCode, 202)
    await runDueJobs(context)
    assert.equal((await db().selectFrom('calendars').select('id').execute()).length, 4)
    assert.equal((await ada.post(`/imports/${again.id}/undo`, {})).statusCode, 204)
    assert.equal((await ada.post(`/imports/${planned.id}/undo`, {})).statusCode, 204)
    assert.deepEqual(await db().selectFrom('calendars').select('id').execute(), [])
    assert.deepEqual(await db().selectFrom('connections').select('id').execute(), [])
  })

  it('are left out, and their secrets forgotten, if the OAuth client is another one', async () => {
    const planned = await plan(app, ada, [
      person(1),
      EVENT_TYPE,
      appRow('google-calendar', 'another client'),
      credential(1, 'google_calendar', { refresh_token: 'theirs' }),
    ])
    const [line] = await linesOf(ada, planned.id, '&table=Credential')
    assert.match(`${line?.state} ${line?.sentence}`, /^left-out This service can’t use the connection/)
    assert.deepEqual(await db().selectFrom('import_secrets').selectAll().execute(), [])
  })
})
