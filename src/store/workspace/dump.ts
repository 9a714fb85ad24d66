import { type ControlledTransaction, sql } from 'kysely'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { compareKeys } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

/** What was read from another service is read again there, not here. */
const IMPORT_TABLES = ['import_changes', 'import_lines', 'import_rows', 'import_secrets', 'imports'] as const

type Table = Exclude<
  keyof Schema,
  | 'migrations'
  | 'leases'
  | 'search_entries'
  | 'search_pending'
  | 'search_progress'
  | (typeof IMPORT_TABLES)[number]
>

/** Every table with its primary key, in an order in which references point back. */
export const TABLES: { readonly [T in Table]: readonly (keyof Schema[T] & string)[] } = {
  schedulers: ['id'],
  images: ['id'],
  schedules: ['id'],
  event_types: ['id'],
  event_type_hosts: ['event_type_id', 'host_id'],
  claims: ['host_id', 'starts_at'],
  bookings: ['id'],
  booking_history: ['booking_id', 'id'],
  private_links: ['id'],
  email_codes: ['event_type_id', 'address_hash'],
  erasure_codes: ['address_hash'],
  pending_erasures: ['kind', 'id'],
  outbox: ['id'],
  idempotency_keys: ['event_type_id', 'key'],
  secrets: ['name'],
  used_solutions: ['id'],
  answered_guests: ['address_hash'],
  added_guests: ['booking_id', 'position'],
  routing_forms: ['id'],
  routing_responses: ['id'],
  form_counts: ['form_id', 'day', 'step', 'field'],
  login_links: ['token_hash'],
  email_changes: ['user_id'],
  sign_in_attempts: ['state_hash'],
  identities: ['issuer', 'subject'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'code_hash'],
  passkey_challenges: ['holder_hash'],
  sessions: ['id'],
  push_subscriptions: ['id'],
  api_tokens: ['id'],
  team_members: ['team_id', 'user_id'],
  team_attributes: ['team_id'],
  invitations: ['id'],
  blocked_guests: ['id'],
  absences: ['id'],
  connections: ['id'],
  connection_attempts: ['state_hash'],
  calendars: ['id'],
  calendar_items: ['calendar_id', 'external_id'],
  calendar_channels: ['calendar_id'],
  busy_times: ['calendar_id', 'starts_at'],
  calendar_events: ['calendar_id', 'meeting_id'],
  meeting_sequences: ['meeting_id'],
  meeting_links: ['meeting_id'],
  old_slugs: ['kind', 'scope', 'slug'],
  audit: ['id'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  messages: ['id'],
  message_records: ['id'],
  unsubscribed: ['scheduler_id', 'address_hash'],
  stopped_numbers: ['number_hash'],
  sms_counts: ['day', 'number_hash'],
  numbers: ['kind', 'number'],
  import_objects: ['source', 'source_key'],
  import_uids: ['uid'],
  old_links: ['path'],
  payment_accounts: ['id'],
  checkouts: ['id'],
  payments: ['id'],
  payment_refunds: ['id'],
  payment_notices: ['id'],
  payment_differences: ['account_id', 'position'],
}

/** Tables of earlier versions: their rows are in old backups, and a later migration drops them. */
const FORMER_TABLES: readonly string[] = ['guest_mails']

const TABLE_NAMES = Object.keys(TABLES) as readonly Table[]

/** Filled by the service itself when it starts: rows in them do not mean that the database is in use. */
const INTERNAL_TABLES: ReadonlySet<string> = new Set<Table>(['secrets'])

/** A value that is the same in both engines and in JSON. */
type Value = string | number | null

export type Row = Readonly<Record<string, Value>>

/** Some rows of one table. */
interface Page {
  readonly table: Table
  readonly rows: readonly Row[]
}

const PAGE = 500

/** Rows of pictures are large, so a page has few of them. */
const pageSize = (table: Table) => (table === 'images' ? 10 : PAGE)

/**
 * Begins a read-only transaction that sees the database at one moment.
 *
 * It blocks no other transaction. End it with a rollback.
 */
export function beginSnapshot(db: Db): Promise<ControlledTransaction<Schema>> {
  return db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
}

/** Reads all rows of all existing tables, a page at a time. */
export async function* readPages(trx: Trx): AsyncGenerator<Page> {
  const present = await findTables(trx)
  for (const table of TABLE_NAMES) {
    if (present.has(table)) yield* readTable(trx, table)
  }
}

async function* readTable(trx: Trx, table: Table): AsyncGenerator<Page> {
  const key = sql.join(TABLES[table].map((column) => sql.ref(column)))
  const size = pageSize(table)
  let after = sql``
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${key} limit ${sql.lit(size)}`.execute(trx)
    const last = rows.at(-1)
    if (last === undefined) return
    yield { table, rows }
    if (rows.length < size) return
    after = sql`where ${compareKeys(
      TABLES[table],
      '>',
      TABLES[table].map((column) => last[column]),
    )}`
  }
}

/** Whether a backup may have rows of this table. */
export function isTable(name: unknown): name is Table {
  return typeof name === 'string' && (Object.hasOwn(TABLES, name) || FORMER_TABLES.includes(name))
}

/** Inserts rows with these columns. They are one parameter, since a statement can't have one for each value. */
export async function insertPage(trx: Trx, { table, rows }: Page, columns: readonly string[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = engine(trx).rowsFromJson(table, columns, JSON.stringify(rows))
  await sql`insert into ${sql.table(table)} (${names}) ${values}`.execute(trx)
}

/** Makes generated ids continue after the rows that were inserted with an id. */
export async function resumeIds(trx: Trx): Promise<void> {
  if ((await findTables(trx)).has('outbox')) await engine(trx).resumeIds(trx, 'outbox')
}

/** Locks all existing tables against other transactions until this one ends. */
export async function lockTables(trx: Trx): Promise<void> {
  const present = await findTables(trx)
  const tables = TABLE_NAMES.filter((table) => present.has(table))
  await engine(trx).lockTables(trx, tables, 'everyone')
}

/** The first table with rows in it, or undefined if the database is unused. */
export async function findUsedTable(trx: Trx): Promise<string | undefined> {
  const present = await findTables(trx)
  for (const table of TABLE_NAMES) {
    if (!present.has(table) || INTERNAL_TABLES.has(table)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx)
    if (rows.length > 0) return table
  }
  return undefined
}

/** Drops every table. */
export async function dropTables(trx: Trx): Promise<void> {
  const present = await findTables(trx)
  for (const table of [
    ...IMPORT_TABLES,
    ...TABLE_NAMES.toReversed(),
    ...FORMER_TABLES,
    'rate_limits',
    'leases',
    'search_index',
    'search_entries',
    'search_pending',
    'search_progress',
    'migrations',
  ]) {
    if (present.has(table)) await sql`drop table ${sql.table(table)}`.execute(trx)
  }
}

async function findTables(db: Db): Promise<Set<string>> {
  const { rows } = await engine(db).tableNames.execute(db)
  return new Set(rows.map((row) => row.name))
}
