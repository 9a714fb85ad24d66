import { sql } from 'kysely'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { lockHosts } from './schedulers.ts'

/** The team's event types with this user as the only host, by name. */
export async function findSoleHosted(
  db: Db,
  teamId: string,
  userId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return db
    .selectFrom('event_types as e')
    .innerJoin('event_type_hosts as h', 'h.event_type_id', 'e.id')
    .select(['e.id', 'e.name'])
    .where('e.scheduler_id', '=', teamId)
    .where('h.host_id', '=', userId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('event_type_hosts as other')
            .select('other.host_id')
            .whereRef('other.event_type_id', '=', 'e.id')
            .where('other.host_id', '<>', userId),
        ),
      ),
    )
    .orderBy('e.name')
    .execute()
}

/** Removes a user and the user's schedules and calendars from all of the team's event types. */
export async function deleteTeamHost(trx: Trx, teamId: string, userId: string): Promise<void> {
  const hosted = await trx
    .selectFrom('event_types as e')
    .innerJoin('event_type_hosts as h', 'h.event_type_id', 'e.id')
    .select('e.id')
    .where('e.scheduler_id', '=', teamId)
    .where('h.host_id', '=', userId)
    .execute()
  const ids = hosted.map(({ id }) => id)
  if (ids.length > 0) {
    // Bookings lock hosts before turns. The others must do the same, or they wait for each other.
    await lockHosts(trx, [userId])
    await lockTurns(trx, ids)
    await trx
      .deleteFrom('event_type_hosts')
      .where('host_id', '=', userId)
      .where('event_type_id', 'in', ids)
      .execute()
    await shareBalances(trx, ids)
  }
  await trx
    .updateTable('event_types')
    .set({ schedule_id: null })
    .where('scheduler_id', '=', teamId)
    .where('schedule_id', 'in', (eb) => eb.selectFrom('schedules').select('id').where('user_id', '=', userId))
    .execute()
  await trx
    .updateTable('event_types')
    .set({ write_to_calendar_id: null })
    .where('scheduler_id', '=', teamId)
    .where('write_to_calendar_id', 'in', (eb) =>
      eb.selectFrom('calendars').select('id').where('user_id', '=', userId),
    )
    .execute()
}

export async function hideEventTypes(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('event_types').set({ hidden: 1 }).where('id', 'in', ids).execute()
}

/** Locks the round robins of these event types, in the order in which bookings lock them. */
export async function lockTurns(trx: Trx, eventTypeIds: readonly string[]): Promise<void> {
  await sql`select host_id from event_type_hosts where event_type_id in (${sql.join(eventTypeIds)})
    order by event_type_id, host_id ${engine(trx).lockRows}`.execute(trx)
}

/** Makes balances sum to 0 after hosts have left: those who stay share what the others were owed, or owed, equally. */
export async function shareBalances(trx: Trx, eventTypeIds: readonly string[]): Promise<void> {
  // Joined, because SQLite would compute a subquery in `set` again for each row, from rows that have changed.
  // The list is there twice, because PostgreSQL would read the whole table for the join.
  await sql`update event_type_hosts
    set balance = case when fixed = 1 then 0 else event_type_hosts.balance - mean.balance end
    from (
      select event_type_id, avg(case when fixed = 0 then balance end) as balance from event_type_hosts
      where event_type_id in (${sql.join(eventTypeIds)}) group by event_type_id
    ) as mean
    where event_type_hosts.event_type_id = mean.event_type_id
      and event_type_hosts.event_type_id in (${sql.join(eventTypeIds)})`.execute(trx)
}
