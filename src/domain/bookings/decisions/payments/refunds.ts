import type { NewJob } from '../../../job.ts'
import { refundJob } from '../../../payments/jobs.ts'
import type { Checkout, Refund } from '../../../payments/payment.ts'
import type { Sentence } from '../../../sentence.ts'
import { joinWrites, type Ledger, type Writes } from '../../ledger.ts'
import type { ListedBooking } from '../../listed-booking.ts'
import { announcementOf, recordOf } from '../announcement.ts'
import { type Decision, done, type Given, type Plan } from '../decision.ts'
import { meetingHosts, questionAboutBookings } from '../present.ts'
import { entryOf } from './money.ts'

/** What the provider says of a refund. */
export interface RefundNews {
  /** Ours; empty: it was made at the provider by hand. */
  readonly refundId: string
  /** What the provider calls it. */
  readonly reference: string
  readonly amount: number
  readonly status: 'asked' | 'done' | 'failed'
  /** Why it failed. */
  readonly failure: Sentence
}

interface WantedRefund {
  readonly checkoutId: string
  readonly all: readonly ListedBooking[]
  readonly news: RefundNews
}

/** Enters what became of a refund. A failure is final; whatever else is known already changes nothing. */
export const planRefund = (wanted: WantedRefund): Plan<void> => ({
  question: { ...questionAboutBookings(wanted.all), checkoutIds: [wanted.checkoutId] },
  decide: (ledger, given) => decideRefund(ledger, wanted, given),
})

function decideRefund(ledger: Ledger, wanted: WantedRefund, given: Given): Decision<void> {
  const { checkoutId, news } = wanted
  const { checkouts } = ledger
  const checkout = checkouts.find(checkoutId)
  if (checkout === undefined) return done(undefined)
  const refund =
    news.refundId === '' ? checkouts.findRefundBy(news.reference) : checkouts.findRefund(news.refundId)
  if (refund === undefined) return done(undefined, byHand(ledger, checkout, wanted, given))
  const { bookingId, amount } = refund
  const known: Refund = news.reference === '' ? refund : { ...refund, reference: news.reference }
  if (news.status === 'asked') {
    const isKnown = refund.status !== 'asked' || refund.reference === known.reference
    return done(undefined, isKnown ? {} : { refundUpdates: [known] })
  }
  if (refund.status === 'failed' || refund.status === news.status) return done(undefined)
  const { reference = refund.id } = known
  if (news.status === 'done') {
    const moved = moveMoney(ledger, checkout, { bookingId, amount, reference, back: true }, given)
    return done(undefined, joinWrites([{ refundUpdates: [{ ...known, status: 'done' }] }, moved]))
  }
  const failed: Refund = { ...known, status: 'failed', lastError: news.failure }
  // Providers may say only later that the guest's bank did not take it.
  const returned =
    refund.status === 'done'
      ? moveMoney(ledger, checkout, { bookingId, amount, reference, back: false }, given)
      : {}
  const jobs: NewJob[] = [refundJob('payment-failed', refund.id, given.now)]
  return done(undefined, joinWrites([{ refundUpdates: [failed], jobs }, returned]))
}

interface Movement {
  readonly bookingId: string
  readonly amount: number
  readonly reference: string
  /** To the guest, or from there. */
  readonly back: boolean
}

/** Enters money of a booking that has gone back to its guest, or has returned from there. */
function moveMoney(
  ledger: Ledger,
  checkout: Checkout,
  { bookingId, amount, reference, back }: Movement,
  given: Given,
): Writes {
  const kind = back ? 'refunded' : 'paid'
  const ledgerEntries = entryOf(ledger, checkout, { kind, bookingId, amount, reference }, given)
  const current = ledger.bookings.find(bookingId)
  const payment = current?.booking.payment
  if (ledgerEntries.length === 0 || current === undefined || payment === undefined) return { ledgerEntries }
  const refunded = payment.refunded + (back ? amount : -amount)
  const status = refunded >= payment.amount ? 'refunded' : 'paid'
  const after: ListedBooking = {
    ...current,
    booking: { ...current.booking, payment: { ...payment, refunded, status } },
  }
  const { now, newId } = given
  const record = recordOf(after.booking, newId(), {
    type: 'refunded',
    by: 'service',
    reason: '',
    previousStatus: current.booking.status,
    previousStartsAt: null,
    hostIds: meetingHosts(ledger, current),
    formerHostIds: [],
    at: now,
  })
  return { updates: [after], ledgerEntries, ...(back && { jobs: [announcementOf(record)] }) }
}

/** A refund that a host has made at the provider: of its bookings in their order, as far as they are paid. */
function byHand(ledger: Ledger, checkout: Checkout, { news }: WantedRefund, given: Given): Writes {
  if (news.status !== 'done' || news.refundId !== '') return {}
  const { reference } = news
  if (
    checkout.bookingIds.some((bookingId) =>
      ledger.checkouts.isEntered({ bookingId, kind: 'refunded', reference }),
    )
  )
    return {}
  let left = news.amount
  const parts = checkout.bookingIds.map((bookingId, index) => {
    const payment = ledger.bookings.find(bookingId)?.booking.payment
    const isLast = index === checkout.bookingIds.length - 1
    const amount = isLast ? left : Math.min(left, payment ? payment.amount - payment.refunded : 0)
    left -= amount
    return moveMoney(ledger, checkout, { bookingId, amount, reference, back: true }, given)
  })
  return joinWrites(parts)
}

interface Dispute {
  readonly checkoutId: string
  readonly all: readonly ListedBooking[]
  readonly disputeId: string
  readonly amount: number
}

/** Enters that a guest's bank wants money back. The provider decides about it. */
export const planDispute = ({ checkoutId, all, disputeId, amount }: Dispute): Plan<void> => ({
  question: { ...questionAboutBookings(all), checkoutIds: [checkoutId] },
  decide: (ledger, given) => {
    const checkout = ledger.checkouts.find(checkoutId)
    const [bookingId] = checkout?.bookingIds ?? []
    if (checkout === undefined || bookingId === undefined) return done(undefined)
    const entry = { kind: 'disputed', bookingId, amount, reference: disputeId } as const
    return done(undefined, { ledgerEntries: entryOf(ledger, checkout, entry, given) })
  },
})
