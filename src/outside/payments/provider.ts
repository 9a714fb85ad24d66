import type { WantedSession } from '../../domain/payments/payment.ts'
import { type Sentence, say } from '../../domain/sentence.ts'

/** What the provider says of a session, and of the payment in it. */
export interface ProviderSession {
  readonly id: string
  /** Where the guest pays; empty once it is closed. */
  readonly url: string
  readonly status: 'open' | 'complete' | 'expired'
  /** `unpaid` in a complete session: a slow bank. An authorised payment is `unpaid`, too: look at the intent. */
  readonly paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  /** What the guest paid; less than asked for with a coupon. */
  readonly amount: number
  readonly currency: string
  /** What we gave it: the id of the checkout. */
  readonly checkoutId: string
  readonly intent?: ProviderIntent
}

export interface ProviderIntent {
  readonly id: string
  /** `requires_capture`: authorised. Others are still on their way. */
  readonly status: 'requires_capture' | 'succeeded' | 'canceled' | 'processing' | 'other'
  readonly amount: number
  /** How much of it has come: less than the amount where a part was captured. Left out: all or nothing. */
  readonly received?: number
}

export interface ProviderRefund {
  readonly id: string
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'requires_action'
  readonly amount: number
  /** What we gave it: the id of our refund; empty: made at the provider by hand. */
  readonly refundId: string
  readonly intentId: string
}

/** A guest's bank wants money back. */
export interface ProviderDispute {
  readonly id: string
  readonly intentId: string
  readonly amount: number
  readonly createdAt: number
}

/** What a genuine notice is about; others are left alone. */
export type Notice = {
  readonly id: string
  /** The connected account that it is about; empty: the account of the key itself. */
  readonly account: string
  readonly at: number
} & (
  | { readonly about: 'session'; readonly session: ProviderSession }
  | { readonly about: 'intent'; readonly intent: ProviderIntent; readonly checkoutId: string }
  | { readonly about: 'refund'; readonly refund: ProviderRefund; readonly failure: string }
  | {
      readonly about: 'dispute'
      readonly disputeId: string
      readonly intentId: string
      readonly amount: number
      readonly status: string
    }
  | { readonly about: 'nothing' }
)

export interface ProviderAccount {
  /** What the provider calls it: `acct_…`. */
  readonly id: string
  /** What people call it. */
  readonly name: string
}

/** A refusal that trying again won't change; others are errors, and are tried again. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  readonly sentence: Sentence
  /** `key`: it no longer works; `permission`: it may not do this. */
  readonly because: 'key' | 'permission' | 'request'

  constructor(because: 'key' | 'permission' | 'request', sentence: Sentence, options?: ErrorOptions) {
    super(say(sentence), options)
    this.because = because
    this.sentence = sentence
  }
}

/** The provider can't be asked now, or gives no answer that can be used: asking again may help. */
export class PaymentUnavailable extends Error {
  override readonly name = 'PaymentUnavailable'
  readonly sentence: Sentence
  /** Milliseconds that the provider asks us to wait. */
  readonly retryAfter: number | undefined

  constructor(sentence: Sentence, options: ErrorOptions & { readonly retryAfter?: number | undefined } = {}) {
    super(say(sentence), options)
    this.sentence = sentence
    this.retryAfter = options.retryAfter
  }
}

/** Where guests pay. All calls that change something carry a key, so that repeating them changes nothing. */
export interface PaymentProvider {
  /** Asks whose key it is, and whether it may do all that is needed. */
  readAccount(key: string): Promise<ProviderAccount>
  /** Makes the address to which notices are sent; `secret` signs them. */
  makeHook(key: string, url: string): Promise<{ readonly id: string; readonly secret: string }>
  removeHook(key: string, hookId: string): Promise<void>
  openSession(key: string, checkoutId: string, wanted: WantedSession): Promise<ProviderSession>
  readSession(key: string, sessionId: string): Promise<ProviderSession>
  /** Ends it if it is open. Returns what it is then: it may have been paid. */
  closeSession(key: string, sessionId: string): Promise<ProviderSession>
  capture(
    key: string,
    intentId: string,
    given: { readonly amount: number; readonly currency: string; readonly idempotencyKey: string },
  ): Promise<ProviderIntent>
  /** Gives an authorised payment back. */
  release(key: string, intentId: string, idempotencyKey: string): Promise<ProviderIntent>
  refund(
    key: string,
    refund: {
      readonly id: string
      readonly intentId: string
      readonly amount: number
      readonly currency: string
    },
  ): Promise<ProviderRefund>
  /** All refunds of a payment. */
  listRefunds(key: string, intentId: string): Promise<readonly ProviderRefund[]>
  /** Sessions that were made since, the latest first: for comparing. */
  listSessions(key: string, since: number): AsyncIterable<ProviderSession>
  /** Disputes that were opened since, or all about one payment: for comparing. */
  listDisputes(
    key: string,
    which: { readonly since: number } | { readonly intentId: string },
  ): Promise<readonly ProviderDispute[]>
  /** Undefined if it is forged, or more than five minutes old. */
  readNotice(
    body: Buffer,
    signature: string,
    given: { readonly secret: string; readonly now: number },
  ): Notice | undefined
}
