import type { Db, Trx } from '../engine/database.ts'
import { lockTurns, shareBalances } from '../event-types/event-types.ts'

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
