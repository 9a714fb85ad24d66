import type { ProviderDispute, ProviderIntent, ProviderRefund, ProviderSession } from '../provider.ts'
import { type Json, numberOf, objectOf, textOf } from './call.ts'

/** Stripe still counts hundredths of these, which have none. */
const COUNTED_IN_HUNDREDTHS = new Set(['ISK', 'UGX'])

/** An amount as Stripe counts it. */
export const toStripe = (amount: number, currency: string): number =>
  COUNTED_IN_HUNDREDTHS.has(currency.toUpperCase()) ? amount * 100 : amount

/** An amount of Stripe's in the smallest unit of its currency. */
export const fromStripe = (amount: number, currency: string): number =>
  COUNTED_IN_HUNDREDTHS.has(currency.toUpperCase()) ? Math.round(amount / 100) : amount

/** The amount in one of the object's fields. */
export const amountIn = (object: Json, field: string): number =>
  fromStripe(numberOf(object[field]), textOf(object.currency))

export function readSession(object: Json): ProviderSession {
  const paymentStatus = oneOf(['paid', 'unpaid', 'no_payment_required'], object.payment_status, 'unpaid')
  const intent = intentIn(object, paymentStatus)
  return {
    id: textOf(object.id),
    url: textOf(object.url),
    status: oneOf(['open', 'complete', 'expired'], object.status, 'open'),
    paymentStatus,
    amount: amountIn(object, 'amount_total'),
    currency: textOf(object.currency).toUpperCase(),
    checkoutId: textOf(object.client_reference_id) || textOf(objectOf(object.metadata).checkout),
    ...(intent && { intent }),
  }
}

/** A session in a notice has the payment's id alone; one that we asked for has all of it. */
function intentIn(
  session: Json,
  paymentStatus: ProviderSession['paymentStatus'],
): ProviderIntent | undefined {
  const { payment_intent: intent } = session
  if (typeof intent !== 'string') return intent == null ? undefined : readIntent(objectOf(intent))
  return {
    id: intent,
    status: paymentStatus === 'paid' ? 'succeeded' : 'other',
    amount: amountIn(session, 'amount_total'),
  }
}

export const readIntent = (object: Json): ProviderIntent => ({
  id: textOf(object.id),
  status: oneOf(
    ['requires_capture', 'succeeded', 'canceled', 'processing'] as const,
    object.status,
    'other' as const,
  ),
  // Of what was reserved, a part may have been taken.
  amount: amountIn(object, object.status === 'succeeded' ? 'amount_received' : 'amount'),
  ...(typeof object.amount_received === 'number' && { received: amountIn(object, 'amount_received') }),
})

export const readRefund = (object: Json): ProviderRefund => ({
  id: textOf(object.id),
  status: oneOf(
    ['pending', 'succeeded', 'failed', 'canceled', 'requires_action'],
    // Only refunds of very old accounts have none.
    object.status ?? 'succeeded',
    'pending',
  ),
  amount: amountIn(object, 'amount'),
  refundId: textOf(objectOf(object.metadata).refund),
  intentId: idOf(object.payment_intent),
})

export const readDispute = (object: Json): ProviderDispute => ({
  id: textOf(object.id),
  intentId: idOf(object.payment_intent),
  amount: amountIn(object, 'amount'),
  createdAt: numberOf(object.created) * 1000,
})

/** The id of an object that may be there itself. */
export const idOf = (value: unknown): string => textOf(value) || textOf(objectOf(value).id)

const oneOf = <T extends string>(known: readonly T[], value: unknown, otherwise: T): T =>
  known.find((one) => one === value) ?? otherwise
