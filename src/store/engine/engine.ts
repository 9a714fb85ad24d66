import type { CompiledQuery, DialectAdapter, QueryResult, RawBuilder, SqlBool } from 'kysely'
import type { SearchTerms } from '../../domain/search-terms.ts'
import type { Db, Trx } from './database.ts'
import type { Schema } from './schema.ts'

export type EngineName = 'sqlite' | 'postgres'

/** Many ids as one parameter: each number of parameters would be a statement of its own. */
export type IdList = readonly (string | number)[] | string

/** How often a key was counted in its present window, and how long that window still lasts. */
export interface RequestCount {
  readonly points: number
  readonly millisecondsLeft: number
}

export type CountRequest = (key: string) => Promise<RequestCount>

/** How many connections a pool has, and how many statements wait for one. */
export interface PoolUsage {
  readonly idle: number
  readonly inUse: number
  readonly max: number
  readonly waiting: number
}

/** What a transaction writes, and its result once it is committed. */
export interface Decided<T> {
  readonly writes: readonly CompiledQuery[]
  readonly result: T
  /** By which the writes are recognized if the answer to the commit is lost. */
  readonly evidence?: Evidence | undefined
  /** Run before the writes: locks, and checks that divide by zero to fail, which is `Outdated`. */
  readonly guards?: readonly CompiledQuery[]
}

/** What a decision was based on has changed before its writes. */
export class Outdated extends Error {}

/** A booking that a transaction writes. */
export interface Evidence {
  readonly bookingId: string
  /** Whether it exists only if the transaction was committed. */
  readonly isNew: boolean
}

/** How far the log of a database server has come. */
export interface WalPosition {
  readonly timeline: number
  readonly lsn: string
}

/** What an operator wants to know about the database server. */
export interface ServerFacts {
  /** Such as `PostgreSQL 18.4`. */
  readonly version: string
  readonly isSupported: boolean
  /** How many connections it accepts from all clients together; undefined if there is no limit. */
  readonly connections?: { readonly max: number; readonly reserved: number }
}

/** `create index {name} on {on}`. PostgreSQL builds it while others write to the table. */
export interface Index {
  readonly name: string
  readonly on: string
}

/** Everything in which the two databases differ. The rest of the store is the same on both. */
export interface Engine {
  readonly name: EngineName

  /** Milliseconds since 1970 by the database's clock, which all instances share. */
  readonly now: RawBuilder<number>
  /** Makes a select skip rows that another transaction has locked. */
  readonly skipLocked: RawBuilder<unknown>
  /** Makes a select lock its rows until the transaction ends, or only those that no other transaction has locked. */
  readonly lockRows: RawBuilder<unknown>
  readonly lockFreeRows: RawBuilder<unknown>
  /** Selects the name of every table. */
  readonly tableNames: RawBuilder<{ name: string }>
  idList(ids: readonly (string | number)[]): IdList
  /** Whether a column holds one of these ids. */
  isAmong(column: string, ids: IdList, type?: 'uuid' | 'bigint' | 'text'): RawBuilder<SqlBool>
  /** Whether a column has one of the few values that are selected, so that rows are found by an index of it. */
  isOneOf(column: string, selected: RawBuilder<unknown>): RawBuilder<SqlBool>
  /** Counts people: each row is one, and one more for each entry of this column, a JSON array or null. */
  people(column: string): RawBuilder<number>
  /** The domain of an email address. Indexed as it is written here. */
  mailDomain(column: string): RawBuilder<string>
  /** Selects these columns of the rows in a JSON array, with the types that they have in the table. */
  rowsFromJson(table: keyof Schema, columns: readonly string[], json: string): RawBuilder<unknown>
  /**
   * What follows `from` in a select: the rows of a list, named `wanted`, each with the rows of a table, named
   * `found`, that fit it. They are found by an index, however long the list may seem to the planner; where several
   * indexes would do, by the one that has them `inOrderOf` this column.
   */
  lookUpEach(
    wanted: RawBuilder<unknown>,
    table: keyof Schema,
    fits: RawBuilder<SqlBool>,
    inOrderOf?: string,
  ): RawBuilder<unknown>
  /** Whether `found`, a claim, has the wanted host and begins between these two. */
  beginsBetween(after: RawBuilder<number>, before: RawBuilder<number>): RawBuilder<SqlBool>

  /** The ids of at most so many search entries that have these terms. */
  findEntries(db: Db, terms: SearchTerms, limit: number): Promise<string[]>

  /** Runs a compiled query by the shortest path. */
  execute<R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>>
  /** Compiles writes for `batchedWrite`. None of them may depend on another: their order is the engine's choice. */
  compileBatch(db: Db, writes: readonly RawBuilder<unknown>[]): readonly CompiledQuery[]
  /** Runs writes that no request waits for, all or none. They may wait a moment to share a commit with others. */
  batchedWrite(db: Db, writes: readonly CompiledQuery[]): Promise<void>

  /** Whether others may write between two statements of a transaction. */
  readonly othersWrite: boolean

  /**
   * Reads at once: each row as the values of its columns, in their order. Undefined where the answer has to be waited for, as
   * in a transaction.
   */
  readNow(db: Db, query: CompiledQuery): readonly (readonly unknown[])[] | undefined
  /** Runs queries that do not depend on each other in one round trip. */
  readTogether(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]>
  /**
   * One transaction of two round trips: reads, a decision, and its writes.
   *
   * `decide` runs while rows are locked, so it cannot wait for anything. If it throws, or has nothing to write,
   * nothing is written.
   */
  inTwoTrips<T>(
    reads: readonly CompiledQuery[],
    decide: (answers: readonly QueryResult<unknown>[]) => Decided<T>,
  ): Promise<T>
  /** Returns when all that can be read now survives a crash. Others may see a booking a moment before that. */
  makeDurable(): Promise<void>

  /** Makes this transaction the only one that migrates tables, or builds indexes, until it ends. */
  lockMigrations(trx: Trx, what: 'tables' | 'indexes'): Promise<void>
  /** Makes this transaction fail if it waits for a lock longer than this: requests queue behind it. */
  limitLockWaits(trx: Trx, milliseconds: number): Promise<void>
  /**
   * Builds an index while others write to its table, outside the transaction that keeps other instances from doing so.
   * Undefined where nobody else writes.
   */
  readonly buildIndex?: (db: Db, index: Index, lock: Trx) => Promise<void>
  /** Keeps other transactions from writing to these tables, or from using them at all, until this one ends. */
  lockTables(trx: Trx, tables: readonly (keyof Schema)[], against: 'writers' | 'everyone'): Promise<void>
  /** Makes a table's generated ids continue after the highest one in it. */
  resumeIds(trx: Trx, table: 'outbox'): Promise<void>

  /** Notifies other instances on a channel once this transaction commits. */
  notify(trx: Trx, channel: string): Promise<void>
  /** Calls `onNotification` for each notification of another instance until the returned function is called. */
  listen(channel: string, onNotification: () => void, onError: (error: Error) => void): () => Promise<void>
  /** Counts requests in fixed windows, together with all instances that share the database. */
  requestCounter(db: Db, name: string, windowSeconds: number): CountRequest
  deleteExpiredCounts(db: Db): Promise<void>
  /** Makes what was deleted disappear from the files. False: someone still reads what was there before. */
  forgetDeleted(): Promise<boolean>
  readServerFacts(db: Db): Promise<ServerFacts>
  /** How many bytes the database takes on its disk, indexes included. */
  readSize(db: Db): Promise<number>
  /** How far this server's log has come; undefined where there is no log that others replay. */
  readWalPosition(db: Db): Promise<WalPosition | undefined>
  /** Whether this server is a standby that has replayed the primary's log up to here. */
  hasReplayed(db: Db, position: WalPosition): Promise<boolean>
  /** Undefined where there is no pool. */
  readonly poolUsage?: () => PoolUsage
}

/** Kysely's adapter is the one object that a database and its transactions share: it carries the engine. */
export interface EngineAdapter extends DialectAdapter {
  readonly engine: Engine
}

/** The engine of a database, or of a transaction on it. */
export function engine(db: Db): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}
