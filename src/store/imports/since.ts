import type { Interval } from '../../domain/interval.ts'
import type { Db } from '../engine/database.ts'

/** What takes time of these hosts within `span`, with its buffers, and did not come with an import. */
export async function findMadeHere(db: Db, hostIds: readonly string[], span: Interval): Promise<Interval[]> {
  if (hostIds.length === 0) return []
  const rows = await db
    .selectFrom('claims as c')
    .select(['c.starts_at', 'c.ends_at', 'c.buffer_before', 'c.buffer_after'])
    .where('c.host_id', 'in', hostIds)
    .where('c.starts_at', '>=', span.start)
    .where('c.starts_at', '<', span.end)
    .where('c.meeting_id', 'not in', (eb) =>
      eb.selectFrom('import_objects').select('object_id').where('kind', '=', 'meeting'),
    )
    .execute()
  return rows.map((row) => ({
    start: row.starts_at - row.buffer_before,
    end: row.ends_at + row.buffer_after,
  }))
}

/** Where these hosts are busy by their calendars within `span`. */
export async function findCalendarTimes(
  db: Db,
  hostIds: readonly string[],
  span: Interval,
): Promise<Interval[]> {
  if (hostIds.length === 0) return []
  const rows = await db
    .selectFrom('busy_times')
    .select(['starts_at', 'ends_at'])
    .where('user_id', 'in', hostIds)
    .where('ends_at', '>', span.start)
    .where('starts_at', '<', span.end)
    .execute()
  return rows.map(({ starts_at, ends_at }) => ({ start: starts_at, end: ends_at }))
}

/** The meetings among these that still take time where they did. */
export async function findStanding(db: Db, hostIds: readonly string[], span: Interval): Promise<Set<string>> {
  if (hostIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('claims')
    .select(['meeting_id', 'starts_at'])
    .where('host_id', 'in', hostIds)
    .where('starts_at', '>=', span.start)
    .where('starts_at', '<', span.end)
    .execute()
  return new Set(rows.map(({ meeting_id, starts_at }) => `${meeting_id} ${starts_at}`))
}
