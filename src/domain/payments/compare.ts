import { type Sentence, sentence } from '../sentence.ts'
import type { Checkout, LedgerEntry, LedgerKind } from './payment.ts'
import { decimalsOf } from './price.ts'

/** What the provider says of the money of a checkout. */
export interface Theirs {
  /** The currency in which the guest paid. */
  readonly currency: string
  readonly reserved: number
  readonly received: number
  /** What has reached the guest, or is on its way and was refunded by hand there. */
  readonly refunded: number
  /** What guests' banks want back, or wanted; undefined: that can't be asked. */
  readonly disputed?: number
}

/** Where ledger and provider say different things about money. */
export interface Difference {
  /** Null: it is about no booking here. */
  readonly bookingId: string | null
  readonly what: Sentence
}

/** What the ledger says of the money of a checkout, compared with what the provider says. */
export function compareCheckout(
  { bookingIds, currency }: Pick<Checkout, 'bookingIds' | 'currency'>,
  entries: readonly Pick<LedgerEntry, 'kind' | 'amount' | 'reference'>[],
  theirs: Theirs,
): Difference[] {
  const sum = (...kinds: readonly LedgerKind[]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0)
  const bookingId = bookingIds[0] ?? null
  // A refund that the guest's bank sent back is entered as paid again, under its own name.
  const refunds = new Set(entries.flatMap(({ kind, reference }) => (kind === 'refunded' ? [reference] : [])))
  const returned = entries
    .filter(({ kind, reference }) => kind === 'paid' && refunds.has(reference))
    .reduce((total, { amount }) => total + amount, 0)
  const received = sum('paid', 'captured') - returned
  const refunded = sum('refunded') - returned
  // What is captured or released is no longer reserved.
  const reserved = Math.max(0, sum('authorised') - sum('captured') - sum('released'))
  const money = (amount: number, of = currency) => moneyText(amount, of)
  const found: Sentence[] = []
  if (theirs.currency !== currency && theirs.received + theirs.reserved > 0) {
    found.push(sentence`The provider has a payment in ${theirs.currency}, and the ledger in ${currency}.`)
  }
  if (theirs.reserved !== reserved) {
    found.push(
      sentence`The provider has reserved ${money(theirs.reserved, theirs.currency)}, and the ledger says ${money(reserved)}.`,
    )
  }
  if (theirs.received !== received) {
    found.push(
      sentence`The provider has received ${money(theirs.received, theirs.currency)}, and the ledger says ${money(received)}.`,
    )
  }
  if (theirs.refunded !== refunded) {
    found.push(
      sentence`The provider has refunded ${money(theirs.refunded, theirs.currency)}, and the ledger says ${money(refunded)}.`,
    )
  }
  const disputed = sum('disputed')
  if (theirs.disputed !== undefined && theirs.disputed !== disputed) {
    found.push(
      sentence`The provider has disputes about ${money(theirs.disputed, theirs.currency)}, and the ledger says ${money(disputed)}.`,
    )
  }
  return found.map((what) => ({ bookingId, what }))
}

/** Money at the provider that was paid for a checkout of ours, of which nothing is here. */
export const unknownHere = ({ currency, received, reserved }: Theirs): Difference => ({
  bookingId: null,
  what: sentence`The provider has a payment of ${moneyText(received + reserved, currency)} for a booking that is not here.`,
})

/** Money in the ledger for a session that the provider does not have. */
export const unknownThere = ({
  bookingIds,
  amount,
  currency,
}: Pick<Checkout, 'bookingIds' | 'amount' | 'currency'>): Difference => ({
  bookingId: bookingIds[0] ?? null,
  what: sentence`The ledger has a payment of ${moneyText(amount, currency)} that the provider doesn’t know.`,
})

/** The same in every language: "49.00 EUR". */
export function moneyText(amount: number, currency: string): string {
  const digits = decimalsOf(currency)
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
}
