import type { NewJob } from '../job.ts'
import { Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'

/** A user's or team's account at the provider: it gets the money for their meetings. */
export interface PaymentAccount {
  readonly id: string
  readonly schedulerId: string
  readonly provider: 'stripe'
  /** What the provider calls it: `acct_…`. */
  readonly account: string
  /** What people call it. */
  readonly name: string
  readonly sealedKey: string
  /** Where the provider sends notices; empty: nowhere. */
  readonly hookId: string
  readonly sealedHookSecret: string
  /** `reconnect`: the provider refuses the key, and only its owner can give another. */
  readonly status: 'ok' | 'reconnect'
  /** A sentence for the owner; empty while all is well. */
  readonly lastError: Sentence
  readonly createdAt: number
}

/** An address at the provider to which nothing needs to be sent any more. */
export interface HookRemoval {
  readonly accountId: string
  readonly sealedKey: string
  readonly hookId: string
}

/** The job that removes it; the key stays sealed in it. */
export const hookRemovalJob = (removal: HookRemoval, dueAt: number): NewJob<HookRemoval> => ({
  kind: 'connection-revoke',
  lane: null,
  data: removal,
  dueAt,
})

/** Guests would not get their money back without the key. */
export const paymentsUnderWay = () =>
  new Problem(
    'state_conflict',
    sentence`Payments or refunds are still on their way through this account. Please try again later.`,
  )
