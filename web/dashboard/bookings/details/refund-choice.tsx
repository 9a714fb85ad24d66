import { formatPrice } from '../../../../src/domain/payments/price.ts'
import { REFUND_WISHES, type RefundWish, refundAsWished } from '../../../../src/domain/payments/refund.ts'
import type { BookingView, ListedBookingView } from '../../core/data/views.ts'
import { Segments } from '../../core/fields/fields.tsx'
import { language } from '../../core/language.ts'
import { tell, words } from '../../words.ts'

interface Props {
  readonly booking: BookingView
  /** Whether meetings that follow are cancelled, too: each has its own sum. */
  readonly withOthers: boolean
  readonly refund: RefundWish
  readonly onChange: (refund: RefundWish) => void
}

/** What the guest gets back: everything, as the rule says, or nothing; with the sum. */
export function RefundChoice({ booking, withOthers, refund, onChange }: Props) {
  const { payment, refundRule, startTime } = booking
  const b = words.bookings
  if (payment === null || refundRule === null) return null
  if (payment.status === 'authorised') return <p>{b.refundReleased}</p>
  if (payment.status !== 'paid') return null
  const { amount, refunded, currency } = payment
  const when = { startsAt: Date.parse(startTime), now: Date.now() }
  const sum = refundAsWished(amount - refunded, refund, refundRule, when)
  return (
    <>
      <p className="label" aria-hidden="true">
        {b.refund}
      </p>
      <Segments
        label={b.refund}
        value={refund}
        options={REFUND_WISHES.map((id) => ({ id, label: b.refunds[id] }))}
        onChange={onChange}
      />
      <p role="status">
        {sum === 0
          ? b.refundNothing
          : tell(withOthers ? b.refundEach : b.refundSum, {
              price: formatPrice({ amount: sum, currency }, language()),
            })}
      </p>
    </>
  )
}

/** What a guest whose request is declined gets back: a decline never keeps money. */
export function ReturnedMoney({ booking: { payment } }: { readonly booking: ListedBookingView }) {
  const b = words.bookings
  if (payment?.status === 'authorised') return <p>{b.refundReleased}</p>
  if (payment?.status !== 'paid') return null
  const { amount, refunded, currency } = payment
  return (
    <p>{tell(b.refundSum, { price: formatPrice({ amount: amount - refunded, currency }, language()) })}</p>
  )
}
