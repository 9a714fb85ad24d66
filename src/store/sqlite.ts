import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'

/**
 * Kysely on node:sqlite: one connection that writes, and one that reads.
 *
 * Queries outside a transaction that only select go to the reader, which sees
 * the last commit and never waits. Everything else takes its turn at the writer.
 */
export function openSqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TwoConnectionAdapter(),
    createDriver: () => new TwoConnectionDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class TwoConnectionAdapter extends SqliteAdapter {
  /** Otherwise Kysely would let readers queue behind a transaction. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class TwoConnectionDriver implements Driver {
  readonly #path: string
  readonly #turns = new Turns()
  #writer: File | undefined
  #reader: File | undefined

  constructor(path: string) {
    this.#path = path
  }

  async init(): Promise<void> {
    this.#writer = await openFile(this.#path)
    this.#reader = await openFile(this.#path)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lane(this.#writer as File, this.#reader as File, this.#turns)
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const lane = connection as Lane
    if (settings.accessMode === 'read only') lane.beginReading(await openFile(this.#path))
    else await lane.begin()
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Lane).end('commit')
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Lane).end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#reader?.close()
    this.#writer?.close()
  }
}

/** What Kysely holds while it runs a query or a transaction. */
class Lane implements DatabaseConnection {
  readonly #writer: File
  readonly #reader: File
  readonly #turns: Turns
  #inTransaction = false
  /** A connection of its own, for a transaction that only reads. */
  #snapshot: File | undefined

  constructor(writer: File, reader: File, turns: Turns) {
    this.#writer = writer
    this.#reader = reader
    this.#turns = turns
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#snapshot !== undefined) return this.#snapshot.run(query)
    if (this.#inTransaction) return this.#writer.run(query)
    if (SelectQueryNode.is(query.query)) return this.#reader.run(query)
    await this.#turns.take()
    try {
      return this.#writer.run(query)
    } finally {
      this.#turns.pass()
    }
  }

  async begin(): Promise<void> {
    await this.#turns.take()
    try {
      // Taking the write lock at once: a transaction that began by reading could not be sure to get it later.
      this.#writer.exec('begin immediate')
      this.#inTransaction = true
    } catch (error) {
      this.#turns.pass()
      throw error
    }
  }

  /** From its first query on, sees the database as it was then; nobody waits for it. */
  beginReading(snapshot: File): void {
    snapshot.exec('pragma query_only = on; begin')
    this.#snapshot = snapshot
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (this.#snapshot !== undefined) {
      // Closing ends the transaction, which has nothing to commit.
      this.#snapshot.close()
      this.#snapshot = undefined
      return
    }
    // A commit that failed may have ended the transaction already, and the next one may have begun.
    if (!this.#inTransaction) return
    try {
      // Some failures have rolled back already.
      if (how === 'commit' || this.#writer.inTransaction) this.#writer.exec(how)
    } finally {
      // After a failed commit Kysely rolls back, and only then is the turn over.
      if (!this.#writer.inTransaction) {
        this.#inTransaction = false
        this.#turns.pass()
      }
    }
  }

  // biome-ignore lint/correctness/useYield: nothing streams from an embedded database
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported on SQLite.')
  }
}

const PATIENCE = 5000
const RETRY_AFTER = 20

/** Opens the file, waiting for another process that has it locked. */
async function openFile(path: string): Promise<File> {
  for (const until = performance.now() + PATIENCE; ; await setTimeout(RETRY_AFTER)) {
    try {
      return new File(path)
    } catch (error) {
      // SQLite's own busy_timeout does not hold for switching to WAL.
      const busy = ((error as { errcode?: number }).errcode ?? 0) & 0xff
      if (busy !== SQLITE_BUSY || performance.now() > until) throw error
    }
  }
}

const SQLITE_BUSY = 5

/** A connection with its statements, each prepared once. */
class File {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(path: string) {
    this.#database = new DatabaseSync(path)
    try {
      this.#database.exec(`pragma busy_timeout = ${PATIENCE}`)
      this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      const statement = this.#database.prepare(sql)
      // As arrays, because rows that node:sqlite makes itself have no prototype: slow, and unlike PostgreSQL's.
      statement.setReturnArrays(true)
      prepared = { statement, columns: statement.columns().map(({ name }) => name) }
      if (this.#statements.size >= 1000) this.#statements.clear()
      this.#statements.set(sql, prepared)
    }
    const { statement, columns } = prepared
    if (columns.length > 0) {
      const rows = statement.all(...(parameters as never[])) as unknown as unknown[][]
      return { rows: rows.map((values) => toRow(columns, values) as R) }
    }
    const { changes, lastInsertRowid } = statement.run(...(parameters as never[]))
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}

interface Prepared {
  readonly statement: StatementSync
  /** Empty for a statement that returns no rows. */
  readonly columns: readonly string[]
}

function toRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
  return row
}

/** One at a time, first come, first served. */
class Turns {
  #taken = false
  readonly #waiting: (() => void)[] = []

  take(): Promise<void> | undefined {
    if (!this.#taken) {
      this.#taken = true
      return undefined
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  pass(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken = false
    else next()
  }
}
