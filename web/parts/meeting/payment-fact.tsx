import { formatPrice } from '../../../src/domain/payments/price.ts'
import { PriceIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { Line } from './meeting-facts.tsx'
import type { NewBooking, OwnBooking } from './own-booking.ts'

/** What was paid, reserved and given back. */
export function PaymentFact({
  booking,
}: {
  readonly booking: NewBooking & Partial<Pick<OwnBooking, 'host'>>
}) {
  const { tell, locale } = useSpeech()
  const { payment } = booking
  // Nobody has to read twice that it was not paid, nor that they should pay for what they have given back.
  const isOver = booking.status !== 'PendingPayment' && payment?.status === 'pending'
  if (payment == null || isOver || booking.status === 'Expired') return null
  const { amount, currency, refunded } = payment
  const write = (some: number) => formatPrice({ amount: some, currency }, locale.tag)
  const price = write(amount)
  const name = booking.host?.name ?? ''
  return (
    <Line icon={<PriceIcon />} term={tell('payment')}>
      <span className="line">{tell(AMOUNTS[payment.status], { price })}</span>
      {payment.status === 'paid' && refunded > 0 && (
        <span className="line">{tell('refundedAmount', { price: write(refunded) })}</span>
      )}
      {payment.status === 'authorised' && (
        <span className="muted small line">{tell('reservedHint', { price, name })}</span>
      )}
    </Line>
  )
}

const AMOUNTS = {
  pending: 'dueAmount',
  authorised: 'reservedAmount',
  paid: 'paidAmount',
  refunded: 'refundedAll',
  failed: 'releasedHint',
} as const
