import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, it } from 'node:test'
import { connect } from '../../../test/connections.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signIn, signInWithToken } from '../../../test/host-api.ts'
import { runDueJobs } from '../../../test/jobs.ts'
import { type AppUnderTest, appOn, fromSomeoneNew, stoppedClock } from '../../../test/kit.ts'
import { ADA, type GoogleStandIn, startGoogle } from '../../../test/outside/google.ts'
import { type MicrosoftStandIn, startMicrosoft } from '../../../test/outside/microsoft.ts'
import type { Pushes } from '../../../test/outside/pushes.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import { googleProvider } from '../../outside/calendars/google/google.ts'
import { microsoftProvider } from '../../outside/calendars/microsoft/microsoft.ts'
import { noteChange } from '../../store/calendars/calendars.ts'
import { keepChannels } from './channels.ts'
import { refreshDueCalendars } from './refresh.ts'

const KINDS = ['google', 'microsoft'] as const
type Kind = (typeof KINDS)[number]
const EXTERNAL = { google: ADA.address, microsoft: 'AAMkAGI2-calendar=' }
const SITE = 'https://book.example.com'

onEveryDatabase('notices of Google and Microsoft', ({ db }) => {
  const clock = stoppedClock()
  let google: GoogleStandIn
  let microsoft: MicrosoftStandIn
  let under: AppUnderTest
  let hosts = 0
  let events = 0

  before(async () => {
    google = await startGoogle({ now: clock.now })
    microsoft = await startMicrosoft({ now: clock.now })
    const providers = {
      google: googleProvider(google.settings),
      microsoft: microsoftProvider(microsoft.settings),
    }
    under = await appOn(db(), { now: clock.now, signup: 'open', providers })
    await under.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = under.app.server.address() as AddressInfo
    for (const kind of KINDS) pushesOf(kind).reach(SITE, `http://127.0.0.1:${port}`)
  })
  after(async () => {
    await under.app.close()
    await google.close()
    await microsoft.close()
  })
  afterEach(async () => {
    await db().deleteFrom('calendars').execute()
    await db().deleteFrom('outbox').execute()
    google.channels.endAll()
    microsoft.subscriptions.endAll()
  })

  const pushesOf = (kind: Kind): Pushes =>
    kind === 'google' ? google.channels.pushes : microsoft.subscriptions.pushes
  /** The channels that the provider has open, by its name for them. */
  const openAt = (kind: Kind): string[] =>
    kind === 'google'
      ? google.channels.open.map(({ resourceId }) => resourceId)
      : microsoft.subscriptions.active.map(({ id }) => id)
  const requestsFor = (kind: Kind, pattern: RegExp) =>
    (kind === 'google' ? google : microsoft).asked.filter((line) => pattern.test(line)).length
  const later = (wait: number) => clock.moveTo(clock.now() + wait)

  interface Watched {
    readonly host: Host
    readonly id: string
    readonly connectionId: string
  }

  /** A host with one calendar that is watched by its provider, and read. */
  async function watched(kind: Kind, externalId = EXTERNAL[kind], settings: object = {}): Promise<Watched> {
    const host = await signInWithToken(under.app, under.mailbox, `watched-${++hosts}@hosts.example`)
    const connectionId = await connect(under.app, host, kind, kind === 'google' ? google : microsoft)
    const made = await host.post('/calendars', { kind, connectionId, externalId, ...settings })
    assert.equal(made.statusCode, 201, made.body)
    await refreshDueCalendars(under.context)
    await runDueJobs(under.context)
    await pushesOf(kind).settled()
    later(3000)
    await refreshDueCalendars(under.context)
    return { host, id: made.json().id, connectionId }
  }

  /** Adds an event at the provider, two days from now. */
  function addEvent(kind: Kind): number {
    const start = clock.now() - (clock.now() % HOUR) + 2 * DAY + ++events * HOUR
    const [from, to] = [start, start + 30 * MINUTE].map((at) => new Date(at).toISOString()) as [
      string,
      string,
    ]
    const id = `event${events}`
    if (kind === 'google') {
      google.eventsOf(EXTERNAL.google).put({ id, start: { dateTime: from }, end: { dateTime: to } })
    } else {
      const time = (text: string) => ({ dateTime: text.slice(0, -1), timeZone: 'UTC' })
      const event = { id, type: 'singleInstance', showAs: 'busy', start: time(from), end: time(to) } as const
      microsoft.eventsOf(EXTERNAL.microsoft).put(event)
    }
    return start
  }
  const isBusyAt = async ({ id }: Watched, start: number) =>
    (await db()
      .selectFrom('busy_times')
      .select('starts_at')
      .where('calendar_id', '=', id)
      .where('starts_at', '=', start)
      .executeTakeFirst()) !== undefined
  const stateOf = async ({ id }: Watched) => ({
    calendar: await db().selectFrom('calendars').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    channel: await db().selectFrom('calendar_channels').selectAll().where('calendar_id', '=', id).execute(),
  })
  /** Reads what is due now, long before everything is read anyway. */
  async function readSoon(kind: Kind): Promise<void> {
    await pushesOf(kind).settled()
    later(3000)
    await refreshDueCalendars(under.context)
  }
  const post = (kind: Kind, options: { headers?: object; payload?: string; url?: string } = {}) =>
    under.app.inject({
      method: 'POST',
      url: options.url ?? `/api/hooks/${kind}`,
      headers: { ...fromSomeoneNew(), 'content-type': 'application/json', ...options.headers },
      payload: options.payload ?? '',
    })

  for (const kind of KINDS) {
    it(`have a changed ${kind} calendar read at once, once each`, async () => {
      const calendar = await watched(kind)
      assert.equal(openAt(kind).length, 1)
      const start = addEvent(kind)
      await readSoon(kind)
      assert.equal(await isBusyAt(calendar, start), true)
      assert.deepEqual(new Set(pushesOf(kind).statuses.slice(-1)), new Set([202]))
      const reads = requestsFor(kind, /events$|delta$/)
      for (let n = 0; n < 3; n++) await refreshDueCalendars(under.context)
      assert.equal(requestsFor(kind, /events$|delta$/), reads)
    })

    it(`that come before ${kind} has answered lose nothing`, async () => {
      let start = 0
      pushesOf(kind).beforeAnswer = async () => {
        start = addEvent(kind)
        await pushesOf(kind).settled()
        assert.equal(pushesOf(kind).statuses.at(-1), 404)
      }
      const calendar = await watched(kind)
      pushesOf(kind).beforeAnswer = async () => {}
      assert.equal(await isBusyAt(calendar, start), true)
      await calendar.host.del(`/connections/${calendar.connectionId}`)
      await runDueJobs(under.context)
      assert.deepEqual(openAt(kind), [])
    })

    it(`are ordered again before ${kind} stops, by one of two instances`, async () => {
      const calendar = await watched(kind)
      const first = openAt(kind)
      later(10 * MINUTE)
      await keepChannels(under.context)
      assert.deepEqual(openAt(kind), first, 'not before it is due')
      later((kind === 'google' ? 5 : 2) * DAY)
      const asked = requestsFor(kind, /watch$|^PATCH/)
      await Promise.all([keepChannels(under.context), keepChannels(under.context)])
      assert.equal(requestsFor(kind, /watch$|^PATCH/), asked + 1)
      await pushesOf(kind).settled()
      const second = openAt(kind)
      assert.equal(second.length, 1)
      // Graph's subscriptions are extended, Google's channels replaced.
      if (kind === 'google') assert.notDeepEqual(second, first)
      else assert.deepEqual(second, first)
      later((kind === 'google' ? 4 : 1.5) * DAY)
      assert.deepEqual(openAt(kind), second, 'it lasts longer than the first would have')
      const start = addEvent(kind)
      await refreshDueCalendars(under.context)
      await readSoon(kind)
      assert.equal(await isBusyAt(calendar, start), true)
    })

    it(`end with the ${kind} calendar, with checking it, and with the account`, async () => {
      const calendar = await watched(kind)
      assert.equal((await calendar.host.patch(`/calendars/${calendar.id}`, { busy: false })).statusCode, 200)
      await runDueJobs(under.context)
      assert.deepEqual(openAt(kind), [])
      assert.equal((await calendar.host.patch(`/calendars/${calendar.id}`, { busy: true })).statusCode, 200)
      await runDueJobs(under.context)
      assert.equal(openAt(kind).length, 1)
      assert.equal((await calendar.host.del(`/calendars/${calendar.id}`)).statusCode, 204)
      await runDueJobs(under.context)
      assert.deepEqual(openAt(kind), [])

      const other = await watched(kind)
      assert.equal(openAt(kind).length, 1)
      // The access token has expired meanwhile.
      later(2 * HOUR)
      assert.equal((await other.host.del(`/connections/${other.connectionId}`)).statusCode, 204)
      await runDueJobs(under.context)
      assert.deepEqual(openAt(kind), [])
      assert.deepEqual(await db().selectFrom('outbox').selectAll().execute(), [])

      const leaving = await watched(kind)
      assert.equal(openAt(kind).length, 1)
      const { email } = leaving.host.user
      // A program may not do that for its user.
      const { token } = await signIn(under.app, under.mailbox, email)
      const deleted = await under.app.inject({
        method: 'DELETE',
        url: '/api/admin/me',
        headers: { authorization: `Bearer ${token}` },
        payload: { email },
      })
      assert.equal(deleted.statusCode, 202, deleted.body)
      await runDueJobs(under.context)
      assert.deepEqual(openAt(kind), [])
    })

    it(`are asked for again when ${kind} could not be reached`, async () => {
      const standIn = kind === 'google' ? google : microsoft
      standIn.misbehave(/watch$|subscriptions$/, { status: 503 })
      await watched(kind)
      assert.deepEqual(openAt(kind), [])
      later(9 * MINUTE)
      await keepChannels(under.context)
      assert.deepEqual(openAt(kind), [])
      later(2 * MINUTE)
      await keepChannels(under.context)
      assert.equal(openAt(kind).length, 1)
    })

    it(`from strangers are not found and change nothing (${kind})`, async () => {
      const calendar = await watched(kind)
      const before = await stateOf(calendar)
      const [channel] = before.channel
      assert.ok(channel?.channel_id)
      const secret = kind === 'google' ? google.channels.open[0]?.token : ''
      const clientState = microsoft.subscriptions.active[0]?.clientState
      for (const [channelId, token] of [
        ['', ''],
        [channel.channel_id, ''],
        [channel.channel_id, 'wrong'],
        [channel.channel_id, channel.token_hash],
        ['another', kind === 'google' ? secret : clientState?.split('.')[1]],
      ]) {
        const answer =
          kind === 'google'
            ? await post(kind, {
                headers: {
                  'x-goog-channel-id': channelId,
                  'x-goog-channel-token': token,
                  'x-goog-resource-state': 'exists',
                },
              })
            : await post(kind, {
                payload: JSON.stringify({
                  value: [
                    { clientState: `${channelId}.${token}`, changeType: 'updated' },
                    { clientState: `${channelId}.${token}`, lifecycleEvent: 'subscriptionRemoved' },
                  ],
                }),
              })
        assert.equal(answer.statusCode, 404, answer.body)
      }
      assert.deepEqual(await stateOf(calendar), before)
      const stored = JSON.stringify([before, await db().selectFrom('outbox').selectAll().execute()])
      const sent = kind === 'google' ? (secret ?? '') : (clientState?.split('.')[1] ?? '')
      assert.ok(sent.length > 40 && !stored.includes(sent), 'only a hash of the token is kept')
    })
  }

  it('of the end of a Microsoft subscription are followed', async () => {
    const calendar = await watched('microsoft')
    const [first] = microsoft.subscriptions.active
    later(HOUR)
    microsoft.subscriptions.lifecycle('reauthorizationRequired')
    await microsoft.subscriptions.pushes.settled()
    await runDueJobs(under.context)
    const [renewed] = microsoft.subscriptions.active
    assert.equal(renewed?.id, first?.id)
    assert.ok((renewed?.expiresAt ?? 0) > (first?.expiresAt ?? 0))

    microsoft.subscriptions.pushes.fate = () => 'lost'
    const unheard = addEvent('microsoft')
    microsoft.subscriptions.pushes.fate = () => 'doubled'
    microsoft.subscriptions.lifecycle('missed')
    microsoft.subscriptions.pushes.fate = () => 'sent'
    await readSoon('microsoft')
    assert.equal(await isBusyAt(calendar, unheard), true)

    microsoft.subscriptions.lifecycle('subscriptionRemoved')
    const meanwhile = addEvent('microsoft')
    await microsoft.subscriptions.pushes.settled()
    await runDueJobs(under.context)
    const [another] = microsoft.subscriptions.active
    assert.ok(another !== undefined && another.id !== first?.id)
    await readSoon('microsoft')
    assert.equal(await isBusyAt(calendar, meanwhile), true)
  })

  it('of a calendar that can’t be watched are asked for once a day, and it is read all the same', async () => {
    const calendar = await watched('google', 'holidays@group.example')
    assert.equal((await calendar.host.get(`/calendars/${calendar.id}`)).json().lastError, '')
    const asked = requestsFor('google', /watch$/)
    later(6 * HOUR)
    await keepChannels(under.context)
    assert.equal(requestsFor('google', /watch$/), asked)
    later(DAY)
    await keepChannels(under.context)
    assert.equal(requestsFor('google', /watch$/), asked + 1)
  })

  it('keep a calendar waiting whose provider has asked for a pause', async () => {
    const calendar = await watched('google')
    google.misbehave(/events$/, { status: 429, headers: { 'retry-after': '1800' } })
    later(11 * MINUTE)
    await refreshDueCalendars(under.context)
    const { next_refresh_at: due } = (await stateOf(calendar)).calendar
    await noteChange(db(), calendar.id, clock.now())
    assert.equal((await stateOf(calendar)).calendar.next_refresh_at, due)
  })

  it('are small, few when wrong, and in JSON', async () => {
    const large = await post('microsoft', { payload: `{"value":["${'x'.repeat(300_000)}"]}` })
    assert.equal(large.statusCode, 413)
    for (const payload of ['', '{', 'null', '{"value":1}']) {
      assert.equal((await post('microsoft', { payload })).statusCode, 400, payload)
    }
    assert.equal((await post('microsoft', { payload: '{"value":[null,1,{}]}' })).statusCode, 404)
    const long = await post('microsoft', { url: `/api/hooks/microsoft?validationToken=${'x'.repeat(3000)}` })
    assert.equal(long.statusCode, 400)
    const sameClient = fromSomeoneNew()
    const statuses = []
    for (let n = 0; n < 31; n++) {
      statuses.push((await post('google', { headers: sameClient })).statusCode)
    }
    assert.deepEqual(statuses, [...Array(30).fill(404), 429])
  })

  it('are neither ordered nor taken where the address is not https', async () => {
    const plain = { ...under, context: { ...under.context, publicUrl: 'http://localhost:3000' } }
    const calendar = await watched('microsoft')
    await calendar.host.del(`/calendars/${calendar.id}`)
    await runDueJobs(under.context)
    await db().deleteFrom('outbox').execute()
    const made = await calendar.host.post('/calendars', {
      kind: 'microsoft',
      connectionId: calendar.connectionId,
      externalId: EXTERNAL.microsoft,
    })
    assert.equal(made.statusCode, 201, made.body)
    await runDueJobs(plain.context)
    await keepChannels(plain.context)
    assert.deepEqual(openAt('microsoft'), [])
    // Once it is, they are.
    await keepChannels(under.context)
    assert.equal(openAt('microsoft').length, 1)
  })
})
