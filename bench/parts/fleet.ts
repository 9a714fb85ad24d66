import { sql } from 'kysely'
import { manageToken } from '../../src/services/bookings/guest/manage-link.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { findSchedulerBySlug } from '../../src/store/people/schedulers.ts'
import { findOrInsertSecret } from '../../src/store/secrets.ts'
import { addEventType, addTeam, quietContext } from '../../test/kit.ts'
import { startPostgres } from '../../test/postgres.ts'
import { eventType, FIRST_DAY, startsFrom } from '../calendar.ts'
import { startChild } from '../child.ts'
import type { DistanceAnswer, DistanceQuestion } from '../distance.ts'
import type { Job, Outcome } from '../load.ts'
import type { Bench, Part } from '../part.ts'
import { bookings, postRequest, take, teamBookings } from '../requests.ts'
import { median } from '../rounds.ts'
import { bookingIdOf, createDatabase, seed, slugOf } from '../seed.ts'
import { type Server, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const MAX_INSTANCES = 3
const CLIENTS = 8
const SECONDS = 1.5
const ROUNDS = 3
const HOSTS = 200
const TEAM = 5
/** Requests for each client in one go: more than it can send. */
const MOST = 3000

/** Bookings of each host that can be cancelled, in the days after the first. */
const CANCELLABLE = 300
const TAKEN_DAYS = 40

const ONE_HOST = HOSTS + 1
const TEAM_HOSTS = Array.from({ length: TEAM }, (_, i) => HOSTS + 2 + i)
const DISTANT_HOST = HOSTS + 2 + TEAM
const TEAM_SLUG = 'team'

/** How long a byte takes between the instances and a distant database. */
const DISTANCE = 5

/**
 * One, two and three instances on one PostgreSQL, with the same clients.
 *
 * All share this machine, so more instances are not faster here: those of 200 hosts show how much that costs alone. A
 * host whose bookings arrive at three instances is passed from one to another, and that must not cost more. With a
 * distant database the instances wait more than they compute, so there the machine matters less.
 */
export const fleet: Part = async function* (bench) {
  const postgres = await startPostgres({ durable: true })
  try {
    const databaseUrl = await createDatabase(postgres.url, 'fleet')
    const { near, distant } = await prepare(databaseUrl)
    {
      await using instances = await startInstances(bench, 'near', databaseUrl)
      for (const [what, source] of Object.entries(near)) yield* compare(what, source, instances)
    }
    await using distance = startChild<DistanceQuestion, DistanceAnswer>('distance.ts')
    const { port } = await distance.ask({ port: Number(new URL(databaseUrl).port), milliseconds: DISTANCE })
    const distantUrl = Object.assign(new URL(databaseUrl), { port }).href
    await using instances = await startInstances(bench, 'distant', distantUrl)
    yield* compare(`${BOOK_ONE}, ${2 * DISTANCE} ms to the database and back`, distant, instances, 0.9)
  } finally {
    await postgres.stop()
  }
}

type Source = Iterator<string, never>

interface Instances extends AsyncDisposable {
  /** Sends requests over so many connections, and returns how many were answered in a second. */
  send(source: Source, instance: number, connections: number): Promise<number>
}

async function startInstances(bench: Bench, name: string, databaseUrl: string): Promise<Instances> {
  const stack = new AsyncDisposableStack()
  const servers: Server[] = []
  for (let i = 1; i <= MAX_INSTANCES; i++) {
    const dataDir = bench.folder(`${name}-${i}`)
    servers.push(stack.use(await startServer({ dataDir, databaseUrl, poolSize: 10 })))
  }
  const loads = servers.map(() => stack.use(startChild<Job, Outcome>('load.ts')))
  return {
    async send(source, instance, connections) {
      const requests = take(source, Math.ceil((MOST * connections) / CLIENTS))
      const { port } = servers[instance] as Server
      const job: Job = { port, connections, seconds: SECONDS, requests, repeat: false }
      const { posts, seconds } = await (loads[instance] as (typeof loads)[number]).ask(job)
      return posts / seconds
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function* compare(
  what: string,
  source: Source,
  { send }: Instances,
  atLeast?: number,
): AsyncIterable<Row> {
  /** Requests a second that so many instances answer together. */
  const measure = async (instances: number) => {
    const shares = Array.from({ length: instances }, (_, i) => {
      return Math.floor((CLIENTS + instances - 1 - i) / instances)
    })
    const rates = await Promise.all(shares.map((connections, i) => send(source, i, connections)))
    return rates.reduce((sum, rate) => sum + rate, 0)
  }
  // Code is compiled as it is used: the first instance, which takes part in every round, would be ahead of the others.
  for (let instance = 0; instance < MAX_INSTANCES; instance++) await send(source, instance, CLIENTS)
  const rates = [1, 2, 3].map(() => [] as number[])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, measured] of rates.entries()) {
      const rate = await measure(i + 1)
      if (round > 0) measured.push(rate)
    }
  }
  const [one, two, three] = rates.map(median) as [number, number, number]
  for (const [instances, rate] of [
    [2, two],
    [3, three],
  ] as const) {
    yield {
      what: `${what}: ${instances} instances, compared with one`,
      ours: perSecond(rate),
      baseline: perSecond(one),
      value: rate / one,
      ...(instances === 3 && atLeast !== undefined && { target: { atLeast } }),
    }
  }
}

const BOOK_ONE = 'POST book, one host'

interface Sources {
  readonly near: Readonly<Record<string, Source>>
  readonly distant: Source
}

async function prepare(url: string): Promise<Sources> {
  const taken = startsFrom(FIRST_DAY, TAKEN_DAYS).slice(0, CANCELLABLE)
  await seed(url, {
    hosts: DISTANT_HOST,
    booked: [{ hosts: [1, HOSTS], starts: taken, numberedGuests: true }],
  })
  const db = openDatabase(url)
  try {
    const team = await addTeam(db, TEAM_SLUG)
    const hosts = await Promise.all(
      TEAM_HOSTS.map(async (host) => {
        const { id = '' } = (await findSchedulerBySlug(db, slugOf(host))) ?? {}
        return { hostId: id, fixed: false }
      }),
    )
    await addEventType(db, team, { ...eventType, id: crypto.randomUUID(), assignment: 'round-robin' }, hosts)
    // What follows a booking is measured elsewhere, and would be done here during the next measurement.
    await sql`create rule discard as on insert to outbox do instead nothing`.execute(db)
    const jwtSecret = await findOrInsertSecret(db, 'jwt', quietContext.jwtSecret)
    const starts = startsFrom(FIRST_DAY + TAKEN_DAYS, 20 * 365)
    const hostNumbers = Array.from({ length: HOSTS }, (_, i) => i + 1)
    return {
      near: {
        [BOOK_ONE]: bookings([ONE_HOST], starts),
        [`POST book, ${HOSTS} hosts`]: bookings(hostNumbers, starts),
        [`POST book, one round-robin team of ${TEAM}`]: teamBookings(TEAM_SLUG, TEAM, starts),
        [`POST cancel, ${HOSTS} hosts`]: cancels(jwtSecret),
      },
      distant: bookings([DISTANT_HOST], starts),
    }
  } finally {
    await db.destroy()
  }
}

function* cancels(jwtSecret: string): Generator<string, never> {
  for (let index = 0; index < CANCELLABLE; index++) {
    for (let host = 1; host <= HOSTS; host++) {
      const id = bookingIdOf(host, CANCELLABLE, index)
      yield postRequest(`/api/public/bookings/${id}/cancel?token=${manageToken({ jwtSecret }, id)}`, '{}')
    }
  }
  throw new RangeError('there is nothing left to cancel')
}
