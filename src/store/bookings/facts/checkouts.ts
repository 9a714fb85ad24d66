import { type Selectable, sql } from 'kysely'
import { engine } from '../../engine/engine.ts'
import { prepared, preparedInsertAll } from '../../engine/prepared.ts'
import type { Schema } from '../../engine/schema.ts'
import { CHECKOUT_COLUMNS, checkoutFromRow, checkoutRow } from '../../payments/checkouts.ts'
import { entryFromRow, LEDGER_COLUMNS, ledgerRow } from '../../payments/ledger.ts'
import { REFUND_COLUMNS, refundFromRow, refundRow } from '../../payments/refunds.ts'
import { type Ids, lastOfEach, reading, rowStatement, type StoredFact, unique, writing } from './fact.ts'

export const checkouts: StoredFact = {
  ask(db, questions) {
    const checkoutIds = unique(questions.flatMap((question) => question.checkoutIds ?? []))
    if (checkoutIds.length === 0) return []
    const wanted = { ids: engine(db).idList(checkoutIds) }
    return [
      reading(readCheckouts.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) ledger.checkouts.add(checkoutFromRow(row))
      }),
      reading(readRefunds.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) ledger.checkouts.addRefund(refundFromRow(row))
      }),
      reading(readEntries.bind(db, wanted), (rows, ledger) => {
        for (const row of rows) ledger.checkouts.addEntry(entryFromRow(row))
      }),
    ]
  },
  write: ({ checkouts = [], checkoutUpdates = [], ledgerEntries = [], refunds = [], refundUpdates = [] }) => [
    writing(checkouts.map(checkoutRow), insertCheckouts),
    writing(
      lastOfEach(checkoutUpdates, ({ id }) => id).map(({ id, status, wanted, intentId }) => {
        return { id, status, wanted: JSON.stringify(wanted), intent_id: intentId ?? null }
      }),
      updateCheckouts,
    ),
    writing(refunds.map(refundRow), insertRefunds),
    writing(
      lastOfEach(refundUpdates, ({ id }) => id).map((refund) => {
        const { id, status, reference, last_error, last_error_parts } = refundRow(refund)
        return { id, status, reference, last_error, last_error_parts }
      }),
      updateRefunds,
    ),
    writing(ledgerEntries.map(ledgerRow), insertEntries),
  ],
}

// Locked as well: those whose bookings are gone have no host to lock.
const readCheckouts = prepared<Ids, Selectable<Schema['checkouts']>>(
  (db, value) => sql`select * from checkouts where ${engine(db).isAmong('id', value('ids'))}
    order by id ${engine(db).lockRows}`,
)

const readRefunds = prepared<Ids, Selectable<Schema['payment_refunds']>>(
  (db, value) =>
    sql`select * from payment_refunds where ${engine(db).isAmong('checkout_id', value('ids'))} order by id`,
)

const readEntries = prepared<Ids, Selectable<Schema['payments']>>(
  (db, value) => sql`select * from payments where ${engine(db).isAmong('checkout_id', value('ids'))}`,
)

const insertCheckouts = preparedInsertAll('checkouts', CHECKOUT_COLUMNS)
const insertRefunds = preparedInsertAll('payment_refunds', REFUND_COLUMNS)
const insertEntries = preparedInsertAll('payments', LEDGER_COLUMNS)

const CHANGING_CHECKOUT = ['status', 'wanted', 'intent_id'] as const

const updateCheckouts = rowStatement(
  (db, rows) => sql`update checkouts
    set ${sql.join(CHANGING_CHECKOUT.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`))}
    from (${engine(db).rowsFromJson('checkouts', ['id', ...CHANGING_CHECKOUT], rows)}) as changed
    where checkouts.id = changed.id`,
)

const CHANGING_REFUND = ['status', 'reference', 'last_error', 'last_error_parts'] as const

const updateRefunds = rowStatement(
  (db, rows) => sql`update payment_refunds
    set ${sql.join(CHANGING_REFUND.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`))}
    from (${engine(db).rowsFromJson('payment_refunds', ['id', ...CHANGING_REFUND], rows)}) as changed
    where payment_refunds.id = changed.id`,
)
