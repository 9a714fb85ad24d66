import { type Sentence, say } from './sentence.ts'

/** What kinds of jobs need in common with none of their handlers. */
interface JobTraits {
  /** How long to wait after each failure, in milliseconds. A job that fails after the last of these delays is dead. */
  readonly retryAfter: readonly number[]
  /**
   * Jobs that may start per second while requests fill the event loop: from the processor time of one, three or four
   * milliseconds for a mail, one to three for an announcement, about one for a delivery. A minimum, so that none waits
   * forever.
   */
  readonly busyRate: number
  /** How many run at once. */
  readonly atOnce: number
  /** Whether they start in groups, so that they read their meetings together. */
  readonly inGroups: boolean
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

const USUAL: JobTraits = {
  retryAfter: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR],
  busyRate: 1,
  atOnce: 10,
  inGroups: false,
}

/** Receivers may be down for a while: about three days in all. */
const WEBHOOK_RETRIES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** Money is at stake, and providers come back: about two weeks in all. */
const PAYMENT_RETRIES = [
  5 * SECOND,
  30 * SECOND,
  ...Array.from({ length: 10 }, () => MINUTE),
  ...Array.from({ length: 10 }, () => 10 * MINUTE),
  ...Array.from({ length: 300 }, () => HOUR),
]

/** Every kind of work that is done after the transaction that wrote the job. */
export const JOBS = {
  /** Queues the other jobs for a change to a booking. */
  announce: { ...USUAL, busyRate: 8 },
  /** The same for the answers to a routing form. */
  'announce-response': { ...USUAL, busyRate: 4 },
  mail: { ...USUAL, busyRate: 10, atOnce: 16, inGroups: true },
  reminder: { ...USUAL, busyRate: 4, atOnce: 16, inGroups: true },
  /** One of a host's own messages. */
  message: { ...USUAL, busyRate: 4, atOnce: 16, inGroups: true },
  /** Plans such a message for the bookings that there are. */
  'message-plan': USUAL,
  /** A notification in one of a host's browsers. */
  push: { ...USUAL, busyRate: 8 },
  webhook: { ...USUAL, retryAfter: WEBHOOK_RETRIES, busyRate: 330, atOnce: 100 },
  'webhook-disabled': USUAL,
  'calendar-channel': { ...USUAL, busyRate: 2 },
  'calendar-failed': USUAL,
  'calendar-write': { ...USUAL, busyRate: 4 },
  'connection-lost': USUAL,
  'connection-revoke': USUAL,
  'meeting-link': { ...USUAL, busyRate: 4 },
  'account-delete': USUAL,
  /** Ends a checkout that was not paid. Its time stays taken until the provider can be asked. */
  'payment-expire': { ...USUAL, retryAfter: PAYMENT_RETRIES },
  /** Takes the money that a guest has reserved. */
  'payment-capture': { ...USUAL, retryAfter: PAYMENT_RETRIES },
  /** Gives back what was reserved. */
  'payment-release': { ...USUAL, retryAfter: PAYMENT_RETRIES },
  /** Gives back what was paid. */
  'payment-refund': { ...USUAL, retryAfter: PAYMENT_RETRIES },
  /** Acts on what the provider has told. */
  'payment-notice': { ...USUAL, busyRate: 8 },
  /** Tells a guest that what they paid for is gone. */
  'payment-gone': USUAL,
  /** Tells a host that money could not be given back. */
  'payment-failed': USUAL,
  /** Applies what is moving in from another service. */
  'import-apply': { ...USUAL, atOnce: 1 },
} satisfies Readonly<Record<string, JobTraits>>

export type JobKind = keyof typeof JOBS

export const JOB_KINDS = Object.keys(JOBS) as readonly JobKind[]

export interface NewJob<Data = unknown> {
  readonly kind: JobKind
  /** The ordering key: jobs of one lane run in the order they were written; null: in any order. */
  readonly lane: string | null
  /** Plain data that survives JSON. */
  readonly data: Data
  readonly dueAt: number
}

/** The lane of what is announced about a booking. */
export const bookingLane = (bookingId: string): string => `booking:${bookingId}`

/** A job as the worker hands it to its handler. */
export interface Job<Data = unknown> {
  readonly id: number
  readonly kind: JobKind
  readonly data: Data
  /** Earlier attempts. */
  readonly attempts: number
  readonly createdAt: number
}

/** Thrown by a handler when retrying is pointless. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
  readonly sentence: Sentence

  constructor(reason: Sentence, options?: ErrorOptions) {
    super(say(reason), options)
    this.sentence = reason
  }
}

/** Thrown by a handler to be retried at the usual time. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
  readonly sentence: Sentence

  constructor(reason: Sentence, options?: ErrorOptions) {
    super(say(reason), options)
    this.sentence = reason
  }
}

/** Thrown by a handler to set its own time for the retry. */
export class TryAgainAt extends Error {
  override readonly name = 'TryAgainAt'
  readonly retryAt: number
  readonly sentence: Sentence

  constructor(retryAt: number, reason: Sentence, options?: ErrorOptions) {
    super(say(reason), options)
    this.retryAt = retryAt
    this.sentence = reason
  }
}

/** Thrown by a handler that has written itself when its job is due again. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
}

/** Delays grow by up to this share at random, so that jobs that failed together don't retry together. */
export const JITTER = 0.2

/** When to retry after this many failures; undefined: the job is dead. `random` is from [0, 1). */
export function nextDueAt(kind: JobKind, failures: number, now: number, random: number): number | undefined {
  const delay = JOBS[kind].retryAfter[failures - 1]
  return delay === undefined ? undefined : Math.round(now + delay * (1 + JITTER * random))
}
