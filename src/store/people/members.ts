import type { Page } from '../../domain/cursor.ts'
import type { AttributeValues } from '../../domain/people/attributes.ts'
import type { Role } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'

export interface TeamMember {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: number
  /** Whether their default hours can be booked. */
  readonly hoursConfirmed: boolean
  readonly attributes: AttributeValues
}

export async function findRole(db: Db, teamId: string, userId: string): Promise<Role | undefined> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** The teams a user belongs to, with the role in each. */
export async function findRoles(db: Db, userId: string): Promise<Map<string, Role>> {
  const rows = await db
    .selectFrom('team_members')
    .select(['team_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('team_id')
    .execute()
  return new Map(rows.map((row) => [row.team_id, row.role]))
}

/** The users in a team. */
export async function findMemberIds(db: Db, teamId: string): Promise<string[]> {
  const rows = await db.selectFrom('team_members').select('user_id').where('team_id', '=', teamId).execute()
  return rows.map((row) => row.user_id)
}

/** Members of a team, by user id, after the one with id `after`. */
export async function findTeamMembers(db: Db, teamId: string, page: Page): Promise<TeamMember[]> {
  const rows = await membersOf(db, teamId).$call(pageById(page, 'm.user_id')).execute()
  return rows.map(fromRow)
}

export async function findTeamMember(
  db: Db,
  teamId: string,
  userId: string,
): Promise<TeamMember | undefined> {
  const row = await membersOf(db, teamId).where('m.user_id', '=', userId).executeTakeFirst()
  return row && fromRow(row)
}

/** Whether the team has another owner who can sign in. */
export async function hasOtherOwner(db: Db, teamId: string, userId: string): Promise<boolean> {
  const row = await membersOf(db, teamId)
    .where('m.role', '=', 'owner')
    .where('m.user_id', '<>', userId)
    .where('u.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A member of one of some teams. */
export interface Colleague {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly teamId: string
}

/** Members of these teams, at most `limit`: someone in several is there several times. */
export async function findColleagues(
  db: Db,
  teamIds: readonly string[],
  limit: number,
): Promise<Colleague[]> {
  if (teamIds.length === 0) return []
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email', 'm.team_id as teamId'])
    .where('m.team_id', 'in', teamIds)
    .where('u.closed_at', 'is', null)
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, email: row.email ?? '' }))
}

interface NewMember {
  readonly teamId: string
  readonly userId: string
  readonly role: Role
}

export async function insertTeamMember(
  db: Db,
  { teamId, userId, role }: NewMember,
  now: number,
): Promise<void> {
  await db
    .insertInto('team_members')
    .values({ team_id: teamId, user_id: userId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
    .execute()
}

export async function updateRole(db: Db, teamId: string, userId: string, role: Role): Promise<void> {
  await db
    .updateTable('team_members')
    .set({ role })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteTeamMember(db: Db, teamId: string, userId: string): Promise<void> {
  await db.deleteFrom('team_members').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
}

function membersOf(db: Db, teamId: string) {
  return db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as u', 'u.id', 'm.user_id')
    .leftJoin('schedules as s', (join) =>
      join.onRef('s.user_id', '=', 'm.user_id').on((eb) => eb('s.is_default', '=', eb.lit(1))),
    )
    .select(['m.user_id', 'u.email', 'u.name', 'm.role', 'm.created_at', 'm.attributes', 's.confirmed'])
    .where('m.team_id', '=', teamId)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof membersOf>['executeTakeFirstOrThrow']>>

function fromRow(row: MemberRow): TeamMember {
  return {
    userId: row.user_id,
    email: row.email ?? '',
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    hoursConfirmed: row.confirmed === 1,
    attributes: JSON.parse(row.attributes),
  }
}
