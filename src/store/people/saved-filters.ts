import type { SavedFilter } from '../../domain/people/saved-filter.ts'
import type { Db } from '../engine/database.ts'

export async function findSavedFilters(db: Db, userId: string): Promise<SavedFilter[]> {
  const row = await db
    .selectFrom('schedulers')
    .select('saved_filters')
    .where('id', '=', userId)
    .executeTakeFirst()
  return JSON.parse(row?.saved_filters ?? '[]')
}

export async function updateSavedFilters(
  db: Db,
  userId: string,
  filters: readonly SavedFilter[],
): Promise<void> {
  await db
    .updateTable('schedulers')
    .set({ saved_filters: filters.length === 0 ? null : JSON.stringify(filters) })
    .where('id', '=', userId)
    .execute()
}
