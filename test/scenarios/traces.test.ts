import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addEventType, addUser } from '../kit.ts'
import { type OtlpCollector, startOtlpCollector } from '../otlp-collector.ts'
import {
  alwaysOpen,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'
import { startTcpProxy } from '../tcp-proxy.ts'

const PARENT = '00f067aa0ba902b7'
const DATE = new Date(FUTURE_MIDNIGHT).toISOString().slice(0, 10)
const SLOTS = `/api/public/scheduling/ada/intro/slots?dateFrom=${DATE}&dateTo=${DATE}&timezone=UTC`
const ROUTE = '/api/public/scheduling/:userSlug'

/** The trace of a test's own. */
const traceOf = (digit: string) => digit.repeat(32)
const sampled = (digit: string, flags = '01') => `00-${traceOf(digit)}-${PARENT}-${flags}`

async function get({ port }: ServerProcess, path: string, traceparent?: string): Promise<number> {
  const headers = traceparent === undefined ? {} : { traceparent }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  await response.arrayBuffer()
  return response.status
}

describe('traces', () => {
  let home: Home
  let collector: OtlpCollector
  before(async () => {
    home = await freshHome('sqlite')
    const ada = await addUser(home.db, 'ada', alwaysOpen)
    await addEventType(home.db, ada, { slug: 'intro' })
    collector = await startOtlpCollector()
  })
  after(async () => {
    await collector?.close()
    await home?.remove()
  })
  const find = (digit: string) => collector.spans.filter(({ traceId }) => traceId === traceOf(digit))

  it('have a span for every request that its caller records, and are complete after a stop', async () => {
    const server = await startServer(home, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
      OTEL_SERVICE_NAME: 'desk',
    })
    try {
      assert.equal(await get(server, SLOTS, sampled('1')), 200)
      assert.equal(await get(server, '/api/public/scheduling/ada', sampled('2')), 200)
      assert.equal(await get(server, '/api/public/scheduling/nobody', sampled('3')), 404)
      assert.equal(await get(server, '/api/public/scheduling/ada', sampled('4', '00')), 200)
      assert.equal(await get(server, '/api/public/scheduling/ada', 'nonsense'), 200)
      assert.equal(await get(server, '/api/nowhere'), 404)
    } finally {
      server.send('SIGTERM')
    }
    assert.deepEqual(await server.exited, { code: 0, signal: null })

    const [listing] = find('1')
    assert.equal(listing?.name, `GET ${ROUTE}/:eventSlug/slots`)
    const [profile] = find('2')
    assert.deepEqual(
      [profile?.name, profile?.kind, profile?.parentSpanId, profile?.attributes, profile?.status],
      [
        `GET ${ROUTE}`,
        2,
        PARENT,
        { 'http.request.method': 'GET', 'http.route': ROUTE, 'http.response.status_code': '200' },
        {},
      ],
    )
    assert.match(profile?.spanId ?? '', /^(?!0{16})[0-9a-f]{16}$/)
    const began = BigInt(profile?.startTimeUnixNano ?? 0)
    assert.ok(began <= BigInt(profile?.endTimeUnixNano ?? 0))
    assert.ok(Math.abs(Number(began / 1_000_000n) - Date.now()) < 3_600_000)
    assert.equal(find('3')[0]?.attributes['http.response.status_code'], '404')
    assert.deepEqual(find('4'), [])
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    assert.deepEqual(roots.map(({ name }) => name).sort(), [`GET ${ROUTE}`, 'GET none'])
    assert.notEqual(roots[0]?.traceId, roots[1]?.traceId)

    const { headers, resource } = collector.last()
    assert.equal(headers.authorization, 'Bearer secret')
    assert.equal(resource['service.name'], 'desk')
    // Ids are random, so that one in thirty runs would have "ada" in them.
    const said = collector.spans.map(({ traceId, spanId, parentSpanId, ...span }) => span)
    assert.doesNotMatch(JSON.stringify(said), /ada|intro|nobody|127\.0/)
  })

  it('are dropped while the collector refuses them, and the service goes on', async () => {
    collector.answer(503)
    const before = collector.requests()
    const server = await startServer(home, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    try {
      while (collector.requests() === before) {
        assert.equal(await get(server, '/api/public/scheduling/ada'), 200)
        await sleep(20)
      }
      while (!server.output().includes('could not send traces')) await sleep(10)
      assert.equal(await get(server, SLOTS), 200)
    } finally {
      collector.answer(200)
      server.send('SIGTERM')
    }
    assert.deepEqual(await server.exited, { code: 0, signal: null })
  })
})

describe('the trace of a request', () => {
  it('is in its log lines, with or without a collector, if it is valid', { timeout: 300_000 }, async () => {
    const home = await freshHome('postgres')
    const proxy = await startTcpProxy(home.url)
    const environment = { DATABASE_URL: proxy.url, DATABASE_TIMEOUT_SECONDS: '10' }
    const server = await startServer({ environment })
    try {
      proxy.stall()
      const path = '/api/public/scheduling/somebody'
      assert.deepEqual(
        await Promise.all([
          get(server, path, sampled('a')),
          get(server, path, sampled('b', '00')),
          get(server, path, `00-${traceOf('c')}-${PARENT}-01","level":"60`),
        ]),
        [503, 503, 503],
      )
      const lines = () =>
        server
          .output()
          .split('\n')
          .filter((line) => line.includes('"reqId"') && line.endsWith('}'))
          .map((line) => JSON.parse(line) as { traceId?: string })
      while (lines().length < 3) await sleep(10)
      assert.deepEqual(
        lines()
          .map(({ traceId }) => traceId)
          .sort(),
        [traceOf('a'), traceOf('b'), undefined].sort(),
      )
    } finally {
      proxy.resume()
      server.send('SIGTERM')
      await server.exited
      await proxy.close()
      await home.remove()
    }
  })
})
