import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import type { Difference } from '../../domain/payments/compare.ts'
import type { Checkout, LedgerEntry } from '../../domain/payments/payment.ts'
import type { Sentence } from '../../domain/sentence.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageAfter } from '../engine/paging.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'
import { checkoutFromRow } from './checkouts.ts'
import { entryFromRow } from './ledger.ts'

/** These checkouts with all lines of the ledger about them. */
export async function findSettled(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { readonly checkout: Checkout; readonly entries: readonly LedgerEntry[] }>> {
  if (ids.length === 0) return new Map()
  const checkouts = await db.selectFrom('checkouts').selectAll().where('id', 'in', ids).execute()
  const lines = await db.selectFrom('payments').selectAll().where('checkout_id', 'in', ids).execute()
  const byCheckout = Map.groupBy(lines.map(entryFromRow), ({ checkoutId }) => checkoutId)
  return new Map(
    checkouts
      .map(checkoutFromRow)
      .map((checkout) => [checkout.id, { checkout, entries: byCheckout.get(checkout.id) ?? [] }]),
  )
}

/** Checkouts of an account for which there is money, made since then; a page at a time, oldest first. */
export async function findPaidCheckouts(
  db: Db,
  accountId: string,
  { since, after, limit }: Page<Cursor> & { readonly since: number },
): Promise<Checkout[]> {
  const rows = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .where('status', 'in', ['authorised', 'paid'])
    .$call(pageAfter(['created_at', 'id'], 'asc', { after: after && [after.at, after.id], limit }))
    .execute()
  return rows.map(checkoutFromRow)
}

/** Replaces what the last comparison has found. */
export async function replaceDifferences(
  trx: Trx,
  accountId: string,
  found: readonly Difference[],
  now: number,
): Promise<void> {
  await trx.deleteFrom('payment_differences').where('account_id', '=', accountId).execute()
  if (found.length === 0) return
  const rows = found.map(({ bookingId, what }, position) => {
    const { text, parts } = pairOf(what)
    const said = { sentence: text, sentence_parts: parts }
    return { account_id: accountId, position, booking_id: bookingId, ...said, found_at: now }
  })
  await trx.insertInto('payment_differences').values(rows).execute()
}

/** Something about money that a person has to look at. */
export interface MoneyTrouble {
  readonly schedulerId: string
  /** Null: it is about no booking here. */
  readonly bookingId: string | null
  readonly reason: Sentence
  readonly amount?: number
  readonly currency?: string
  readonly at: number
}

type Owners = readonly string[] | 'everyone'

/** Of each kind: nobody reads more. */
const MOST = 200

const isOf = (column: string, owners: Owners): RawBuilder<SqlBool> =>
  owners === 'everyone' ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(owners)})`

/** What the last comparisons of these owners' accounts have found. */
export async function findDifferencesOf(db: Db, owners: Owners): Promise<MoneyTrouble[]> {
  const rows = await db
    .selectFrom('payment_differences as d')
    .innerJoin('payment_accounts as a', 'a.id', 'd.account_id')
    .select(['a.scheduler_id', 'd.booking_id', 'd.sentence', 'd.sentence_parts', 'd.found_at'])
    .where(isOf('a.scheduler_id', owners))
    .orderBy('d.account_id')
    .orderBy('d.position')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    schedulerId: row.scheduler_id,
    bookingId: row.booking_id,
    reason: sentenceFrom(row.sentence, row.sentence_parts),
    at: row.found_at,
  }))
}

/** Refunds that did not arrive, and that nothing has made good since. */
export async function findFailedRefunds(db: Db, owners: Owners): Promise<MoneyTrouble[]> {
  const rows = await db
    .selectFrom('payment_refunds as r')
    .innerJoin('checkouts as c', 'c.id', 'r.checkout_id')
    .select([
      'r.scheduler_id',
      'r.booking_id',
      'r.amount',
      'c.currency',
      'r.last_error',
      'r.last_error_parts',
      'r.created_at',
    ])
    .where(sql<SqlBool>`r.status <> 'done'`)
    .where('r.status', '=', 'failed')
    .where(isOf('r.scheduler_id', owners))
    .orderBy('r.id')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    schedulerId: row.scheduler_id,
    bookingId: row.booking_id,
    reason: sentenceFrom(row.last_error, row.last_error_parts),
    amount: row.amount,
    currency: row.currency,
    at: row.created_at,
  }))
}

/** Payments that a guest's bank wants back, since then. */
export async function findDisputes(db: Db, owners: Owners, since: number): Promise<MoneyTrouble[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['scheduler_id', 'booking_id', 'amount', 'currency', 'at'])
    .where(sql<SqlBool>`kind = 'disputed'`)
    .where(isOf('scheduler_id', owners))
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    schedulerId: row.scheduler_id,
    bookingId: row.booking_id,
    reason: { pattern: '', values: [] },
    amount: row.amount,
    currency: row.currency,
    at: row.at,
  }))
}
