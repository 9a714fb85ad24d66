import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { findValue, readSamples, type Sample } from '../prometheus.ts'
import {
  alwaysOpen,
  type Client,
  connectTo,
  FUTURE_MIDNIGHT,
  findFreePort,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { says, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { addWebhook } from '../webhooks.ts'

const TOKEN = 'a-token-for-the-monitoring'
const BOOK = '/api/public/scheduling/ada/intro/book'
const DATE = new Date(FUTURE_MIDNIGHT).toISOString().slice(0, 10)
const SLOTS = `/api/public/scheduling/ada/intro/slots?dateFrom=${DATE}&dateTo=${DATE}&timezone=UTC`
const SLOTS_ROUTE = '/api/public/scheduling/:userSlug/:eventSlug/slots'

function scrape(port: number, token?: string): Promise<Response> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return fetch(`http://127.0.0.1:${port}/metrics`, { headers })
}

async function samplesOf(port: number, token?: string): Promise<Sample[]> {
  const response = await scrape(port, token)
  assert.equal(response.status, 200)
  return readSamples(await response.text())
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the metrics of an instance on ${engine}`, () => {
    let home: Home
    let server: ServerProcess
    let client: Client
    let receiver: WebhookReceiver
    let eventType: EventType
    const read = () => samplesOf(server.port, TOKEN)
    /** Until something that happens after an answer has been counted. */
    async function until(name: string, labels: Record<string, string>, least: number): Promise<void> {
      while ((findValue(await read(), name, labels) ?? 0) < least) await sleep(10)
    }

    before(async () => {
      home = await freshHome(engine)
      receiver = await startWebhookReceiver()
      const ada = await addUser(home.db, 'ada', alwaysOpen)
      eventType = await addEventType(home.db, ada, { slug: 'intro' })
      await addEventType(home.db, ada, { slug: 'bare', location: { type: 'Video', value: '' } })
      await addWebhook(home.db, ada, { url: receiver.url })
      server = await startServer(home, { METRICS_TOKEN: TOKEN, WEBHOOK_ALLOW_PRIVATE: 'on' })
      client = connectTo(server)
    })
    after(async () => {
      client?.close()
      server?.send('SIGTERM')
      await server?.exited
      await receiver?.close()
      await home?.remove()
    })

    it('need the token', async () => {
      for (const wrong of [undefined, '', 'another-token', `${TOKEN}x`]) {
        const response = await scrape(server.port, wrong)
        assert.equal(response.status, 401)
        assert.equal(response.headers.get('www-authenticate'), 'Bearer')
        assert.doesNotMatch(await response.text(), /punctual_/)
      }
      const response = await scrape(server.port, TOKEN)
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    })

    it('count requests by route and status, fast listings included', async () => {
      // Asked for twice, a listing is kept; the third comes from memory.
      for (let i = 0; i < 3; i++) assert.equal((await client.get(SLOTS)).status, 200)
      assert.equal((await client.get(`${SLOTS}&more=1`)).status, 200)
      assert.equal((await client.get(SLOTS.replace('intro', 'nothing'))).status, 404)
      assert.equal((await client.get('/api/public/scheduling/ada')).status, 200)
      assert.equal((await client.get('/api/nowhere')).status, 404)

      const samples = await read()
      const requests = (route: string, status: string) =>
        findValue(samples, 'punctual_http_requests_total', { method: 'GET', route, status })
      assert.equal(requests(SLOTS_ROUTE, '200'), 4)
      assert.equal(requests(SLOTS_ROUTE, '404'), 1)
      assert.equal(requests('/api/public/scheduling/:userSlug', '200'), 1)
      assert.equal(requests('none', '404'), 1)
      const of = { method: 'GET', route: SLOTS_ROUTE }
      const duration = 'punctual_http_request_duration_seconds'
      assert.equal(findValue(samples, `${duration}_count`, of), 5)
      assert.equal(findValue(samples, `${duration}_bucket`, { ...of, le: '+Inf' }), 5)
      assert.equal(findValue(samples, `${duration}_bucket`, { ...of, le: '10' }), 5)
      assert.ok((findValue(samples, `${duration}_sum`, of) ?? 0) > 0)
      const listings = (cache: string) => findValue(samples, 'punctual_listings_total', { cache })
      assert.equal((listings('hit') ?? 0) + (listings('miss') ?? 0), 4)
      assert.ok((listings('miss') ?? 0) >= 2)
    })

    it('count bookings by outcome and by the reason of a refusal', async () => {
      const book = async (body: unknown) => (await client.post(BOOK, body, fromSomeoneNew())).status
      const wanted = bookingOf(eventType, FUTURE_MIDNIGHT)
      assert.equal(await book(wanted), 201)
      assert.equal(await book({ ...wanted, inviteeEmail: 'someone-else@guests.example' }), 400)
      assert.equal(await book({ ...wanted, inviteeName: 5 }), 400)
      assert.equal(await book({ ...wanted, startTime: 'tomorrow' }), 400)
      const samples = await read()
      const bookings = (outcome: string, reason: string) =>
        findValue(samples, 'punctual_bookings_total', { outcome, reason })
      assert.equal(bookings('booked', ''), 1)
      assert.equal(bookings('refused', 'slot_unavailable'), 1)
      assert.equal(bookings('refused', 'invalid'), 2)
    })

    it('count emails and deliveries by outcome', async () => {
      await until('punctual_mails_total', { outcome: 'sent' }, 2)
      await until('punctual_webhook_deliveries_total', { outcome: 'delivered' }, 1)
      receiver.answer(says(500))
      const body = bookingOf(eventType, FUTURE_MIDNIGHT + 3_600_000)
      assert.equal((await client.post(BOOK, body, fromSomeoneNew())).status, 201)
      await until('punctual_webhook_deliveries_total', { outcome: 'rejected' }, 1)
    })

    it('count what needs attention', async () => {
      await until('punctual_attention_items', { kind: 'video-without-link' }, 1)
      assert.equal(findValue(await read(), 'punctual_attention_items', { kind: 'nothing-bookable' }), 0)
    })

    it('describe the process, the database and the build', async () => {
      // The first sample is taken as the service starts.
      await until('punctual_sampled_timestamp_seconds', {}, 1)
      const samples = await read()
      assert.equal(findValue(samples, 'punctual_build_info'), 1)
      assert.ok((findValue(samples, 'punctual_nodejs_eventloop_lag_p99_seconds') ?? 0) > 0)
      assert.equal(findValue(samples, 'punctual_database_up'), 1)
      for (const name of ['due_jobs', 'scheduled_jobs', 'dead_jobs', 'oldest_due_seconds']) {
        assert.ok((findValue(samples, `punctual_outbox_${name}`, { kind: 'mail' }) ?? -1) >= 0, name)
      }
      assert.equal(findValue(samples, 'punctual_calendars', { kind: 'google', health: 'failing' }), 0)
      assert.equal(findValue(samples, 'punctual_live_checks_total', { outcome: 'unknown' }), 0)
      for (const reason of [
        'settings',
        'calendars',
        'exemption',
        'answer',
        'locked',
        'outdated',
        'separated',
      ]) {
        assert.equal(findValue(samples, 'punctual_decisions_again_total', { reason }), 0, reason)
      }
      if (engine === 'postgres') {
        const connections = (state: string) => findValue(samples, 'punctual_database_connections', { state })
        assert.ok((connections('idle') ?? 0) + (connections('in_use') ?? 0) > 0)
        assert.equal(findValue(samples, 'punctual_database_waiting'), 0)
      }
    })

    it('count notices that are not from a provider', async () => {
      assert.equal((await client.post('/api/hooks/google', {}, fromSomeoneNew())).status, 404)
      const labels = { provider: 'google', outcome: 'unknown' }
      await until('punctual_calendar_notices_total', labels, 1)
    })

    it('hold no personal data', async () => {
      for (const { name, labels } of await read()) {
        assert.match(name, /^punctual_/)
        assert.doesNotMatch(JSON.stringify(labels), /ada|intro|guest|@|127\.0/)
      }
    })
  })
}

describe('metrics on a separate port', () => {
  let home: Home
  before(async () => {
    home = await freshHome('postgres')
  })
  after(() => home.remove())

  it('need no token, are not on the other port, and answer without a database', async () => {
    const proxy = await startTcpProxy(home.url)
    const metricsPort = await findFreePort()
    const environment = { METRICS_PORT: String(metricsPort), DATABASE_URL: proxy.url }
    const server = await startServer(home, environment)
    try {
      assert.equal((await scrape(server.port)).status, 404)
      assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status, 404)
      proxy.stall()
      assert.equal(findValue(await samplesOf(metricsPort), 'punctual_build_info'), 1)
      proxy.resume()
    } finally {
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      await proxy.close()
    }
  })

  it('need the token if there is one', async () => {
    const metricsPort = await findFreePort()
    const server = await startServer(home, { METRICS_PORT: String(metricsPort), METRICS_TOKEN: TOKEN })
    try {
      assert.equal((await scrape(metricsPort)).status, 401)
      assert.equal((await scrape(metricsPort, TOKEN)).status, 200)
    } finally {
      server.send('SIGTERM')
      await server.exited
    }
  })

  it('are off by default', async () => {
    const server = await startServer(home)
    try {
      assert.equal((await scrape(server.port)).status, 404)
      assert.equal((await scrape(server.port, '')).status, 404)
    } finally {
      server.send('SIGTERM')
      await server.exited
    }
  })
})
