import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

/** What an old address is of. */
export interface OldTarget {
  readonly kind: Schema['old_links']['kind']
  readonly objectId: string
}

/** What had these paths where it came from, by path. */
export async function findOldTargets(
  db: Db,
  paths: readonly string[],
): Promise<ReadonlyMap<string, OldTarget>> {
  const rows = await db
    .selectFrom('old_links')
    .select(['path', 'kind', 'object_id'])
    .where('path', 'in', paths)
    .execute()
  return new Map(rows.map(({ path, kind, object_id }) => [path, { kind, objectId: object_id }]))
}

/** The booking that had this id in addresses; null: a meeting whose guests each have one; undefined: nothing. */
export async function findOldBookingId(db: Db, uid: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('import_uids')
    .select('booking_id')
    .where('uid', '=', uid)
    .executeTakeFirst()
  return row?.booking_id
}
