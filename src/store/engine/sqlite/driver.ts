import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  type TransactionSettings,
} from 'kysely'

/** Writes that all happen or none, in a commit that they may share with others. */
export interface BatchedWrite extends CompiledQuery {
  readonly writes: readonly CompiledQuery[]
  /** Milliseconds that it may wait for others; left out: a request waits for it. */
  readonly maxDelay?: number
}

/**
 * Kysely's driver for node:sqlite, with one connection that writes and one that can read meanwhile.
 *
 * Selects outside a transaction see the last commit and never wait. Everything else queues for the writer.
 */
export class SqliteDriver implements Driver {
  readonly #path: string
  readonly #mutex = new Mutex()
  #connections: Connections | undefined
  #commits: GroupCommit | undefined
  /** For queries outside a transaction, which need no session of their own. */
  #session: Session | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Runs a query that is in no transaction; undefined while the file is not open. */
  run<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> | undefined {
    return this.#session?.executeQuery(query)
  }

  /** Runs a query that only reads, at once, and returns the values of its rows; undefined while the file is not open. */
  read(query: CompiledQuery): unknown[][] | undefined {
    return this.#connections?.reader.read(query)
  }

  /** Runs queries that only read, with nothing in between. */
  readAll(queries: readonly CompiledQuery[]): QueryResult<unknown>[] {
    const reader = this.#connections?.reader
    if (reader === undefined) throw new Error('The database is closed.')
    return queries.map((query) => reader.run(query))
  }

  /** Runs work in a transaction at once, and resolves when it is on the disk. */
  async inTransaction<T>(work: Work<T>): Promise<T> {
    if (this.#commits === undefined) throw new Error('The database is closed.')
    return this.#commits.runNow(work)
  }

  /** Copies the log into the file and empties it. False if a snapshot still needs the log. */
  async truncateLog(): Promise<boolean> {
    const writer = this.#connections?.writer
    if (writer === undefined) throw new Error('The database is closed.')
    await this.#mutex.acquire()
    try {
      return writer.truncateLog()
    } finally {
      this.#mutex.release()
    }
  }

  async init(): Promise<void> {
    const connections = new Connections(await openConnection(this.#path), await openConnection(this.#path))
    this.#connections = connections
    this.#commits = new GroupCommit(connections.writer, this.#mutex)
    this.#session = new Session(connections, this.#mutex, this.#commits)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Session(this.#connections as Connections, this.#mutex, this.#commits as GroupCommit)
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const session = connection as Session
    if (settings.accessMode === 'read only') session.beginSnapshot(await openConnection(this.#path))
    else await session.begin()
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Session).end('commit')
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as Session).end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#session = undefined
    await this.#commits?.flush()
    this.#connections?.close()
    this.#connections = undefined
  }
}

/** One connection that writes, and one that reads while a transaction is open on the first. */
class Connections {
  readonly writer: Connection
  readonly #reader: Connection

  constructor(writer: Connection, reader: Connection) {
    this.writer = writer
    this.#reader = reader
  }

  /**
   * For selects outside a transaction. The writer reads, too, unless a transaction is open on it: its own commits leave its page
   * cache valid, while a commit by another connection empties a connection's cache.
   */
  get reader(): Connection {
    return this.writer.inTransaction ? this.#reader : this.writer
  }

  close(): void {
    this.#reader.close()
    this.writer.close()
  }
}

/** Reads and writes in a transaction, at once and in their order. */
type Work<T> = (run: (query: CompiledQuery) => QueryResult<unknown>) => T

interface PendingWork {
  readonly work: Work<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

/** Commits writes that arrive at the same time together: each commit waits for the disk. */
class GroupCommit {
  readonly #writer: Connection
  readonly #mutex: Mutex
  #queue: PendingWork[] = []
  #scheduled = false
  #timer: NodeJS.Timeout | undefined

  constructor(writer: Connection, mutex: Mutex) {
    this.#writer = writer
    this.#mutex = mutex
  }

  /** Runs work that all happens or none; it may wait `maxDelay` milliseconds for others to share its commit. */
  run<T>(work: Work<T>, maxDelay?: number): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject })
      if (this.#scheduled) return
      if (maxDelay !== undefined) {
        this.#timer ??= setTimeout(() => this.flush(), maxDelay)
        return
      }
      // Not at once, so that requests which have already arrived can join.
      this.#scheduled = true
      setImmediate(() => this.flush())
    })
  }

  /** Runs work that has gathered what arrived at the same time, and need not wait for more. */
  runNow<T>(work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#queue.push({ work, resolve, reject })
    this.flush()
    return promise
  }

  /** Commits everything in the queue now. */
  async flush(): Promise<void> {
    this.#scheduled = true
    await this.#mutex.acquire()
    const queue = this.#queue
    this.#queue = []
    this.#scheduled = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (queue.length === 0) {
      this.#mutex.release()
      return
    }
    try {
      this.#writer.command('begin immediate')
      const answers = queue.map((pending) => this.#attempt(pending))
      this.#writer.command('commit')
      // Only now: nothing is acknowledged before it is on the disk.
      for (const answer of answers) answer()
    } catch (error) {
      for (const { reject } of queue) reject(error)
      if (this.#writer.inTransaction) this.#writer.command('rollback')
    } finally {
      this.#mutex.release()
    }
  }

  /** Runs one piece of work, or undoes that one alone. The returned function settles its promise. */
  #attempt({ work, resolve, reject }: PendingWork): () => void {
    this.#writer.command('savepoint one')
    try {
      const result = work((query) => this.#writer.run(query))
      return () => resolve(result as never)
    } catch (error) {
      // A full disk rolls the whole transaction back: then there is no savepoint left.
      if (!this.#writer.inTransaction) throw error
      this.#writer.command('rollback to one')
      return () => reject(error)
    } finally {
      if (this.#writer.inTransaction) this.#writer.command('release one')
    }
  }
}

/** What Kysely holds while it runs a query or a transaction. */
class Session implements DatabaseConnection {
  readonly #connections: Connections
  readonly #mutex: Mutex
  readonly #commits: GroupCommit
  #inTransaction = false
  /** A read-only transaction has a connection of its own. */
  #snapshot: Connection | undefined

  constructor(connections: Connections, mutex: Mutex, commits: GroupCommit) {
    this.#connections = connections
    this.#mutex = mutex
    this.#commits = commits
  }

  get #writer(): Connection {
    return this.#connections.writer
  }

  async executeQuery<R>(query: CompiledQuery | BatchedWrite): Promise<QueryResult<R>> {
    if ('writes' in query) {
      const work = () => {
        for (const write of query.writes) this.#writer.run(write)
      }
      if (this.#inTransaction) work()
      else await this.#commits.run(work, query.maxDelay)
      return { rows: [] }
    }
    if (this.#snapshot !== undefined) return this.#snapshot.run(query)
    if (this.#inTransaction) return this.#writer.run(query)
    if (SelectQueryNode.is(query.query)) return this.#connections.reader.run(query)
    await this.#mutex.acquire()
    try {
      return this.#writer.run(query)
    } finally {
      this.#mutex.release()
    }
  }

  async begin(): Promise<void> {
    await this.#mutex.acquire()
    try {
      // Takes the write lock at once: a transaction that began with a read might not get it later.
      this.#writer.command('begin immediate')
      this.#inTransaction = true
    } catch (error) {
      this.#mutex.release()
      throw error
    }
  }

  /** From its first query on, the transaction sees the database as it was then. No other session waits for it. */
  beginSnapshot(snapshot: Connection): void {
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
    // A failed commit may have ended the transaction already, and the next one may have begun.
    if (!this.#inTransaction) return
    try {
      // Some failures have rolled back already.
      if (how === 'commit' || this.#writer.inTransaction) this.#writer.command(how)
    } finally {
      // After a failed commit Kysely rolls back; only then may the next session write.
      if (!this.#writer.inTransaction) {
        this.#inTransaction = false
        this.#mutex.release()
      }
    }
  }

  // biome-ignore lint/correctness/useYield: nothing streams from an embedded database
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported on SQLite.')
  }
}

const BUSY_TIMEOUT = 5000
const RETRY_DELAY = 20

/** Opens the file, waiting while another process has it locked. */
async function openConnection(path: string): Promise<Connection> {
  for (const until = performance.now() + BUSY_TIMEOUT; ; await sleep(RETRY_DELAY)) {
    try {
      return new Connection(path)
    } catch (error) {
      // SQLite's own busy_timeout does not apply to the switch to WAL.
      const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
      if (code !== SQLITE_BUSY || performance.now() > until) throw error
    }
  }
}

const SQLITE_BUSY = 5

/** A connection with its statements, each prepared once. */
class Connection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, PreparedStatement>()

  constructor(path: string) {
    this.#database = new DatabaseSync(path)
    try {
      this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
      this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
      // Savepoints would otherwise write their undo log to a file: two thirds of all that is written.
      this.#database.exec('pragma temp_store = memory')
      // Bookings change the same pages again and again: copying them back from the log less often lets it grow to 16 MB.
      this.#database.exec('pragma wal_autocheckpoint = 4000')
      // What is deleted is overwritten: erased data must not be readable in the file.
      this.#database.exec('pragma secure_delete = on')
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  truncateLog(): boolean {
    // Whoever reads a snapshot in this process could not end it while we wait here.
    this.#database.exec('pragma busy_timeout = 0')
    try {
      const row = this.#database.prepare('pragma wal_checkpoint(truncate)').get()
      return row?.busy === 0
    } finally {
      this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT}`)
    }
  }

  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Runs a statement without parameters, such as `commit`, prepared like the others. */
  command(sql: string): void {
    this.#prepare(sql).statement.run()
  }

  read({ sql, parameters }: CompiledQuery): unknown[][] {
    return this.#prepare(sql).statement.all(...(parameters as never[])) as unknown as unknown[][]
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    const { sql, parameters } = query
    const { statement, columns } = this.#prepare(sql)
    if (columns.length > 0) {
      return { rows: this.read(query).map((values) => toRow(columns, values) as R) }
    }
    const { changes, lastInsertRowid } = statement.run(...(parameters as never[]))
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      // By the bare placeholder of a limit SQLite chooses its plan, so it would prepare the statement again each time.
      const statement = this.#database.prepare(sql.replaceAll(/\blimit \?/g, 'limit ? + 0'))
      // As arrays: row objects of node:sqlite have no prototype, which is slow and unlike PostgreSQL's.
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

interface PreparedStatement {
  readonly statement: StatementSync
  /** Empty for a statement that returns no rows. */
  readonly columns: readonly string[]
}

function toRow(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
  return row
}

/** Lets one session write at a time, first come, first served. */
class Mutex {
  #held = false
  readonly #queue: (() => void)[] = []

  acquire(): Promise<void> | undefined {
    if (!this.#held) {
      this.#held = true
      return undefined
    }
    return new Promise((resolve) => this.#queue.push(resolve))
  }

  release(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#held = false
    else next()
  }
}
