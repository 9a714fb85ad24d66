import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { beginConnecting, comeBack, connect, outcomeOf, passProvider } from '../../../../test/connections.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { bearer, type Host, signIn } from '../../../../test/host-api.ts'
import { jobsOf } from '../../../../test/jobs.ts'
import { type AppUnderTest, appOn, stoppedClock } from '../../../../test/kit.ts'
import { type GoogleStandIn, startGoogle } from '../../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../../test/outside/microsoft.ts'
import { startZoom, type ZoomStandIn } from '../../../../test/outside/zoom.ts'
import { googleProvider } from '../../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../../outside/calendars/microsoft/microsoft.ts'
import { zoomProvider } from '../../../outside/links/zoom/zoom.ts'
import { revokeConnection } from '../../../worker/handlers/revoke-connection.ts'
import { buildApp } from '../../app.ts'

const CALLBACK = 'https://book.example.com/connections/google/callback'

onEveryDatabase('connections', ({ db }) => {
  const clock = stoppedClock()
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let zoom: ZoomStandIn
  let under: AppUnderTest
  let app: FastifyInstance
  let host: Host
  let other: Host

  before(async () => {
    ;[google, microsoft, zoom] = await Promise.all([
      startGoogle({ now: clock.now }),
      startMicrosoft({ now: clock.now }),
      startZoom({ now: clock.now }),
    ])
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
      zoom: zoomProvider(zoom.settings),
    }
    under = await appOn(db(), { now: clock.now, signup: 'open', providers })
    app = under.app
    host = await signIn(app, under.mailbox, 'host@hosts.example')
    other = await signIn(app, under.mailbox, 'other@hosts.example')
    google.oauth.redirectUris.add(CALLBACK)
  })
  after(async () => {
    await app.close()
    await Promise.all([google, microsoft, zoom].map((one) => one.close()))
  })

  const listOf = async (whose: Host) => (await whose.get('/connections')).json().items
  const rows = () => db().selectFrom('connections').selectAll().execute()

  it('ask the provider for no more than is needed, with a state and PKCE', async () => {
    const { authorizationUrl, cookie } = await beginConnecting(host, 'google')
    const { origin, searchParams } = new URL(authorizationUrl)
    assert.equal(origin, google.url)
    const { state, code_challenge, ...rest } = Object.fromEntries(searchParams)
    const scope = 'https://www.googleapis.com/auth/calendar'
    assert.deepEqual(rest, {
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: CALLBACK,
      scope: `openid email ${scope}.events ${scope}.calendarlist.readonly ${scope}.freebusy`,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent select_account',
    })
    assert.match(state ?? '', /^[\w-]{43}$/)
    assert.match(code_challenge ?? '', /^[\w-]{43}$/)
    assert.ok(!cookie.includes(state ?? '') && !authorizationUrl.includes(cookie.split('=')[1] ?? '?'))
    const answer = await host.post('/connections', { provider: 'google' })
    assert.match(
      String(answer.headers['set-cookie']),
      /^punctual_connection=[\w-]{43}; Path=\/connections; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
  })

  it('connect each provider, and list what an account has', async () => {
    const ids = {
      google: await connect(app, host, 'google', google),
      microsoft: await connect(app, host, 'microsoft', microsoft),
      zoom: await connect(app, host, 'zoom', zoom),
    }
    const well = { status: 'ok', lastError: '' }
    assert.deepEqual(await listOf(host), [
      { id: ids.google, provider: 'google', account: 'ada@gmail.example', ...well },
      { id: ids.microsoft, provider: 'microsoft', account: 'grace@outlook.example', ...well },
      { id: ids.zoom, provider: 'zoom', account: 'alan@zoom.example', ...well },
    ])
    const calendarsOf = async (id: string) =>
      (await host.get(`/connections/${id}/calendars`)).json().calendars
    assert.deepEqual(await calendarsOf(ids.google), [
      { externalId: 'ada@gmail.example', name: 'ada@gmail.example', primary: true, writable: true },
      { externalId: 'team@group.example', name: 'Team', primary: false, writable: true },
      { externalId: 'holidays@group.example', name: 'Holidays', primary: false, writable: false },
    ])
    assert.deepEqual(await calendarsOf(ids.microsoft), [
      { externalId: 'AAMkAGI2-calendar=', name: 'Calendar', primary: true, writable: true },
      { externalId: 'AAMkAGI2-birthdays=', name: 'Birthdays', primary: false, writable: false },
    ])
    assert.deepEqual(await calendarsOf(ids.zoom), [])
  })

  it('are renewed, not doubled, when the same account is connected again', async () => {
    const before = await listOf(host)
    await db().updateTable('connections').set({ status: 'reconnect', last_error: 'Ended.' }).execute()
    await connect(app, host, 'google', google)
    const [renewed, ...rest] = await listOf(host)
    assert.deepEqual(renewed, before[0])
    assert.ok(rest.every(({ status }: { status: string }) => status === 'reconnect'))
    await db().updateTable('connections').set({ status: 'ok', last_error: '' }).execute()
  })

  it('are the user’s alone, and the same account may be another’s, too', async () => {
    assert.deepEqual(await listOf(other), [])
    await connect(app, other, 'google', google)
    assert.equal((await listOf(other)).length, 1)
    assert.equal((await listOf(host)).length, 3)
  })

  it('refuse whatever does not belong together, and change nothing', async () => {
    const stored = await rows()
    const mine = await beginConnecting(host, 'google')
    const theirs = await beginConnecting(other, 'google')
    const path = await passProvider(mine)
    const theirPath = await passProvider(theirs)
    const tokensAsked = google.asked.filter((one) => one === 'POST /token').length
    const refused: [string, string][] = [
      // A stranger's link, opened in this browser, and opened where nobody began anything.
      [theirPath, mine.cookie],
      [theirPath, ''],
      [path, theirs.cookie],
      [path.replace(/state=[\w-]+/, `state=${'a'.repeat(43)}`), mine.cookie],
      [path.replace(/state=[\w-]+&?/, ''), mine.cookie],
      // Begun at Google, come back as if from another provider.
      [path.replace('/google/', '/microsoft/'), mine.cookie],
    ]
    for (const [address, cookie] of refused) {
      const answer = await comeBack(app, address, cookie)
      assert.equal(answer.statusCode, 303)
      assert.equal(outcomeOf(answer), 'expired', address)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal(google.asked.filter((one) => one === 'POST /token').length, tokensAsked)
    assert.deepEqual(await rows(), stored)
    // None of it has used the attempt up.
    assert.equal(outcomeOf(await comeBack(app, path, mine.cookie)), 'connected')
  })

  it('can be finished once, and within ten minutes', async () => {
    const once = await beginConnecting(host, 'google')
    const path = await passProvider(once)
    assert.equal(outcomeOf(await comeBack(app, path, once.cookie)), 'connected')
    const stored = await rows()
    assert.equal(outcomeOf(await comeBack(app, path, once.cookie)), 'expired')

    const late = await beginConnecting(host, 'google')
    const latePath = await passProvider(late)
    const now = clock.now()
    clock.moveTo(now + 600_000)
    assert.equal(outcomeOf(await comeBack(app, latePath, late.cookie)), 'expired')
    clock.moveTo(now)
    assert.deepEqual(await rows(), stored)
  })

  it('say why it did not work, and leave everything as it was', async () => {
    const stored = await rows()
    const attempt = async (change: (path: string) => string = (path) => path) => {
      const underway = await beginConnecting(host, 'google')
      const answer = await comeBack(app, change(await passProvider(underway)), underway.cookie)
      assert.match(String(answer.headers.location), /^\/app\/calendars\?/)
      return outcomeOf(answer)
    }
    const { visitor } = google.oauth
    google.oauth.visitor = { ...visitor, answer: 'deny' }
    assert.equal(await attempt(), 'denied')
    google.oauth.visitor = { ...visitor, without: ['https://www.googleapis.com/auth/calendar.events'] }
    assert.equal(await attempt(), 'missing-scope')
    google.oauth.visitor = visitor
    // A code that was used before, or never given out.
    const replayed = await beginConnecting(host, 'google')
    const first = await passProvider(replayed)
    await comeBack(app, first, replayed.cookie)
    const code = new URLSearchParams(first.split('?')[1]).get('code') ?? ''
    assert.equal(await attempt((path) => path.replace(/code=[\w-]+/, `code=${code}`)), 'refused')
    google.misbehave(/^\/token$/, { status: 503 }, 'truncated', 'reset')
    for (let n = 0; n < 3; n++) assert.equal(await attempt(), 'unavailable')
    google.oauth.idTokens = false
    google.misbehave(/userinfo/, { status: 500 })
    assert.equal(await attempt(), 'unavailable')
    assert.equal(await attempt(), 'connected', 'the account is asked for where no ID token names it')
    google.oauth.idTokens = true
    const unsealed = ({ sealed_tokens, token_revision, ...rest }: (typeof stored)[number]) => rest
    assert.deepEqual((await rows()).map(unsealed), stored.map(unsealed))
  })

  it('are refused in a sentence where the operator has no client', async () => {
    const without = await appOn(db(), { now: clock.now, signup: 'open' })
    const bare = await signIn(without.app, without.mailbox, 'host@hosts.example')
    const answer = await bare.post('/connections', { provider: 'zoom' })
    assert.equal(answer.statusCode, 400)
    assert.match(answer.json().error, /^Zoom is not set up here\./)
    assert.equal(answer.headers['error-field'], 'provider')
    assert.deepEqual((await bare.get('/connections/providers')).json(), { providers: [], meetingLinks: [] })
    assert.deepEqual((await host.get('/connections/providers')).json().providers, [
      'google',
      'microsoft',
      'zoom',
    ])
    const unknown = await host.post('/connections', { provider: 'exchange' })
    assert.match(unknown.json().error, /^The provider must be one of stripe, google, microsoft, zoom\.$/)
    assert.equal((await app.inject('/connections/exchange/callback')).statusCode, 404)
    await without.app.close()
  })

  it('tell the host when the provider fails, and when to connect again', async () => {
    const [{ id }] = await listOf(host)
    const ask = () => host.get(`/connections/${id}/calendars`)
    google.misbehave(/calendarList/, { status: 429, headers: { 'retry-after': '9' } })
    const limited = await ask()
    assert.deepEqual([limited.statusCode, limited.headers['retry-after']], [503, '9'])
    google.misbehave(/calendarList/, { status: 404, body: { error: { message: 'Not Found' } } })
    const refused = await ask()
    assert.deepEqual([refused.statusCode, refused.json().error], [400, 'Google refused this: Not Found'])
    google.oauth.endAccess(google.oauth.visitor.account.subject)
    const ended = await ask()
    assert.equal(ended.statusCode, 409, ended.body)
    assert.match(
      ended.json().error,
      /^Google has ended our access to this account\. Please connect it again\.$/,
    )
    assert.equal((await listOf(host))[0].status, 'reconnect')
    await connect(app, host, 'google', google)
    assert.equal((await ask()).statusCode, 200)
  })

  it('end with their access at the provider, but not with the access of others', async () => {
    const revoke = async () => {
      for (const job of await jobsOf(db(), 'connection-revoke')) {
        await revokeConnection(under.context, job)
        await db().deleteFrom('outbox').where('id', '=', job.id).execute()
      }
    }
    const [{ id }] = await listOf(host)
    assert.equal((await other.del(`/connections/${id}`)).statusCode, 404)
    assert.equal((await host.del(`/connections/${id}`)).statusCode, 204)
    assert.equal((await host.del(`/connections/${id}`)).statusCode, 404)
    await revoke()
    // The other host has connected the same account, and Google would end both.
    assert.equal(google.oauth.revoked.length, 0)
    const theirs = { id: await connect(app, other, 'google', google) }
    await other.del(`/connections/${theirs.id}`)
    assert.doesNotMatch(JSON.stringify(await jobsOf(db(), 'connection-revoke')), secretsOf(google))
    await revoke()
    assert.equal(google.oauth.revoked.length, 1)
    for (const { id: left } of await listOf(host)) await host.del(`/connections/${left}`)
    await revoke()
    assert.equal(zoom.oauth.revoked.length, 1)
    assert.deepEqual(await rows(), [])
  })

  it('leave no token, code or secret in answers or logs, even if the provider repeats them', async () => {
    let log = ''
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk
        done()
      },
    })
    const logging = await buildApp({
      context: under.context,
      rateLimits: () => ({ consume: async () => ({}) }) as never,
      isUnavailable: () => false,
      logger: { level: 'trace', stream },
    })
    // Each user may have us ask others 30 times a minute.
    const third = bearer(logging, (await signIn(app, under.mailbox, 'third@hosts.example')).token)
    const id = await connect(logging, third, 'google', google)
    const secrets = google.oauth.secrets.join(' ')
    const answers = []
    for (const status of [400, 401, 403, 410, 429, 500]) {
      const fault = { status, body: { error: { code: status, message: `Not with ${secrets}` } } }
      // After a 401, it is asked once more with another token.
      google.misbehave(/calendarList/, ...(status === 401 ? [fault, fault] : [fault]))
      answers.push((await third.get(`/connections/${id}/calendars`)).body)
    }
    google.misbehave(/^\/token$/, {
      status: 400,
      body: { error: 'invalid_request', error_description: secrets },
    })
    const underway = await beginConnecting(third, 'google')
    const path = await passProvider(underway)
    answers.push((await comeBack(logging, path, underway.cookie)).headers.location)
    await third.del(`/connections/${id}`)
    await logging.close()
    assert.match(log, /Google answered 500\./)
    assert.doesNotMatch(log + JSON.stringify(answers), secretsOf(google))
  })

  it('leave no token, code or secret in the database, the audit or the mails', async () => {
    await connect(app, host, 'google', google)
    const tables = ['connections', 'connection_attempts', 'outbox', 'audit'] as const
    const stored = await Promise.all(tables.map((table) => db().selectFrom(table).selectAll().execute()))
    const audit = (await host.get('/audit')).body
    const text = JSON.stringify([stored, audit, under.mailbox])
    assert.match(text, /"connection"/)
    assert.doesNotMatch(text, secretsOf(google))
    assert.doesNotMatch(text, /the-client-secret/)
  })
})

const secretsOf = ({ oauth }: GoogleStandIn) => new RegExp(oauth.secrets.join('|'))
