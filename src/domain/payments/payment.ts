import type { Sentence } from '../sentence.ts'
import type { RefundRule } from './price.ts'

export const PAYMENT_STATUSES = ['pending', 'authorised', 'paid', 'refunded', 'failed'] as const

/** `refunded`: in full; `failed`: never paid, or given back before it was captured. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** What one booking costs, and what became of that. It is a share of a checkout. */
export interface BookingPayment {
  readonly checkoutId: string
  readonly status: PaymentStatus
  /** In the smallest unit of the currency. */
  readonly amount: number
  readonly currency: string
  /** How much of it the provider has given back. */
  readonly refunded: number
}

/** A booking's payment as others see it; null: it is free. */
export const paymentView = (payment: BookingPayment | undefined): PaymentFacts | null =>
  payment === undefined ? null : factsOf(payment)

export type PaymentFacts = Omit<BookingPayment, 'checkoutId'>

export const factsOf = ({ status, amount, currency, refunded }: BookingPayment): PaymentFacts => ({
  status,
  amount,
  currency,
  refunded,
})

export const LEDGER_KINDS = [
  'paid',
  'authorised',
  'captured',
  'released',
  'refunded',
  'disputed',
  'expired',
] as const

export type LedgerKind = (typeof LEDGER_KINDS)[number]

/** A line of the ledger. It is never changed. */
export interface LedgerEntry {
  readonly id: string
  readonly kind: LedgerKind
  readonly bookingId: string
  readonly checkoutId: string
  /** Positive, whatever its kind. */
  readonly amount: number
  readonly currency: string
  readonly at: number
  /** What the provider calls that payment, refund or dispute: the same thing is never entered twice for a booking. */
  readonly reference: string
}

/** A line that is about to be written. The booking may be gone by the time it is read. */
export interface NewLedgerEntry extends LedgerEntry {
  readonly schedulerId: string
  readonly eventTypeId: string
}

/** `open`: neither paid nor closed; `authorised`: the money is reserved until the host answers. */
export type CheckoutStatus = 'open' | 'authorised' | 'paid' | 'released' | 'expired'

/** One purchase: of a booking, or of all bookings of a series. */
export interface Checkout {
  readonly id: string
  /** The account that gets the money. */
  readonly accountId: string
  readonly schedulerId: string
  readonly eventTypeId: string
  /** In their order. */
  readonly bookingIds: readonly string[]
  readonly status: CheckoutStatus
  /** For all its bookings. */
  readonly amount: number
  readonly currency: string
  /** As it was when the guest booked. */
  readonly refund: RefundRule
  /** Whether the money is only reserved until the host approves. */
  readonly isManual: boolean
  readonly createdAt: number
  /** When the session ends, and its time is free again. */
  readonly payBy: number
  /** What the session at the provider is made of: a repeat must say the same. It names nobody once it is no longer open. */
  readonly wanted: KeptSession
  /** Undefined until the provider has made the session. */
  readonly sessionId?: string
  /** Where the guest pays. */
  readonly url?: string
  /** What the provider calls the payment, once there is one. */
  readonly intentId?: string
}

/** What a guest is asked to pay, as the provider hears it. */
export interface WantedSession {
  /** What is sold: the name of the event type. */
  readonly name: string
  /** For one seat of one meeting. */
  readonly unitAmount: number
  readonly quantity: number
  readonly currency: string
  readonly email: string
  /** A language tag. */
  readonly locale: string
  readonly isManual: boolean
  readonly expiresAt: number
  /** Where the guest returns to, paid or not. */
  readonly returnUrl: string
}

/** Where the guest returns to is signed, so it is not kept: it is made again. */
export type KeptSession = Omit<WantedSession, 'returnUrl'>

/** How long a time is kept for a guest who pays, in milliseconds. A session lasts at least 30 minutes. */
export const PAY_WITHIN = 35 * 60_000

export type RefundStatus = 'asked' | 'done' | 'failed'

/** Money that goes back. */
export interface Refund {
  /** Also the key under which the provider is asked, so that it is given back once. */
  readonly id: string
  readonly checkoutId: string
  readonly bookingId: string
  readonly schedulerId: string
  readonly amount: number
  readonly status: RefundStatus
  readonly createdAt: number
  /** What the provider calls it. */
  readonly reference?: string
  /** Why it failed. */
  readonly lastError?: Sentence
}
