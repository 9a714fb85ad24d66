import type { Insertable, Selectable } from 'kysely'
import type { LedgerEntry, NewLedgerEntry } from '../../domain/payments/payment.ts'
import type { Schema } from '../engine/schema.ts'

export const LEDGER_COLUMNS = [
  'id',
  'kind',
  'booking_id',
  'checkout_id',
  'scheduler_id',
  'event_type_id',
  'amount',
  'currency',
  'at',
  'reference',
] as const satisfies readonly (keyof Schema['payments'])[]

export const ledgerRow = (entry: NewLedgerEntry): Insertable<Schema['payments']> => ({
  id: entry.id,
  kind: entry.kind,
  booking_id: entry.bookingId,
  checkout_id: entry.checkoutId,
  scheduler_id: entry.schedulerId,
  event_type_id: entry.eventTypeId,
  amount: entry.amount,
  currency: entry.currency,
  at: entry.at,
  reference: entry.reference,
})

export const entryFromRow = (row: Selectable<Schema['payments']>): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  bookingId: row.booking_id,
  checkoutId: row.checkout_id,
  amount: row.amount,
  currency: row.currency,
  at: row.at,
  reference: row.reference,
})
