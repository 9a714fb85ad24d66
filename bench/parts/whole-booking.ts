import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { JobKind } from '../../src/domain/job.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { findSchedulerBySlug } from '../../src/store/people/schedulers.ts'
import { type Postgres, startPostgres } from '../../test/postgres.ts'
import { addWebhook } from '../../test/webhooks.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import { startChild } from '../child.ts'
import { cpuOf, cpuOfFamily } from '../cpu.ts'
import { type Outside, startOutside } from '../outside.ts'
import type { Bench, Part } from '../part.ts'
import { bookings, take, variedListings } from '../requests.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, type ServerOptions, startServer } from '../server.ts'
import type { StageAnswer, StageQuestion } from '../stages.ts'
import type { Row } from '../table.ts'

const HOSTS = 50
const PAST_BOOKINGS = 100
const PAST_DAYS = 700

/** Guests who book at the same time. */
const GUESTS = 8
/** V8 goes on compiling for some seconds: the first bookings of a process take twice as much as those after these. */
const WARM_UP = 2000
const MEASURED = 1000
const FIRST = 500
const LISTINGS = 5000

/** Each booking has a mail to the guest and one to the host, and the same again as reminders. */
const MAILS = 2
const REMINDERS = 2

/**
 * What a booking costs until nothing about it is left to do: the request, its announcement, two mails, two
 * reminders and a webhook. The stages are measured one after another, by a worker that does only that kind
 * of job; the whole is measured in the real server, where they share the process.
 */
export const wholeBooking: Part = async function* (bench) {
  await using outside = await startOutside()
  yield* measureOn(bench, 'SQLite', outside, {
    stages: { dataDir: bench.folder('stages') },
    whole: { dataDir: bench.folder('whole') },
  })
  const postgres = await startPostgres({
    durable: true,
    settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': 5000 },
  })
  try {
    const meter = await PostgresMeter.open(postgres)
    const databaseUrl = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href
    for (const name of ['stages', 'whole']) await meter.run(`create database ${name}`)
    const options = (name: string) => ({
      dataDir: bench.folder(`${name}-pg`),
      databaseUrl: databaseUrl(name),
    })
    yield* measureOn(
      bench,
      'PostgreSQL',
      outside,
      { stages: options('stages'), whole: options('whole') },
      meter,
    )
    await meter.close()
  } finally {
    await postgres.stop()
  }
}

interface Options {
  readonly stages: ServerOptions
  readonly whole: ServerOptions
}

async function* measureOn(
  bench: Bench,
  engine: string,
  outside: Outside,
  options: Options,
  meter?: PostgresMeter,
): AsyncIterable<Row> {
  for (const { name, cpu, statements } of await measureStages(bench, outside, options.stages, meter)) {
    yield {
      what: `  ${name}, on ${engine}: CPU of Node`,
      ours: '',
      baseline: statements === undefined ? '' : `${statements.toFixed(1)} st.`,
      value: cpu,
      unit: 'ms',
    }
  }
  const whole = await measureWhole(bench, outside, options.whole, meter)
  const row = (what: string, value: number, unit: string, atMost?: number): Row => ({
    what: `whole booking on ${engine}: ${what}`,
    ours: '',
    baseline: '',
    value,
    unit,
    ...(atMost !== undefined && { target: { atMost } }),
  })
  const listed = (what: string, value: number, unit: string): Row => ({
    ...row(what, value, unit),
    what: `a month of slots on ${engine}: ${what}`,
  })
  yield row(`CPU of Node, first ${FIRST} of a process`, whole.cpuOfFirst, 'ms', 8)
  yield row('CPU of Node, reminders queued', whole.cpuUntilQueued, 'ms')
  yield row('CPU of Node', whole.cpu, 'ms', 4)
  const { listing } = whole
  yield listed('CPU of Node', listing.cpu, 'ms')
  if (whole.database === undefined) return
  yield listed('CPU of PostgreSQL', listing.database?.cpu ?? 0, 'ms')
  yield listed('statements', listing.database?.statements ?? 0, '')
  yield row('CPU of PostgreSQL', whole.database.cpu, 'ms')
  yield row('statements', whole.database.statements, '', 12)
  yield row('write-ahead log', whole.database.logBytes / 1024, 'KB')
}

interface Stage {
  readonly name: string
  readonly cpu: number
  readonly statements: number | undefined
}

async function measureStages(
  bench: Bench,
  outside: Outside,
  options: ServerOptions,
  meter?: PostgresMeter,
): Promise<Stage[]> {
  const database = databaseOf(options)
  const source = await prepare(database, outside)
  await using child = startChild<StageQuestion, StageAnswer>('stages.ts')
  const { port } = await child.ask({ ask: 'start', database, smtpUrl: outside.smtpUrl })
  const stages: Record<string, () => Promise<unknown>> = {
    request: () => book(bench, port, take(source, count)),
    announcement: () => work('announce'),
    'two mails': () => work('mail'),
    webhook: () => work('webhook'),
    'two reminders': () => work('reminder'),
  }
  let count = WARM_UP
  const work = async (kind: JobKind) => {
    if (kind === 'reminder') await makeRemindersDue(database)
    await child.ask({ ask: 'work', kinds: [kind] })
  }
  for (const stage of Object.values(stages)) await stage()
  count = MEASURED
  const measured: Stage[] = []
  for (const [name, run] of Object.entries(stages)) {
    const before = { cpu: (await child.ask({ ask: 'cpu' })).cpu, statements: await meter?.read() }
    await run()
    const after = { cpu: (await child.ask({ ask: 'cpu' })).cpu, statements: await meter?.read() }
    measured.push({
      name,
      cpu: (after.cpu - before.cpu) / MEASURED,
      statements:
        before.statements && after.statements
          ? (after.statements.statements - before.statements.statements) / MEASURED
          : undefined,
    })
  }
  return measured
}

async function measureWhole(bench: Bench, outside: Outside, given: ServerOptions, meter?: PostgresMeter) {
  const options = { ...given, webhookAllowPrivate: true, smtpUrl: outside.smtpUrl }
  const database = databaseOf(options)
  const source = await prepare(database, outside)
  await using server = await startServer(options)
  const run = async (count: number) => {
    const before = await outside.tally()
    await book(bench, server.port, take(source, count))
    await outside.until({ mails: before.mails + MAILS * count, hooks: before.hooks + count })
    const cpuUntilQueued = cpuOf(server.pid)
    await makeRemindersDue(database)
    await outside.until({ mails: before.mails + (MAILS + REMINDERS) * count, hooks: before.hooks + count })
    await untilNothingIsLeft(database)
    return cpuUntilQueued
  }
  const started = cpuOf(server.pid)
  await run(FIRST)
  const cpuOfFirst = (cpuOf(server.pid) - started) / FIRST
  await run(WARM_UP)
  const before = { cpu: cpuOf(server.pid), database: await meter?.read() }
  const cpuUntilQueued = await run(MEASURED)
  const after = { cpu: cpuOf(server.pid), database: await meter?.read() }
  const listings = take(variedListings(Array.from({ length: HOSTS }, (_, i) => i + 1)), LISTINGS)
  await bench.load.ask({
    port: server.port,
    connections: GUESTS,
    seconds: 60,
    requests: listings,
    repeat: false,
  })
  const last = { cpu: cpuOf(server.pid), database: await meter?.read() }
  return {
    cpuOfFirst,
    cpuUntilQueued: (cpuUntilQueued - before.cpu) / MEASURED,
    ...between(before, after, MEASURED),
    listing: between(after, last, LISTINGS),
  }
}

interface Reading {
  readonly cpu: number
  readonly database: DatabaseUsage | undefined
}

/** What was used between two readings, for each of so many. */
function between(before: Reading, after: Reading, count: number): Reading {
  const per = (kind: keyof DatabaseUsage) =>
    ((after.database?.[kind] ?? 0) - (before.database?.[kind] ?? 0)) / count
  return {
    cpu: (after.cpu - before.cpu) / count,
    database: after.database && {
      cpu: per('cpu'),
      statements: per('statements'),
      logBytes: per('logBytes'),
    },
  }
}

async function book({ load }: Bench, port: number, requests: readonly string[]): Promise<void> {
  const outcome = await load.ask({ port, connections: GUESTS, seconds: 60, requests, repeat: false })
  if (outcome.posts !== requests.length) throw new Error(`only ${outcome.posts} bookings were made`)
}

/** Fills a database; returns requests to book in it. */
async function prepare(database: string, outside: Outside): Promise<Iterator<string, never>> {
  const past = evenly(startsFrom(FIRST_DAY - PAST_DAYS, PAST_DAYS - 14), PAST_BOOKINGS)
  await seed(database, { hosts: HOSTS, booked: [{ hosts: [1, HOSTS], starts: past }] })
  const hosts = Array.from({ length: HOSTS }, (_, i) => i + 1)
  const db = openDatabase(database)
  try {
    await db.updateTable('event_types').set({ reminder_minutes: '[60]' }).execute()
    await db.deleteFrom('outbox').execute()
    for (const host of hosts) {
      const owner = await findSchedulerBySlug(db, slugOf(host))
      if (owner === undefined) throw new Error('a host is missing')
      await addWebhook(db, owner, { url: outside.hookUrl })
    }
  } finally {
    await db.destroy()
  }
  return bookings(hosts, startsFrom(FIRST_DAY, 365))
}

async function makeRemindersDue(database: string): Promise<void> {
  const db = openDatabase(database)
  await db.updateTable('outbox').set({ due_at: Date.now() }).where('kind', '=', 'reminder').execute()
  await db.destroy()
}

async function untilNothingIsLeft(database: string): Promise<void> {
  const db = openDatabase(database)
  const left = () => db.selectFrom('outbox').select('id').limit(1).execute()
  while ((await left()).length > 0) await sleep(100)
  await db.destroy()
}

interface DatabaseUsage {
  /** Milliseconds. */
  readonly cpu: number
  readonly statements: number
  readonly logBytes: number
}

/** What a PostgreSQL server has done so far, apart from answering this. */
class PostgresMeter {
  readonly #client: pg.Client
  readonly #pid: number

  static async open({ url, pid }: Postgres): Promise<PostgresMeter> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create extension if not exists pg_stat_statements')
    return new PostgresMeter(client, pid)
  }

  constructor(client: pg.Client, pid: number) {
    this.#client = client
    this.#pid = pid
  }

  async run(statement: string): Promise<void> {
    await this.#client.query(statement)
  }

  async read(): Promise<DatabaseUsage> {
    const { rows } = await this.#client.query(`
      select sum(calls)::float8 as statements, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes
      from pg_stat_statements where dbid <> (select oid from pg_database where datname = current_database())`)
    return { cpu: cpuOfFamily(this.#pid), statements: rows[0].statements, logBytes: rows[0].bytes }
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}
