// A server under mixed load for some minutes: is nothing lost, and does nothing grow without end?
//   npm run soak [-- MINUTES] [--postgres]
//   npm run soak -- --tests: the tests that find more, the longer they run

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { FORM_DEFAULTS, type RoutingForm } from '../src/domain/forms/routing.ts'
import { formatInstant } from '../src/domain/instant.ts'
import type { Db } from '../src/store/engine/database.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { insertForm } from '../src/store/forms/forms.ts'
import { findSchedulerBySlug } from '../src/store/people/schedulers.ts'
import { startPostgres } from '../test/postgres.ts'
import { LONG_TESTS } from '../test/repeat.ts'
import { seededRandom } from '../test/seeded-random.ts'
import { addWebhook } from '../test/webhooks.ts'
import { startOutside } from './outside.ts'
import { createDatabase, seed, slugOf } from './seed.ts'
import { databaseOf, type Server, type ServerOptions, startServer } from './server.ts'
import { type Acknowledged, Guests, type Kind } from './soak-guests.ts'

const MINUTE = 60_000
const HOSTS = 50
const GUESTS = 8
const METRICS_TOKEN = 'the-metrics-of-the-soak-test'

/** Memory is judged from this minute on: before that, caches fill and code is compiled. */
const WARM_AFTER = 3
const MOST_GROWTH = 1.3

const minutes = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 10)
const onPostgres = process.argv.includes('--postgres')

async function soak(): Promise<boolean> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'punctual-soak-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  const postgres = onPostgres
    ? stack.adopt(await startPostgres({ durable: true }), (running) => running.stop())
    : undefined
  const outside = stack.use(await startOutside())
  const options: ServerOptions = {
    dataDir: folder,
    ...(postgres && { databaseUrl: await createDatabase(postgres.url, 'soak') }),
    webhookAllowPrivate: true,
    smtpUrl: outside.smtpUrl,
    metricsToken: METRICS_TOKEN,
  }
  const url = databaseOf(options)
  await seed(url, { hosts: HOSTS, booked: [] })
  const db = stack.adopt(openDatabase(url), (open) => open.destroy())
  const seeded = await countSeeded(db)
  await addFormsAndWebhooks(db, outside.hookUrl)
  const server = stack.use(await startServer(options))

  const guests = new Guests(server.port, HOSTS, seededRandom(Date.now()))
  const end = Date.now() + minutes * MINUTE
  const visiting = Promise.all(Array.from({ length: GUESTS }, () => guests.visitUntil(end)))
  const total = noLatencies()
  const memory: number[] = []
  console.log(`${minutes} min on ${onPostgres ? 'PostgreSQL' : 'SQLite'}, ${GUESTS} guests, ${HOSTS} hosts`)
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(end - (minutes - minute) * MINUTE - Date.now())
    const latencies = guests.latencies
    guests.latencies = noLatencies()
    for (const kind of KINDS) total[kind].push(...latencies[kind])
    memory.push(server.residentMegabytes())
    console.log(`minute ${minute}: ${await stateOf(server, db, folder)}; ${describe(latencies)}`)
  }
  await visiting
  await workDone(db)
  const { mails, hooks } = await outside.tally()
  console.log(`in all: ${await stateOf(server, db, folder)}; ${describe(total)}`)
  console.log(
    `${guests.acknowledged.size} booked, ${guests.refused} refused, ${guests.failed} failed; ${mails} mails, ${hooks} webhooks`,
  )
  const problems = [...(await findLosses(db, guests, seeded)), ...findGrowth(memory)]
  for (const problem of problems) console.log(`WRONG: ${problem}`)
  if (problems.length === 0) console.log('nothing lost, nothing doubled')
  return problems.length === 0
}

const KINDS: readonly Kind[] = ['list', 'book', 'cancel', 'reschedule', 'evaluate']

const noLatencies = (): Record<Kind, number[]> => ({
  list: [],
  book: [],
  cancel: [],
  reschedule: [],
  evaluate: [],
})

async function countSeeded(db: Db): Promise<number> {
  return (await db.selectFrom('bookings').select('id').execute()).length
}

async function addFormsAndWebhooks(db: Db, hookUrl: string): Promise<void> {
  await db.deleteFrom('outbox').execute()
  for (let host = 1; host <= HOSTS; host++) {
    const owner = await findSchedulerBySlug(db, slugOf(host))
    if (owner === undefined) throw new Error('a host is missing')
    await addWebhook(db, owner, { url: hookUrl })
    const form: RoutingForm = {
      ...FORM_DEFAULTS,
      id: crypto.randomUUID(),
      schedulerId: owner.id,
      slug: 'start',
      name: 'Start here',
      description: null,
      fields: [{ id: 'size', label: 'Size', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'message', message: 'We will write to you.' },
    }
    await insertForm(db, form)
  }
}

/** Memory, disk and event loop, right now. */
async function stateOf(server: Server, db: Db, folder: string): Promise<string> {
  const [database, log] = onPostgres ? await postgresSizes(db) : sqliteSizes(folder)
  const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`
  const lag = await eventLoopLag(server)
  return [
    `memory ${server.residentMegabytes().toFixed(0)} MB`,
    `database ${megabytes(database)}`,
    `log ${megabytes(log)}`,
    `loop lag p99 ${lag.toFixed(1)} ms`,
  ].join(', ')
}

async function postgresSizes(db: Db): Promise<[number, number]> {
  const { rows } = await sql<{ database: number; log: number }>`
    select pg_database_size(current_database())::float8 as database,
      (select sum(size) from pg_ls_waldir())::float8 as log`.execute(db)
  return [rows[0]?.database ?? 0, rows[0]?.log ?? 0]
}

function sqliteSizes(folder: string): [number, number] {
  const sizeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  return [sizeOf('punctual.sqlite'), sizeOf('punctual.sqlite-wal')]
}

/** Since the last time, in milliseconds. */
async function eventLoopLag({ port }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const value = /^\w*nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)$/m.exec(await response.text())?.[1]
  return Number(value) * 1000
}

function describe(latencies: Readonly<Record<Kind, readonly number[]>>): string {
  return KINDS.map((kind) => {
    const sorted = Float64Array.from(latencies[kind]).sort()
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
    return `${kind} ${sorted.length}: ${at(0.5)}/${at(0.99)}/${at(0.999)}`
  }).join(', ')
}

/** Waits until everything about the bookings is done. */
async function workDone(db: Db): Promise<void> {
  for (const until = Date.now() + 2 * MINUTE; Date.now() < until; await sleep(200)) {
    const left = await db
      .selectFrom('outbox')
      .select('id')
      .where('failed_at', 'is', null)
      .where('due_at', '<=', Date.now())
      .limit(1)
      .execute()
    if (left.length === 0) return
  }
  throw new Error('the worker does not come to an end')
}

/** Compares what guests were told with what the database has. */
async function findLosses(db: Db, guests: Guests, seeded: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'invitee_email', 'status', 'starts_at'])
    .execute()
  const problems: string[] = []
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const booking of guests.acknowledged.values()) {
    const row = found.get(booking.id)
    if (row === undefined) problems.push(`booking ${booking.id} was acknowledged and is gone`)
    else if (!booking.unsure && !isAsTold(row, booking)) {
      problems.push(`booking ${booking.id} is ${row.status} at ${formatInstant(row.starts_at)}, not as told`)
    }
  }
  const unknown = rows.filter(({ id, invitee_email }) => {
    return !guests.acknowledged.has(id) && !guests.unsureEmails.has(invitee_email)
  })
  if (unknown.length > seeded) problems.push(`${unknown.length - seeded} bookings that nobody was told of`)
  const emails = rows.map(({ invitee_email }) => invitee_email)
  if (new Set(emails).size < emails.length) problems.push('a guest was booked twice')
  const { rows: overlaps } = await sql`
    select 1 from claims as a join claims as b
      on b.host_id = a.host_id and b.starts_at > a.starts_at and b.starts_at < a.ends_at limit 1`.execute(db)
  if (overlaps.length > 0) problems.push('two meetings of a host overlap')
  return problems
}

function isAsTold(
  { status, starts_at }: { readonly status: string; readonly starts_at: number },
  { cancelled, startTime }: Acknowledged,
): boolean {
  return (status === 'Cancelled') === cancelled && formatInstant(starts_at) === startTime
}

function findGrowth(memory: readonly number[]): string[] {
  const [warm, last] = [memory[WARM_AFTER - 1], memory.at(-1)]
  if (warm === undefined || last === undefined || last <= warm * MOST_GROWTH) return []
  return [`memory grew from ${warm.toFixed(0)} MB in minute ${WARM_AFTER} to ${last.toFixed(0)} MB`]
}

/** Runs tests many times as long as `npm test` does. */
async function soakTests(): Promise<boolean> {
  const child = spawn(process.execPath, ['tools/test.ts', ...LONG_TESTS], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, LONG_TESTS: 'on' },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return code === 0
}

process.exitCode = (await (process.argv.includes('--tests') ? soakTests() : soak())) ? 0 : 1
