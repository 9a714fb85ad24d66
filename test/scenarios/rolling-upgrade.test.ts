import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DAY } from '../../src/domain/interval.ts'
import { MIGRATIONS } from '../../src/store/engine/migrations.ts'
import { freshDatabase } from '../databases.ts'
import { fromSomeoneNew } from '../kit.ts'
import { startLoadBalancer } from '../load-balancer.ts'
import { PREVIOUS, type UnpackedRelease, unpackPreviousRelease } from '../previous-release.ts'
import { repeat } from '../repeat.ts'
import { findFreePort, type ServerProcess, startServer } from '../server-process.ts'

/** How many requests each instance answers in each phase. */
const ENOUGH = repeat({ few: 25, many: 1000 })

/** Versions that refuse a change once for each of its statements that a migration has outdated. docs/operating.md says so. */
const MAY_REFUSE_CHANGES = ['0.1.0', '0.2.0', '0.3.0'].includes(PREVIOUS.version)
/** A change has fewer statements. */
const MOST_TRIES = 10

/** Event types of the demo workspace, each booked by a guest of its own on days of its own. */
const BOOKED = [
  'demo/intro',
  'demo/quick',
  'demo/workshop',
  'demo/consultation',
  'demo-team/round-robin',
  'demo-team/collective',
]

const HOSTS_PAGES = [
  'me',
  'bookings',
  'bookings?search=grace',
  'bookings.csv',
  'schedules',
  'routing-forms',
  'teams',
  'webhooks',
  'calendars',
  'audit',
  'insights',
]

interface Reply {
  readonly status: number
  readonly location: string
  // biome-ignore lint/suspicious/noExplicitAny: each request knows what it asked for
  readonly body: any
}

/** What the database must say of a booking in the end. */
interface Expected {
  readonly status: string
  readonly startTime: string
}

/** Guests and a host who use all they can, on connections that they keep, until they are stopped. */
class People {
  readonly bookings = new Map<string, Expected>()
  readonly failures: string[] = []
  readonly served = new Map<string, number>()
  requests = 0
  readonly #port: number
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true })
  readonly #loops: Promise<void>[]
  #stopped = false

  constructor(port: number, token: string) {
    this.#port = port
    this.#token = token
    this.#loops = [...BOOKED.map((path, i) => this.#visit(path, i)), this.#host(), this.#answerForms()]
  }

  /** Until this instance has answered often enough. */
  async untilServedBy(name: string, times = ENOUGH): Promise<void> {
    const before = this.served.get(name) ?? 0
    while ((this.served.get(name) ?? 0) < before + times && this.failures.length === 0) await sleep(10)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#loops)
    this.#agent.destroy()
  }

  async #repeatedly(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !this.#stopped; round++) {
      await work(round).catch((error: Error) => {
        this.failures.push(error.message)
        this.#stopped = true
      })
      await sleep(20)
    }
  }

  /** Books the times of one day after the other. Of four bookings one is moved, and one cancelled. */
  #visit(path: string, guest: number): Promise<void> {
    const scheduling = `/api/public/scheduling/${path}`
    let day = guest
    return this.#repeatedly(async (round) => {
      const date = new Date(Date.now() + (3 + (day % 350)) * DAY).toISOString().slice(0, 10)
      const listing = await this.#ask(
        'GET',
        `${scheduling}/slots?dateFrom=${date}&dateTo=${date}&timezone=America/New_York`,
        200,
      )
      const slots: { startTime: string; endTime: string }[] = listing.body.flatMap(
        (entry: { slots: object[] }) => entry.slots,
      )
      const [slot, another] = slots
      if (slot === undefined || another === undefined) {
        day += BOOKED.length
        return
      }
      const { startTime, endTime } = slot
      const { status, body, location } = await this.#ask('POST', `${scheduling}/book`, [201, 400], {
        startTime,
        endTime,
        inviteeName: 'Grace Guest',
        inviteeEmail: `guest-${randomUUID()}@guests.example`,
        inviteeTimezone: 'Europe/Berlin',
      })
      // Another instance may list a time for 0.8 s that this guest has just booked.
      if (status === 400) return
      this.bookings.set(body.id, { status: body.status, startTime })
      const { pathname, search } = new URL(location, 'http://service')
      assert.equal((await this.#ask('GET', `${pathname}${search}`, 200)).body.id, body.id)
      if (round % 4 === 1) {
        const move = { startTime: another.startTime }
        const moved = await this.#ask('POST', `${pathname}/reschedule${search}`, [200, 400], move)
        if (moved.status === 200) this.bookings.set(body.id, { status: moved.body.status, ...move })
      }
      if (round % 4 === 2) {
        const cancelled = await this.#ask('POST', `${pathname}/cancel${search}`, 200, {})
        this.bookings.set(body.id, { status: cancelled.body.status, startTime })
      }
    })
  }

  #host(): Promise<void> {
    return this.#repeatedly(async (round) => {
      const { body: own } = await this.#ask('GET', '/api/admin/event-types', 200)
      const { id } = own.items[round % own.items.length]
      await this.#change(`/api/admin/event-types/${id}`, { description: `Round ${round}` })
      await this.#change('/api/admin/me', { bio: `Round ${round}` })
      for (const path of HOSTS_PAGES) {
        await this.#ask('GET', `/api/admin/${path}`, 200)
      }
    })
  }

  #answerForms(): Promise<void> {
    return this.#repeatedly(async (round) => {
      const form = '/api/public/routing/demo/contact'
      await this.#ask('GET', form, 200)
      const reason = ['sales', 'support', 'other'][round % 3]
      const answers = { reason, email: `visitor-${round}@guests.example` }
      await this.#ask('POST', `${form}/evaluate`, 200, { answers })
    })
  }

  /** Tries again where the older instance is known to refuse. */
  async #change(path: string, body: object): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#ask('PATCH', path, 200, body)
        return
      } catch (error) {
        const isKnown = MAY_REFUSE_CHANGES && (error as Error).message.includes(' by one: 503 ')
        if (!isKnown || tries === MOST_TRIES) throw error
      }
    }
  }

  async #ask(method: string, path: string, expected: number | number[], body?: object): Promise<Reply> {
    this.requests++
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const sent = request({
      host: '127.0.0.1',
      port: this.#port,
      agent: this.#agent,
      method,
      path,
      headers: {
        ...fromSomeoneNew(),
        ...(path.startsWith('/api/admin/') && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
    })
    sent.on('error', ({ message }) => reject(new Error(`${method} ${path}: ${message}`)))
    sent.on('response', async (response) => {
      const text = await response.toArray().then((chunks) => Buffer.concat(chunks).toString(), reject)
      const name = String(response.headers['x-served-by'] ?? 'the server')
      this.served.set(name, (this.served.get(name) ?? 0) + 1)
      const status = response.statusCode ?? 0
      if ([expected].flat().includes(status)) {
        const isJson = String(response.headers['content-type']).startsWith('application/json')
        resolve({
          status,
          location: String(response.headers.location),
          body: isJson ? JSON.parse(text ?? '') : text,
        })
      } else reject(new Error(`${method} ${path} by ${name}: ${status} ${text}`))
    })
    sent.end(body && JSON.stringify(body))
    return promise
  }
}

describe(`an upgrade from version ${PREVIOUS.version}`, () => {
  let previous: UnpackedRelease
  let folder: string
  before(async () => {
    previous = await unpackPreviousRelease()
    folder = await mkdtemp(join(tmpdir(), 'punctual-upgrade-'))
  })
  after(async () => {
    await previous?.remove()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it('lets both versions serve under load: no request fails, and no booking is lost', {
    timeout: 600_000,
  }, async (t) => {
    await using ending = new AsyncDisposableStack()
    const fresh = await freshDatabase('postgres')
    ending.defer(() => fresh.drop())
    const ports = { one: await findFreePort(), two: await findFreePort() }
    const home = { environment: { DATABASE_URL: fresh.url, DEMO: 'on', DRAIN_SECONDS: '8' } }
    const start = async (name: keyof typeof ports, release?: UnpackedRelease): Promise<ServerProcess> => {
      const own = { PORT: String(ports[name]), DATA_DIR: join(folder, name) }
      const older = release && { ...release.environment, ...patiently(fresh.url) }
      const server = await startServer(home, { ...own, ...older }, release?.main)
      ending.defer(async () => {
        server.send('SIGKILL')
        await server.exited
      })
      return server
    }
    const older = await start('one', previous)
    const database = new pg.Client(fresh.url)
    await database.connect()
    ending.defer(() => database.end())
    const migrated = async () => {
      const { rows } = await database.query('select name from migrations order by name')
      return rows.map(({ name }) => name as string)
    }
    assert.equal((await migrated()).at(-1), PREVIOUS.lastMigration)

    const balancer = await startLoadBalancer(ports)
    ending.defer(() => balancer.stop())
    const people = new People(balancer.port, await signIn(older))
    ending.defer(() => people.stop())
    await people.untilServedBy('one')
    // It migrates while the older version serves. Then both do, and in the end the newer one alone.
    const newer = await start('two')
    assert.deepEqual(await migrated(), MIGRATIONS.map(({ name }) => name).sort())
    await Promise.all(['one', 'two'].map((name) => people.untilServedBy(name)))
    older.send('SIGTERM')
    assert.deepEqual(await older.exited, { code: 0, signal: null })
    await people.untilServedBy('two')
    await people.stop()

    t.diagnostic(`${people.requests} requests, ${people.bookings.size} bookings`)
    assert.deepEqual(people.failures, [])
    assertSaved((await database.query(GUESTS_BOOKINGS)).rows, people.bookings)
    // Each did jobs that the other had queued.
    // One of the older version that met a changed table is tried again.
    const failed = await database.query(
      `select kind, error from outbox where error <> '' and error <> 'cached plan must not change result type'`,
    )
    assert.deepEqual(failed.rows, [])
    for (const { output } of [older, newer]) assert.doesNotMatch(output(), LOGGED_TROUBLE)
  })

  it('keeps what is in a SQLite database when one server follows the other', {
    timeout: 500_000,
  }, async () => {
    const environment = { DATA_DIR: join(folder, 'sqlite'), DEMO: 'on' }
    const bookings: [string, Expected][] = []
    let token = ''
    for (const release of [previous, undefined]) {
      const server = await startServer({ environment }, release?.environment, release?.main)
      try {
        token ||= await signIn(server)
        const people = new People(server.port, token)
        await people.untilServedBy('the server', 2 * ENOUGH)
        await people.stop()
        assert.deepEqual(people.failures, [])
        bookings.push(...people.bookings)
      } finally {
        server.send('SIGTERM')
        await server.exited
      }
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.doesNotMatch(server.output(), LOGGED_TROUBLE)
    }
    const file = new DatabaseSync(join(environment.DATA_DIR, 'punctual.sqlite'), { readOnly: true })
    const rows = file.prepare(GUESTS_BOOKINGS).all() as unknown as BookingRow[]
    file.close()
    assertSaved(rows, new Map(bookings))
  })
})

/**
 * For a version without a setting for it: a database that may take minutes, and a connection for each request.
 *
 * If the machine stands still, the other instance holds locks, or migrates, for longer than a request waits by default.
 */
function patiently(url: string): Record<string, string> {
  const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
  const options = [...limits.map((name) => `-c ${name}=300000`), '-c jit=0'].join(' ')
  const query = `${new URLSearchParams({ options, query_timeout: '300000' })}`.replaceAll('+', '%20')
  return { DATABASE_URL: `${url}?${query}`, DATABASE_POOL_SIZE: '40' }
}

/** Signs in to the demo workspace with the link that the first start prints. */
async function signIn({ port, output }: ServerProcess): Promise<string> {
  const token = /#token=([\w-]+)/.exec(output())?.[1]
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  assert.equal(response.status, 200)
  const { accessToken } = (await response.json()) as { accessToken: string }
  return accessToken
}

/** Lines of the log that are errors. */
const LOGGED_TROUBLE = /"level":[56]0/

const GUESTS_BOOKINGS = `select id, status, starts_at from bookings where invitee_email like 'guest-%'`

interface BookingRow {
  readonly id: string
  readonly status: string
  readonly starts_at: number | string
}

function assertSaved(rows: readonly BookingRow[], expected: ReadonlyMap<string, Expected>): void {
  const compared = (id: string, status: string, startsAt: number) => `${id} ${status} ${startsAt}`
  assert.ok(rows.length > 0)
  assert.deepEqual(
    rows.map(({ id, status, starts_at }) => compared(id, status, Number(starts_at))).sort(),
    [...expected].map(([id, { status, startTime }]) => compared(id, status, Date.parse(startTime))).sort(),
  )
}
