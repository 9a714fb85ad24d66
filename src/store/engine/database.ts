import { createRequire } from 'node:module'
import {
  type CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type QueryResult,
  type Transaction,
} from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'
import { openSqliteDialect } from './sqlite.ts'

// Only those who have a PostgreSQL pay for its driver.
const require = createRequire(import.meta.url)

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
  if (!isPostgresUrl(url)) {
    const dialect = openSqliteDialect(url)
    const db: Db = new Kysely({ dialect })
    files.set(db, dialect.run)
    return db
  }
  const { openPool } = require('./postgres.ts') as typeof import('./postgres.ts')
  const pool = openPool(url, options)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

const files = new WeakMap<Db, ReturnType<typeof openSqliteDialect>['run']>()

/** Runs a query that has been compiled, by the shortest way there is. */
export function execute<R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>> {
  return files.get(db)?.(query) ?? db.executeQuery(query)
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

/** The rules that the engines themselves hold, whatever the code above them does. */
export type Constraint = 'host_overlap' | 'seat_taken' | 'duplicate_booking' | 'unique'

/** Whether the engine refused a statement for what was in it, or for the sake of another: it may be tried otherwise. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(?:23|40)/.test((error as { code?: string }).code ?? '')
}

/** Whether the engine refused a statement for what was in it: tried again, it would be again. */
export function isUnfit(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode = 0 } = error as Error & { code?: string; errcode?: number }
  const sqliteTooBigOrConstraintOrMismatch = [18, 19, 20].includes(errcode & 0xff)
  return sqliteTooBigOrConstraintOrMismatch || /^2[23]/.test(code ?? '')
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
