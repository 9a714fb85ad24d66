import { MINUTE } from '../../../interval.ts'
import { checkoutJob } from '../../../payments/jobs.ts'
import { type BookingPayment, type Checkout, PAY_WITHIN } from '../../../payments/payment.ts'
import { type Price, priceOf } from '../../../payments/price.ts'
import { partyOf } from '../../guests.ts'
import type { Writes } from '../../ledger.ts'
import type { WantedBooking } from '../wanted-booking.ts'

/** What a guest has to pay. */
export interface Bill {
  readonly checkoutId: string
  readonly price: Price
  /** For one seat. */
  readonly unitAmount: number
  /** For each booking. */
  readonly payment: BookingPayment
}

/** What these bookings cost; undefined: nothing. What a host books is not paid here. */
export function billFor(
  { bookable, requested, author }: Pick<WantedBooking, 'bookable' | 'requested' | 'author'>,
  newId: () => string,
): Bill | undefined {
  const { price } = bookable.eventType
  if (author.by !== 'guest' || price === null) return undefined
  const unitAmount = priceOf(price, bookable.rules.duration / MINUTE)
  if (unitAmount === 0) return undefined
  const checkoutId = newId()
  const amount = unitAmount * partyOf(requested)
  const { currency } = price
  return {
    checkoutId,
    price,
    unitAmount,
    payment: { checkoutId, status: 'pending', amount, currency, refunded: 0 },
  }
}

/** The purchase of these bookings, and its end if nobody pays. */
export function openCheckout(
  { checkoutId, price, unitAmount, payment }: Bill,
  { bookable, requested }: WantedBooking,
  { accountId, bookingIds, now }: { accountId: string; bookingIds: readonly string[]; now: number },
) {
  const { eventType, scheduler } = bookable
  const payBy = now + PAY_WITHIN
  const checkout: Checkout = {
    id: checkoutId,
    accountId,
    schedulerId: scheduler.id,
    eventTypeId: eventType.id,
    bookingIds,
    status: 'open',
    amount: payment.amount * bookingIds.length,
    currency: price.currency,
    refund: price.refund,
    isManual: eventType.requiresApproval,
    createdAt: now,
    payBy,
    wanted: {
      name: eventType.name,
      unitAmount,
      quantity: partyOf(requested) * bookingIds.length,
      currency: price.currency,
      email: requested.invitee.email,
      locale: requested.invitee.locale,
      isManual: eventType.requiresApproval,
      expiresAt: payBy,
    },
  }
  const writes: Writes = { checkouts: [checkout], jobs: [checkoutJob('payment-expire', checkoutId, payBy)] }
  return { checkout, writes }
}
