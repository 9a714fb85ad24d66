import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import pg from 'pg'
import type { Host, Primary } from './hosts.ts'

export interface ClientOptions extends pg.ClientConfig {
  /**
   * Statements that begin every transaction, for a pooler that lends a connection for one transaction at a time.
   *
   * Such a connection has no session of ours: no settings from its start, and no prepared statements.
   */
  readonly transactionSettings?: readonly string[]
  /** Says where to connect, if there are several hosts. */
  readonly primary?: Primary
}

/** Not of `count(*)`. */
const ALL_COLUMNS = /(?<!\()\*/

/** Statements beyond this many are not prepared: PostgreSQL keeps prepared ones for as long as a connection lasts. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

/** What node-postgres has, and its types don't. */
interface Connection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void }
  readonly _ending: boolean
}

const READ_ONLY = '25006'

/**
 * A connection to the server that can be written to.
 *
 * It prepares each statement once: parsing and planning cost more than running them.
 */
export class PostgresClient extends pg.Client {
  readonly #transactionSettings: readonly string[] | undefined
  readonly #primary: Primary | undefined
  #inTransaction = false

  constructor(options: ClientOptions = {}) {
    super(options)
    this.#transactionSettings = options.transactionSettings
    this.#primary = options.primary
    // After a failover, this server may have become a standby: no later query should meet it.
    this.#connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.end().catch(() => {})
    })
    this.#connection.once('end', () => {
      // We did not say goodbye, so the server may not know.
      if (!this.#connection._ending) cancel(this)
    })
  }

  get #connection(): Connection {
    return (this as unknown as { readonly connection: Connection }).connection
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's connect returns a promise or takes a callback
  override connect(callback?: any): any {
    const primary = this.#primary
    if (primary === undefined) return super.connect(callback)
    const connected = this.#connectTo(primary)
    if (callback === undefined) return connected
    connected.then(() => callback(), callback)
  }

  async #connectTo(primary: Primary): Promise<void> {
    const host = await primary.find()
    Object.assign(this, host)
    this.on('error', () => primary.suspect(host))
    try {
      await super.connect()
      await assertWritable(this)
    } catch (error) {
      primary.suspect(host)
      this.end().catch(() => {})
      throw error
    }
    this.once(
      'end',
      primary.note(host, () => this.#connection.stream.destroy()),
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has nine overloads, and all of them pass through
  override query(...args: any[]): any {
    const [text, values, callback] = args
    if (typeof text === 'string') this.#noteTransaction(text)
    if (this.#transactionSettings === undefined) {
      const name = typeof text === 'string' && Array.isArray(values) ? this.#nameOf(text) : undefined
      if (name !== undefined && callback === undefined) return this.#run({ name, text, values })
      if (name !== undefined) return super.query({ name, text, values }, callback as never)
    } else if (typeof text === 'string' && /^(?:begin|start transaction)\b/.test(text)) {
      // All in one message, so they cost no round trip. It can have no parameters.
      return super.query([text, ...this.#transactionSettings].join('; '), callback)
    }
    return super.query(...(args as Parameters<pg.Client['query']>))
  }

  /**
   * In a transaction, what selects all columns is not prepared: once a newer version has added one, PostgreSQL would refuse
   * it, and with it the whole transaction.
   */
  #nameOf(text: string): string | undefined {
    return this.#inTransaction && ALL_COLUMNS.test(text) ? undefined : nameOf(text)
  }

  #noteTransaction(text: string): void {
    if (/^(?:begin|start transaction)\b/.test(text)) this.#inTransaction = true
    else if (/^(?:commit|rollback)\s*$/.test(text)) this.#inTransaction = false
  }

  /** Runs a prepared statement, and again if it was prepared before a migration, unless that has ended a transaction. */
  async #run(prepared: { name: string; text: string; values: unknown[] }): Promise<pg.QueryResult> {
    const mayRetry = !this.#inTransaction
    try {
      return await super.query(prepared)
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      rename(prepared)
      if (!mayRetry) throw error
      return super.query(prepared.text, prepared.values)
    }
  }
}

/**
 * A newer version has added a column to a table while this one runs: PostgreSQL refuses statements that select all
 * columns and were prepared before.
 */
const isOutdatedPlan = (error: unknown) =>
  (error as { code?: string }).code === '0A000' && /cached plan/.test((error as Error).message)

const CANCEL_REQUEST = 80_877_102
const CANCEL_WITHIN = 2000

/**
 * Tells the server to stop what it still does for a connection that was lost.
 *
 * A commit that waits for a standby has no time-out, and the server doesn't notice that nobody waits for it any more:
 * while the standby is away, such sessions would use up all connections.
 */
function cancel(client: pg.Client): void {
  const { host, port, processID, secretKey } = client as pg.Client & {
    processID?: number
    secretKey?: number
  }
  if (processID == null || secretKey == null) return
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const request = Buffer.alloc(16)
  for (const [i, word] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(word, i * 4)
  }
  // If the server is gone, so is what it did.
  socket.on('error', () => {})
  socket.setTimeout(CANCEL_WITHIN, () => socket.destroy())
  socket.unref().end(request)
}

/** Fails unless this host can be written to, within a second. */
export async function probe(options: pg.ClientConfig, host: Host): Promise<void> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: 1000, query_timeout: 1000 })
  // What breaks after it was asked does not matter here.
  client.on('error', () => {})
  Object.assign(client, host)
  try {
    await client.connect()
    await assertWritable(client)
  } finally {
    client.end().catch(() => {})
  }
}

async function assertWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') {
    throw Object.assign(new Error('The server is read-only.'), { code: READ_ONLY })
  }
}

/** From now on, each connection prepares this statement again. */
function rename({ name, text }: { readonly name: string; readonly text: string }): void {
  // Another connection may have met the same migration.
  if (names.get(text) === name) names.set(text, createHash('md5').update(name).digest('hex'))
}

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_PREPARED) {
    name = createHash('md5').update(text).digest('hex')
    names.set(text, name)
  }
  return name
}
