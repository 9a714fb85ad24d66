import type { Notice } from '../../outside/payments/provider.ts'

/** A `payment-notice` job: what the provider has told, and through which account it came. */
export interface NoticeJobData {
  /** Of `payment_accounts`: a notice says nothing about purchases of others. */
  readonly accountId: string
  readonly notice: Notice
}
