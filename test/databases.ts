import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import pg from 'pg'
import type { Db } from '../src/store/engine/database.ts'
import type { EngineName } from '../src/store/engine/engine.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { type DatabaseOptions, openDatabase } from '../src/store/engine/open-database.ts'
import { startPostgres } from './postgres.ts'

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres']
/** Where `npm test` wants the files of SQLite, each commit of which waits for the disk. */
export const DATABASE_FOLDER = process.env.TEST_DATABASE_FOLDER ?? tmpdir()

export interface TestDatabase {
  /** Open and migrated once the tests run. */
  readonly db: () => Db
  readonly url: () => string
  readonly engine: EngineName
}

/** Opens a database for a test that is not about time-outs: the machine may stand still for seconds. */
export function openPatiently(url: string, options: DatabaseOptions = {}): Db {
  return openDatabase(url, { queryTimeout: 120_000, connectTimeout: 60_000, ...options })
}

/** Runs `suite` once per engine, each time on a fresh database. */
export function onEveryDatabase(
  name: string,
  suite: (database: TestDatabase) => void,
  engines: readonly EngineName[] = ENGINES,
): void {
  for (const engine of engines) {
    describe(`${name} on ${engine}`, () => {
      let fresh: FreshDatabase
      let db: Db
      before(async () => {
        fresh = await migratedDatabase(engine)
        db = openPatiently(fresh.url)
      })
      after(async () => {
        await db?.destroy()
        await fresh?.drop()
      })
      suite({ db: () => db, url: () => fresh.url, engine })
    })
  }
}

/**
 * Databases that are migrated already, for all files of a run to copy: migrating takes longer than most tests. Returns
 * the variables with which the files find them.
 */
export async function makeTemplates(server: string, folder: string): Promise<Record<string, string>> {
  const path = join(folder, 'template.db')
  const name = 'punctual_template'
  await execute(server, `create database ${name}`)
  for (const url of [path, Object.assign(new URL(server), { pathname: name }).href]) {
    const db = openPatiently(url)
    await migrate(db)
    await db.destroy()
  }
  return { TEST_SQLITE_TEMPLATE: path, TEST_POSTGRES_TEMPLATE: name }
}

/** A fresh database with all tables: a copy, where `npm test` has made one to copy. */
export async function migratedDatabase(engine: EngineName): Promise<FreshDatabase> {
  const { TEST_SQLITE_TEMPLATE, TEST_POSTGRES_TEMPLATE } = process.env
  const fresh = await (engine === 'sqlite' ? freshSqlite() : freshPostgres(TEST_POSTGRES_TEMPLATE))
  if (engine === 'sqlite' && TEST_SQLITE_TEMPLATE) await copyFile(TEST_SQLITE_TEMPLATE, fresh.url)
  if (engine === 'sqlite' ? TEST_SQLITE_TEMPLATE : TEST_POSTGRES_TEMPLATE) return fresh
  const db = openPatiently(fresh.url)
  await migrate(db)
  await db.destroy()
  return fresh
}

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A fresh, empty database, not yet migrated: a path in a new folder, or a new PostgreSQL database. */
export async function freshDatabase(engine: EngineName): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshSqlite() : freshPostgres()
}

async function freshSqlite(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(DATABASE_FOLDER, 'punctual-sqlite-'))
  return {
    url: join(folder, 'punctual.sqlite'),
    drop: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  }
}

async function freshPostgres(template = 'template1'): Promise<FreshDatabase> {
  const server = await findServer()
  const name = `punctual_test_${randomBytes(8).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await execute(server, `create database ${name} template ${template} strategy file_copy`)
  return { url: url.href, drop: () => dropDatabase(server, name) }
}

/** PostgreSQL waits for five seconds until those whom it has sent away are gone, which may not do on a busy machine. */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await execute(server, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || tries === 10) throw error
    }
  }
}

const OBJECT_IN_USE = '55006'

let ownServer: Promise<string> | undefined

/** The server of `npm test`, or one for this process if a file is run alone. */
function findServer(): Promise<string> {
  const { TEST_POSTGRES_URL } = process.env
  if (TEST_POSTGRES_URL) return Promise.resolve(TEST_POSTGRES_URL)
  // It ends with this process.
  ownServer ??= startPostgres({ durable: false }).then(({ url }) => url)
  return ownServer
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
