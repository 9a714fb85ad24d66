import type { CompiledQuery } from 'kysely'
import { type Db, engineOf, execute } from './database.ts'
import { writeInCompany } from './sqlite.ts'

/** Milliseconds. Nobody waits for what is written like this but the worker. */
const PATIENCE = 20

/** A write that on SQLite waits a moment for others to share a commit with. It does not say how many rows it changed. */
export async function writeTogether(db: Db, query: CompiledQuery): Promise<void> {
  await execute(db, engineOf(db) === 'sqlite' ? writeInCompany(query, PATIENCE) : query)
}
