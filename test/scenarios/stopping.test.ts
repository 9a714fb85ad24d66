import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../src/store/engine/database.ts'
import { bookAt } from '../bookings.ts'
import { addEventType, addUser, bookingOf, contextOn, fromSomeoneNew } from '../kit.ts'
import {
  alwaysOpen,
  connectTo,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'

async function ask({ port }: ServerProcess, path: string, agent = new Agent()): Promise<IncomingMessage> {
  const [response] = await once(get({ host: '127.0.0.1', port, path, agent }), 'response')
  response.resume()
  await once(response, 'end')
  return response
}

async function untilReadyzSays(server: ServerProcess, status: number): Promise<void> {
  while ((await ask(server, '/readyz')).statusCode !== status) await sleep(10)
}

/** A server that is stopped within a transaction would keep its locks. */
async function stallBetweenTransactions(proxy: TcpProxy, db: Db): Promise<void> {
  const othersAre = async (states: readonly string[]) => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state in (${sql.join(states)})`.execute(
      db,
    )
    return rows.length > 0
  }
  do {
    proxy.resume()
    while (await othersAre(['active', 'idle in transaction'])) await sleep(10)
    proxy.stall()
    while (await othersAre(['active'])) await sleep(10)
  } while (await othersAre(['idle in transaction']))
}

describe('an instance that is asked to stop', () => {
  let home: Home
  before(async () => {
    home = await freshHome('sqlite')
    const ada = await addUser(home.db, 'ada', alwaysOpen)
    await addEventType(home.db, ada, { slug: 'intro' })
  })
  after(() => home.remove())

  it('reports that it is draining, and serves on without keeping connections', async () => {
    // Longer than the slowest machine needs for this.
    const server = await startServer(home, { DRAIN_SECONDS: '600' })
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const date = new Date(FUTURE_MIDNIGHT).toISOString().slice(0, 10)
    const listing = `/api/public/scheduling/ada/intro/slots?dateFrom=${date}&dateTo=${date}&timezone=UTC`
    try {
      assert.equal((await ask(server, listing, kept)).headers.connection, 'keep-alive')
      server.send('SIGTERM')
      await untilReadyzSays(server, 503)
      assert.equal((await ask(server, '/healthz')).statusCode, 200)
      // On the connection that is still open: a fast listing, and a request through the app.
      for (const path of [listing, '/api/public/scheduling/ada', listing]) {
        const { statusCode, headers } = await ask(server, path, kept)
        assert.deepEqual([statusCode, headers.connection], [200, 'close'], path)
      }
    } finally {
      kept.destroy()
      server.send('SIGKILL')
      await server.exited
    }
  })

  it('ends once it has drained', async () => {
    const server = await startServer(home, { DRAIN_SECONDS: '1' })
    server.send('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })
  })
})

describe('an instance whose database does not answer', () => {
  let home: Home
  let proxy: TcpProxy
  let server: ServerProcess
  before(async () => {
    home = await freshHome('postgres')
    proxy = await startTcpProxy(home.url)
  })
  const start = async (timeout: string) => {
    server = await startServer({
      environment: { DATABASE_URL: proxy.url, DATABASE_TIMEOUT_SECONDS: timeout },
    })
  }
  after(async () => {
    server?.send('SIGKILL')
    await proxy?.close()
    await home?.remove()
  })

  it('is alive but not ready, and recovers without a restart', { timeout: 300_000 }, async () => {
    await start('10')
    await untilReadyzSays(server, 200)
    proxy.stall()
    await untilReadyzSays(server, 503)
    assert.equal((await ask(server, '/healthz')).statusCode, 200)
    proxy.resume()
    await untilReadyzSays(server, 200)
    server.send('SIGTERM')
    await server.exited
  })

  it('stops long before the database is given up, with requests and jobs in hand', {
    timeout: 300_000,
  }, async () => {
    await start('3600')
    const { context } = contextOn(home.db)
    const ada = await addUser(home.db, 'ada', alwaysOpen)
    const eventType = await addEventType(home.db, ada, { slug: 'intro' })
    await stallBetweenTransactions(proxy, home.db)
    for (let i = 0; i < 20; i++) await bookAt(context, ada, eventType, FUTURE_MIDNIGHT + i * 1_800_000)
    const client = connectTo(server)
    const waiting = Array.from({ length: 20 }, (_, i) => {
      const body = bookingOf(eventType, FUTURE_MIDNIGHT + (20 + i) * 1_800_000)
      return client.post('/api/public/scheduling/ada/intro/book', body, fromSomeoneNew()).catch(() => {})
    })
    await untilReadyzSays(server, 503)
    server.send('SIGTERM')
    // After how many seconds is tested with `stopService`.
    assert.deepEqual(await server.exited, { code: 0, signal: null })
    await Promise.all(waiting)
    client.close()
  })
})
