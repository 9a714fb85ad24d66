import pg from 'pg'
import { type ClientOptions, PostgresClient, probe } from './client.ts'
import { Primary, splitHosts } from './hosts.ts'

export interface PoolOptions {
  readonly poolSize?: number
  /** Called when an idle connection breaks. */
  readonly onError?: (error: Error) => void
  /** Milliseconds that one statement may take; 0: no limit. */
  readonly queryTimeout?: number
  /** Milliseconds until a connection is there, a new one or one of the pool; 0: no limit. */
  readonly connectTimeout?: number
  /** Whether the URL leads to a pooler that lends a connection for one transaction at a time. */
  readonly pooledTransactions?: boolean
}

const INT8 = 20

/**
 * What every session sets.
 *
 * The server times out before we do, so that nothing happens after we have answered with a failure.
 * Lock waits time out first. A process that hangs inside a transaction loses its locks.
 */
function sessionSettings(queryTimeout: number): Readonly<Record<string, number>> {
  return {
    lock_timeout: queryTimeout * 0.3,
    statement_timeout: queryTimeout * 0.8,
    idle_in_transaction_session_timeout: queryTimeout * 0.5,
    // Every statement of ours has its index. PostgreSQL would still plan to scan a table that is small, and keep to that
    // plan while the table grows.
    enable_seqscan: 0,
    // Our data fits in memory.
    random_page_cost: 1.1,
    // Compiling takes a hundred times longer than any statement of ours runs.
    jit: 0,
  }
}

/**
 * How the server notices that this machine is gone: by 10 probes, a second apart, after 5 seconds of silence.
 *
 * Otherwise it would keep the locks of such a connection for hours. Node.js sets the same on our side.
 */
const SERVER_KEEPALIVE: Readonly<Record<string, number>> = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 10,
  tcp_user_timeout: 15_000,
}

/** Milliseconds, unless given. */
export const CONNECT_TIMEOUT = 2000

/** Where a URL leads: to its host, or to the one of several that can be written to. */
export function whereToConnect(url: string): ClientOptions {
  const { url: connectionString, hosts } = splitHosts(url)
  if (hosts.length === 1) return { connectionString }
  return { connectionString, primary: new Primary(hosts, (host) => probe({ connectionString }, host)) }
}

/** Opens a pool that fails fast while the server is unreachable, and recovers when it comes back. */
export function openPool(
  url: string,
  {
    poolSize = 10,
    queryTimeout = 10_000,
    connectTimeout = CONNECT_TIMEOUT,
    pooledTransactions = false,
    onError,
  }: PoolOptions,
): pg.Pool {
  const settings = sessionSettings(queryTimeout)
  const session: ClientOptions = pooledTransactions
    ? { transactionSettings: Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`) }
    : { options: startOptions({ ...settings, ...SERVER_KEEPALIVE }) }
  const pool = new pg.Pool({
    ...session,
    ...whereToConnect(url),
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    query_timeout: queryTimeout,
    // Statements of a transaction that do not depend on each other need not wait for each other.
    pipeline: true,
    Client: PostgresClient,
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

const startOptions = (settings: Readonly<Record<string, number>>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
