import { type Selectable, sql } from 'kysely'
import type { BalanceChange } from '../../../domain/bookings/facts/turns.ts'
import { engine } from '../../engine/engine.ts'
import { prepared } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { type Ids, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const turns: StoredFact = {
  ask(db, questions) {
    const eventTypeIds = unique(questions.flatMap(({ turnsOf }) => turnsOf ?? []))
    if (eventTypeIds.length === 0) return []
    return [
      reading(readTurns.bind(db, { ids: engine(db).idList(eventTypeIds) }), (rows, ledger) => {
        for (const { event_type_id, host_id, balance, weight, last_assigned_at } of rows) {
          ledger.turns.add(event_type_id, {
            hostId: host_id,
            balance,
            weight,
            lastAssignedAt: last_assigned_at,
          })
        }
      }),
    ]
  },
  write: ({ balances = [] }) => [writing(balanceRows(balances), updateBalances)],
}

// Locked: cancelling changes the balances of hosts whom it does not lock. In one order everywhere, as hosts are.
const readTurns = prepared<Ids, Selectable<Schema['event_type_hosts']>>(
  (db, value) => sql`select event_type_id, host_id, last_assigned_at, weight, balance from event_type_hosts
    where ${engine(db).isAmong('event_type_id', value('ids'))} and fixed = 0
    order by event_type_id, host_id ${engine(db).lockRows}`,
)

const BALANCE_COLUMNS = ['event_type_id', 'host_id', 'balance', 'last_assigned_at'] as const

const updateBalances = rowStatement(
  (db, rows) => sql`update event_type_hosts
    set balance = event_type_hosts.balance + changed.balance,
      last_assigned_at = coalesce(changed.last_assigned_at, event_type_hosts.last_assigned_at)
    from (${engine(db).rowsFromJson('event_type_hosts', BALANCE_COLUMNS, rows)}) as changed
    where event_type_hosts.event_type_id = changed.event_type_id
      and event_type_hosts.host_id = changed.host_id`,
)

/** One row for each host, since an update changes a row only once. */
function balanceRows(changes: readonly BalanceChange[]) {
  const rows = new Map<string, Record<(typeof BALANCE_COLUMNS)[number], string | number | null>>()
  for (const { eventTypeId, hostId, by, assignedAt } of changes) {
    const key = `${eventTypeId} ${hostId}`
    const known = rows.get(key)
    rows.set(key, {
      event_type_id: eventTypeId,
      host_id: hostId,
      balance: Number(known?.balance ?? 0) + by,
      last_assigned_at: assignedAt ?? known?.last_assigned_at ?? null,
    })
  }
  return [...rows.values()]
}
