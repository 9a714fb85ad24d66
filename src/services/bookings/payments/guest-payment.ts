import type { Booking } from '../../../domain/bookings/booking.ts'
import { isActive } from '../../../domain/bookings/states.ts'
import { paymentView } from '../../../domain/payments/payment.ts'
import { refundByRule } from '../../../domain/payments/refund.ts'
import { findCheckout } from '../../../store/payments/checkouts.ts'
import type { Context } from '../../context.ts'

/** What a guest is told of the payment of their booking. */
export interface GuestPayment {
  readonly payment: ReturnType<typeof paymentView>
  /** What is still to be paid, for all bookings of a series, until when, and where unless that is not known yet. */
  readonly due?: { readonly amount: number; readonly payBy: number; readonly url?: string }
  /** What goes back if the guest cancels now; nothing if the money is only reserved. */
  readonly refundIfCancelled?: number
}

/** A free booking costs no look at the database. */
export async function findGuestPayment(context: Context, booking: Booking): Promise<GuestPayment> {
  const payment = paymentView(booking.payment)
  if (booking.payment === undefined || !isActive(booking)) return { payment }
  const checkout = await findCheckout(context.db, booking.payment.checkoutId)
  if (checkout === undefined) return { payment }
  if (booking.status === 'PendingPayment') {
    const { amount, payBy, url } = checkout
    return { payment, due: { amount, payBy, ...(url !== undefined && { url }) } }
  }
  const { status, amount, refunded } = booking.payment
  const { startsAt } = booking
  const refund = refundByRule(amount - refunded, checkout.refund, { startsAt, now: context.now() })
  return { payment, refundIfCancelled: status === 'paid' ? refund : 0 }
}
