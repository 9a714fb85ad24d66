import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { isPostgresUrl, openDatabase } from '../src/store/engine/open-database.ts'
import { addEventType, addUser, appOn, bookingOf } from '../test/kit.ts'
import { eventType, FIRST_DAY, schedule, startsFrom } from './calendar.ts'

export interface Seed {
  /** Numbered from 1. */
  readonly hosts: number
  readonly booked: readonly {
    readonly hosts: readonly [first: number, last: number]
    readonly starts: readonly number[]
    /** Each booking by a guest with a number; otherwise all are by one guest. */
    readonly numberedGuests?: true
  }[]
}

/** The id of the booking at the start with this index, of `count`. */
export const bookingIdOf = (host: number, count: number, index: number) =>
  `00000000-0004-7000-8000-${(host * count + index).toString(16).padStart(12, '0')}`

export const slugOf = (host: number) => `host-${host}`

/**
 * Fills an empty database with hosts and bookings, a million if need be.
 *
 * The service makes one host and one booking, and the database multiplies
 * their rows: so seeded rows have the columns of real ones.
 */
export async function seed(url: string, { hosts, booked }: Seed): Promise<void> {
  const db = openDatabase(url)
  try {
    await migrate(db)
    await makeTemplate(db)
    const rows = await templateRows(db)
    const dialect = isPostgresUrl(url) ? POSTGRES : SQLITE
    await runAll(url, [
      ...hostStatements(rows, dialect, hosts),
      ...booked.flatMap((some) => bookingStatements(rows, dialect, some)),
      ...LEAVE_UNSEARCHED,
    ])
  } finally {
    await db.destroy()
  }
}

/** Otherwise the service would index all bookings for the search while something else is measured. */
const LEAVE_UNSEARCHED = [
  'delete from search_pending',
  `update search_progress set indexed_to = '00000000-0005-7000-8000-000000000000'`,
]

/** Another, empty database beside the one at `url`. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: name }).href
}

async function makeTemplate(db: Db): Promise<void> {
  const user = await addUser(db, 'template', schedule)
  await addEventType(db, user, eventType)
  const { app } = await appOn(db)
  const [startsAt = 0] = startsFrom(FIRST_DAY, 1)
  const response = await app.inject({
    method: 'POST',
    url: `/api/public/scheduling/template/${eventType.slug}/book`,
    payload: bookingOf(eventType, startsAt),
  })
  if (response.statusCode !== 201) throw new Error(`the template could not be booked: ${response.body}`)
  await app.close()
}

type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const TABLES = ['schedulers', 'schedules', 'event_types', 'event_type_hosts', 'claims', 'bookings']

async function templateRows(db: Db): Promise<Rows> {
  const rows: Record<string, Record<string, unknown>> = {}
  for (const table of TABLES) {
    const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
    if (found.length !== 1) throw new Error(`the template has ${found.length} rows in ${table}`)
    rows[table] = found[0] as Record<string, unknown>
  }
  return rows
}

interface Dialect {
  /** An expression for an id made of a kind and a number. */
  uuid(kind: string, number: string): string
}

const SQLITE: Dialect = {
  uuid: (kind, number) => `printf('00000000-${kind}-7000-8000-%012x', ${number})`,
}

const POSTGRES: Dialect = {
  uuid: (kind, number) =>
    `('00000000-${kind}-7000-8000-' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`,
}

function hostStatements(rows: Rows, { uuid }: Dialect, hosts: number): string[] {
  const ids = {
    id: uuid('0001', 'n'),
    user_id: uuid('0001', 'n'),
    host_id: uuid('0001', 'n'),
    scheduler_id: uuid('0001', 'n'),
    event_type_id: uuid('0002', 'n'),
  }
  const series = seriesOf([1, hosts])
  const slug = `'${slugOf(0).slice(0, -1)}' || n`
  return [
    multiply(rows, 'schedulers', { ...ids, slug, email: `${slug} || '@hosts.example'` }, series, 'hosts'),
    multiply(rows, 'schedules', { ...ids, id: uuid('0003', 'n') }, series, 'hosts'),
    multiply(rows, 'event_types', { ...ids, id: ids.event_type_id }, series, 'hosts'),
    multiply(rows, 'event_type_hosts', ids, series, 'hosts'),
  ]
}

function bookingStatements(
  rows: Rows,
  { uuid }: Dialect,
  { hosts, starts, numberedGuests }: Seed['booked'][number],
): string[] {
  const number = `n * ${starts.length} + k`
  const meeting = uuid('0004', number)
  const address = `'guest-' || (${number}) || '@guests.example'`
  const columns = {
    ...(numberedGuests && {
      invitee_name: `'Guest ' || (${number})`,
      invitee_email: address,
      guest: address,
    }),
    id: meeting,
    meeting_id: meeting,
    host_id: uuid('0001', 'n'),
    scheduler_id: uuid('0001', 'n'),
    event_type_id: uuid('0002', 'n'),
    starts_at: 'at',
    // As a service that has been running leaves them: one that still completes what is over would be busy with that.
    status: `case when at < ${Date.now()} then 'Completed' else 'Confirmed' end`,
    ends_at: `at + ${eventType.durationMinutes * 60_000}`,
  }
  const values = starts.map((at, k) => `(${k}, ${at})`).join(', ')
  const series = `${seriesOf(hosts)}, starts (k, at) as (values ${values})`
  // In the order of the primary key, host by host, so that the index grows at its end.
  const source = 'hosts cross join starts'
  return ['claims', 'bookings'].map((table) => multiply(rows, table, columns, series, source))
}

const seriesOf = ([first, last]: readonly [number, number]) =>
  `hosts (n) as (select ${first} union all select n + 1 from hosts where n < ${last})`

/** Inserts the template's row once per row of `source`, with some columns replaced. */
function multiply(
  rows: Rows,
  table: string,
  replaced: Readonly<Record<string, string>>,
  series: string,
  source: string,
): string {
  const columns = Object.keys(rows[table] ?? {})
  const values = columns.map((column) => replaced[column] ?? literal(rows[table]?.[column]))
  return `with recursive ${series} insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${source}`
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value)
  return `'${String(value).replaceAll("'", "''")}'`
}

function runAll(url: string, statements: readonly string[]): Promise<void> {
  return isPostgresUrl(url) ? runOnPostgres(url, statements) : runOnSqlite(url, statements)
}

async function runOnSqlite(path: string, statements: readonly string[]): Promise<void> {
  const database = new DatabaseSync(path)
  // The data can be made again, so nothing needs to be durable.
  database.exec('pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off')
  for (const statement of statements) database.exec(statement)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

const OVERLAP_RULES = `
  select conname as name, conrelid::regclass as table_name, pg_get_constraintdef(oid) as rule
  from pg_constraint where contype = 'x'`

async function runOnPostgres(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The rows are known to be valid, and building an index is faster than growing it.
    await client.query('set session_replication_role = replica')
    await client.query(`set maintenance_work_mem = '256MB'`)
    const { rows: rules } = await client.query(OVERLAP_RULES)
    for (const { name, table_name } of rules)
      await client.query(`alter table ${table_name} drop constraint ${name}`)
    for (const statement of statements) await client.query(statement)
    for (const { name, table_name, rule } of rules) {
      await client.query(`alter table ${table_name} add constraint ${name} ${rule}`)
    }
    // PostgreSQL would do this on its own within minutes.
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
