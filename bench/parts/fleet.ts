import { sql } from 'kysely'
import { manageToken } from '../../src/services/bookings/manage-link.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { findSchedulerBySlug } from '../../src/store/people/schedulers.ts'
import { findOrInsertSecret } from '../../src/store/secrets.ts'
import { addEventType, addTeam, quietContext } from '../../test/kit.ts'
import { startPostgres } from '../../test/postgres.ts'
import { eventType, FIRST_DAY, startsFrom } from '../calendar.ts'
import { startChild } from '../child.ts'
import type { Job, Outcome } from '../load.ts'
import type { Part } from '../part.ts'
import { bookings, postRequest, take, teamBookings } from '../requests.ts'
import { median } from '../rounds.ts'
import { bookingIdOf, createDatabase, seed, slugOf } from '../seed.ts'
import { type Server, startServer } from '../server.ts'
import { perSecond } from '../table.ts'

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
const TEAM_SLUG = 'team'

/**
 * One, two and three instances on one PostgreSQL, with the same clients.
 *
 * All share this machine, so more instances are not faster here. What counts is that they are not slower: a host
 * whose bookings arrive at three instances is passed from one to another.
 */
export const fleet: Part = async function* (bench) {
  const postgres = await startPostgres({ durable: true })
  try {
    const databaseUrl = await createDatabase(postgres.url, 'fleet')
    const sources = await prepare(databaseUrl)
    await using stack = new AsyncDisposableStack()
    const servers: Server[] = []
    for (let i = 1; i <= MAX_INSTANCES; i++) {
      const dataDir = bench.folder(`instance-${i}`)
      servers.push(stack.use(await startServer({ dataDir, databaseUrl, poolSize: 10 })))
    }
    const loads = servers.map(() => stack.use(startChild<Job, Outcome>('load.ts')))

    const send = (source: Iterator<string, never>, instance: number, connections: number) => {
      const requests = take(source, Math.ceil((MOST * connections) / CLIENTS))
      const { port } = servers[instance] as Server
      const job: Job = { port, connections, seconds: SECONDS, requests, repeat: false }
      return (loads[instance] as (typeof loads)[number]).ask(job)
    }

    /** Requests a second that so many instances answer together. */
    const measure = async (source: Iterator<string, never>, instances: number) => {
      const shares = Array.from({ length: instances }, (_, i) => {
        return Math.floor((CLIENTS + instances - 1 - i) / instances)
      })
      const outcomes = await Promise.all(shares.map((connections, i) => send(source, i, connections)))
      return outcomes.reduce((sum, { posts, seconds }) => sum + posts / seconds, 0)
    }

    for (const [what, source] of Object.entries(sources)) {
      // Code is compiled as it is used: the first instance, which takes part in every round, would be ahead of the others.
      for (const instance of servers.keys()) await send(source, instance, CLIENTS)
      const rates = [1, 2, 3].map(() => [] as number[])
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [i, measured] of rates.entries()) {
          const rate = await measure(source, i + 1)
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
          ...(what === BOOK_ONE && instances === 3 && { target: { atLeast: 0.9 } }),
        }
      }
    }
  } finally {
    await postgres.stop()
  }
}

const BOOK_ONE = 'POST book, one host'

async function prepare(url: string): Promise<Record<string, Iterator<string, never>>> {
  const taken = startsFrom(FIRST_DAY, TAKEN_DAYS).slice(0, CANCELLABLE)
  await seed(url, { hosts: HOSTS + 1 + TEAM, booked: [{ hosts: [1, HOSTS], starts: taken }] })
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
      [BOOK_ONE]: bookings([ONE_HOST], starts),
      [`POST book, ${HOSTS} hosts`]: bookings(hostNumbers, starts),
      [`POST book, one round-robin team of ${TEAM}`]: teamBookings(TEAM_SLUG, TEAM, starts),
      [`POST cancel, ${HOSTS} hosts`]: cancels(jwtSecret),
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
