import { type Selectable, sql } from 'kysely'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

type Row = Pick<Selectable<Schema['event_types']>, 'id' | 'name' | 'slug' | 'scheduler_id'>

/** Something with a name, and the address of its page. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly ownerSlug: string
}

/** The names of all event types or forms of these owners, at most `limit`. */
export async function findNamed(
  db: Db,
  table: 'event_types' | 'routing_forms',
  ownerIds: readonly string[],
  limit: number,
): Promise<Named[]> {
  return db
    .selectFrom(sql<Row>`${sql.table(table)}`.as('named'))
    .innerJoin('schedulers as owner', 'owner.id', 'named.scheduler_id')
    .select(['named.id', 'named.name', 'named.slug', 'owner.slug as ownerSlug'])
    .where('named.scheduler_id', 'in', ownerIds)
    .limit(limit)
    .execute()
}

/** The names of these event types, by id. */
export async function findEventTypeNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('event_types').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
