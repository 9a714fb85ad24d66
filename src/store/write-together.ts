import type { CompiledQuery } from 'kysely'
import { type Db, engineOf } from './database.ts'
import { writeIf } from './sqlite.ts'

/** A write that on SQLite shares its commit with others of the same moment. It does not say how many rows it changed. */
export async function writeTogether(db: Db, query: CompiledQuery): Promise<void> {
  await db.executeQuery(engineOf(db) === 'sqlite' ? writeIf(query) : query)
}
