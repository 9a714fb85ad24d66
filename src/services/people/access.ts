import { type Role, reaches } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import type { Db } from '../../store/engine/database.ts'
import { findRole, findRoles } from '../../store/people/members.ts'
import type { Principal } from './principal.ts'

/** The user's own id and those of their teams: whose things they may see. */
export async function visibleSchedulers(db: Db, principal: Principal): Promise<string[]> {
  return [principal.userId, ...(await findRoles(db, principal.userId)).keys()]
}

/**
 * Throws unless the principal has that role over this user or team.
 *
 * Everyone owns themself. What is not one's own, nor of one's teams, does not
 * exist as far as the answer tells; what one may see but not change is forbidden.
 */
export async function requireRole(
  db: Db,
  principal: Principal,
  schedulerId: string,
  needed: Role,
  missing: Problem = notFound(),
): Promise<void> {
  if (schedulerId === principal.userId) return
  const role = await findRole(db, schedulerId, principal.userId)
  if (role === undefined) throw missing
  if (!reaches(role, needed)) throw new Problem('forbidden', `This takes the role of ${needed} in the team.`)
}

export const notFound = () => new Problem('not_found', 'There is nothing here, or it is not yours.')

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isId = (text: string) => UUID.test(text)

/** The id, if it could be one; what could not be is not there. */
export function getId(text: string): string {
  if (!isId(text)) throw notFound()
  return text
}
