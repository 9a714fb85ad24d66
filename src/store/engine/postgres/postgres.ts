import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  isAbortedTransactionError,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { SearchTerms } from '../../../domain/search-terms.ts'
import type { Db, Trx } from '../database.ts'
import type {
  CountRequest,
  Decided,
  Engine,
  EngineAdapter,
  IdList,
  Index,
  PoolUsage,
  ServerFacts,
  WalPosition,
} from '../engine.ts'
import type { Schema } from '../schema.ts'
import { type Listener, listen } from './listener.ts'
import { isRefused, outcomeUnknown, wasNeverSent } from './outcome.ts'
import { openPool, type PoolOptions } from './pool.ts'
import { countInTable } from './table-counter.ts'
import { inTwoTrips, makeDurable, readTogether } from './two-trips.ts'

export interface PostgresOptions extends PoolOptions {
  /** Where to listen for notifications, if not where everything else goes. A pooler of transactions can't. */
  readonly listenUrl?: string
}

/** Opens a pool of connections to a PostgreSQL server. */
export function openPostgres(url: string, options: PostgresOptions): Db {
  const pool = openPool(url, options)
  const { listenUrl = options.pooledTransactions ? undefined : url, connectTimeout } = options
  const listener = listenUrl === undefined ? undefined : { url: listenUrl, connectTimeout }
  return new Kysely({ dialect: new Dialect(pool, new PostgresEngine(pool, listener)) })
}

class Dialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #engine: Engine

  constructor(pool: pg.Pool, engine: Engine) {
    super({ pool })
    this.#pool = pool
    this.#engine = engine
  }

  override createAdapter(): EngineAdapter {
    return Object.assign(new PostgresAdapter(), { engine: this.#engine })
  }

  override createDriver(): Driver {
    return new TransactionDriver({ pool: this.#pool })
  }
}

/** Reports truthfully how a transaction ended if its connection was lost. */
class TransactionDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      const isDecided = isAbortedTransactionError(error) || isRefused(error) || wasNeverSent(error)
      throw isDecided ? error : outcomeUnknown(error)
    }
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    // It fails if the connection is lost. What failed before says more, and the server has rolled back.
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

/** Any numbers will do, as long as they stay the same. Version 0.1.0 knows the first one, and waits for it. */
const MIGRATION_LOCKS = { tables: 7_264_301, indexes: 7_264_302 }

/** PostgreSQL 15. */
const OLDEST_SUPPORTED = 150_000

const LOCK_MODES = { writers: sql`exclusive`, everyone: sql`access exclusive` }

class PostgresEngine implements Engine {
  readonly name = 'postgres'
  readonly othersWrite = true
  readonly now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  readonly skipLocked = sql`for update skip locked`
  // Not `for update`: that would make every insert that refers to the row wait.
  readonly lockRows = sql`for no key update`
  readonly lockFreeRows = sql`for no key update skip locked`
  readonly tableNames = sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = any (current_schemas(false))`
  readonly #pool: pg.Pool
  readonly #listener: Listener | undefined

  constructor(pool: pg.Pool, listener: Listener | undefined) {
    this.#pool = pool
    this.#listener = listener
  }

  idList(ids: readonly (string | number)[]): IdList {
    return ids
  }

  isAmong(column: string, ids: IdList, type: 'uuid' | 'bigint' | 'text' = 'uuid'): RawBuilder<SqlBool> {
    return sql`${sql.ref(column)} = any (${ids}::${sql.raw(type)}[])`
  }

  // An array has few values to the planner. Before it has statistics, it takes a select for long and reads the whole table.
  isOneOf(column: string, selected: RawBuilder<unknown>): RawBuilder<SqlBool> {
    return sql`${sql.ref(column)} = any (array(${selected}))`
  }

  people(column: string): RawBuilder<number> {
    return sql`coalesce(sum(1 + coalesce(json_array_length(${sql.ref(column)}::json), 0)), 0)`
  }

  mailDomain(column: string): RawBuilder<string> {
    return sql`split_part(${sql.ref(column)}, '@', 2)`
  }

  rowsFromJson(table: keyof Schema, columns: readonly string[], json: string): RawBuilder<unknown> {
    return sql`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
  }

  // `offset 0` keeps the planner from joining them otherwise: it expects a hundred rows of any JSON, and would rather
  // read the whole table.
  lookUpEach(
    wanted: RawBuilder<unknown>,
    table: keyof Schema,
    fits: RawBuilder<SqlBool>,
    inOrderOf?: string,
  ): RawBuilder<unknown> {
    const order = inOrderOf === undefined ? sql`` : sql`order by ${sql.ref(`found.${inOrderOf}`)}`
    return sql`(${wanted}) as wanted cross join lateral (
      select * from ${sql.table(table)} as found where ${fits} ${order} offset 0
    ) as found where true`
  }

  // The times are said twice, once for the primary key and once for the index against overlaps, which the planner
  // takes for a small table: without its own words, it would read all claims of the host. Comparing rows, which only
  // the primary key serves, is no way out: the planner expects a ninth of all claims from that.
  beginsBetween(after: RawBuilder<number>, before: RawBuilder<number>): RawBuilder<SqlBool> {
    return sql`found.host_id = wanted.host_id and found.starts_at > ${after} and found.starts_at < ${before}
      and int8range(found.starts_at, found.ends_at) && int8range(${after}, ${before})`
  }

  async findEntries(db: Db, terms: SearchTerms, limit: number): Promise<string[]> {
    const query = 'all' in terms ? terms.all.join(' & ') : `${terms.beginning}:*`
    const { rows } = await sql<{ object_id: string }>`
      select object_id from search_entries where terms @@ ${query}::tsquery limit ${limit}`.execute(db)
    return rows.map((row) => row.object_id)
  }

  execute<R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return db.executeQuery(query)
  }

  readNow(): undefined {}

  /** As one statement, since each statement is a round trip. */
  compileBatch(db: Db, writes: readonly RawBuilder<unknown>[]): readonly CompiledQuery[] {
    const last = writes.at(-1)
    if (last === undefined) return []
    const others = writes.slice(0, -1).map((write, i) => sql`${sql.ref(`write_${i}`)} as (${write})`)
    return [(others.length === 0 ? last : sql`with ${sql.join(others)} ${last}`).compile(db)]
  }

  async batchedWrite(db: Db, writes: readonly CompiledQuery[]): Promise<void> {
    const writeAll = async (on: Db) => {
      for (const write of writes) await on.executeQuery(write)
    }
    if (writes.length <= 1 || db.isTransaction) await writeAll(db)
    else await db.transaction().execute(writeAll)
  }

  readTogether(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]> {
    return readTogether(this.#pool, queries)
  }

  inTwoTrips<T>(
    reads: readonly CompiledQuery[],
    decide: (answers: readonly QueryResult<unknown>[]) => Decided<T>,
  ): Promise<T> {
    return inTwoTrips(this.#pool, reads, decide)
  }

  makeDurable(): Promise<void> {
    return makeDurable(this.#pool)
  }

  async lockMigrations(trx: Trx, what: keyof typeof MIGRATION_LOCKS): Promise<void> {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCKS[what])})`.execute(trx)
  }

  async limitLockWaits(trx: Trx, milliseconds: number): Promise<void> {
    await sql`set local lock_timeout = ${sql.lit(milliseconds)}`.execute(trx)
  }

  readonly buildIndex = async (db: Db, { name, on }: Index, lock: Trx): Promise<void> => {
    // The build waits for all who may still read older rows, so also for the last select of this transaction, whose
    // result PostgreSQL keeps until the next statement.
    await sql`set local application_name = ${sql.lit(`builds ${name}`)}`.execute(lock)
    const { rows } = await sql`
      select 1 from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = ${name} and not indisvalid and relnamespace::regnamespace::text = any (current_schemas(false))`.execute(
      db,
    )
    // A build that was interrupted leaves an index that nothing reads.
    if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
    await sql`create index concurrently if not exists ${sql.ref(name)} on ${sql.raw(on)}`.execute(db)
  }

  async lockTables(
    trx: Trx,
    tables: readonly (keyof Schema)[],
    against: keyof typeof LOCK_MODES,
  ): Promise<void> {
    if (tables.length === 0) return
    const names = sql.join(tables.map((table) => sql.table(table)))
    await sql`lock table ${names} in ${LOCK_MODES[against]} mode`.execute(trx)
  }

  async resumeIds(trx: Trx, table: 'outbox'): Promise<void> {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
      from ${sql.table(table)}`.execute(trx)
  }

  async notify(trx: Trx, channel: string): Promise<void> {
    await sql`select pg_notify(${channel}, '')`.execute(trx)
  }

  listen(channel: string, onNotification: () => void, onError: (error: Error) => void) {
    // Without notifications, the worker still polls.
    if (this.#listener === undefined) return async () => {}
    return listen(this.#listener, channel, onNotification, onError)
  }

  requestCounter(db: Db, name: string, windowSeconds: number): CountRequest {
    return countInTable(db, name, windowSeconds)
  }

  async deleteExpiredCounts(db: Db): Promise<void> {
    await sql`delete from rate_limits where expire <= ${this.now}`.execute(db)
  }

  /** The server removes old versions of rows by itself. */
  async forgetDeleted(): Promise<boolean> {
    return true
  }

  async readServerFacts(db: Db): Promise<ServerFacts> {
    const { rows } = await sql<{ version: string; number: number; max: number; reserved: number }>`
      select current_setting('server_version') as version,
        current_setting('server_version_num')::int as number,
        current_setting('max_connections')::int as max,
        current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`.execute(db)
    const [{ version, number, max, reserved }] = rows as [(typeof rows)[number]]
    return {
      version: `PostgreSQL ${version}`,
      isSupported: number >= OLDEST_SUPPORTED,
      connections: { max, reserved },
    }
  }

  async readSize(db: Db): Promise<number> {
    const { rows } = await sql<{ size: number }>`
      select pg_database_size(current_database()) as size`.execute(db)
    return rows[0]?.size ?? 0
  }

  /** Not only what is flushed: a commit may be acknowledged before that, if the operator says so. */
  async readWalPosition(db: Db): Promise<WalPosition> {
    const { rows } = await sql<WalPosition>`
      select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline
      from pg_current_wal_insert_lsn() as lsn`.execute(db)
    return rows[0] as WalPosition
  }

  /**
   * A standby that still follows a former primary may have replayed more of another timeline.
   *
   * The timeline changes with the first checkpoint after a failover. Until then the answer is no.
   */
  async hasReplayed(db: Db, { lsn, timeline }: WalPosition): Promise<boolean> {
    const { rows } = await sql<{ replayed: boolean }>`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
        and timeline_id = ${timeline} as replayed
      from pg_control_checkpoint()`.execute(db)
    return rows[0]?.replayed ?? false
  }

  readonly poolUsage = (): PoolUsage => {
    const { idleCount, totalCount, waitingCount, options } = this.#pool
    return { idle: idleCount, inUse: totalCount - idleCount, max: options.max ?? 0, waiting: waitingCount }
  }
}
