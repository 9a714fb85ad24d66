import { type Selectable, sql } from 'kysely'
import { engine } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { routedFromRow } from '../../forms/forms.ts'
import { type Ids, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const responses: StoredFact = {
  ask(db, questions) {
    const ids = unique(questions.flatMap(({ responseId }) => responseId ?? []))
    if (ids.length === 0) return []
    return [
      reading(readResponses.bind(db, { ids: engine(db).idList(ids) }), (rows, ledger) => {
        for (const routed of rows.flatMap((row) => routedFromRow(row) ?? [])) ledger.responses.add(routed)
      }),
    ]
  },
  write: ({ spentResponses = [] }) => [
    writing(
      spentResponses.map(({ id, bookingId }) => ({ id, booking_id: bookingId })),
      spendResponses,
    ),
  ],
}

// Locked: two bookings with one response may be with different hosts, when those of its event type change.
const readResponses = prepared<Ids, Selectable<Schema['routing_responses']>>(
  (db, value) => sql`select * from routing_responses where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const spendResponses = rowStatement(
  (db, rows) => sql`update routing_responses set booking_id = spent.booking_id
    from (${engine(db).rowsFromJson('routing_responses', ['id', 'booking_id'], rows)}) as spent
    where routing_responses.id = spent.id`,
)
