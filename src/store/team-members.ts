import type { Role } from '../domain/user.ts'
import type { Db } from './database.ts'

export interface TeamMember {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: number
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

export async function findTeamMembers(db: Db, teamId: string): Promise<TeamMember[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.email', 'u.name', 'm.role', 'm.created_at'])
    .where('m.team_id', '=', teamId)
    .orderBy('m.user_id')
    .execute()
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email ?? '',
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
  }))
}

export async function insertTeamMember(
  db: Db,
  teamId: string,
  userId: string,
  role: Role,
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
