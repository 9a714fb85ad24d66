import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Writes for SQLite alone, of which all are done or none. */
interface SharedWrite extends CompiledQuery {
  /** The others are only done if this one changes a row. */
  readonly condition?: CompiledQuery
  readonly steps: readonly CompiledQuery[]
  /** Milliseconds for which nobody minds waiting; left out: somebody does. */
  readonly patience?: number
}

/**
 * Makes of these one query that affects one row if the condition held, and none otherwise.
 *
 * Cheaper than a transaction, because those that come at the same time share one commit.
 */
export function writeIf(condition: CompiledQuery, ...others: readonly CompiledQuery[]): SharedWrite {
  return { ...condition, condition, steps: others }
}

/** Milliseconds. What the worker writes down has nobody waiting for it. */
export const WORKER_PATIENCE = 20

/** Writes that wait for company: each commit stops everything until the disk has answered. */
export function writeInCompany(
  patience: number,
  ...steps: readonly [CompiledQuery, ...CompiledQuery[]]
): SharedWrite {
  return { ...steps[0], steps, patience }
}

/**
 * Kysely on node:sqlite: one connection that writes, and one that reads.
 *
 * Queries outside a transaction that only select go to the reader, which sees
 * the last commit and never waits. Everything else takes its turn at the writer.
 */
export function openSqliteDialect(path: string): SqliteDialect {
  const driver = new TwoConnectionDriver(path)
  return {
    createAdapter: () => new TwoConnectionAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    run: (query) => driver.run(query),
  }
}

interface SqliteDialect extends Dialect {
  /**
   * Runs a query that is in no transaction, as Kysely would, which takes longer to hand it over than SQLite
   * takes to run it. Undefined while the file is not open.
   */
  run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> | undefined
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
  #commits: SharedCommits | undefined
  /** For what needs no lane of its own. */
  #lane: Lane | undefined

  constructor(path: string) {
    this.#path = path
  }

  run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> | undefined {
    return this.#lane?.executeQuery(query)
  }

  async init(): Promise<void> {
    this.#writer = await openFile(this.#path)
    this.#reader = await openFile(this.#path)
    this.#commits = new SharedCommits(this.#writer, this.#turns)
    this.#lane = new Lane(this.#writer, this.#reader, this.#turns, this.#commits)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Lane(this.#writer as File, this.#reader as File, this.#turns, this.#commits as SharedCommits)
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
    this.#lane = undefined
    await this.#commits?.writeAll()
    this.#reader?.close()
    this.#writer?.close()
  }
}

interface WaitingWrite {
  readonly write: SharedWrite
  readonly resolve: (done: boolean) => void
  readonly reject: (error: unknown) => void
}

/** Lets writes that wait for the disk at the same time go there together. */
class SharedCommits {
  readonly #writer: File
  readonly #turns: Turns
  #waiting: WaitingWrite[] = []
  #called = false
  #patient: NodeJS.Timeout | undefined

  constructor(writer: File, turns: Turns) {
    this.#writer = writer
    this.#turns = turns
  }

  /** Says whether it was done. */
  write(write: SharedWrite): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject })
      if (this.#called) return
      if (write.patience !== undefined) {
        this.#patient ??= setTimeout(() => this.writeAll(), write.patience)
        return
      }
      // Not at once: requests that have arrived by now get the chance to join.
      this.#called = true
      setImmediate(() => this.writeAll())
    })
  }

  /** Whatever waits, now. */
  async writeAll(): Promise<void> {
    this.#called = true
    await this.#turns.take()
    const writes = this.#waiting
    this.#waiting = []
    this.#called = false
    clearTimeout(this.#patient)
    this.#patient = undefined
    if (writes.length === 0) {
      this.#turns.pass()
      return
    }
    try {
      this.#writer.command('begin immediate')
      const answers = writes.map((write) => this.#attempt(write))
      this.#writer.command('commit')
      // Only now: nothing is acknowledged that is not on the disk.
      for (const answer of answers) answer()
    } catch (error) {
      for (const { reject } of writes) reject(error)
      if (this.#writer.inTransaction) this.#writer.command('rollback')
    } finally {
      this.#turns.pass()
    }
  }

  /** Does one of them, or undoes that one alone. What comes back gives the answer to whoever waits. */
  #attempt({ write, resolve, reject }: WaitingWrite): () => void {
    this.#writer.command('savepoint one')
    try {
      const done = this.#writer.runAll(write)
      return () => resolve(done)
    } catch (error) {
      // The disk may be full: then everything is undone already, and there is nothing to go back to.
      if (!this.#writer.inTransaction) throw error
      this.#writer.command('rollback to one')
      return () => reject(error)
    } finally {
      if (this.#writer.inTransaction) this.#writer.command('release one')
    }
  }
}

/** What Kysely holds while it runs a query or a transaction. */
class Lane implements DatabaseConnection {
  readonly #writer: File
  readonly #reader: File
  readonly #turns: Turns
  readonly #commits: SharedCommits
  #inTransaction = false
  /** A connection of its own, for a transaction that only reads. */
  #snapshot: File | undefined

  constructor(writer: File, reader: File, turns: Turns, commits: SharedCommits) {
    this.#writer = writer
    this.#reader = reader
    this.#turns = turns
    this.#commits = commits
  }

  async executeQuery<R>(query: CompiledQuery | SharedWrite): Promise<QueryResult<R>> {
    if ('steps' in query) {
      const done = this.#inTransaction ? this.#writer.runAll(query) : await this.#commits.write(query)
      return { rows: [], numAffectedRows: done ? 1n : 0n }
    }
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
      this.#writer.command('begin immediate')
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
      if (how === 'commit' || this.#writer.inTransaction) this.#writer.command(how)
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
  for (const until = performance.now() + PATIENCE; ; await sleep(RETRY_AFTER)) {
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
      // What a savepoint keeps for undoing itself would otherwise go through a file: two thirds of all that is written.
      this.#database.exec('pragma temp_store = memory')
      // Pages that bookings touch again and again are copied back from the log a quarter as often; it grows to 16 MB.
      this.#database.exec('pragma wal_autocheckpoint = 4000')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** One statement without parameters, such as `commit`, prepared like the others. */
  command(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, columns } = this.#prepare(sql)
    if (columns.length > 0) {
      const rows = statement.all(...(parameters as never[])) as unknown as unknown[][]
      return { rows: rows.map((values) => toRow(columns, values) as R) }
    }
    const { changes, lastInsertRowid } = statement.run(...(parameters as never[]))
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** The first, and if that changes a row, the others. */
  runAll({ condition, steps }: SharedWrite): boolean {
    if (condition !== undefined && this.run(condition).numAffectedRows === 0n) return false
    for (const query of steps) this.run(query)
    return true
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      const statement = this.#database.prepare(sql)
      // As arrays, because rows that node:sqlite makes itself have no prototype: slow, and unlike PostgreSQL's.
      statement.setReturnArrays(true)
      prepared = { statement, columns: statement.columns().map(({ name }) => name) }
      if (this.#statements.size >= 1000) this.#statements.clear()
      this.#statements.set(sql, prepared)
    }
    return prepared
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
