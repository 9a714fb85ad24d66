import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Role } from '../../domain/people/user.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'
import { schedulerFromRow } from './schedulers.ts'

/** A team as one of its members sees it. */
export interface Membership extends TeamRules {
  readonly team: Scheduler
  readonly role: Role
}

/** What a team has decided for its members. */
export interface TeamRules {
  /** Whether members see bookings that they don't host. Admins and owners always do. */
  readonly membersSeeAll: boolean
}

/** The teams that a user belongs to, oldest first, after the one with id `after`. */
export async function findMemberships(db: Db, userId: string, page: Page): Promise<Membership[]> {
  const rows = await membershipsOf(db, userId).$call(pageById(page, 'm.team_id')).execute()
  return rows.map(membershipFromRow)
}

export async function findMembership(
  db: Db,
  teamId: string,
  userId: string,
): Promise<Membership | undefined> {
  const row = await membershipsOf(db, userId).where('m.team_id', '=', teamId).executeTakeFirst()
  return row && membershipFromRow(row)
}

const membershipsOf = (db: Db, userId: string) =>
  db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as t', 't.id', 'm.team_id')
    .selectAll('t')
    .select('m.role')
    .where('m.user_id', '=', userId)

const membershipFromRow = (row: Selectable<Schema['schedulers']> & { readonly role: Role }): Membership => ({
  team: schedulerFromRow(row),
  role: row.role,
  membersSeeAll: row.members_see_all === 1,
})

/** What decides what a user may see of their teams. */
export async function findTeamRights(
  db: Db,
  userId: string,
): Promise<(TeamRules & { readonly teamId: string; readonly role: Role })[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as t', 't.id', 'm.team_id')
    .select(['m.team_id', 'm.role', 't.members_see_all'])
    .where('m.user_id', '=', userId)
    .orderBy('m.team_id')
    .execute()
  return rows.map((row) => ({
    teamId: row.team_id,
    role: row.role,
    membersSeeAll: row.members_see_all === 1,
  }))
}

export async function findTeamRules(db: Db, teamId: string): Promise<TeamRules> {
  const row = await db
    .selectFrom('schedulers')
    .select('members_see_all')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return { membersSeeAll: row?.members_see_all === 1 }
}

export async function updateTeamRules(trx: Trx, teamId: string, { membersSeeAll }: TeamRules): Promise<void> {
  await trx
    .updateTable('schedulers')
    .set({ members_see_all: Number(membersSeeAll) })
    .where('id', '=', teamId)
    .execute()
}

export async function countTeamBookings(db: Db, teamId: string): Promise<number> {
  const row = await db
    .selectFrom('bookings')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('scheduler_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Deletes a team and all it owns. The database refuses while there are bookings. */
export async function deleteTeam(trx: Trx, teamId: string): Promise<void> {
  // Old slugs have no owner, only a target or a scope.
  await trx
    .deleteFrom('old_slugs')
    .where((eb) => eb.or([eb('target_id', '=', teamId), eb('scope', '=', teamId)]))
    .execute()
  await trx.deleteFrom('schedulers').where('id', '=', teamId).where('kind', '=', 'team').execute()
}
