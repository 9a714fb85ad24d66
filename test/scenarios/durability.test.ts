import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, MINUTE } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { lockHosts } from '../../src/store/people/schedulers.ts'
import { openPatiently } from '../databases.ts'
import { addEventType, addUser, bookingOf, fromSomeoneNew } from '../kit.ts'
import { repeat } from '../repeat.ts'
import {
  type Answer,
  alwaysOpen,
  answerTo,
  connectTo,
  FUTURE_MIDNIGHT,
  freshHome,
  type Home,
  type ServerProcess,
  startServer,
} from '../server-process.ts'

const ROUNDS = repeat({ few: 1, many: 10 })
const DURATION = 15 * MINUTE
const slotStart = (number: number) => FUTURE_MIDNIGHT + number * DURATION

interface Offered {
  readonly owner: Scheduler
  readonly eventType: EventType
}

const pathOf = ({ owner, eventType }: Offered) =>
  `/api/public/scheduling/${owner.slug}/${eventType.slug}/book`

async function addHost(db: Db, slug: string, given: Partial<EventType> = {}): Promise<Offered> {
  const owner = await addUser(db, slug, alwaysOpen)
  return { owner, eventType: await addEventType(db, owner, { durationMinutes: 15, ...given }) }
}

async function newHome(t: TestContext, engine: 'sqlite' | 'postgres'): Promise<Home> {
  const home = await freshHome(engine)
  t.after(() => home.remove())
  return home
}

async function newServer(t: TestContext, home: Home): Promise<ServerProcess> {
  const server = await startServer(home)
  // After a test that failed half-way, nothing else would end it.
  t.after(() => server.send('SIGKILL'))
  return server
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`durability on ${engine}`, () => {
    it('keeps every acknowledged booking, and books no slot twice, through many kill -9', async (t) => {
      const home = await newHome(t, engine)
      const plain = await addHost(home.db, 'plain')
      const seated = await addHost(home.db, 'seated', { seats: 2 })
      // The file must be the server's alone: with someone else at it, nothing would have to be recovered.
      await home.db.destroy()

      const stream = new Stream([plain, seated])
      for (let round = 0; round < ROUNDS; round++) {
        const acknowledgements = 1 + (round * (round + 1)) / 2
        const server = await newServer(t, home)
        await stream.run(server, acknowledgements)
        const { signal } = await server.exited
        assert.equal(signal, 'SIGKILL')
        if (engine === 'sqlite') assertIntact(home.url)
        await withDatabase(home.url, (db) => stream.assertKept(db))
      }

      const server = await newServer(t, home)
      const client = connectTo(server)
      t.after(() => client.close())
      await withDatabase(home.url, async (db) => {
        const rows = await db
          .selectFrom('claims')
          .select('starts_at')
          .where('host_id', '=', plain.owner.id)
          .execute()
        const taken = new Set(rows.map((row) => row.starts_at))
        const date = new Date(FUTURE_MIDNIGHT).toISOString().slice(0, 10)
        const listing = await client.get(
          `${pathOf(plain).replace(/book$/, 'slots')}?dateFrom=${date}&dateTo=${date}&timezone=UTC`,
        )
        const listed = listing.body
          .flatMap((day: { slots: { startTime: string }[] }) => day.slots)
          .map((slot: { startTime: string }) => Date.parse(slot.startTime))
        const expected = Array.from({ length: DAY / DURATION }, (_, i) => slotStart(i)).filter(
          (start) => !taken.has(start),
        )
        assert.deepEqual(listed, expected)
      })
    })

    it('answers every request that it has accepted before it stops, and ends with 0', {
      timeout: 300_000,
    }, async (t) => {
      const home = await newHome(t, engine)
      const offer = await addHost(home.db, 'stopping')
      const server = await newServer(t, home)
      // Half of the guests would keep their connection for more, which must not hold anything up.
      const keeping = new Agent({ keepAlive: true })
      t.after(() => keeping.destroy())
      const requests = Array.from({ length: 30 }, (_, i) => {
        const body = JSON.stringify(bookingOf(offer.eventType, slotStart(i)))
        const request = httpRequest({
          host: '127.0.0.1',
          port: server.port,
          method: 'POST',
          path: pathOf(offer),
          agent: i % 2 === 0 ? keeping : false,
          headers: {
            ...fromSomeoneNew(),
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            expect: '100-continue',
          },
        })
        request.flushHeaders()
        return { request, body, accepted: once(request, 'continue') }
      })
      await Promise.all(requests.map(({ accepted }) => accepted))

      server.send('SIGTERM')
      await untilRefused(server.port)
      const answers = await Promise.all(requests.map(({ request, body }) => answerTo(request.end(body))))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(30).fill(201),
      )
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      await assertWritten(home.db, answers)
    })

    it('has stored everything it acknowledged when it is stopped under load', async (t) => {
      const home = await newHome(t, engine)
      const offer = await addHost(home.db, 'streaming')
      const server = await newServer(t, home)
      const client = connectTo(server, 20)
      t.after(() => client.close())
      const acknowledged: Answer[] = []
      const attempts = Array.from({ length: 90 }, async (_, i) => {
        const answer = await client.post(
          pathOf(offer),
          bookingOf(offer.eventType, slotStart(i)),
          fromSomeoneNew(),
        )
        assert.equal(answer.status, 201)
        if (acknowledged.push(answer) === 10) server.send('SIGTERM')
      })
      // Requests after the signal may be refused a connection. Every answer is a success.
      for (const result of await Promise.allSettled(attempts)) {
        if (result.status === 'rejected')
          assert.match(result.reason.code, /^(?:ECONNREFUSED|ECONNRESET|EPIPE)$/)
      }
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.ok(acknowledged.length >= 10)
      await assertWritten(home.db, acknowledged)
    })
  })
}

describe('stopping', () => {
  it('ends even if a client has sent only half a request', { timeout: 300_000 }, async (t) => {
    const home = await newHome(t, 'sqlite')
    const server = await newServer(t, home)
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: '/api/public/scheduling/nobody/nothing/book',
      headers: { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
    })
    request.on('error', () => {})
    t.after(() => request.destroy())
    request.flushHeaders()
    // This one answers before the body is there; the next never says what it wants.
    await once(request, 'response')
    const silent = connect(server.port, '127.0.0.1').on('error', () => {})
    t.after(() => silent.destroy())
    await once(silent, 'connect')
    silent.write('POST /api/public/scheduling/nobody/nothing/book HTTP/1.1\r\nHost: here\r\n')

    server.send('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })
  })
})

describe('durability while PostgreSQL fails', () => {
  it('answers 503 if its connection breaks during a booking, and keeps working', async (t) => {
    const home = await newHome(t, 'postgres')
    const plain = await addHost(home.db, 'plain')
    const seated = await addHost(home.db, 'seated', { seats: 5 })
    const server = await newServer(t, home)
    const client = connectTo(server)
    t.after(() => client.close())

    for (const offer of [plain, seated]) {
      const body = bookingOf(offer.eventType, FUTURE_MIDNIGHT)
      const book = () => client.post(pathOf(offer), body, fromSomeoneNew())
      const held = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const holding = home.db.transaction().execute(async (trx) => {
        // On a busy machine it is held for longer than a transaction of ours may stand still.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
        await lockHosts(trx, [offer.owner.id])
        held.resolve()
        await released.promise
      })
      await held.promise
      const { status, body: answer } = await cutOffUntilAnswered(home.db, book())
      assert.equal(status, 503)
      assert.deepEqual(Object.keys(answer), ['error'])
      released.resolve()
      await holding

      // The connection that is about to close may be met once more, but the service finds another.
      let next = await book()
      if (next.status === 503) next = await book()
      assert.equal(next.status, 201)
      const rows = await home.db
        .selectFrom('bookings')
        .select('id')
        .where('event_type_id', '=', offer.eventType.id)
        .execute()
      assert.deepEqual(rows, [{ id: next.body.id }])
    }
    server.send('SIGTERM')
    assert.deepEqual(await server.exited, { code: 0, signal: null })
  })
})

interface Sent {
  readonly offer: Offered
  readonly start: number
  readonly body: object
  readonly key: string | undefined
}

/** Guests who book slot after slot, and remember what they were promised. */
class Stream {
  readonly #offers: readonly Offered[]
  readonly #promised = new Map<string, Sent>()
  /** Requests with a key that a crash left without an answer. */
  #unanswered: Sent[] = []
  #sent = 0

  constructor(offers: readonly Offered[]) {
    this.#offers = offers
  }

  /** Books until that many bookings have been acknowledged, then kills the server under the others. */
  async run(server: ServerProcess, acknowledgements: number): Promise<void> {
    const client = connectTo(server)
    const before = this.#promised.size
    let killed = false
    const send = async (given: Sent) => {
      const headers = { ...fromSomeoneNew(), ...(given.key && { 'idempotency-key': given.key }) }
      let answer: Answer
      try {
        answer = await client.post(pathOf(given.offer), given.body, headers)
      } catch (error) {
        if (!killed) throw error
        if (given.key) this.#unanswered.push(given)
        return
      }
      assert.ok(answer.status === 201 || answer.status === 400, JSON.stringify(answer.body))
      if (answer.status === 201) {
        this.#promised.set(answer.body.id, given)
        if (this.#promised.size >= before + acknowledgements && !killed) {
          killed = true
          server.send('SIGKILL')
        }
      }
    }
    // Clients without an answer retry with the same key, and must not book twice.
    const retries = this.#unanswered.splice(0)
    const guest = async (_: unknown, number: number) => {
      for (const retry of retries.splice(0, number === 0 ? retries.length : 0)) await send(retry)
      while (!killed) await send(this.#next())
    }
    try {
      await Promise.all(Array.from({ length: 12 }, guest))
    } finally {
      client.close()
    }
  }

  /** Two or three guests try for each slot, of each host in turn; some send a key. */
  #next(): Sent {
    const number = this.#sent++
    const offer = this.#offers[number % this.#offers.length] as Offered
    const start = slotStart(Math.floor(number / 5))
    const key = number % 3 === 0 ? `key-${number}` : undefined
    return { offer, start, key, body: bookingOf(offer.eventType, start) }
  }

  async assertKept(db: Db): Promise<void> {
    const bookings = await db.selectFrom('bookings').selectAll().execute()
    const claims = await db.selectFrom('claims').selectAll().orderBy('host_id').orderBy('starts_at').execute()
    const byId = new Map(bookings.map((booking) => [booking.id, booking]))
    for (const [id, { offer, start }] of this.#promised) {
      const kept = byId.get(id)
      assert.deepEqual([kept?.event_type_id, kept?.starts_at], [offer.eventType.id, start])
    }
    for (const [i, claim] of claims.entries()) {
      const before = claims[i - 1]
      if (before?.host_id === claim.host_id) assert.ok(before.ends_at <= claim.starts_at)
    }
    // Nothing is half done: no booking without its time, no time without a booking, no seat too many.
    assert.deepEqual(
      [...new Set(bookings.map((booking) => booking.meeting_id))].sort(),
      claims.map((claim) => claim.meeting_id).sort(),
    )
    for (const meeting of Object.values(Object.groupBy(bookings, (booking) => booking.meeting_id))) {
      assert.ok((meeting?.length ?? 0) <= (meeting?.[0]?.seats ?? 0))
    }
    // A key books once, however often it is sent.
    const guests = bookings.map((booking) => `${booking.invitee_email} ${booking.starts_at}`)
    assert.equal(new Set(guests).size, guests.length)
  }
}

function assertIntact(path: string): void {
  const file = new DatabaseSync(path)
  try {
    assert.deepEqual(
      file
        .prepare('pragma integrity_check')
        .all()
        .map((row) => ({ ...row })),
      [{ integrity_check: 'ok' }],
    )
    assert.deepEqual(file.prepare('pragma foreign_key_check').all(), [])
  } finally {
    file.close()
  }
}

async function withDatabase(url: string, look: (db: Db) => Promise<void>): Promise<void> {
  const db = openPatiently(url)
  try {
    await look(db)
  } finally {
    await db.destroy()
  }
}

async function assertWritten(db: Db, answers: readonly Answer[]): Promise<void> {
  const ids = new Set((await db.selectFrom('bookings').select('id').execute()).map((row) => row.id))
  for (const { body } of answers) assert.ok(ids.has(body.id))
}

async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch {
      return
    } finally {
      socket.destroy()
    }
  }
}

/** Ends the connections of statements that stand before a lock: also the second, should the service try again. */
async function cutOffUntilAnswered(db: Db, asked: Promise<Answer>): Promise<Answer> {
  let isAnswered = false
  const answer = asked.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  }
  return answer
}
