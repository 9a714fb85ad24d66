import { createHash } from 'node:crypto'
import { Kysely, PostgresAdapter, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'
import { openSqliteDialect } from './sqlite.ts'

/** A connection or a transaction: `Transaction` extends `Kysely`, so both fit. */
export type Db = Kysely<Schema>

/** For what only makes sense inside a transaction: a bare `Db` does not fit. */
export type Trx = Transaction<Schema>

export type Engine = 'sqlite' | 'postgres'

export interface DatabaseOptions {
  /** Connections to PostgreSQL; SQLite has one writer and one reader. */
  readonly poolSize?: number
  /** Told about connections that break while idle. */
  readonly onError?: (error: Error) => void
  /** Milliseconds that PostgreSQL has for one statement; 0: as long as it takes. */
  readonly queryTimeout?: number
}

/** Opens `postgres://…`, or else a SQLite file, which is made if it is not there. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  if (!isPostgresUrl(url)) return new Kysely({ dialect: openSqliteDialect(url) })
  const pool = openPool(url, options)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Db, pg.Pool>()

/** The connections behind a PostgreSQL database, for libraries that bring their own SQL. */
export function poolOf(db: Db): pg.Pool | undefined {
  return pools.get(db)
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url)
}

export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

const INT8 = 20

/** Fails fast when the server is away, and survives its going away. */
function openPool(url: string, { poolSize = 10, queryTimeout = 10_000, onError }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 2000,
    // What is asked for is in memory: without this, small tables are read whole instead of through their indexes.
    options: '-c random_page_cost=1.1',
    query_timeout: queryTimeout,
    Client: PreparingClient,
    types: {
      // Instants fit a double exactly; node-postgres would hand them over as strings.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as never,
  })
  // Without a listener, a server that restarts would take this process with it.
  pool.on('error', (error) => onError?.(error))
  // A connection that breaks while it is lent out fails its query, and tells here as well.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** Statements are worth preparing as long as there are few different ones. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

/** Prepares each statement once per connection: parsing and planning cost more than running them. */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has nine overloads, all of which pass through
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text === 'string' && Array.isArray(values)) {
      let name = names.get(text)
      if (name === undefined && names.size < MAX_PREPARED) {
        name = createHash('md5').update(text).digest('hex')
        names.set(text, name)
      }
      if (name !== undefined) return super.query({ name, text, values }, args[2] as never)
    }
    return super.query(...(args as Parameters<pg.Client['query']>))
  }
}

/** The rules that the engines themselves hold, whatever the code above them does. */
export type Constraint = 'host_overlap' | 'seat_taken' | 'duplicate_booking' | 'unique'

/** Whether the engine refused a statement for what was in it, or for the sake of another: it may be tried otherwise. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:23|40)/.test((error as { code?: string }).code ?? '')
}

/** Which rule the engine refused a statement for, or undefined if it failed otherwise. */
export function brokenConstraint(error: unknown): Constraint | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, constraint, errcode } = error as Error & {
    code?: string
    constraint?: string
    errcode?: number
  }
  if (code === '23P01') return 'host_overlap'
  if (code === '23514' && constraint === 'bookings_capacity') return 'seat_taken'
  if (code === '23505') return constraintByIndex[constraint ?? ''] ?? 'unique'
  if (error.message === 'host_overlap') return 'host_overlap'
  const sqliteConstraint = 19
  if (errcode !== undefined && (errcode & 0xff) === sqliteConstraint) {
    if (error.message.includes('claims.')) return 'host_overlap'
    if (/bookings\.seat|bookings_capacity/.test(error.message)) return 'seat_taken'
    if (error.message.includes('bookings.duplicate_key')) return 'duplicate_booking'
    if (error.message.startsWith('UNIQUE')) return 'unique'
  }
  return undefined
}

const constraintByIndex: Record<string, Constraint> = {
  claims_pkey: 'host_overlap',
  bookings_seat: 'seat_taken',
  bookings_duplicate: 'duplicate_booking',
}

/** True when the database could not be reached or gave up; trying again later may work. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  const sqliteBusyOrLocked = errcode !== undefined && [5, 6].includes(errcode & 0xff)
  return (
    sqliteBusyOrLocked ||
    /^(?:ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/.test(code ?? '') ||
    /^(?:08|57P|53|40)/.test(code ?? '') ||
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/i.test(
      error.message,
    )
  )
}
