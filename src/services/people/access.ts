import type { Page, PageRequest } from '../../domain/cursor.ts'
import { type Role, reaches, type VisibleBookings } from '../../domain/people/user.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Db } from '../../store/engine/database.ts'
import { findRole, findRoles } from '../../store/people/members.ts'
import { findTeamRights } from '../../store/people/teams.ts'
import type { Principal } from './sign-in/principal.ts'

/** The ids of the user and their teams: they may see what these own. */
export async function visibleSchedulers(db: Db, principal: Principal): Promise<string[]> {
  return [principal.userId, ...(await findRoles(db, principal.userId)).keys()]
}

/** The ids of the user and of the teams where they are admin or owner: they may change what these own. */
export async function managedSchedulers(db: Db, { userId }: Principal): Promise<string[]> {
  const teams = [...(await findRoles(db, userId))].filter(([, role]) => reaches(role, 'admin'))
  return [userId, ...teams.map(([id]) => id)]
}

/** The schedulers whose things to list: all that the user may see, or the one they ask for if it is among them. */
export async function listedSchedulers(
  db: Db,
  principal: Principal,
  ownerId: string | undefined,
): Promise<string[]> {
  const visible = await visibleSchedulers(db, principal)
  if (ownerId === undefined) return visible
  if (!visible.includes(ownerId)) throw notFound()
  return [ownerId]
}

/**
 * The bookings that the user may see, by owner, or those of one owner: all of their own, and in a team all or those that
 * they host.
 */
export async function visibleBookings(
  db: Db,
  principal: Principal,
  ownerId: string | undefined,
): Promise<VisibleBookings[]> {
  const { userId } = principal
  const visible: VisibleBookings[] = [{ schedulerId: userId }]
  for (const { teamId, role, membersSeeAll } of await findTeamRights(db, userId)) {
    const seesAll = membersSeeAll || reaches(role, 'admin')
    visible.push({ schedulerId: teamId, ...(!seesAll && { hostId: userId }) })
  }
  if (ownerId === undefined) return visible
  const owned = visible.filter(({ schedulerId }) => schedulerId === ownerId)
  if (owned.length === 0) throw notFound()
  return owned
}

/** Whether the user may see all guests of that user or team. */
export async function seesAllBookings(db: Db, principal: Principal, schedulerId: string): Promise<boolean> {
  const visible = await visibleBookings(db, principal, schedulerId)
  return visible.every(({ hostId }) => hostId === undefined)
}

/** Throws unless the user may see all guests of that user or team. */
export async function requireAllBookings(db: Db, principal: Principal, schedulerId: string): Promise<void> {
  if (!(await seesAllBookings(db, principal, schedulerId)))
    throw new Problem('forbidden', sentence`Only admins and owners of the team can see this.`)
}

/**
 * Throws unless the principal has this role for that user or team. Users own what is theirs.
 *
 * Strangers get `not_found`, so that nothing is revealed. Members without the role get `forbidden`.
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
  if (!reaches(role, needed))
    throw new Problem(
      'forbidden',
      needed === 'owner'
        ? sentence`Only owners of the team can do this.`
        : sentence`Only admins and owners of the team can do this.`,
    )
}

/** Throws unless the principal runs this instance. */
export function requireInstanceAdmin(principal: Principal): void {
  if (!principal.admin) throw new Problem('forbidden', sentence`Only admins of this instance can do this.`)
}

export const notFound = () => new Problem('not_found', sentence`There is nothing here, or it is not yours.`)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isId = (text: string) => UUID.test(text)

/** Checks that the text is a UUID; throws `not_found`, since nothing else can be an id. */
export function getId(text: string): string {
  if (!isId(text)) throw notFound()
  return text
}

/** The page of a list by id. Throws `not_found` for a cursor that is no id. */
export const readIdPage = ({ cursor, limit }: PageRequest): Page => ({
  after: cursor && getId(cursor),
  limit,
})
