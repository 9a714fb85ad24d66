import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import { type Bench, MOST_PER_SECOND, type Part, rateOf, SECONDS } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import { bookings, take, VARIED_DAYS, variedListings } from '../requests.ts'
import { measureInTurn } from '../rounds.ts'
import { seed } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import { perSecond, type Row } from '../table.ts'

const FEW_HOSTS = 100
const MANY_HOSTS = 10_000
const BOOKINGS_EACH = 100

/** Two more hosts. */
const BUSY_HOST = MANY_HOSTS + 1
const IDLE_HOST = MANY_HOSTS + 2
const BUSY_DAYS = 1820

export const growth: Part = (bench) => {
  const small = { dataDir: bench.folder('small') }
  const large = { dataDir: bench.folder('large') }
  return grow(bench, small, large)
}

/**
 * Measured only when named: filling PostgreSQL alone takes a minute.
 *
 * The PostgreSQL from npm has no JIT. `BENCH_POSTGRES_URL` names a server that has, with its own defaults.
 */
export const growthPostgres: Part = async function* (bench) {
  await using server = await findPostgres()
  await using few = await makeDatabase(server.url, 'punctual_bench_small')
  await using many = await makeDatabase(server.url, 'punctual_bench_large')
  const dataDir = bench.folder('growth-postgres')
  yield* grow(bench, { dataDir, databaseUrl: few.url }, { dataDir, databaseUrl: many.url })
}

async function* grow(bench: Bench, small: ServerOptions, large: ServerOptions): AsyncIterable<Row> {
  // Half of them in the past, as in any calendar in use.
  const usual = evenly(startsFrom(FIRST_DAY - VARIED_DAYS, 2 * VARIED_DAYS), BOOKINGS_EACH)
  const busy = evenly(startsFrom(FIRST_DAY - BUSY_DAYS / 2, BUSY_DAYS), 5000)
  await seed(databaseOf(small), {
    hosts: FEW_HOSTS,
    booked: [{ hosts: [1, FEW_HOSTS], starts: usual.slice(-1) }],
  })
  await seed(databaseOf(large), {
    hosts: IDLE_HOST,
    booked: [
      { hosts: [1, MANY_HOSTS], starts: usual },
      { hosts: [BUSY_HOST, BUSY_HOST], starts: busy },
    ],
  })

  await using few = await startServer(small)
  await using many = await startServer(large)
  const ports = { few: few.port, many: many.port }
  yield* await compareListings(bench, ports)
  yield* await compareBookings(bench, ports, usual)
  yield await compareHosts(bench, many.port)
}

interface Ports {
  readonly few: number
  readonly many: number
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const batch = (source: Iterator<string, never>) => take(source, SECONDS * MOST_PER_SECOND)

async function compareListings(bench: Bench, ports: Ports): Promise<Row[]> {
  const ofFew = variedListings(numbered(FEW_HOSTS))
  const ofMany = variedListings(evenly(numbered(MANY_HOSTS), FEW_HOSTS))
  const ofAll = variedListings(numbered(MANY_HOSTS))
  const rates = await measureInTurn({
    few: () => rateOf(bench, ports.few, batch(ofFew), 'gets'),
    many: () => rateOf(bench, ports.many, batch(ofMany), 'gets'),
    all: () => rateOf(bench, ports.many, batch(ofAll), 'gets'),
  })
  return grown('GET slots', rates)
}

async function compareBookings(bench: Bench, ports: Ports, taken: readonly number[]): Promise<Row[]> {
  const free = startsFrom(FIRST_DAY, VARIED_DAYS).filter((start) => !taken.includes(start))
  const ofFew = bookings(numbered(FEW_HOSTS), free)
  const ofMany = bookings(evenly(numbered(MANY_HOSTS), FEW_HOSTS), free)
  // From the last slot back, because some of these hosts are booked above.
  const ofAll = bookings(numbered(MANY_HOSTS), free.toReversed())
  const rates = await measureInTurn({
    few: () => rateOf(bench, ports.few, batch(ofFew), 'posts'),
    many: () => rateOf(bench, ports.many, batch(ofMany), 'posts'),
    all: () => rateOf(bench, ports.many, batch(ofAll), 'posts'),
  })
  return grown('POST book', rates)
}

function grown(what: string, rates: { few: number; many: number; all: number }): Row[] {
  const baseline = perSecond(rates.few)
  return [
    {
      what: `${what}, slowdown from 100 bookings to 1,000,000`,
      ours: perSecond(rates.many),
      baseline,
      value: rates.few / rates.many,
      target: { atMost: 1.3 },
    },
    {
      what: `${what}, the same over 10,000 hosts instead of 100`,
      ours: perSecond(rates.all),
      baseline,
      value: rates.few / rates.all,
      target: { atMost: 1.5 },
    },
  ]
}

async function compareHosts(bench: Bench, port: number): Promise<Row> {
  const ofBusy = variedListings([BUSY_HOST])
  const ofIdle = variedListings([IDLE_HOST])
  const rates = await measureInTurn({
    idle: () => rateOf(bench, port, batch(ofIdle), 'gets'),
    busy: () => rateOf(bench, port, batch(ofBusy), 'gets'),
  })
  return {
    what: 'GET slots, slowdown from a host without bookings to 5,000',
    ours: perSecond(rates.busy),
    baseline: perSecond(rates.idle),
    value: rates.idle / rates.busy,
    target: { atMost: 2 },
  }
}
