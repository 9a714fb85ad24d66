import type { Checkout, LedgerEntry, NewLedgerEntry, Refund } from '../../payments/payment.ts'
import { Fact } from './fact.ts'

interface Asked {
  /** Read and lock these, with their refunds and lines of the ledger of payments. */
  readonly checkoutIds?: readonly string[]
}

interface Written {
  readonly checkouts?: readonly Checkout[]
  readonly checkoutUpdates?: readonly Checkout[]
  readonly ledgerEntries?: readonly NewLedgerEntry[]
  readonly refunds?: readonly Refund[]
  readonly refundUpdates?: readonly Refund[]
}

/** What tells one line of the ledger of payments from another. */
type EntryKey = Pick<LedgerEntry, 'bookingId' | 'kind' | 'reference'>

/** What is paid for bookings, and what goes back. */
export class Checkouts extends Fact<Asked, Written> {
  readonly #checkouts = new Map<string, Checkout>()
  readonly #refunds = new Map<string, Refund>()
  readonly #entries = new Set<string>()

  add(checkout: Checkout): void {
    this.#checkouts.set(checkout.id, checkout)
  }

  addRefund(refund: Refund): void {
    this.#refunds.set(refund.id, refund)
  }

  addEntry({ bookingId, kind, reference }: EntryKey): void {
    this.#entries.add(`${bookingId} ${kind} ${reference}`)
  }

  find(id: string): Checkout | undefined {
    return this.#checkouts.get(id)
  }

  findRefund(id: string): Refund | undefined {
    return this.#refunds.get(id)
  }

  /** The refund that the provider calls so. */
  findRefundBy(reference: string): Refund | undefined {
    return [...this.#refunds.values()].find((refund) => refund.reference === reference)
  }

  /** What is on its way back to the guest of this booking. */
  askedFor(bookingId: string): number {
    return [...this.#refunds.values()]
      .filter((refund) => refund.bookingId === bookingId && refund.status === 'asked')
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  /** Whether this stands in the ledger of payments. */
  isEntered({ bookingId, kind, reference }: EntryKey): boolean {
    return this.#entries.has(`${bookingId} ${kind} ${reference}`)
  }

  override apply({
    checkouts = [],
    checkoutUpdates = [],
    ledgerEntries = [],
    refunds = [],
    refundUpdates = [],
  }: Written): void {
    for (const checkout of [...checkouts, ...checkoutUpdates]) this.add(checkout)
    for (const refund of [...refunds, ...refundUpdates]) this.addRefund(refund)
    for (const entry of ledgerEntries) this.addEntry(entry)
  }
}
