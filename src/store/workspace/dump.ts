import { type ControlledTransaction, sql } from 'kysely'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { findMigrations } from '../engine/migrate.ts'
import { compareKeys } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

type Table = Exclude<keyof Schema, 'migrations' | 'leases'>

/** Every table with its primary key; those that are referred to come before those that refer to them. */
export const TABLES: { readonly [T in Table]: readonly (keyof Schema[T] & string)[] } = {
  schedulers: ['id'],
  schedules: ['id'],
  event_types: ['id'],
  event_type_hosts: ['event_type_id', 'host_id'],
  claims: ['host_id', 'starts_at'],
  bookings: ['id'],
  outbox: ['id'],
  idempotency_keys: ['event_type_id', 'key'],
  secrets: ['name'],
  used_solutions: ['id'],
  routing_forms: ['id'],
  routing_responses: ['id'],
  login_links: ['token_hash'],
  sessions: ['id'],
  api_tokens: ['id'],
  team_members: ['team_id', 'user_id'],
  invitations: ['id'],
  blocked_guests: ['id'],
  absences: ['id'],
  calendars: ['id'],
  busy_times: ['calendar_id', 'starts_at'],
  calendar_events: ['calendar_id', 'booking_id'],
  old_slugs: ['kind', 'scope', 'slug'],
  audit: ['id'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
}

const TABLE_NAMES = Object.keys(TABLES) as readonly Table[]

/** Made by the service for itself as it starts, so they say nothing about whether anyone has used it. */
const ITS_OWN: ReadonlySet<string> = new Set<Table>(['secrets'])

/** What both engines and JSON hold alike. */
export type Value = string | number | null

export type Row = Readonly<Record<string, Value>>

/** Some rows of one table. */
export interface Page {
  readonly table: Table
  readonly rows: readonly Row[]
}

const PAGE = 500

/**
 * A transaction that only reads, and sees one moment of the database.
 *
 * Neither engine makes anyone wait for it. It must be ended by a rollback.
 */
export function beginSnapshot(db: Db): Promise<ControlledTransaction<Schema>> {
  return db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
}

/** All rows of all tables there are, a page at a time. */
export async function* readPages(trx: Trx): AsyncGenerator<Page> {
  const present = await findTables(trx)
  for (const table of TABLE_NAMES) {
    if (present.has(table)) yield* readTable(trx, table)
  }
}

async function* readTable(trx: Trx, table: Table): AsyncGenerator<Page> {
  const key = sql.join(TABLES[table].map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${key} limit ${sql.lit(PAGE)}`.execute(trx)
    const last = rows.at(-1)
    if (last === undefined) return
    yield { table, rows }
    if (rows.length < PAGE) return
    after = sql`where ${compareKeys(
      TABLES[table],
      '>',
      TABLES[table].map((column) => last[column]),
    )}`
  }
}

export function isTable(name: unknown): name is Table {
  return typeof name === 'string' && Object.hasOwn(TABLES, name)
}

/** Inserts rows that all have these columns, as one parameter: a page has more values than a statement may have. */
export async function insertPage(trx: Trx, { table, rows }: Page, columns: readonly string[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = engine(trx).rowsFromJson(table, columns, JSON.stringify(rows))
  await sql`insert into ${sql.table(table)} (${names}) ${values}`.execute(trx)
}

/** Makes generated ids continue after the rows that were inserted with an id. */
export async function resumeIds(trx: Trx): Promise<void> {
  await engine(trx).resumeIds(trx, 'outbox')
}

/** Migrations that have run on this database; none on one that has no tables yet. */
export async function findAppliedMigrations(db: Db): Promise<string[]> {
  return (await findTables(db)).has('migrations') ? findMigrations(db) : []
}

/** Keeps everyone else away from the tables there are until the transaction ends. */
export async function lockTables(trx: Trx): Promise<void> {
  const present = await findTables(trx)
  const tables = TABLE_NAMES.filter((table) => present.has(table))
  await engine(trx).lockTables(trx, tables, 'everyone')
}

/** The first table in which somebody has left something, or undefined on a database that nobody has used. */
export async function findUsedTable(trx: Trx): Promise<string | undefined> {
  const present = await findTables(trx)
  for (const table of TABLE_NAMES) {
    if (!present.has(table) || ITS_OWN.has(table)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx)
    if (rows.length > 0) return table
  }
  return undefined
}

/** Removes every table. */
export async function dropTables(trx: Trx): Promise<void> {
  const present = await findTables(trx)
  for (const table of [...TABLE_NAMES.toReversed(), 'rate_limits', 'leases', 'migrations']) {
    if (present.has(table)) await sql`drop table ${sql.table(table)}`.execute(trx)
  }
}

async function findTables(db: Db): Promise<Set<string>> {
  const { rows } = await engine(db).tableNames.execute(db)
  return new Set(rows.map((row) => row.name))
}
