import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from './database.ts'

/** Many ids as one parameter: each number of parameters would be a statement of its own. */
export type IdList = readonly (string | number)[] | string

export const idListOf = (db: Db, ids: readonly (string | number)[]): IdList =>
  engineOf(db) === 'postgres' ? ids : JSON.stringify(ids)

/** Whether a column holds one of them. */
export function isAmong(
  db: Db,
  column: string,
  ids: IdList,
  type: 'uuid' | 'bigint' = 'uuid',
): RawBuilder<SqlBool> {
  return engineOf(db) === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any (${ids}::${sql.raw(type)}[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${ids}))`
}
