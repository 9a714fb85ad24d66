import { createHash } from 'node:crypto'
import pg from 'pg'
import type { DatabaseOptions } from './database.ts'

const INT8 = 20

/** Fails fast when the server is away, and survives its going away. */
export function openPool(
  url: string,
  { poolSize = 10, queryTimeout = 10_000, onError }: DatabaseOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 2000,
    // What is asked for is in memory: without this, small tables are read whole instead of through their indexes.
    options: '-c random_page_cost=1.1',
    query_timeout: queryTimeout,
    Client: PreparingClient,
    types: {
      // Instants fit a double exactly; node-postgres would hand them over as strings.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    } as never,
  })
  // Without a listener, a server that restarts would take this process with it.
  pool.on('error', (error) => onError?.(error))
  // A connection that breaks while it is lent out fails its query, and tells here as well.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)))
  return pool
}

/** Statements are worth preparing as long as there are few different ones. */
const MAX_PREPARED = 500
const names = new Map<string, string>()

/** Prepares each statement once per connection: parsing and planning cost more than running them. */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has nine overloads, all of which pass through
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
