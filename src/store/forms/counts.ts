import { sql } from 'kysely'
import type { DayNumber } from '../../domain/calendar-date.ts'
import type { ResponseCount, StepCount } from '../../domain/forms/funnel.ts'
import type { Interval } from '../../domain/interval.ts'
import type { Db } from '../engine/database.ts'
import { engine } from '../engine/engine.ts'

/** A count to add, for one form and day. */
export interface FormCount extends StepCount {
  readonly formId: string
  readonly day: DayNumber
}

/** Adds to the counts of forms. Those of a form that was deleted meanwhile are dropped. */
export async function addFormCounts(db: Db, counts: readonly FormCount[]): Promise<void> {
  const rows = counts.map(({ formId, ...rest }) => ({ form_id: formId, ...rest }))
  const columns = ['form_id', 'day', 'step', 'field', 'count']
  // In order, so that instances that add at the same time don't wait for each other in a circle.
  await sql`insert into form_counts (form_id, day, step, field, count)
    select added.form_id, added.day, added.step, added.field, added.count
      from (${engine(db).rowsFromJson('form_counts', columns, JSON.stringify(rows))}) as added
      where exists (select 1 from routing_forms where routing_forms.id = added.form_id)
      order by added.form_id, added.day, added.step, added.field
    on conflict (form_id, day, step, field) do update set count = form_counts.count + excluded.count`.execute(
    db,
  )
}

/** How often a form was opened and left between two days, both included. */
export async function findFormCounts(
  db: Db,
  formId: string,
  first: DayNumber,
  last: DayNumber,
): Promise<StepCount[]> {
  return db
    .selectFrom('form_counts')
    .where('form_id', '=', formId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .select(['step', 'field', (eb) => eb.fn.sum<number>('count').as('count')])
    .groupBy(['step', 'field'])
    .execute()
    .then((rows) => rows.map((row) => ({ ...row, count: Number(row.count) })))
}

/** The responses to a form in that span, by result and by what became of the booking. */
export async function countOutcomes(
  db: Db,
  formId: string,
  { start, end }: Interval,
): Promise<ResponseCount[]> {
  const rows = await db
    .selectFrom('routing_responses as r')
    .leftJoin('bookings as b', 'b.id', 'r.booking_id')
    .where('r.form_id', '=', formId)
    .where('r.created_at', '>=', start)
    .where('r.created_at', '<', end)
    .select(({ eb, fn }) => [
      'r.result',
      'b.status',
      eb
        .case()
        .when(eb.or([eb('r.booking_id', 'is', null), eb('b.status', 'in', ['PendingPayment', 'Expired'])]))
        .then(0)
        .else(1)
        .end()
        .as('booked'),
      fn.countAll<number>().as('count'),
    ])
    .groupBy(['r.result', 'b.status', 'booked'])
    .execute()
  return rows.map((row) => ({
    target: JSON.parse(row.result),
    booked: row.booked === 1,
    met: row.status === 'Completed',
    count: row.count,
  }))
}
