import type { Selectable } from 'kysely'
import type { Checkout } from '../../domain/payments/payment.ts'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

export async function findCheckout(db: Db, id: string): Promise<Checkout | undefined> {
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && checkoutFromRow(row)
}

export async function findCheckoutBySession(db: Db, sessionId: string): Promise<Checkout | undefined> {
  const found = db.selectFrom('checkouts').selectAll().where('session_id', '=', sessionId)
  const row = await found.executeTakeFirst()
  return row && checkoutFromRow(row)
}

export async function findCheckoutByIntent(db: Db, intentId: string): Promise<Checkout | undefined> {
  const found = db.selectFrom('checkouts').selectAll().where('intent_id', '=', intentId)
  const row = await found.executeTakeFirst()
  return row && checkoutFromRow(row)
}

/** Whether purchases through this account still wait for their end. */
export async function hasOpenCheckouts(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['open', 'authorised'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes where the guest pays. The first session stays: a repeat gets the same one from the provider. */
export async function saveSession(
  db: Db,
  id: string,
  { sessionId, url }: { readonly sessionId: string; readonly url: string },
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ session_id: sessionId, url })
    .where('id', '=', id)
    .where('session_id', 'is', null)
    .execute()
}

/** The columns of a new checkout; a session comes later. */
export const CHECKOUT_COLUMNS = [
  'id',
  'account_id',
  'scheduler_id',
  'event_type_id',
  'booking_ids',
  'status',
  'amount',
  'currency',
  'refund',
  'manual',
  'created_at',
  'pay_by',
  'wanted',
] as const satisfies readonly (keyof Schema['checkouts'])[]

export const checkoutRow = (checkout: Checkout) => ({
  id: checkout.id,
  account_id: checkout.accountId,
  scheduler_id: checkout.schedulerId,
  event_type_id: checkout.eventTypeId,
  booking_ids: JSON.stringify(checkout.bookingIds),
  status: checkout.status,
  amount: checkout.amount,
  currency: checkout.currency,
  refund: JSON.stringify(checkout.refund),
  manual: checkout.isManual ? 1 : 0,
  created_at: checkout.createdAt,
  pay_by: checkout.payBy,
  wanted: JSON.stringify(checkout.wanted),
})

export function checkoutFromRow(row: Selectable<Schema['checkouts']>): Checkout {
  return {
    id: row.id,
    accountId: row.account_id,
    schedulerId: row.scheduler_id,
    eventTypeId: row.event_type_id,
    bookingIds: JSON.parse(row.booking_ids),
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    refund: JSON.parse(row.refund),
    isManual: row.manual === 1,
    createdAt: row.created_at,
    payBy: row.pay_by,
    wanted: JSON.parse(row.wanted),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.url !== null && { url: row.url }),
    ...(row.intent_id !== null && { intentId: row.intent_id }),
  }
}
