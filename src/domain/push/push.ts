import type { ChangeRecord } from '../bookings/change.ts'

/** What a host can be notified of in a browser. */
export const PUSH_KINDS = ['request', 'booking', 'cancellation'] as const

export type PushKind = (typeof PUSH_KINDS)[number]

/** Where a browser takes notifications, and what encrypts them for it. */
export interface PushTarget {
  /** The browser's address at its push service. */
  readonly endpoint: string
  /** In base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A browser in which a host wants notifications. It ends with its session. */
export interface PushSubscription extends PushTarget {
  readonly id: string
  readonly userId: string
  readonly sessionId: string
  readonly kinds: readonly PushKind[]
  readonly createdAt: number
}

/** What the hosts are notified of; undefined: nothing. Each of several meetings made together needs no notification. */
export function pushKindOf({
  type,
  status,
  together,
}: Pick<ChangeRecord, 'type' | 'status' | 'together'>): PushKind | undefined {
  if (together?.length === 0) return undefined
  if (type === 'cancelled') return 'cancellation'
  if (type === 'created') return status === 'PendingApproval' ? 'request' : 'booking'
  const asksAgain = type === 'rescheduled' || type === 'reassigned'
  return asksAgain && status === 'PendingApproval' ? 'request' : undefined
}
