import { sql } from 'kysely'
import type { CalendarKind } from '../domain/calendars/calendar.ts'
import { JOB_KINDS, type JobKind } from '../domain/job.ts'
import type { Db } from './engine/database.ts'
import { isFree } from './leases.ts'

/** The state of the queue and of connected calendars at one moment. */
export interface WorkSample {
  readonly jobs: ReadonlyMap<JobKind, JobSample>
  readonly calendars: Readonly<Record<CalendarKind, Readonly<Record<CalendarHealth, number>>>>
  /** When the last scheduled backup was complete; 0: never. */
  readonly backedUpAt: number
}

export interface JobSample {
  /** Due, started or not. */
  due: number
  /** Due, and leased by a worker. */
  running: number
  /** Due later: reminders and retries. */
  scheduled: number
  /** Failed at least once, and retried by itself. */
  failing: number
  /** Failed for good. */
  dead: number
  /** When the oldest due job became due. */
  oldestDueAt: number | null
}

type CalendarHealth = 'working' | 'failing' | 'never_read'

/** Counting stops here, so that a long queue doesn't make it slow. */
export const COUNTED_AT_MOST = 10_000

/** Reads everything in one statement, using the workers' indexes. Counts calendars of these kinds. */
export async function sampleWork(
  db: Db,
  now: number,
  kinds: readonly CalendarKind[] = [],
): Promise<WorkSample> {
  const perKind = JOB_KINDS.flatMap((kind) => {
    const waiting = (condition: ReturnType<typeof sql>) => sql`
      from (select due_at, leased_until from outbox where kind = ${kind} and failed_at is null and ${condition}
        order by due_at limit ${COUNTED_AT_MOST}) as jobs`
    return [
      sql`select ${kind} as name, 'due' as what, count(*) as value, min(due_at) as oldest
        ${waiting(sql`due_at <= ${now}`)}`,
      sql`select ${kind}, 'running', count(*), null ${waiting(sql`due_at <= ${now}`)}
        where not ${isFree(db, 'leased_until')}`,
      sql`select ${kind}, 'scheduled', count(*), null ${waiting(sql`due_at > ${now}`)}`,
      sql`select ${kind}, 'failing', count(*), null
        from (select id from outbox where kind = ${kind} and attempts > 0 and failed_at is null
          order by id limit ${COUNTED_AT_MOST}) as jobs`,
    ]
  })
  const { rows } = await sql<{ name: string; what: string; value: number; oldest: number | null }>`
    ${sql.join(perKind, sql` union all `)}
    union all
    select kind, 'dead', count(*), null
      from (select kind from outbox where failed_at is not null order by failed_at limit ${COUNTED_AT_MOST}) as dead
      group by kind
    union all
    select health, 'calendar', count(*), null
      from (select kind || ' ' || case when failures > 0 then 'failing' when refreshed_at is null then 'never_read'
        else 'working' end as health from calendars where busy = 1) as calendar group by health
    union all
    select name, 'lease', coalesce(done_at, 0), null from leases`.execute(db)

  const jobs = new Map<JobKind, JobSample>()
  for (const kind of JOB_KINDS) jobs.set(kind, { ...NO_JOBS })
  const calendars = noCalendars(kinds)
  let backedUpAt = 0
  for (const { name, what, value, oldest } of rows) {
    if (what === 'calendar') {
      const [kind, health] = name.split(' ') as [CalendarKind, CalendarHealth]
      // A newer version may have calendars of other kinds.
      const counted = calendars[kind]
      if (counted !== undefined) counted[health] = value
      continue
    }
    if (what === 'lease') {
      if (name === 'backup') backedUpAt = value
      continue
    }
    // A newer version may have queued jobs of other kinds.
    const job = jobs.get(name as JobKind)
    if (job === undefined) continue
    job[what as Exclude<keyof JobSample, 'oldestDueAt'>] = value
    if (what === 'due') job.oldestDueAt = oldest
  }
  return { jobs, calendars, backedUpAt }
}

const NO_JOBS: JobSample = { due: 0, running: 0, scheduled: 0, failing: 0, dead: 0, oldestDueAt: null }

const noCalendars = (kinds: readonly CalendarKind[]): Record<CalendarKind, Record<CalendarHealth, number>> =>
  Object.fromEntries(kinds.map((kind) => [kind, { working: 0, failing: 0, never_read: 0 }]))
