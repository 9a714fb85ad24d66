import { createHash } from 'node:crypto'
import pg from 'pg'

export interface ClientOptions extends pg.ClientConfig {
  /**
   * Statements that begin every transaction, for a pooler that lends a connection for one transaction at a time.
   *
   * Such a connection has no session of ours: no settings from its start, and no prepared statements.
   */
  readonly transactionSettings?: readonly string[]
}

/** Statements beyond this many are not prepared: PostgreSQL keeps prepared ones for as long as a connection lasts. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

/** Prepares each statement once per connection: parsing and planning cost more than running them. */
export class PostgresClient extends pg.Client {
  readonly #transactionSettings: readonly string[] | undefined

  constructor(options: ClientOptions = {}) {
    super(options)
    this.#transactionSettings = options.transactionSettings
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

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_PREPARED) {
    name = createHash('md5').update(text).digest('hex')
    names.set(text, name)
  }
  return name
}
