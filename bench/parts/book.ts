import { join } from 'node:path'
import { startPostgres } from '../../test/postgres.ts'
import type { Baseline } from '../baseline.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import { type Bench, MOST_PER_SECOND, type Part, rateOf, SECONDS, startBaseline } from '../part.ts'
import { bookings, take } from '../requests.ts'
import { measureInTurn } from '../rounds.ts'
import { seed } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const HOSTS = 200
const POOL_SIZE = 10

const PAST_DAYS = 700
const PAST_BOOKINGS = 100

/** How many slots one host has in twenty years. */
const MOST_OF_ONE = 8000

export const book: Part = (bench) => {
  const dataDir = bench.folder('book')
  return bookOn(bench, 'SQLite', { dataDir }, { kind: 'sqlite', path: join(dataDir, 'plain.sqlite') })
}

export const bookPostgres: Part = async function* (bench) {
  const postgres = await startPostgres({ durable: true })
  try {
    const { url } = postgres
    const options = { dataDir: bench.folder('book-postgres'), databaseUrl: url, poolSize: POOL_SIZE }
    yield* bookOn(bench, 'PostgreSQL', options, { kind: 'postgres', url, poolSize: POOL_SIZE })
  } finally {
    await postgres.stop()
  }
}

async function* bookOn(
  bench: Bench,
  engine: string,
  options: ServerOptions,
  plain: Baseline,
): AsyncIterable<Row> {
  // One more host, who gets all bookings of the second row.
  const crowded = HOSTS + 1
  // With past bookings: on empty tables PostgreSQL would plan to read them whole, and keep that plan.
  const past = evenly(startsFrom(FIRST_DAY - PAST_DAYS, PAST_DAYS - 14), PAST_BOOKINGS)
  await seed(databaseOf(options), { hosts: crowded, booked: [{ hosts: [1, crowded], starts: past }] })
  await using server = await startServer(options)
  await using baseline = await startBaseline(plain)

  const hosts = Array.from({ length: HOSTS }, (_, i) => i + 1)
  const starts = startsFrom(FIRST_DAY, 20 * 365)
  const spread = bookings(hosts, starts)
  const onOne = bookings([crowded], starts)
  const insert = bookings(hosts, starts)
  const batch = (source: typeof spread, perSecond = MOST_PER_SECOND) => take(source, SECONDS * perSecond)
  const rates = await measureInTurn({
    plain: () => rateOf(bench, baseline.port, batch(insert), 'posts'),
    spread: () => rateOf(bench, server.port, batch(spread), 'posts'),
    onOne: () => rateOf(bench, server.port, batch(onOne, MOST_OF_ONE), 'posts'),
  })
  yield {
    what: `POST book on ${engine}, durable, ${HOSTS} hosts`,
    ours: perSecond(rates.spread),
    baseline: perSecond(rates.plain),
    value: rates.spread / rates.plain,
    target: { atLeast: 0.5 },
  }
  yield {
    what: `POST book on ${engine}, durable, one host`,
    ours: perSecond(rates.onOne),
    baseline: perSecond(rates.plain),
    value: rates.onOne / rates.plain,
  }
}
