import { MINUTE } from '../interval.ts'
import type { RefundRule } from './price.ts'

/** What a host gives back who cancels: everything, as if the guest had cancelled, or nothing. */
export const REFUND_WISHES = ['full', 'policy', 'none'] as const

export type RefundWish = (typeof REFUND_WISHES)[number]

interface Cancellation {
  readonly startsAt: number
  readonly now: number
}

/** What a guest gets back of this amount who cancels now, by the rule. Parts are rounded up. */
export function refundByRule(
  amount: number,
  { fullUntilMinutes, laterPercent }: RefundRule,
  { startsAt, now }: Cancellation,
): number {
  if (now <= startsAt - fullUntilMinutes * MINUTE) return amount
  return Math.min(amount, Math.ceil((amount * laterPercent) / 100))
}

/** The same as it was wished for. */
export function refundAsWished(
  amount: number,
  wish: RefundWish,
  rule: RefundRule,
  cancellation: Cancellation,
): number {
  if (wish === 'policy') return refundByRule(amount, rule, cancellation)
  return wish === 'full' ? amount : 0
}

/** An amount in equal parts; what can't be shared goes to the first. */
export function sharesOf(amount: number, parts: number): number[] {
  const each = Math.floor(amount / parts)
  const rest = amount - each * parts
  return Array.from({ length: parts }, (_, index) => each + (index < rest ? 1 : 0))
}
