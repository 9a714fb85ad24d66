import type { Schedule } from '../domain/hours.ts'
import type { Db } from './database.ts'

export async function insertSchedule(
  db: Db,
  schedule: Schedule & {
    readonly id: string
    readonly userId: string
    readonly name: string
    readonly isDefault: boolean
  },
): Promise<void> {
  await db
    .insertInto('schedules')
    .values({
      id: schedule.id,
      user_id: schedule.userId,
      name: schedule.name,
      time_zone: schedule.timeZone,
      weekly: JSON.stringify(schedule.weekly),
      overrides: JSON.stringify(schedule.overrides),
      is_default: schedule.isDefault ? 1 : 0,
    })
    .execute()
}
