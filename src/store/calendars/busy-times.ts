import type { Interval } from '../../domain/interval.ts'
import type { BusyTime } from '../../domain/slots/openings.ts'
import { LAST_KNOWN_INSTANT } from '../../domain/zone.ts'
import type { Db, Trx } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'
import { type Placeholder, prepared } from '../engine/prepared.ts'

/** Busy times in a user's connected calendars, earliest first. Those of different calendars may overlap. */
export async function findBusyTimes(db: Db, userId: string): Promise<Interval[]> {
  const { rows } = await ofUser(db, { userId })
  return rows.map((row) => ({ start: row.starts_at, end: row.ends_at }))
}

const ofUser = prepared((db, value: Placeholder<{ userId: string }>) =>
  db
    .selectFrom('busy_times')
    .select(['starts_at', 'ends_at'])
    .where('user_id', '=', value('userId'))
    .orderBy('starts_at'),
)

/** Busy times of a user within `span`, each with the name of its calendar. */
export async function findBusyCalendars(db: Db, userId: string, span: Interval): Promise<BusyTime[]> {
  const rows = await db
    .selectFrom('busy_times as b')
    .innerJoin('calendars as c', 'c.id', 'b.calendar_id')
    .select(['b.starts_at', 'b.ends_at', 'c.name'])
    .where('b.user_id', '=', userId)
    .where('b.starts_at', '<', span.end)
    .where('b.ends_at', '>', span.start)
    .orderBy('b.starts_at')
    .execute()
  return rows.map((row) => ({ start: row.starts_at, end: row.ends_at, calendar: row.name }))
}

/** Busy times of these users that touch `span`, earliest first. Those of different calendars may overlap. */
export async function findBusyWithin(
  db: Db,
  userIds: readonly string[],
  span: Interval,
): Promise<(Interval & { readonly hostId: string })[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('busy_times')
    .select(['user_id', 'starts_at', 'ends_at'])
    .where(engine(db).isAmong('user_id', engine(db).idList(userIds)))
    .where('starts_at', '<', span.end)
    .where('ends_at', '>', span.start)
    .orderBy('starts_at')
    .execute()
  return rows.map((row) => ({ hostId: row.user_id, start: row.starts_at, end: row.ends_at }))
}

/** How many busy times each of these calendars has, besides the time that is not known. */
export async function countBusyTimes(
  db: Db,
  calendarIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (calendarIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('busy_times')
    .select((eb) => ['calendar_id', eb.fn.countAll<number>().as('count')])
    .where('calendar_id', 'in', calendarIds)
    .where('ends_at', '<', LAST_KNOWN_INSTANT)
    .groupBy('calendar_id')
    .execute()
  return new Map(rows.map((row) => [row.calendar_id, Number(row.count)]))
}

const BATCH = 500

/** The difference between the stored busy times of a calendar and new ones. */
interface BusyTimeChange {
  readonly gone: readonly number[]
  readonly added: readonly Interval[]
}

/** Compares new busy times, which are merged, with the stored ones; undefined if they are the same. */
export async function compareBusyTimes(
  db: Db,
  calendarId: string,
  busy: readonly Interval[],
): Promise<BusyTimeChange | undefined> {
  const rows = await db
    .selectFrom('busy_times')
    .select(['starts_at', 'ends_at'])
    .where('calendar_id', '=', calendarId)
    .execute()
  const before = new Map(rows.map((row) => [row.starts_at, row.ends_at]))
  const after = new Map(busy.map(({ start, end }) => [start, end]))
  const gone = [...before].filter(([start, end]) => after.get(start) !== end).map(([start]) => start)
  const added = busy.filter(({ start, end }) => before.get(start) !== end)
  return gone.length > 0 || added.length > 0 ? { gone, added } : undefined
}

export async function changeBusyTimes(
  trx: Trx,
  calendar: { readonly id: string; readonly userId: string },
  { gone, added }: BusyTimeChange,
): Promise<void> {
  for (let at = 0; at < gone.length; at += BATCH) {
    await trx
      .deleteFrom('busy_times')
      .where('calendar_id', '=', calendar.id)
      .where('starts_at', 'in', gone.slice(at, at + BATCH))
      .execute()
  }
  for (let at = 0; at < added.length; at += BATCH) {
    await trx
      .insertInto('busy_times')
      .values(
        added.slice(at, at + BATCH).map(({ start, end }) => ({
          calendar_id: calendar.id,
          user_id: calendar.userId,
          starts_at: start,
          ends_at: end,
        })),
      )
      .execute()
  }
}

/** Adds busy times to those of a calendar. Until its next refresh they may overlap. */
export async function addBusyTimes(
  trx: Trx,
  calendar: { readonly id: string; readonly userId: string },
  busy: readonly Interval[],
): Promise<void> {
  await trx
    .insertInto('busy_times')
    .values(
      busy.map(({ start, end }) => ({
        calendar_id: calendar.id,
        user_id: calendar.userId,
        starts_at: start,
        ends_at: end,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['calendar_id', 'starts_at'])
        .doUpdateSet((eb) => ({ ends_at: eb.ref('excluded.ends_at') }))
        .whereRef('excluded.ends_at', '>', 'busy_times.ends_at'),
    )
    .execute()
}

export async function deleteBusyTimes(trx: Trx, calendarId: string): Promise<void> {
  await trx.deleteFrom('busy_times').where('calendar_id', '=', calendarId).execute()
}
