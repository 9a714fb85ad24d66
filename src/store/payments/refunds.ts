import type { Selectable } from 'kysely'
import type { Refund } from '../../domain/payments/payment.ts'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

export async function findRefund(db: Db, id: string): Promise<Refund | undefined> {
  const row = await db.selectFrom('payment_refunds').selectAll().where('id', '=', id).executeTakeFirst()
  return row && refundFromRow(row)
}

export async function findRefundsOf(db: Db, checkoutId: string): Promise<Refund[]> {
  const rows = await db
    .selectFrom('payment_refunds')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .orderBy('id')
    .execute()
  return rows.map(refundFromRow)
}

export const REFUND_COLUMNS = [
  'id',
  'checkout_id',
  'booking_id',
  'scheduler_id',
  'amount',
  'status',
  'reference',
  'last_error',
  'last_error_parts',
  'created_at',
] as const satisfies readonly (keyof Schema['payment_refunds'])[]

export function refundRow(refund: Refund) {
  const { text, parts } = refund.lastError ? pairOf(refund.lastError) : { text: '', parts: null }
  return {
    id: refund.id,
    checkout_id: refund.checkoutId,
    booking_id: refund.bookingId,
    scheduler_id: refund.schedulerId,
    amount: refund.amount,
    status: refund.status,
    reference: refund.reference ?? null,
    last_error: text,
    last_error_parts: parts,
    created_at: refund.createdAt,
  }
}

export function refundFromRow(row: Selectable<Schema['payment_refunds']>): Refund {
  return {
    id: row.id,
    checkoutId: row.checkout_id,
    bookingId: row.booking_id,
    schedulerId: row.scheduler_id,
    amount: row.amount,
    status: row.status,
    createdAt: row.created_at,
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.last_error !== '' && { lastError: sentenceFrom(row.last_error, row.last_error_parts) }),
  }
}
