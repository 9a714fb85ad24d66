import {
  type CompiledQuery,
  Kysely,
  type QueryResult,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { SearchTerms } from '../../../domain/search-terms.ts'
import type { Db } from '../database.ts'
import type { CountRequest, Decided, Engine, EngineAdapter, IdList, ServerFacts } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { type BatchedWrite, SqliteDriver } from './driver.ts'
import { countInMemory } from './memory-counter.ts'

/** Opens a SQLite file, which is created if it does not exist. */
export function openSqlite(path: string): Db {
  return new SqliteEngine(new SqliteDriver(path)).db
}

class Adapter extends SqliteAdapter implements EngineAdapter {
  readonly engine: Engine

  constructor(engine: Engine) {
    super()
    this.engine = engine
  }

  /** Otherwise Kysely would make readers wait for a transaction. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Milliseconds that a write of the worker waits for others: no request waits for it. */
const WORKER_WRITE_DELAY = 20

/** A term that more entries have is common. */
const COMMON = 500
const MOST_TERMS = 4

/** The terms that the fewest entries have; all of them if all are common. */
async function rarestOf(db: Db, terms: readonly string[]): Promise<readonly string[]> {
  const counts = terms.map(
    (term) => sql`select ${term} as term, count(*) as count from (
      select 1 from search_index where search_index match ${term} limit ${sql.lit(COMMON)}
    )`,
  )
  const { rows } = await sql<{ term: string; count: number }>`
    ${sql.join(counts, sql` union all `)} order by count limit ${sql.lit(MOST_TERMS)}`.execute(db)
  const rare = rows.filter(({ count }) => count < COMMON).map(({ term }) => term)
  return rare.length > 0 ? rare : terms
}

/** One process uses the file, and one transaction at a time writes to it: most locks and notifications have no use. */
class SqliteEngine implements Engine {
  readonly name = 'sqlite'
  readonly othersWrite = false
  readonly now = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
  readonly skipLocked = sql``
  readonly lockRows = sql``
  readonly lockFreeRows = sql``
  readonly tableNames = sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  readonly db: Db
  readonly #driver: SqliteDriver

  constructor(driver: SqliteDriver) {
    this.#driver = driver
    this.db = new Kysely({
      dialect: {
        createAdapter: () => new Adapter(this),
        createDriver: () => driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
  }

  idList(ids: readonly (string | number)[]): IdList {
    return JSON.stringify(ids)
  }

  isAmong(column: string, ids: IdList): RawBuilder<SqlBool> {
    return sql`${sql.ref(column)} in (select value from json_each(${ids}))`
  }

  isOneOf(column: string, selected: RawBuilder<unknown>): RawBuilder<SqlBool> {
    return sql`${sql.ref(column)} in (${selected})`
  }

  people(column: string): RawBuilder<number> {
    return sql`coalesce(sum(1 + coalesce(json_array_length(${sql.ref(column)}), 0)), 0)`
  }

  mailDomain(column: string): RawBuilder<string> {
    return sql`substr(${sql.ref(column)}, instr(${sql.ref(column)}, '@') + 1)`
  }

  rowsFromJson(_table: keyof Schema, columns: readonly string[], json: string): RawBuilder<unknown> {
    const values = columns.map(
      (column) => sql`json_extract(value, ${sql.lit(`$."${column}"`)}) as ${sql.ref(column)}`,
    )
    return sql`select ${sql.join(values)} from jsonb_each(${json})`
  }

  // A cross join keeps the order of the tables. The limit has SQLite read each wanted row once, instead of taking its
  // values from the JSON again for every row that it finds.
  lookUpEach(
    wanted: RawBuilder<unknown>,
    table: keyof Schema,
    fits: RawBuilder<SqlBool>,
  ): RawBuilder<unknown> {
    return sql`(${wanted} limit -1) as wanted cross join ${sql.table(table)} as found where ${fits}`
  }

  beginsBetween(after: RawBuilder<number>, before: RawBuilder<number>): RawBuilder<SqlBool> {
    return sql`found.host_id = wanted.host_id and found.starts_at > ${after} and found.starts_at < ${before}`
  }

  /** By the rarest terms alone: FTS5 reads the entries of every term from one end to the other. */
  async findEntries(db: Db, terms: SearchTerms, limit: number): Promise<string[]> {
    const query = 'all' in terms ? (await rarestOf(db, terms.all)).join(' AND ') : `${terms.beginning}*`
    const { rows } = await sql<{ object_id: string }>`
      select object_id from search_entries where number in (
        select rowid from search_index where search_index match ${query} limit ${limit}
      )`.execute(db)
    return rows.map((row) => row.object_id)
  }

  execute<R>(db: Db, query: CompiledQuery<R>): Promise<QueryResult<R>> {
    // Not through Kysely, which takes longer to pass a query on than SQLite takes to run it.
    const running = db === this.db ? this.#driver.run(query) : undefined
    return running ?? db.executeQuery(query)
  }

  compileBatch(db: Db, writes: readonly RawBuilder<unknown>[]): readonly CompiledQuery[] {
    return writes.map((write) => write.compile(db))
  }

  async batchedWrite(db: Db, writes: readonly CompiledQuery[]): Promise<void> {
    const [first] = writes
    if (first === undefined) return
    const write: BatchedWrite = { ...first, writes, maxDelay: WORKER_WRITE_DELAY }
    await this.execute(db, write)
  }

  readNow(db: Db, query: CompiledQuery): unknown[][] | undefined {
    return db === this.db ? this.#driver.read(query) : undefined
  }

  async readTogether(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]> {
    return this.#driver.readAll(queries)
  }

  async inTwoTrips<T>(
    reads: readonly CompiledQuery[],
    decide: (answers: readonly QueryResult<unknown>[]) => Decided<T>,
  ): Promise<T> {
    return this.#driver.inTransaction((run) => {
      const { writes, result } = decide(reads.map(run))
      for (const write of writes) run(write)
      return result
    })
  }

  /** Nothing can be read before it is durable. */
  async makeDurable(): Promise<void> {}

  async lockMigrations(): Promise<void> {}

  async limitLockWaits(): Promise<void> {}

  async lockTables(): Promise<void> {}

  /** An `autoincrement` column continues by itself. */
  async resumeIds(): Promise<void> {}

  async notify(): Promise<void> {}

  listen() {
    return async () => {}
  }

  requestCounter(_db: Db, _name: string, windowSeconds: number): CountRequest {
    return countInMemory(windowSeconds)
  }

  async deleteExpiredCounts(): Promise<void> {}

  async forgetDeleted(): Promise<boolean> {
    return this.#driver.truncateLog()
  }

  /** It comes with Node.js, so it is always new enough. */
  async readServerFacts(db: Db): Promise<ServerFacts> {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    return { version: `SQLite ${rows[0]?.version}`, isSupported: true }
  }

  async readSize(db: Db): Promise<number> {
    const { rows } = await sql<{ size: number }>`
      select page_count * page_size as size from pragma_page_count(), pragma_page_size()`.execute(db)
    return rows[0]?.size ?? 0
  }

  async readWalPosition(): Promise<undefined> {}

  async hasReplayed(): Promise<boolean> {
    return false
  }
}
