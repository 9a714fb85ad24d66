import type { JobKind, NewJob } from '../job.ts'

type CheckoutJob = Extract<JobKind, 'payment-expire' | 'payment-capture' | 'payment-release' | 'payment-gone'>

/** Work on a checkout that is done after the transaction. None of it waits for another: each looks what is to be done. */
export const checkoutJob = (kind: CheckoutJob, checkoutId: string, dueAt: number): NewJob => ({
  kind,
  lane: null,
  data: { checkoutId },
  dueAt,
})

/** The same for a refund. */
export const refundJob = (
  kind: Extract<JobKind, 'payment-refund' | 'payment-failed'>,
  refundId: string,
  dueAt: number,
): NewJob => ({ kind, lane: null, data: { refundId }, dueAt })
