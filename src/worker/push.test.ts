import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { bookAt } from '../../test/bookings.ts'
import { onEveryDatabase } from '../../test/databases.ts'
import { bearer, type Host, signIn } from '../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../test/jobs.ts'
import { addEventType, appOn, fromSomeoneNew, MONDAY_NOON, openGuard, stoppedClock } from '../../test/kit.ts'
import { type PushService, type StandInBrowser, startPushService } from '../../test/outside/push-service.ts'
import { alwaysOpen } from '../../test/server-process.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { createGuard } from '../outside/network/guard.ts'
import { createPushSender, newPushKeys } from '../outside/push/push.ts'
import { getBookingChange } from '../services/bookings/load-change.ts'
import type { Context } from '../services/context.ts'
import { pushJobsFor } from '../services/push/jobs.ts'
import { openPushKeys } from '../services/push/keys.ts'
import { reseal } from '../services/workspace/reseal.ts'
import { findScheduler } from '../store/people/schedulers.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]

onEveryDatabase('notifications in browsers', ({ db }) => {
  const clock = stoppedClock()
  const keys = newPushKeys()
  let service: PushService
  let app: FastifyInstance
  let context: Context
  let host: Host
  let owner: Scheduler
  let talk: EventType
  let start = MONDAY_NOON

  before(async () => {
    service = await startPushService()
    const webPush = createPushSender({ keys, contact: 'mailto:ops@hosts.example', guard: openGuard })
    const under = await appOn(db(), { now: clock.now, signup: 'open', webPush })
    ;({ app, context } = under)
    host = await signIn(app, under.mailbox, 'ada@hosts.example')
    await host.patch('/me', { name: 'Ada Host', slug: 'ada', timezone: 'Europe/Berlin', locale: 'de' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    owner = (await findScheduler(db(), host.user.id)) as Scheduler
    talk = await addEventType(db(), owner, { slug: 'talk', name: 'Talk' })
  })
  after(async () => {
    await app.close()
    await service.close()
  })
  beforeEach(async () => {
    for (const { endpoint } of (await host.get('/me/push')).json().items) await remove(endpoint)
    await db().deleteFrom('outbox').execute()
    start += DAY
  })

  const send = (method: 'POST' | 'DELETE', path: string, payload: object, as = host) =>
    app.inject({
      method,
      url: `/api/admin${path}`,
      payload,
      headers: { authorization: `Bearer ${as.token}` },
    })
  const remove = (endpoint: string) => send('DELETE', '/me/push', { subscription: { endpoint } })
  const turnOn = async (kinds?: readonly string[]): Promise<StandInBrowser> => {
    const { publicKey } = (await host.get('/me/push')).json()
    const browser = service.subscribe(publicKey)
    const answer = await host.post('/me/push', {
      subscription: browser.subscription,
      ...(kinds && { kinds }),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return browser
  }
  const book = async (eventType = talk, startsAt = start) =>
    (await bookAt(context, owner, eventType, startsAt, { inviteeName: 'Grace Guest' })).booking.id

  it('tell of a booking and its cancellation, in the host’s language, zone and clock', async () => {
    const browser = await turnOn()
    const id = await book()
    await runDueJobs(context)
    await host.patch('/me', { timeFormat: '12h' })
    assert.equal((await host.post(`/bookings/${id}/cancel`, { reason: 'Ill' })).statusCode, 200)
    await runDueJobs(context)
    await host.patch('/me', { timeFormat: 'auto' })
    assert.deepEqual(service.refusals, [])
    const url = `https://book.example.com/app/bookings/${id}`
    assert.deepEqual(
      browser.received.map(({ shown }) => shown),
      [
        { title: 'Neue Buchung', body: 'Talk · Di., 12. Jan., 13:00', url, tag: id },
        { title: 'Der Termin ist abgesagt', body: 'Talk · Di., 12. Jan., 1:00 PM', url, tag: id },
      ],
    )
    // The second replaces the first where it still waits, and neither outlasts the start.
    const [first, second] = browser.received
    assert.equal(first?.topic, second?.topic)
    assert.ok(first?.topic !== undefined && first.topic !== '' && !first.topic.includes(id.slice(0, 8)))
    assert.equal(first.ttl, DAY / 1000)
  })

  it('come only for what was chosen, in each browser', async () => {
    const asking = await addEventType(db(), owner, { slug: 'ask', name: 'Ask', requiresApproval: true })
    const [all, requests, none] = [await turnOn(), await turnOn(['request']), await turnOn([])]
    await book()
    await book(asking, start + HOUR)
    await runDueJobs(context)
    const titles = ({ received }: StandInBrowser) => received.map(({ shown }) => shown.title)
    assert.deepEqual(titles(all).sort(), ['Neue Anfrage', 'Neue Buchung'])
    assert.deepEqual(titles(requests), ['Neue Anfrage'])
    assert.deepEqual(titles(none), [])
    // The choice stays when the same browser comes again without one.
    const { subscription } = requests
    assert.deepEqual((await host.post('/me/push', { subscription })).json().kinds, ['request'])
    assert.deepEqual((await host.post('/me/push', { subscription, kinds: ['cancellation'] })).json().kinds, [
      'cancellation',
    ])
    assert.equal((await host.get('/me/push')).json().items.length, 3)
    assert.equal((await remove(subscription.endpoint)).statusCode, 204)
    assert.equal((await remove(subscription.endpoint)).statusCode, 404)
  })

  it('cost hosts without them no statement', async () => {
    /** How many statements the announcement of a new booking takes for notifications, and how many jobs it makes. */
    const announced = async (startsAt: number) => {
      await book(talk, startsAt)
      const record = (await jobsOf(db(), 'announce')).at(-1)?.data
      assert.ok(record)
      const change = await getBookingChange(db(), record)
      let statements = 0
      const jobs = await db()
        .transaction()
        .execute((trx) => {
          const counted = trx.withPlugin({
            transformQuery: ({ node }) => {
              statements++
              return node
            },
            transformResult: async ({ result }) => result,
          })
          return pushJobsFor(counted, [change], clock.now())
        })
      return [statements, jobs.length]
    }
    assert.deepEqual(await announced(start), [0, 0])
    const browser = await turnOn()
    assert.deepEqual(await announced(start + HOUR), [1, 1])
    await remove(browser.subscription.endpoint)
    assert.deepEqual(await announced(start + 2 * HOUR), [0, 0])
  })
  const hasPush = async () =>
    (
      await db()
        .selectFrom('schedulers')
        .select('has_push')
        .where('id', '=', owner.id)
        .executeTakeFirstOrThrow()
    ).has_push

  it('are tried again as the push service asks, given up when it refuses, and end when the browser is gone', async () => {
    const browser = await turnOn()
    service.answer({ status: 503 }, { status: 429, retryAfter: '600' })
    await book()
    await runDueJobs(context)
    const due = async () => (await jobsOf(db(), 'push')).map(({ dueAt }) => dueAt - clock.now())
    const [soon = 0] = await due()
    assert.ok(soon >= 5000 && soon <= 6000, String(soon))
    clock.moveTo(clock.now() + soon)
    await runDueJobs(context)
    assert.deepEqual(await due(), [600_000])
    clock.moveTo(clock.now() + 600_000)
    await runDueJobs(context)
    assert.equal(browser.received.length, 1)

    service.answer({ status: 403 })
    await book(talk, start + HOUR)
    await runDueJobs(context)
    const dead = await db().selectFrom('outbox').selectAll().where('failed_at', 'is not', null).execute()
    assert.deepEqual(
      dead.map(({ kind, error }) => [kind, error]),
      [['push', 'The server answered 403.']],
    )

    service.answer({ status: 410 })
    await book(talk, start + 2 * HOUR)
    await runDueJobs(context)
    assert.deepEqual((await host.get('/me/push')).json().items, [])
    assert.equal(await hasPush(), 0)
    assert.equal(browser.received.length, 1)
  })

  it('can be tried, and say what went wrong', async () => {
    const browser = await turnOn([])
    const { subscription } = browser
    const test = () => send('POST', '/me/push/test', { subscription })
    assert.equal((await test()).statusCode, 204)
    assert.deepEqual(
      browser.received.map(({ shown }) => shown.title),
      ['Benachrichtigungen sind eingeschaltet'],
    )
    service.answer({ status: 500 }, { status: 410 })
    const broken = await test()
    assert.equal(broken.statusCode, 409, broken.body)
    assert.match(broken.json().error, /The server answered 500/)
    const gone = await test()
    assert.equal(gone.statusCode, 409, gone.body)
    assert.match(gone.json().error, /no longer takes notifications/)
    assert.equal((await test()).statusCode, 404)
  })

  it('refuse what can’t be a browser, and change nothing', async () => {
    const { subscription } = service.subscribe(keys.publicKey)
    const { p256dh, auth } = subscription.keys
    const notOnCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url')
    const refusals: [object, RegExp][] = [
      [{}, /subscription.*required/i],
      [{ subscription: { endpoint: subscription.endpoint } }, /keys.*required/i],
      [{ subscription: { ...subscription, keys: { p256dh: 'AA', auth } } }, /keys is not valid/],
      [{ subscription: { ...subscription, keys: { p256dh: notOnCurve, auth } } }, /keys is not valid/],
      [{ subscription: { ...subscription, keys: { p256dh, auth: 'AA' } } }, /keys is not valid/],
      [
        { subscription: { ...subscription, endpoint: `http://a.example/${'x'.repeat(1000)}` } },
        /at most 1000/,
      ],
      [{ subscription, kinds: ['reminder'] }, /must be one of/],
      [{ subscription, more: 1 }, /more/],
    ]
    for (const [body, said] of refusals) {
      const answer = await host.post('/me/push', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
    }
    const { token } = (await host.post('/tokens', { name: 'Test', scopes: ['write'] })).json()
    const byToken = await bearer(app, token).post('/me/push', { subscription })
    assert.equal(byToken.statusCode, 403, byToken.body)
    assert.deepEqual((await host.get('/me/push')).json().items, [])
  })

  it('never reach addresses that are not public, nor without https', async () => {
    const guard = createGuard({
      allowPrivate: false,
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
    })
    const webPush = createPushSender({ keys, contact: 'mailto:ops@hosts.example', guard })
    const { app: guarded } = await appOn(db(), { now: clock.now, webPush, guard })
    const { keys: own } = service.subscribe(keys.publicKey).subscription
    const refusals: [string, RegExp][] = [
      ['http://push.example/send', /must start with https/],
      ['https://127.0.0.1/send', /not on the public internet/],
      ['https://push.example/send', /not on the public internet/],
    ]
    for (const [endpoint, said] of refusals) {
      const answer = await bearer(guarded, host.token).post('/me/push', {
        subscription: { endpoint, keys: own },
      })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, said)
      // A name may lead elsewhere later.
      const outcome = await webPush.send({ to: { endpoint, keys: own }, payload: '{}', topic: 'a', ttl: 1 })
      assert.equal(outcome.state, 'later')
    }
    await guarded.close()
  })

  it('end with the session, go over to who uses the browser next, and are part of the export', async () => {
    const { mailbox, ...other } = await appOn(db(), {
      now: clock.now,
      signup: 'open',
      ...(context.webPush && { webPush: context.webPush }),
    })
    const again = await signIn(other.app, mailbox, 'ada@hosts.example')
    const bob = await signIn(other.app, mailbox, 'bob@hosts.example')
    const { subscription } = service.subscribe(keys.publicKey)
    assert.equal((await send('POST', '/me/push', { subscription }, again)).statusCode, 201)
    const exported = JSON.parse((await again.get('/me/export')).body).notifications
    assert.deepEqual(
      exported.map(({ kinds, pushService }: Record<string, unknown>) => [kinds, pushService]),
      [[['request', 'booking', 'cancellation'], new URL(service.url).host]],
    )
    assert.equal((await send('POST', '/me/push', { subscription }, bob)).statusCode, 201)
    assert.deepEqual((await again.get('/me/push')).json().items, [])
    assert.equal((await send('DELETE', '/me/push', { subscription }, again)).statusCode, 404)
    assert.equal((await send('POST', '/me/push', { subscription }, again)).statusCode, 201)
    const out = await other.app.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: again.cookie, ...fromSomeoneNew() },
    })
    assert.ok(out.statusCode < 300, out.body)
    assert.deepEqual((await host.get('/me/push')).json().items, [])
    assert.equal(await hasPush(), 0)
    await other.app.close()
  })

  it('can be turned off by the operator', async () => {
    const { app: without } = await appOn(db(), { now: clock.now })
    const as = bearer(without, host.token)
    assert.deepEqual((await as.get('/me/push')).json(), { publicKey: null, items: [] })
    const { subscription } = service.subscribe(keys.publicKey)
    const answer = await as.post('/me/push', { subscription })
    assert.equal(answer.statusCode, 404, answer.body)
    assert.match(answer.json().error, /turned off on this instance/)
    await without.close()
  })

  it('have one key, which is sealed, and new only when it can’t be read', async () => {
    const secrets = { db: db(), jwtSecret: context.jwtSecret }
    const [one, two] = await Promise.all([openPushKeys(secrets), openPushKeys(secrets)])
    assert.deepEqual(one, two)
    const { value } = await db()
      .selectFrom('secrets')
      .selectAll()
      .where('name', '=', 'push-keys')
      .executeTakeFirstOrThrow()
    assert.ok(!value.includes(one.privateKey))
    const rotated = { db: db(), jwtSecret: 'another-secret-that-only-the-tests-know' }
    assert.deepEqual(await openPushKeys({ ...rotated, previousJwtSecret: context.jwtSecret }), one)
    await reseal({ ...context, ...rotated, previousJwtSecret: context.jwtSecret })
    assert.deepEqual(await openPushKeys(rotated), one)
    await turnOn()
    const fresh = await openPushKeys(secrets)
    assert.notEqual(fresh.publicKey, one.publicKey)
    assert.deepEqual((await host.get('/me/push')).json().items, [])
  })
})
