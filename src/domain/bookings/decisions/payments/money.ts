import { checkoutJob, refundJob } from '../../../payments/jobs.ts'
import type {
  BookingPayment,
  Checkout,
  LedgerEntry,
  NewLedgerEntry,
  Refund,
} from '../../../payments/payment.ts'
import { type RefundWish, refundAsWished } from '../../../payments/refund.ts'
import type { Booking } from '../../booking.ts'
import type { Ledger, Question, Writes } from '../../ledger.ts'
import type { ListedBooking } from '../../listed-booking.ts'
import type { Given } from '../decision.ts'

/** What has been paid for these bookings, as part of a question. */
export function questionAboutMoney(all: readonly ListedBooking[]): Pick<Question, 'checkoutIds'> {
  const ids = all.flatMap(({ booking }) => booking.payment?.checkoutId ?? [])
  return ids.length === 0 ? {} : { checkoutIds: [...new Set(ids)] }
}

/** How a booking changes its state. */
interface Change {
  readonly to: Booking['status']
  /** Who cancels gets, or gives, this back. */
  readonly wish: RefundWish
  /** When whoever changes it can no longer take that back. */
  readonly settledAt: number
}

/** What becomes of its money, as far as that is not what it was: nothing is kept for a meeting that does not stand. */
export function moneyAfter(
  ledger: Ledger,
  { booking }: ListedBooking,
  { to, wish, settledAt }: Change,
  given: Given,
): { readonly payment?: BookingPayment; readonly writes: Writes } {
  const { payment } = booking
  if (payment === undefined) return { writes: {} }
  const { checkoutId } = payment
  const ends = to === 'Cancelled' || to === 'Declined'
  if (ends && payment.status === 'pending') {
    return { writes: { jobs: [checkoutJob('payment-expire', checkoutId, given.now)] } }
  }
  if (payment.status === 'authorised') {
    if (to === 'Confirmed')
      return { writes: { jobs: [checkoutJob('payment-capture', checkoutId, settledAt)] } }
    if (!ends) return { writes: {} }
    return {
      payment: { ...payment, status: 'failed' },
      writes: { jobs: [checkoutJob('payment-release', checkoutId, settledAt)] },
    }
  }
  const checkout = ledger.checkouts.find(checkoutId)
  if (!ends || checkout === undefined) return { writes: {} }
  const amount = refundAsWished(payment.amount, to === 'Declined' ? 'full' : wish, checkout.refund, {
    startsAt: booking.startsAt,
    now: given.now,
  })
  return { writes: giveBack(ledger, checkout, { booking, upTo: amount }, { ...given, dueAt: settledAt }) }
}

/** Gives back so much of what was paid for a booking that this much is given back in all. */
export function giveBack(
  { checkouts }: Ledger,
  checkout: Checkout,
  { booking, upTo }: { readonly booking: Pick<Booking, 'id' | 'payment'>; readonly upTo: number },
  { now, newId, dueAt = now }: Given & { readonly dueAt?: number },
): Writes {
  const amount = upTo - (booking.payment?.refunded ?? 0) - checkouts.askedFor(booking.id)
  if (amount <= 0) return {}
  const refund: Refund = {
    id: newId(),
    checkoutId: checkout.id,
    bookingId: booking.id,
    schedulerId: checkout.schedulerId,
    amount,
    status: 'asked',
    createdAt: now,
  }
  return { refunds: [refund], jobs: [refundJob('payment-refund', refund.id, dueAt)] }
}

/** A line of the ledger of payments; none if it stands there, or is about nothing. */
export function entryOf(
  { checkouts }: Ledger,
  { id: checkoutId, schedulerId, eventTypeId, currency }: Checkout,
  entry: Pick<LedgerEntry, 'kind' | 'bookingId' | 'amount' | 'reference'>,
  { now, newId }: Pick<Given, 'now' | 'newId'>,
): NewLedgerEntry[] {
  if (entry.amount <= 0 || checkouts.isEntered(entry)) return []
  return [{ ...entry, id: newId(), checkoutId, schedulerId, eventTypeId, currency, at: now }]
}
