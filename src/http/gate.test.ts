import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  quietContext,
  stoppedClock,
} from '../../test/kit.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import type { Scheduler } from '../domain/people/scheduler.ts'
import { createContext } from '../services/context.ts'
import { isUnavailable } from '../store/engine/database.ts'
import { buildApp } from './app.ts'

const LIMIT = 15
const NOWHERE = '/api/public/scheduling/nobody/nothing/book'

onEveryDatabase('the rate limit on booking', ({ db, engine }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let ada: Scheduler
  let talk: EventType
  let path: string
  let nextSlot = Date.parse('2027-01-12T09:00Z')

  interface From {
    readonly forwardedFor?: string
    readonly address?: string
    readonly of?: FastifyInstance
  }
  /** The cheapest request that counts: its host does not exist. */
  const knock = ({ forwardedFor, address = '127.0.0.1', of = app }: From, url = NOWHERE): Promise<Reply> =>
    of.inject({
      method: 'POST',
      url,
      remoteAddress: address,
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      payload: {},
    })
  const newcomer = () => fromSomeoneNew()['x-forwarded-for']
  const exhaust = async (from: From) => {
    for (let i = 0; i < LIMIT; i++) assert.equal((await knock(from)).statusCode, 404)
  }
  const assertLimited = async (from: From) => {
    const reply = await knock(from)
    assert.equal(reply.statusCode, 429, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }
  const assertWelcome = async (from: From) => assert.equal((await knock(from)).statusCode, 404)
  const bookingsMade = async () => (await db().selectFrom('bookings').select('id').execute()).length
  const bookNext = (headers: Record<string, string>, url = path) => {
    nextSlot += 30 * 60_000
    return app.inject({ method: 'POST', url, headers, payload: bookingOf(talk, nextSlot) })
  }

  before(async () => {
    app = (await appOn(db(), { now: clock.now })).app
    ada = await addUser(db(), 'ada')
    talk = await addEventType(db(), ada, { slug: 'talk' })
    path = '/api/public/scheduling/ada/talk/book'
  })

  it('lets 15 requests a minute pass, successful or not, and refuses the next', async () => {
    const other = await addEventType(db(), ada, { slug: 'other' })
    const headers = fromSomeoneNew()
    const send = (url: string, payload: string | object, type = 'application/json') =>
      app.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload })
    const otherPath = path.replace('talk', 'other')
    const outcomes = [
      await bookNext(headers),
      await bookNext(headers, otherPath),
      await send(NOWHERE, {}),
      await send(path, {}),
      await send(otherPath, '{ not JSON'),
      await send(path, ''),
      await send(path, 'hello', 'text/plain'),
      await send(path, JSON.stringify({ inviteeNotes: 'a'.repeat(70_000) })),
      await send(path, bookingOf(talk, 0)),
      await send(otherPath, bookingOf(other, 0)),
    ].map((reply) => reply.statusCode)
    assert.deepEqual(outcomes, [201, 201, 404, 400, 400, 400, 415, 413, 400, 400])
    for (let i = outcomes.length; i < LIMIT; i++) assert.equal((await send(path, {})).statusCode, 400)

    const before = await bookingsMade()
    for (const url of [path, otherPath, NOWHERE]) {
      const refused = await bookNext(headers, url)
      assert.equal(refused.statusCode, 429)
      assert.deepEqual(Object.keys(refused.json()), ['error'])
    }
    assert.equal(await bookingsMade(), before)
  })

  it('tells every client how many requests are left, and when to retry', async () => {
    const from = { forwardedFor: newcomer() }
    for (let used = 1; used <= LIMIT; used++) {
      const { headers } = await knock(from)
      assert.equal(headers['ratelimit-limit'], String(LIMIT))
      assert.equal(headers['ratelimit-remaining'], String(LIMIT - used))
      const reset = Number(headers['ratelimit-reset'])
      assert.ok(Number.isInteger(reset) && reset >= 1 && reset <= 60, String(reset))
      assert.match(String(headers['ratelimit-policy']), /;q=15;w=60$/)
      assert.match(String(headers.ratelimit), new RegExp(`;r=${LIMIT - used};t=${reset}$`))
      assert.equal(headers['retry-after'], undefined)
    }
    const refused = await knock(from)
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['ratelimit-remaining'], '0')
    assert.equal(refused.headers['retry-after'], refused.headers['ratelimit-reset'])
    assert.match(refused.json().error, new RegExp(`\\b${refused.headers['retry-after']}\\b`))
    assert.equal(refused.headers['access-control-allow-origin'], '*')
    assert.match(String(refused.headers['access-control-expose-headers']), /Retry-After/i)
  })

  it('welcomes a client back when it said it would', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const from = { forwardedFor: newcomer() }
    await exhaust(from)
    const refused = await knock(from)
    const wait = Number(refused.headers['retry-after']) * 1000
    const pass = async (milliseconds: number) => {
      t.mock.timers.setTime(Date.now() + milliseconds)
      // Windows of PostgreSQL go by its own clock.
      if (engine === 'postgres')
        await sql`update rate_limits set expire = expire - ${milliseconds}`.execute(db())
    }
    await pass(wait - 1000)
    await assertLimited(from)
    await pass(1000)
    await exhaust(from)
    await assertLimited(from)
  })

  it('counts clients apart', async () => {
    const [one, other] = [{ forwardedFor: newcomer() }, { forwardedFor: newcomer() }]
    await exhaust(one)
    await assertLimited(one)
    await assertWelcome(other)
  })

  it('counts only bookings', async () => {
    const headers = fromSomeoneNew()
    const preflight = { origin: 'https://site.example', 'access-control-request-method': 'POST' }
    for (let i = 0; i < 2 * LIMIT; i++) {
      await app.inject({ url: '/api/public/scheduling/ada', headers })
      await app.inject({ url: path, headers })
      await app.inject({ method: 'OPTIONS', url: path, headers: { ...headers, ...preflight } })
    }
    assert.equal((await bookNext(headers)).statusCode, 201)
  })

  it('counts an IPv6 client by their /64', async () => {
    const block = '2001:db8:1:2'
    for (let i = 0; i < LIMIT; i++) await assertWelcome({ forwardedFor: `${block}:${i}::${i}` })
    await assertLimited({ forwardedFor: `${block.toUpperCase()}:ffff:ffff:ffff:ffff` })
    await assertLimited({ forwardedFor: '2001:0db8:0001:0002::' })
    await assertLimited({ address: `${block}::1` })
    await assertWelcome({ forwardedFor: '2001:db8:1:3::1' })
  })

  it('counts the /48 of IPv6 clients too, eight times as many', async () => {
    const site = '2001:db8:48'
    for (let net = 0; net < 8; net++) {
      await exhaust({ forwardedFor: `${site}:${net}::1` })
    }
    const refused = await knock({ forwardedFor: `${site}:8::1` })
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['ratelimit-limit'], String(8 * LIMIT))
    await assertWelcome({ forwardedFor: '2001:db8:49::1' })
  })

  it('counts an IPv4 client the same over IPv6', async () => {
    const forwardedFor = newcomer()
    await exhaust({ forwardedFor })
    await assertLimited({ forwardedFor: `::ffff:${forwardedFor}` })
    await assertLimited({ address: `::ffff:${forwardedFor}` })
  })

  it('ignores X-Forwarded-For by default', async () => {
    const { app: alone } = await appOn(db(), { now: clock.now, trustProxy: false })
    const address = newcomer()
    for (let i = 0; i < LIMIT; i++) await assertWelcome({ address, forwardedFor: newcomer(), of: alone })
    await assertLimited({ address, forwardedFor: newcomer(), of: alone })
    await assertLimited({ address, of: alone })
  })

  it('believes X-Forwarded-For only from configured proxies', async () => {
    const { app: behind } = await appOn(db(), {
      now: clock.now,
      trustProxy: ['198.51.100.0/24', '2001:db8:ffff::1'],
    })
    const address = newcomer()
    for (let i = 0; i < LIMIT; i++) await assertWelcome({ address, forwardedFor: newcomer(), of: behind })
    await assertLimited({ address, forwardedFor: newcomer(), of: behind })

    for (const proxy of ['198.51.100.7', '2001:db8:ffff::1']) {
      const forwardedFor = newcomer()
      for (let i = 0; i < LIMIT; i++) await assertWelcome({ address: proxy, forwardedFor, of: behind })
      await assertLimited({ address: proxy, forwardedFor, of: behind })
      await assertWelcome({ address: proxy, forwardedFor: newcomer(), of: behind })
    }
  })

  it('is not fooled by what a client puts into the header before the proxy does', async () => {
    const real = newcomer()
    for (let i = 0; i < LIMIT; i++) await assertWelcome({ forwardedFor: `${newcomer()}, ${real}` })
    await assertLimited({ forwardedFor: `${newcomer()}, ${real}` })
    await assertLimited({ forwardedFor: `127.0.0.1, ${real}` })
    await assertLimited({ forwardedFor: `garbage, ${real}` })
    await assertLimited({ forwardedFor: real })
  })

  it('counts as many hops as configured', async () => {
    for (const [hops, spell] of [
      [1, (real: string) => `${newcomer()}, ${real}`],
      [2, (real: string) => `${newcomer()}, ${real}, ${newcomer()}`],
    ] as const) {
      const { app: behind } = await appOn(db(), { now: clock.now, trustProxy: hops })
      const real = newcomer()
      for (let i = 0; i < LIMIT; i++)
        await assertWelcome({ address: newcomer(), forwardedFor: spell(real), of: behind })
      await assertLimited({ address: newcomer(), forwardedFor: spell(real), of: behind })
      await assertWelcome({ address: newcomer(), forwardedFor: spell(newcomer()), of: behind })
    }
  })

  it('counts the proxy itself when what it passes on is no address', async () => {
    const { app: behind } = await appOn(db(), { now: clock.now, trustProxy: 1 })
    const address = newcomer()
    const nonsense = [
      'garbage',
      '',
      ' ',
      'unknown',
      '999.1.1.1',
      '1.2.3',
      '<script>',
      'a'.repeat(5000),
      '::g',
      '_hidden',
    ]
    for (let i = 0; i < LIMIT; i++) {
      await assertWelcome({ address, forwardedFor: nonsense[i % nonsense.length] as string, of: behind })
    }
    for (const forwardedFor of nonsense) await assertLimited({ address, forwardedFor, of: behind })
  })

  it('holds the stricter limit of an event type, for that event type', async () => {
    const abuse = { ...plainEventType().abuse, rateLimit: 3 }
    for (const slug of ['strict', 'as-strict']) await addEventType(db(), ada, { slug, abuse })
    const [strict, asStrict] = [path.replace('talk', 'strict'), path.replace('talk', 'as-strict')]
    const from = { forwardedFor: newcomer() }
    for (let used = 1; used <= 3; used++) {
      const reply = await knock(from, strict)
      assert.equal(reply.statusCode, 400)
      assert.deepEqual(
        [reply.headers['ratelimit-limit'], reply.headers['ratelimit-remaining']],
        ['3', String(3 - used)],
      )
    }
    const refused = await knock(from, strict)
    assert.equal(refused.statusCode, 429)
    assert.deepEqual(Object.keys(refused.json()), ['error'])
    assert.ok(Number(refused.headers['retry-after']) >= 1)

    assert.equal((await knock(from, asStrict)).statusCode, 400)
    assert.equal((await knock(from, path)).statusCode, 400)
    assert.equal((await knock({ forwardedFor: newcomer() }, strict)).statusCode, 400)
  })

  it('counts what an event type refuses towards the common limit, too', async () => {
    const abuse = { ...plainEventType().abuse, rateLimit: 1 }
    const { slug } = await addEventType(db(), ada, { abuse })
    const from = { forwardedFor: newcomer() }
    for (let i = 0; i < LIMIT; i++) await knock(from, path.replace('talk', slug))
    await assertLimited(from)
  })

  it('is exact when requests come all at once', async () => {
    const from = { forwardedFor: newcomer() }
    const replies = await Promise.all(Array.from({ length: 2 * LIMIT }, () => knock(from)))
    const statuses = replies.map((reply) => reply.statusCode).sort()
    assert.deepEqual(statuses, [...Array(LIMIT).fill(404), ...Array(LIMIT).fill(429)])
  })

  it('refuses with 503 when it cannot count, and books nothing', async () => {
    const context = createContext({
      ...quietContext,
      db: db(),
      now: clock.now,
      publicUrl: 'https://book.example.com',
      captcha: { altchaSecret: 'secret', services: {} },
    })
    const broken = await buildApp({
      context,
      isUnavailable,
      rateLimits: () => async () => {
        throw new Error('the counter is away')
      },
    })
    const before = await bookingsMade()
    const reply = await broken.inject({
      method: 'POST',
      url: path,
      payload: bookingOf(talk, nextSlot + 30 * 60_000),
    })
    assert.equal(reply.statusCode, 503)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.doesNotMatch(reply.body, /counter is away/)
    assert.equal(await bookingsMade(), before)
    assert.equal((await broken.inject({ url: '/api/public/scheduling/ada' })).statusCode, 200)
  })

  // On SQLite there is one instance, which counts in memory.
  if (engine === 'postgres') {
    it('is shared by all instances', async () => {
      const { app: second } = await appOn(db(), { now: clock.now })
      const forwardedFor = newcomer()
      for (let i = 0; i < LIMIT; i++) await assertWelcome({ forwardedFor, of: i % 2 === 0 ? app : second })
      await assertLimited({ forwardedFor })
      await assertLimited({ forwardedFor, of: second })
    })
  }
})
