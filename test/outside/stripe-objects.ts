import type Stripe from 'stripe'

/** A session, as the stand-in keeps it. */
export interface OutsideSession {
  readonly id: string
  readonly account: string
  readonly created: number
  readonly url: string
  readonly expiresAt: number
  readonly successUrl: string
  readonly cancelUrl: string
  readonly reference: string | null
  readonly email: string | null
  readonly locale: string
  readonly currency: string
  readonly lines: readonly OutsideLine[]
  readonly amount: number
  readonly metadata: Readonly<Record<string, string>>
  readonly intentMetadata: Readonly<Record<string, string>>
  readonly capture: 'automatic' | 'manual'
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid'
  intentId: string | null
}

interface OutsideLine {
  readonly name: string
  readonly unitAmount: number
  readonly quantity: number
}

export interface OutsideIntent {
  readonly id: string
  readonly account: string
  readonly created: number
  readonly currency: string
  readonly amount: number
  readonly capture: 'automatic' | 'manual'
  readonly metadata: Readonly<Record<string, string>>
  readonly chargeId: string
  status: 'requires_capture' | 'processing' | 'succeeded' | 'canceled' | 'requires_payment_method'
  received: number
  canceledBecause: 'automatic' | 'requested_by_customer' | null
}

export interface OutsideRefund {
  readonly id: string
  readonly account: string
  readonly created: number
  readonly intentId: string
  readonly chargeId: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  status: 'pending' | 'succeeded' | 'failed'
  failure: string | null
}

export interface OutsideDispute {
  readonly id: string
  readonly account: string
  readonly created: number
  readonly intentId: string
  readonly chargeId: string
  readonly amount: number
  readonly currency: string
  status: 'needs_response' | 'won' | 'lost'
}

const seconds = (at: number) => Math.floor(at / 1000)

type SessionView = Partial<Stripe.Checkout.Session>

export const sessionView = (one: OutsideSession, intent?: OutsideIntent): SessionView => ({
  id: one.id,
  object: 'checkout.session',
  amount_subtotal: one.amount,
  amount_total: one.amount,
  cancel_url: one.cancelUrl,
  client_reference_id: one.reference,
  created: seconds(one.created),
  currency: one.currency,
  customer_email: one.email,
  expires_at: seconds(one.expiresAt),
  livemode: false,
  locale: one.locale as Stripe.Checkout.Session.Locale,
  metadata: one.metadata,
  mode: 'payment',
  payment_intent: intent === undefined ? one.intentId : (intentView(intent) as Stripe.PaymentIntent),
  payment_status: one.paymentStatus,
  status: one.status,
  success_url: one.successUrl,
  url: one.status === 'open' ? one.url : null,
})

export const intentView = (one: OutsideIntent): Partial<Stripe.PaymentIntent> => ({
  id: one.id,
  object: 'payment_intent',
  amount: one.amount,
  amount_capturable: one.status === 'requires_capture' ? one.amount : 0,
  amount_received: one.received,
  canceled_at: null,
  cancellation_reason: one.canceledBecause,
  capture_method: one.capture === 'manual' ? 'manual' : 'automatic_async',
  created: seconds(one.created),
  currency: one.currency,
  latest_charge: one.chargeId,
  livemode: false,
  metadata: one.metadata,
  status: one.status,
})

export const refundView = (one: OutsideRefund): Partial<Stripe.Refund> => ({
  id: one.id,
  object: 'refund',
  amount: one.amount,
  charge: one.chargeId,
  created: seconds(one.created),
  currency: one.currency,
  ...(one.failure !== null && { failure_reason: one.failure }),
  metadata: one.metadata,
  payment_intent: one.intentId,
  reason: null,
  status: one.status,
})

export const disputeView = (one: OutsideDispute): Partial<Stripe.Dispute> => ({
  id: one.id,
  object: 'dispute',
  amount: one.amount,
  charge: one.chargeId,
  created: seconds(one.created),
  currency: one.currency,
  livemode: false,
  payment_intent: one.intentId,
  reason: 'fraudulent',
  status: one.status,
})
