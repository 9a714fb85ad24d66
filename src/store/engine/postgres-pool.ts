import { createHash } from 'node:crypto'
import pg from 'pg'

export interface PoolOptions {
  readonly poolSize?: number
  /** Called when an idle connection breaks. */
  readonly onError?: (error: Error) => void
  /** Milliseconds that one statement may take; 0: no limit. */
  readonly queryTimeout?: number
}

const INT8 = 20

/**
 * The server times out before we do, so that nothing happens after we have answered with a failure.
 *
 * Lock waits time out first. A process that hangs inside a transaction loses its locks.
 */
function serverTimeouts(queryTimeout: number) {
  if (queryTimeout === 0) return {}
  return {
    lock_timeout: queryTimeout * 0.3,
    statement_timeout: queryTimeout * 0.8,
    idle_in_transaction_session_timeout: queryTimeout * 0.5,
  }
}

/** Opens a pool that fails fast while the server is unreachable, and recovers when it comes back. */
export function openPool(
  url: string,
  { poolSize = 10, queryTimeout = 10_000, onError }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 2000,
    // Our data fits in memory: without this, PostgreSQL scans small tables instead of using their indexes.
    options: '-c random_page_cost=1.1',
    ...serverTimeouts(queryTimeout),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    query_timeout: queryTimeout,
    // Statements of a transaction that do not depend on each other need not wait for each other.
    pipeline: true,
    Client: PreparingClient,
    types: {
      // Instants fit a double exactly; node-postgres would return them as strings.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as never,
  })
  // Without a listener, a restart of the server would end this process.
  pool.on('error', (error) => onError?.(error))
  // A connection that breaks while in use fails its query and also emits an error here.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** Statements beyond this many are not prepared: PostgreSQL keeps prepared ones for as long as a connection lasts. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

/** Prepares each statement once per connection: parsing and planning cost more than running them. */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has nine overloads, and all of them pass through
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text === 'string' && Array.isArray(values)) {
      let name = names.get(text)
      if (name === undefined && names.size < MAX_PREPARED) {
        name = createHash('md5').update(text).digest('hex')
        names.set(text, name)
      }
      if (name !== undefined) return super.query({ name, text, values }, args[2] as never)
    }
    return super.query(...(args as Parameters<pg.Client['query']>))
  }
}
