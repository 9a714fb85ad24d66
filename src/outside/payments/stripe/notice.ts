import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Notice } from '../provider.ts'
import { type Json, numberOf, objectOf, textOf } from './call.ts'
import { readDispute, readIntent, readRefund, readSession } from './objects.ts'

/** The events that we ask Stripe to tell. */
export const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.amount_capturable_updated',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const

/** How far a notice's clock may be from ours, in seconds. */
const TOLERANCE = 300

/** Undefined if it is forged, too old, or no event. */
export function readNotice(
  body: Buffer,
  signature: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Notice | undefined {
  if (!isGenuine(body, signature, secret, now)) return undefined
  let event: Json
  try {
    event = objectOf(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
  const id = textOf(event.id)
  if (id === '') return undefined
  const object = objectOf(objectOf(event.data).object)
  const common = { id, account: textOf(event.account), at: numberOf(event.created) * 1000 }
  return { ...common, ...subjectOf(textOf(event.type), object) }
}

type Subject<N = Notice> = N extends unknown ? Omit<N, 'id' | 'account' | 'at'> : never

function subjectOf(type: string, object: Json): Subject {
  if (/^checkout\.session\.(?:completed|async_payment_succeeded|async_payment_failed|expired)$/.test(type)) {
    return { about: 'session', session: readSession(object) }
  }
  if (/^payment_intent\.(?:amount_capturable_updated|succeeded|canceled)$/.test(type)) {
    const checkoutId = textOf(objectOf(object.metadata).checkout)
    return { about: 'intent', intent: readIntent(object), checkoutId }
  }
  if (/^refund\.(?:created|updated|failed)$/.test(type)) return refundOf(object)
  if (type === 'charge.refunded') {
    // Only earlier versions have the refunds in it. Today each has a notice of its own.
    const { data } = objectOf(object.refunds)
    const [latest] = Array.isArray(data) ? data : []
    return latest === undefined ? { about: 'nothing' } : refundOf(objectOf(latest))
  }
  if (/^charge\.dispute\.(?:created|closed)$/.test(type)) {
    const { id: disputeId, intentId, amount } = readDispute(object)
    return { about: 'dispute', disputeId, intentId, amount, status: textOf(object.status) }
  }
  return { about: 'nothing' }
}

const refundOf = (object: Json): Subject => ({
  about: 'refund',
  refund: readRefund(object),
  failure: textOf(object.failure_reason),
})

/** `t=…,v1=…`, with several `v1` while a secret is replaced. */
function isGenuine(body: Buffer, signature: string, secret: string, now: number): boolean {
  if (secret === '') return false
  const parts = signature.split(',').map((part) => part.trim().split('='))
  const at = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(at) || Math.abs(Math.floor(now / 1000) - Number(at)) > TOLERANCE) return false
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const given = name === 'v1' ? Buffer.from(value, 'hex') : Buffer.alloc(0)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
