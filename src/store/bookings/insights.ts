import { sql } from 'kysely'
import type { BookingStatus } from '../../domain/bookings/booking.ts'
import type { CountedAssignment } from '../../domain/bookings/fairness.ts'
import { LEAD_HOURS, QUARTER, type StartCount } from '../../domain/bookings/insights.ts'
import type { Target } from '../../domain/forms/routing.ts'
import { HOUR, type Interval } from '../../domain/interval.ts'
import type { Db } from '../engine/database.ts'

// The database counts, so that results are small. Both engines round integer division down for positive numbers,
// and no instant is before 1970.

/** Bookings of these schedulers that start within the span, which an index finds. */
const within = (db: Db, schedulerIds: readonly string[], { start, end }: Interval) =>
  db
    .selectFrom('bookings')
    .where('scheduler_id', 'in', schedulerIds)
    .where('starts_at', '>=', start)
    .where('starts_at', '<', end)

const countAll = sql<number>`count(*)`

export async function countStarts(
  db: Db,
  schedulerIds: readonly string[],
  span: Interval,
): Promise<StartCount[]> {
  const quarter = sql<number>`starts_at / ${sql.lit(QUARTER)}`
  const rows = await within(db, schedulerIds, span)
    .select([quarter.as('quarter'), 'status', countAll.as('count')])
    .groupBy([quarter, 'status'])
    .execute()
  return rows.map(({ status, ...row }) => ({ ...row, status: status as BookingStatus }))
}

interface EventTypeCount {
  readonly eventTypeId: string
  readonly status: BookingStatus
  readonly count: number
}

export async function countByEventType(
  db: Db,
  schedulerIds: readonly string[],
  span: Interval,
): Promise<EventTypeCount[]> {
  const rows = await within(db, schedulerIds, span)
    .select(['event_type_id', 'status', countAll.as('count')])
    .groupBy(['event_type_id', 'status'])
    .execute()
  return rows.map((row) => ({
    eventTypeId: row.event_type_id,
    status: row.status as BookingStatus,
    count: row.count,
  }))
}

/** How many bookings were made how long ahead, by index in `LEAD_HOURS`; its length stands for longer. */
export async function countLeadTimes(
  db: Db,
  schedulerIds: readonly string[],
  span: Interval,
): Promise<Map<number, number>> {
  const cases = LEAD_HOURS.map(
    (hours, index) => sql`when starts_at - created_at < ${sql.lit(hours * HOUR)} then ${sql.lit(index)}`,
  )
  const bucket = sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(LEAD_HOURS.length)} end`
  const rows = await within(db, schedulerIds, span)
    .select([bucket.as('bucket'), countAll.as('count')])
    .where('status', 'not in', ['Cancelled', 'Declined', 'PendingPayment', 'Expired'])
    .groupBy(bucket)
    .execute()
  return new Map(rows.map((row) => [row.bucket, row.count]))
}

/** The assignments of a team's meetings that start within the span and were not called off, equal ones counted together. */
export async function countAssignments(
  db: Db,
  schedulerId: string,
  span: Interval,
): Promise<CountedAssignment[]> {
  const rows = await within(db, [schedulerId], span)
    .select(['event_type_id', 'assignment', 'series', countAll.as('count')])
    .where('assignment', 'is not', null)
    // One that is being paid has taken its turn.
    .where('status', 'not in', ['Cancelled', 'Declined', 'Expired'])
    .groupBy(['event_type_id', 'assignment', 'series'])
    .execute()
  return rows.map((row) => ({
    eventTypeId: row.event_type_id,
    assignment: JSON.parse(row.assignment ?? ''),
    parts: row.series === null ? 1 : JSON.parse(row.series).count,
    count: row.count,
  }))
}

export interface RoutingCount {
  readonly formId: string
  readonly target: Target
  readonly count: number
}

const MAX_OUTCOMES = 200

/** Where forms routed to in that span, most frequent first. Equal results are stored as equal text. */
export async function countRoutes(
  db: Db,
  schedulerIds: readonly string[],
  { start, end }: Interval,
): Promise<RoutingCount[]> {
  const rows = await db
    .selectFrom('routing_forms')
    .innerJoin('routing_responses', 'routing_responses.form_id', 'routing_forms.id')
    .where('scheduler_id', 'in', schedulerIds)
    .where('created_at', '>=', start)
    .where('created_at', '<', end)
    .select(['form_id', 'result', countAll.as('count')])
    .groupBy(['form_id', 'result'])
    .orderBy(countAll, 'desc')
    .orderBy('form_id')
    .orderBy('result')
    .limit(MAX_OUTCOMES)
    .execute()
  return rows.map((row) => ({ formId: row.form_id, target: JSON.parse(row.result), count: row.count }))
}
