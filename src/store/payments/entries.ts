import { type SqlBool, sql } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import type { LedgerEntry, LedgerKind } from '../../domain/payments/payment.ts'
import type { VisibleBookings } from '../../domain/people/user.ts'
import type { Db } from '../engine/database.ts'
import { findMerged, pageByTimeDesc } from '../engine/paging.ts'

/** What lines of the ledger have in common. */
export interface LedgerFilter {
  readonly bookingId?: string
  /** Empty: every kind. */
  readonly kinds?: readonly LedgerKind[]
  readonly eventTypeIds?: readonly string[]
  readonly from?: number
  /** Not included. */
  readonly to?: number
}

/** A line of the ledger, and what it is about. */
export interface ListedEntry extends LedgerEntry {
  readonly eventTypeId: string
}

/** Lines of these owners, the latest first. */
export async function findLedgerPage(
  db: Db,
  owners: readonly VisibleBookings[],
  filter: LedgerFilter,
  page: Page<Cursor>,
): Promise<ListedEntry[]> {
  const parts = owners.map((owner) =>
    linesOf(db, owner, filter).selectAll().$call(pageByTimeDesc('at', page)),
  )
  const rows = await findMerged(db, parts, { keys: ['at', 'id'], order: 'desc', limit: page.limit })
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    bookingId: row.booking_id,
    checkoutId: row.checkout_id,
    eventTypeId: row.event_type_id,
    amount: row.amount,
    currency: row.currency,
    at: row.at,
    reference: row.reference,
  }))
}

/** What came in and went out, in the smallest unit of its currency. */
export interface MoneyTotal {
  readonly currency: string
  readonly paid: number
  readonly refunded: number
}

/** Totals by currency. What was only reserved has not come in. */
export async function sumLedger(
  db: Db,
  owners: readonly VisibleBookings[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<MoneyTotal[]> {
  const totals = new Map<string, { paid: number; refunded: number }>()
  for (const owner of owners) {
    const rows = await linesOf(db, owner, {
      kinds: ['paid', 'captured', 'refunded'],
      from: start,
      to: end,
    })
      .select(['currency', 'kind', (eb) => eb.fn.sum<number>('amount').as('amount')])
      .groupBy(['currency', 'kind'])
      .execute()
    for (const { currency, kind, amount } of rows) {
      const total = totals.get(currency) ?? { paid: 0, refunded: 0 }
      total[kind === 'refunded' ? 'refunded' : 'paid'] += Number(amount)
      totals.set(currency, total)
    }
  }
  return [...totals]
    .map(([currency, total]) => ({ currency, ...total }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** Read off the index `payments_desk`, which begins with the owner. */
function linesOf(
  db: Db,
  { schedulerId, hostId }: VisibleBookings,
  { bookingId, kinds = [], eventTypeIds = [], from, to }: LedgerFilter,
) {
  return db
    .selectFrom('payments')
    .where('scheduler_id', '=', schedulerId)
    .$if(bookingId !== undefined, (query) => query.where('booking_id', '=', bookingId as string))
    .$if(kinds.length > 0, (query) => query.where('kind', 'in', kinds))
    .$if(eventTypeIds.length > 0, (query) => query.where('event_type_id', 'in', eventTypeIds))
    .$if(from !== undefined, (query) => query.where('at', '>=', from as number))
    .$if(to !== undefined, (query) => query.where('at', '<', to as number))
    .$if(hostId !== undefined, (query) => query.where(isHostedBy(hostId as string)))
}

/** The main host, or one of several while the meeting takes their time. */
const isHostedBy = (hostId: string) => sql<SqlBool>`booking_id in (
  select id from bookings where bookings.id = payments.booking_id and (host_id = ${hostId} or ${hostId} in (
    select claims.host_id from claims where claims.meeting_id = bookings.meeting_id)))`
