import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Role } from '../../domain/people/user.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import { schedulerFromRow } from './schedulers.ts'

/** A team as one of its members sees it. */
export interface Membership {
  readonly team: Scheduler
  readonly role: Role
}

/** The teams that a user belongs to, oldest first, after the one with id `after`. */
export async function findMemberships(
  db: Db,
  userId: string,
  after: string | undefined,
  limit: number,
): Promise<Membership[]> {
  const rows = await db
    .selectFrom('team_members as m')
    .innerJoin('schedulers as t', 't.id', 'm.team_id')
    .selectAll('t')
    .select('m.role')
    .where('m.user_id', '=', userId)
    .$call(pageById(after, limit, 'm.team_id'))
    .execute()
  return rows.map((row) => ({ team: schedulerFromRow(row), role: row.role }))
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
