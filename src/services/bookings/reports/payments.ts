import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Page, type PageRequest, readPage } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { LEDGER_KINDS, type LedgerKind } from '../../../domain/payments/payment.ts'
import type { VisibleBookings } from '../../../domain/people/user.ts'
import { invalidField } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { csvLine } from '../../../format/text/csv.ts'
import { findEventTypeById } from '../../../store/event-types/event-types.ts'
import { findLedgerPage, type LedgerFilter, type ListedEntry } from '../../../store/payments/entries.ts'
import type { Context } from '../../context.ts'
import { getEventType } from '../../event-types/event-types.ts'
import { getId, visibleBookings } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { instantIn } from '../../period.ts'
import { severalIn } from './list.ts'

/** Filters of the ledger, with their names on the wire. */
export interface LedgerQuery {
  readonly bookingId?: string
  readonly kind?: string | readonly string[]
  readonly from?: string
  readonly to?: string
  readonly eventTypeId?: string | readonly string[]
  readonly ownerId?: string
}

/** Lines of the ledger about bookings that the user may see, the latest first. */
export async function listPayments(
  context: Context,
  principal: Principal,
  query: LedgerQuery,
  page: PageRequest,
): Promise<ListedEntry[]> {
  const { owners, filter } = await readQuery(context, principal, query)
  return findLedgerPage(context.db, owners, filter, readPage(page))
}

const COLUMNS = ['at', 'kind', 'amount', 'currency', 'bookingId', 'eventType', 'reference', 'id']

const PAGE = 500

/** The same as CSV, a few hundred lines at a time. */
export async function exportPayments(
  context: Context,
  principal: Principal,
  query: LedgerQuery,
): Promise<AsyncIterable<string>> {
  const { owners, filter } = await readQuery(context, principal, query)
  const names = new Map<string, string>()
  const nameOf = async (id: string) => {
    const known = names.get(id) ?? (await findEventTypeById(context.db, id))?.name ?? id
    names.set(id, known)
    return known
  }
  async function* chunks() {
    yield csvLine(COLUMNS)
    let page: Page<{ readonly at: number; readonly id: string }> = { limit: PAGE }
    for (;;) {
      const found = await findLedgerPage(context.db, owners, filter, page)
      let lines = ''
      for (const one of found) lines += await lineOf(one, nameOf)
      yield lines
      const last = found.length === PAGE ? found.at(-1) : undefined
      if (last === undefined) return
      page = { limit: PAGE, after: last }
      // SQLite answers at once: without this, other requests would wait for the whole export.
      await nextTurn()
    }
  }
  return chunks()
}

const lineOf = async (entry: ListedEntry, nameOf: (id: string) => Promise<string>) =>
  csvLine([
    formatInstant(entry.at),
    entry.kind,
    String(entry.amount),
    entry.currency,
    entry.bookingId,
    await nameOf(entry.eventTypeId),
    entry.reference,
    entry.id,
  ])

/** What to look for, and whose lines. An owner, booking or event type that the user can't see counts as not found. */
async function readQuery(
  { db }: Context,
  principal: Principal,
  { bookingId, kind, from, to, eventTypeId, ownerId }: LedgerQuery,
): Promise<{ readonly owners: readonly VisibleBookings[]; readonly filter: LedgerFilter }> {
  const eventTypeIds = severalIn(eventTypeId)
  const filter = {
    kinds: severalIn(kind).map(readKind),
    eventTypeIds,
    ...(bookingId !== undefined && { bookingId: getId(bookingId) }),
    ...(from !== undefined && { from: instantIn('from', from) }),
    ...(to !== undefined && { to: instantIn('to', to) }),
  }
  const owners = await visibleBookings(db, principal, ownerId)
  const found = await Promise.all(eventTypeIds.map((id) => getEventType(db, principal, id)))
  if (found.length === 0) return { owners, filter }
  const ownerIds = new Set(found.map(({ eventType }) => eventType.schedulerId))
  return { owners: owners.filter(({ schedulerId }) => ownerIds.has(schedulerId)), filter }
}

function readKind(name: string): LedgerKind {
  const kind = LEDGER_KINDS.find((known) => known === name)
  if (kind === undefined) throw invalidField('kind', sentence`{field} must be one of ${LEDGER_KINDS}.`)
  return kind
}
