import type { Selectable } from 'kysely'
import type { Page } from '../../domain/cursor.ts'
import type { Schedule } from '../../domain/event-types/hours.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById } from '../engine/paging.ts'
import type { Schema } from '../engine/schema.ts'

/** A user's schedule with its name. Each user has one default schedule. */
export interface NamedSchedule extends Schedule {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly isDefault: boolean
  /** False until an invited user has saved it once; it offers nothing until then. */
  readonly confirmed: boolean
}

export async function insertSchedule(db: Db, schedule: NamedSchedule): Promise<void> {
  await db
    .insertInto('schedules')
    .values({ id: schedule.id, user_id: schedule.userId, ...toRow(schedule) })
    .execute()
}

export async function findSchedule(db: Db, userId: string, id: string): Promise<NamedSchedule | undefined> {
  const row = await db
    .selectFrom('schedules')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Schedules of a user, oldest first, after the one with id `after`. */
export async function findSchedules(db: Db, userId: string, page: Page): Promise<NamedSchedule[]> {
  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('user_id', '=', userId)
    .$call(pageById(page))
    .execute()
  return rows.map(fromRow)
}

export async function updateSchedule(trx: Trx, schedule: NamedSchedule): Promise<void> {
  await trx.updateTable('schedules').set(toRow(schedule)).where('id', '=', schedule.id).execute()
}

/** Leaves the user without a default schedule. */
export async function clearDefaultSchedule(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('schedules').set({ is_default: 0 }).where('user_id', '=', userId).execute()
}

export async function deleteSchedule(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('schedules').where('id', '=', id).execute()
}

/** Names of the event types that use this schedule. */
export async function findScheduleUses(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('event_types').select('name').where('schedule_id', '=', id).execute()
  return rows.map((row) => row.name)
}

function toRow(schedule: NamedSchedule) {
  return {
    name: schedule.name,
    time_zone: schedule.timeZone,
    weekly: JSON.stringify(schedule.weekly),
    overrides: JSON.stringify(schedule.overrides),
    is_default: schedule.isDefault ? 1 : 0,
    confirmed: schedule.confirmed ? 1 : 0,
  }
}

function fromRow(row: Selectable<Schema['schedules']>): NamedSchedule {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    timeZone: row.time_zone,
    weekly: JSON.parse(row.weekly),
    overrides: JSON.parse(row.overrides),
    isDefault: row.is_default === 1,
    confirmed: row.confirmed === 1,
  }
}
