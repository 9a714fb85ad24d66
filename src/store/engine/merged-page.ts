import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

/** SQLite takes 500 parts of a union; nobody has that many teams, and if they do, it takes two statements. */
const MAX_PARTS = 200

/**
 * The first `limit` rows of several lists, each of which is sorted and no longer than that by itself.
 *
 * For what many owners have: each one's part is read off the end of an index that begins with the owner.
 * Asked about all owners at once, the engines would sort everything these have.
 */
export async function findMerged<Table extends keyof Schema, Row extends object>(
  db: Db,
  parts: readonly SelectQueryBuilder<Schema, Table, Row>[],
  keys: readonly (keyof Row & string)[],
  order: 'asc' | 'desc',
  limit: number,
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
  return found.sort((a, b) => sign * compare(a, b, keys)).slice(0, limit)
}

function compare<Row extends object>(a: Row, b: Row, keys: readonly (keyof Row & string)[]): number {
  const key = keys.find((candidate) => a[candidate] !== b[candidate])
  if (key === undefined) return 0
  return a[key] < b[key] ? -1 : 1
}
