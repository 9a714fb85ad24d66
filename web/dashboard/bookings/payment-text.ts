import { formatPrice } from '../../../src/domain/payments/price.ts'
import type { ListedBookingView } from '../core/data/views.ts'
import { tell, words } from '../words.ts'

/** What a booking costs and what became of that: "€49.00 paid", "€20.00 of €49.00 refunded". */
export function paymentText(
  { status, amount, currency, refunded }: NonNullable<ListedBookingView['payment']>,
  tag: string,
): string {
  const write = (some: number) => formatPrice({ amount: some, currency }, tag)
  if (status === 'paid' && refunded > 0) {
    return tell(words.bookings.partlyRefunded, { refunded: write(refunded), price: write(amount) })
  }
  return tell(words.bookings.paymentStates[status], { price: write(amount) })
}
