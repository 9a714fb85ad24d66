import { findNames } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'

/** The names of these hosts, in the same order; those who were deleted are left out. */
export async function findHostNames({ db }: Context, hostIds: readonly string[]): Promise<string[]> {
  const names = await findNames(db, hostIds)
  return hostIds.map((id) => names.get(id)).filter((name) => name !== undefined)
}
