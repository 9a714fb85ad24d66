import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Host, Primary } from './postgres-hosts.ts'

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

/** Statements beyond this many are not prepared: PostgreSQL keeps prepared ones for as long as a connection lasts. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

const READ_ONLY = '25006'

/**
 * A connection to the server that can be written to.
 *
 * It prepares each statement once: parsing and planning cost more than running them.
 */
export class PostgresClient extends pg.Client {
  readonly #transactionSettings: readonly string[] | undefined
  readonly #primary: Primary | undefined

  constructor(options: ClientOptions = {}) {
    super(options)
    this.#transactionSettings = options.transactionSettings
    this.#primary = options.primary
    // After a failover, this server may have become a standby: no later query should meet it.
    this.#connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.end().catch(() => {})
    })
  }

  /** Types don't know of it. */
  get #connection(): NodeJS.EventEmitter & { readonly stream: { destroy(): void } } {
    return (this as unknown as { connection: NodeJS.EventEmitter & { stream: { destroy(): void } } })
      .connection
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
    if (this.#transactionSettings === undefined) {
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      if (name !== undefined) return super.query({ name, text, values }, callback as never)
    } else if (typeof text === 'string' && /^(?:begin|start transaction)\b/.test(text)) {
      // All in one message, so they cost no round trip. It can have no parameters.
      return super.query([text, ...this.#transactionSettings].join('; '), callback)
    }
    return super.query(...(args as Parameters<pg.Client['query']>))
  }
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

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_PREPARED) {
    name = createHash('md5').update(text).digest('hex')
    names.set(text, name)
  }
  return name
}
