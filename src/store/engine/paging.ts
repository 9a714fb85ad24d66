import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

// Keyset paging: a page begins after the keys of the last row of the page before. Keys are unique together, and an
// index that ends with them finds the page without reading those before it.

type Order = 'asc' | 'desc'
type Key = string | number | null

/** Compares these columns, in their order, with the values of a row. */
export function compareKeys(
  columns: readonly string[],
  operator: '<' | '<=' | '>' | '>=',
  values: readonly (Key | undefined)[],
): RawBuilder<SqlBool> {
  const keys = sql.join(columns.map((column) => sql.ref(column)))
  return sql<SqlBool>`(${keys}) ${sql.raw(operator)} (${sql.join(values)})`
}

/** Sorts and limits a query to the page after these keys, or to the first one: for `$call`. */
export function pageAfter(columns: readonly string[], order: Order, { after, limit }: Page<readonly Key[]>) {
  return <DB, Tables extends keyof DB, Row>(query: SelectQueryBuilder<DB, Tables, Row>): typeof query => {
    const rest =
      after === undefined ? query : query.where(compareKeys(columns, order === 'asc' ? '>' : '<', after))
    return columns.reduce((sorted, column) => sorted.orderBy(sql.ref(column), order), rest).limit(limit)
  }
}

/** The page of a list by id: oldest first, since ids grow with time. */
export const pageById = ({ after, limit }: Page<string | number>, column = 'id') =>
  pageAfter([column], 'asc', { after: after === undefined ? undefined : [after], limit })

/** The same, newest first. */
export const pageByIdDesc = ({ after, limit }: Page) =>
  pageAfter(['id'], 'desc', { after: after === undefined ? undefined : [after], limit })

/** The page of a list by an instant, latest first, and by id where instants are equal. */
export const pageByTimeDesc = (column: string, { after, limit }: Page<Cursor>) =>
  pageAfter([column, 'id'], 'desc', { after: after && [after.at, after.id], limit })

/** SQLite takes 500 parts of a union. A user with more teams than this costs a second statement. */
const MAX_PARTS = 200

interface Sorting<Row> {
  readonly keys: readonly (keyof Row & string)[]
  readonly order: Order
  readonly limit: number
}

/**
 * The first `limit` rows of several lists, each of which is sorted and no longer than that by itself.
 *
 * For lists of several owners: each part is read off an index that begins with the owner. Given all owners at once,
 * the engines would sort everything that these have.
 */
export async function findMerged<Table extends keyof Schema, Row extends object>(
  db: Db,
  parts: readonly SelectQueryBuilder<Schema, Table, Row>[],
  { keys, order, limit }: Sorting<Row>,
): Promise<Row[]> {
  const found: Row[] = []
  for (let from = 0; from < parts.length; from += MAX_PARTS) {
    const [first, ...others] = parts
      .slice(from, from + MAX_PARTS)
      .map((part) => db.selectFrom(part.as('part')).selectAll() as unknown as typeof part)
    if (first === undefined) break
    const union = others.reduce((all, next) => all.unionAll(next), first)
    const sorted = keys.reduce((query, key) => query.orderBy(key as never, order), union)
    found.push(...((await sorted.limit(limit).execute()) as Row[]))
  }
  if (parts.length <= MAX_PARTS) return found
  const sign = order === 'asc' ? 1 : -1
  return found.sort((a, b) => sign * compareRows(a, b, keys)).slice(0, limit)
}

function compareRows<Row extends object>(a: Row, b: Row, keys: readonly (keyof Row & string)[]): number {
  const key = keys.find((candidate) => a[candidate] !== b[candidate])
  if (key === undefined) return 0
  return a[key] < b[key] ? -1 : 1
}
