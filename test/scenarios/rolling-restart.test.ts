import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { probeHaProxy, startHaProxy } from '../haproxy.ts'
import { isInstalled } from '../installed.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { type LoadBalancer, startLoadBalancer } from '../load-balancer.ts'
import {
  alwaysOpen,
  FUTURE_MIDNIGHT,
  findFreePort,
  freshHome,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

const DURATION = 15 * MINUTE
const NAMES = ['one', 'two', 'three'] as const
const HOSTS = 4
const GUESTS = 2

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

/** Guests who list and book in turn, on connections that they keep, until they are stopped. */
class Guests {
  /** How often each instance has answered. */
  readonly served = new Map<string, number>()
  readonly failures: string[] = []
  requests = 0
  readonly booked: string[] = []
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number
  readonly #offers: readonly Offered[]
  readonly #loops: Promise<void>[]
  #next = 0
  #stopped = false

  constructor({ port }: LoadBalancer, offers: readonly Offered[]) {
    this.#port = port
    this.#offers = offers
    this.#loops = Array.from({ length: GUESTS }, () => this.#goOn())
  }

  async #goOn(): Promise<void> {
    while (!this.#stopped) {
      const number = this.#next++
      const { owner, eventType } = this.#offers[number % this.#offers.length] as Offered
      const startsAt = FUTURE_MIDNIGHT + Math.floor(number / this.#offers.length) * DURATION
      const path = `/api/public/scheduling/${owner.slug}/${eventType.slug}`
      const date = new Date(startsAt).toISOString().slice(0, 10)
      await this.#ask('GET', `${path}/slots?dateFrom=${date}&dateTo=${date}&timezone=UTC`, 200)
      const id = await this.#ask('POST', `${path}/book`, 201, bookingOf(eventType, startsAt))
      if (id !== undefined) this.booked.push(id)
      // So that slots last for as long as three instances take to restart.
      await sleep(50)
    }
  }

  async #ask(method: string, path: string, expected: number, body?: object): Promise<string | undefined> {
    this.requests++
    try {
      const headers = { ...fromSomeoneNew(), ...(body && { 'content-type': 'application/json' }) }
      const sent = request({ host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers })
      sent.end(body && JSON.stringify(body))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const text = Buffer.concat(await response.toArray()).toString()
      const name = String(response.headers['x-served-by'])
      this.served.set(name, (this.served.get(name) ?? 0) + 1)
      if (response.statusCode !== expected) this.failures.push(`${method} ${response.statusCode} ${text}`)
      else if (method === 'POST') return JSON.parse(text).id
    } catch (error) {
      this.failures.push(`${method} ${(error as Error).message}`)
    }
    return undefined
  }

  async untilServedBy(name: string): Promise<void> {
    const before = this.served.get(name) ?? 0
    while ((this.served.get(name) ?? 0) === before) await sleep(10)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#loops)
    this.#agent.destroy()
  }
}

const balancers: [string, typeof startLoadBalancer][] = [['a small load balancer', startLoadBalancer]]
if (await isInstalled('HAProxy', probeHaProxy)) balancers.push(['HAProxy', startHaProxy])

for (const [software, startBalancer] of balancers) {
  describe(`a rolling restart of three instances behind ${software}`, () => {
    it('fails no request', { timeout: 500_000 }, async (t) => {
      await using ending = new AsyncDisposableStack()
      const home = await freshHome('postgres')
      ending.defer(() => home.remove())
      const offers: Offered[] = []
      for (let i = 0; i < HOSTS; i++) {
        const owner = await addUser(home.db, `host-${i}`, alwaysOpen)
        offers.push({ owner, eventType: await addEventType(home.db, owner, { durationMinutes: 15 }) })
      }
      const start = async (port: number): Promise<ServerProcess> => {
        const server = await startServer(home, { PORT: String(port), DRAIN_SECONDS: '8' })
        ending.defer(async () => {
          server.send('SIGKILL')
          await server.exited
        })
        return server
      }
      const ports = Object.fromEntries(
        await Promise.all(NAMES.map(async (name) => [name, await findFreePort()] as const)),
      ) as Record<(typeof NAMES)[number], number>
      const running = new Map(
        await Promise.all(NAMES.map(async (name) => [name, await start(ports[name])] as const)),
      )
      const balancer = await startBalancer(ports)
      ending.defer(() => balancer.stop())
      const guests = new Guests(balancer, offers)
      await Promise.all(NAMES.map((name) => guests.untilServedBy(name)))

      for (const name of NAMES) {
        const old = running.get(name) as ServerProcess
        old.send('SIGTERM')
        assert.deepEqual(await old.exited, { code: 0, signal: null })
        await start(ports[name])
        await guests.untilServedBy(name)
      }
      await guests.stop()

      t.diagnostic(`${guests.requests} requests, ${guests.failures.length} failed`)
      assert.deepEqual(guests.failures, [])
      const rows = await home.db.selectFrom('bookings').select('id').execute()
      assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(guests.booked))
    })
  })
}
