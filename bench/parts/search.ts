import { sql } from 'kysely'
import { type Context, createContext } from '../../src/services/context.ts'
import { issueToken } from '../../src/services/people/sign-in/issue-access.ts'
import { keepSearchIndex } from '../../src/services/search-index.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { findOrInsertSecret } from '../../src/store/secrets.ts'
import { quietContext } from '../../test/kit.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import { type Bench, type Part, rateOf } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import { measureInTurn } from '../rounds.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const FEW = 100
const MANY_PEOPLE = 10_000
const MANY_BOOKINGS = 50_000
const DAYS = 10_000

const QUIET = { host: 1, bookings: FEW }
const BUSY = { host: 2, bookings: MANY_BOOKINGS }

export const search: Part = (bench) =>
  compare(bench, { dataDir: bench.folder('few') }, { dataDir: bench.folder('many') })

/** Measured only when named, as `growth-postgres` is. */
export const searchPostgres: Part = async function* (bench) {
  await using server = await findPostgres()
  await using few = await makeDatabase(server.url, 'punctual_bench_few')
  await using many = await makeDatabase(server.url, 'punctual_bench_many')
  const dataDir = bench.folder('search-postgres')
  yield* compare(bench, { dataDir, databaseUrl: few.url }, { dataDir, databaseUrl: many.url })
}

/** Searches for a guest or a person whom a list by time or age has last. */
async function* compare(bench: Bench, small: ServerOptions, large: ServerOptions): AsyncIterable<Row> {
  const starts = startsFrom(FIRST_DAY - DAYS / 2, DAYS)
  const booked = [QUIET, BUSY].map(({ host, bookings }) => ({
    hosts: [host, host] as const,
    starts: evenly(starts, bookings),
    numberedGuests: true as const,
  }))
  await seed(databaseOf(small), { hosts: FEW, booked: [] })
  await seed(databaseOf(large), { hosts: MANY_PEOPLE, booked })
  const [tokenOfFew] = await prepare(databaseOf(small), [QUIET.host])
  const [tokenOfMany, tokenOfBusy] = await prepare(databaseOf(large), [QUIET.host, BUSY.host])
  await using few = await startServer(small)
  await using many = await startServer(large)

  const bookingsOf = (token: string | undefined, { host, bookings }: typeof QUIET) => {
    const last = host * bookings + bookings - 1
    return () => rateOf(bench, many.port, [requestFor(`bookings?text=guest%20${last}`, token)], 'gets', true)
  }
  const ofHost = await measureInTurn({
    few: bookingsOf(tokenOfMany, QUIET),
    many: bookingsOf(tokenOfBusy, BUSY),
  })
  yield slowdown('GET bookings?text=, slowdown from 100 bookings of a host to 50,000', ofHost)

  const peopleAt = (port: number, token: string | undefined, last: number) => () =>
    rateOf(bench, port, [requestFor(`people?search=${slugOf(last)}%40`, token)], 'gets', true)
  const ofPeople = await measureInTurn({
    few: peopleAt(few.port, tokenOfFew, FEW),
    many: peopleAt(many.port, tokenOfMany, MANY_PEOPLE),
  })
  yield slowdown('GET people?search=, slowdown from 100 people to 10,000', ofPeople)
}

const slowdown = (what: string, rates: { few: number; many: number }): Row => ({
  what,
  ours: perSecond(rates.many),
  baseline: perSecond(rates.few),
  value: rates.few / rates.many,
  target: { atMost: 2 },
})

const requestFor = (path: string, token = '') =>
  `GET /api/admin/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`

/** Indexes everything, makes these hosts admins, and returns a token of each. */
export async function prepare(url: string, hosts: readonly number[]): Promise<string[]> {
  const db = openDatabase(url)
  try {
    const context = await contextOn(db)
    await sql`update search_progress set indexed_to = null`.execute(db)
    await sql`insert into search_pending select id from schedulers where kind = 'user'
      on conflict do nothing`.execute(db)
    while (await isBehind(db)) await keepSearchIndex(context)
    const details = { name: 'bench', scopes: ['read'] as const }
    const tokens: string[] = []
    for (const host of hosts) {
      const email = `${slugOf(host)}@hosts.example`
      await db.updateTable('schedulers').set({ admin: 1 }).where('email', '=', email).execute()
      tokens.push(await issueToken(context, { userId: null, email: 'bench' }, email, details))
    }
    return tokens
  } finally {
    await db.destroy()
  }
}

/** By default later, when everything that was just made is old enough to be indexed. */
export async function contextOn(db: Db, now = () => Date.now() + 120_000): Promise<Context> {
  // The server reads the same secret, and so accepts the token.
  const jwtSecret = await findOrInsertSecret(db, 'jwt', quietContext.jwtSecret)
  const captcha = { altchaSecret: jwtSecret, services: {} }
  return createContext({ ...quietContext, db, now, publicUrl: 'http://localhost', captcha, jwtSecret })
}

async function isBehind(db: Db): Promise<boolean> {
  const count = async (table: 'search_entries' | 'bookings' | 'schedulers') => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst()
    return Number(row?.count)
  }
  return (await count('search_entries')) < (await count('bookings')) + (await count('schedulers'))
}
