import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { openPatiently } from '../databases.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { startReplicatedPostgres } from '../postgres.ts'
import { alwaysOpen, type Client, connectTo, FUTURE_MIDNIGHT, startServer } from '../server-process.ts'

const DURATION = 15 * MINUTE
const HOSTS = 6
const GUESTS_AT_ONCE = 12
/** Within which the service must write again once a standby has taken over. */
const WRITES_WITHIN = 60_000

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

interface Attempt {
  readonly eventTypeId: string
  readonly startsAt: number
  readonly status: number
  readonly bookingId: string | undefined
}

/** Guests who book one slot after another, each of them once. */
class Guests {
  readonly attempts: Attempt[] = []
  readonly #client: Client
  readonly #offers: readonly Offered[]
  readonly #loops: Promise<void>[]
  #next = 0
  #stopped = false

  constructor(client: Client, offers: readonly Offered[]) {
    this.#client = client
    this.#offers = offers
    this.#loops = Array.from({ length: GUESTS_AT_ONCE }, () => this.#bookOn())
  }

  async #bookOn(): Promise<void> {
    while (!this.#stopped) {
      const attempt = await this.book()
      // As a polite client does that should retry later.
      if (attempt.status >= 500) await sleep(20)
    }
  }

  async book(): Promise<Attempt> {
    const number = this.#next++
    const { owner, eventType } = this.#offers[number % this.#offers.length] as Offered
    const startsAt = FUTURE_MIDNIGHT + Math.floor(number / this.#offers.length) * DURATION
    const path = `/api/public/scheduling/${owner.slug}/${eventType.slug}/book`
    const { status, body } = await this.#client.post(path, bookingOf(eventType, startsAt), fromSomeoneNew())
    const attempt = { eventTypeId: eventType.id, startsAt, status, bookingId: body.id ?? body.booking?.id }
    this.attempts.push(attempt)
    return attempt
  }

  with(status: number): Attempt[] {
    return this.attempts.filter((attempt) => attempt.status === status)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#loops)
  }
}

describe('a failover of PostgreSQL', () => {
  it('loses no booking, and needs no restart', { timeout: 300_000 }, async (t) => {
    await using ending = new AsyncDisposableStack()
    const { primary, standby, stop } = await startReplicatedPostgres()
    ending.defer(stop)
    const before = openPatiently(primary.url)
    ending.defer(() => before.destroy())
    const hosts = [standby, primary].map(({ url }) => new URL(url).host)
    const server = await startServer({
      environment: {
        DATABASE_URL: `postgres://postgres@${hosts.join()}/postgres?target_session_attrs=read-write`,
        LOG_LEVEL: 'fatal',
        DATABASE_TIMEOUT_SECONDS: '10',
      },
    })
    ending.defer(async () => {
      server.send('SIGKILL')
      await server.exited
    })
    const offers: Offered[] = []
    for (let i = 0; i < HOSTS; i++) {
      const owner = await addUser(before, `host-${i}`, alwaysOpen)
      offers.push({ owner, eventType: await addEventType(before, owner, { durationMinutes: 15 }) })
    }
    const client = connectTo(server)
    ending.defer(() => client.close())
    const guests = new Guests(client, offers)
    while (guests.with(201).length < 100) await sleep(5)

    await primary.kill()
    // The service notices before there is anyone who could take over.
    while ((await client.get('/readyz')).status !== 503) await sleep(5)
    const after = openPatiently(standby.url)
    ending.defer(() => after.destroy())
    await sql`select pg_promote()`.execute(after)
    const promotedAt = performance.now()
    const known = guests.with(201).length
    while (guests.with(201).length < known + 50) {
      assert.ok(performance.now() - promotedAt < WRITES_WITHIN, 'nothing was booked after the failover')
      await sleep(5)
    }
    t.diagnostic(`booked again ${Math.round(performance.now() - promotedAt)} ms after the promotion`)
    await guests.stop()

    const rows = await after.selectFrom('bookings').select(['id', 'event_type_id', 'starts_at']).execute()
    const ids = new Set(rows.map(({ id }) => id))
    const slots = new Set(rows.map((row) => `${row.event_type_id} ${row.starts_at}`))
    const lost = guests.with(201).filter(({ bookingId }) => bookingId === undefined || !ids.has(bookingId))
    assert.deepEqual(lost, [], 'acknowledged, and lost')
    const undead = guests
      .with(503)
      .filter(({ eventTypeId, startsAt }) => slots.has(`${eventTypeId} ${startsAt}`))
    assert.deepEqual(undead, [], 'answered with 503, and booked')
    const counts = Map.groupBy(guests.attempts, ({ status }) => status)
    t.diagnostic([...counts].map(([status, { length }]) => `${length} × ${status}`).join(', '))
    assert.deepEqual(
      [...counts.keys()].filter((status) => ![201, 503].includes(status)),
      [],
    )
  })
})
