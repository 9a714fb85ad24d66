import pg from 'pg'
import { startPostgres } from '../test/postgres.ts'
import { createDatabase } from './seed.ts'

/** A PostgreSQL server, or a database on it. */
export interface Reachable extends AsyncDisposable {
  readonly url: string
}

/** The server that `BENCH_POSTGRES_URL` names, or one of our own. */
export async function findPostgres(): Promise<Reachable> {
  const { BENCH_POSTGRES_URL } = process.env
  if (BENCH_POSTGRES_URL) return { url: BENCH_POSTGRES_URL, async [Symbol.asyncDispose]() {} }
  const { url, stop } = await startPostgres({ durable: true })
  return { url, [Symbol.asyncDispose]: stop }
}

/** A new, empty database on this server, which is dropped in the end; a run that was ended early may have left it. */
export async function makeDatabase(server: string, name: string): Promise<Reachable> {
  const drop = () => run(server, `drop database if exists ${name} with (force)`)
  await drop()
  return { url: await createDatabase(server, name), [Symbol.asyncDispose]: drop }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
