import { checkSavedFilters, type SavedFilter } from '../../domain/people/saved-filter.ts'
import { findSavedFilters, updateSavedFilters } from '../../store/people/saved-filters.ts'
import type { Context } from '../context.ts'
import type { Principal } from './sign-in/principal.ts'

/** The filters of bookings that the user keeps, in their order. */
export function listSavedFilters({ db }: Context, { userId }: Principal): Promise<SavedFilter[]> {
  return findSavedFilters(db, userId)
}

/** Replaces them all. They are the user's own affair, so the audit has nothing of it. */
export async function saveFilters(
  { db }: Context,
  { userId }: Principal,
  given: readonly SavedFilter[],
): Promise<SavedFilter[]> {
  checkSavedFilters(given)
  const filters = given.map(({ name, query }) => ({ name: name.trim(), query: query.replace(/^\?/, '') }))
  await updateSavedFilters(db, userId, filters)
  return filters
}
