import { createRequire } from 'node:module'
import type { Db } from './database.ts'
import type { PostgresOptions } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

// PostgreSQL's driver is only loaded when there is a PostgreSQL to open.
const require = createRequire(import.meta.url)

/** The pool is PostgreSQL's: SQLite has one connection that writes and one that reads. */
export type DatabaseOptions = PostgresOptions

/** Opens `postgres://…`, or else a SQLite file, which is created if it does not exist. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  if (!isPostgresUrl(url)) return openSqlite(url)
  const { openPostgres } = require('./postgres/postgres.ts') as typeof import('./postgres/postgres.ts')
  return openPostgres(url, options)
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url)
}
