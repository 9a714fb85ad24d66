/**
 * Work to do after the transaction that wrote the job.
 *
 * `announce` queues the other jobs for a change to a booking;
 * `announce-response` does the same for the answers to a routing form.
 */
export const JOB_KINDS = [
  'announce',
  'announce-response',
  'mail',
  'reminder',
  'webhook',
  'webhook-disabled',
  'calendar-channel',
  'calendar-failed',
  'calendar-write',
  'connection-lost',
  'connection-revoke',
  'meeting-link',
  'account-delete',
] as const

export type JobKind = (typeof JOB_KINDS)[number]

export interface NewJob {
  readonly kind: JobKind
  /** The ordering key: jobs of one lane run in the order they were written; null: in any order. */
  readonly lane: string | null
  /** Plain data that survives JSON. */
  readonly data: unknown
  readonly dueAt: number
}

/** The lane of what is announced about a booking. */
export const bookingLane = (bookingId: string): string => `booking:${bookingId}`

/** A job as the worker hands it to its handler. */
export interface Job {
  readonly id: number
  readonly kind: JobKind
  readonly data: unknown
  /** Earlier attempts. */
  readonly attempts: number
  readonly createdAt: number
}

/** Thrown by a handler when retrying is pointless. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

/** Thrown by a handler to set its own time for the retry. */
export class TryAgainAt extends Error {
  override readonly name = 'TryAgainAt'
  readonly retryAt: number

  constructor(retryAt: number, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.retryAt = retryAt
  }
}

/** Thrown by a handler that has written itself when its job is due again. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

const USUAL = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR]

const WEBHOOK = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]

/** How long to wait after each failure. A job that fails after the last of these delays is dead. */
export const RETRY_DELAYS: Readonly<Record<JobKind, readonly number[]>> = {
  announce: USUAL,
  'announce-response': USUAL,
  mail: USUAL,
  reminder: USUAL,
  webhook: WEBHOOK,
  'webhook-disabled': USUAL,
  'calendar-channel': USUAL,
  'calendar-failed': USUAL,
  'calendar-write': USUAL,
  'connection-lost': USUAL,
  'connection-revoke': USUAL,
  'meeting-link': USUAL,
  'account-delete': USUAL,
}

/** Delays grow by up to this share at random, so that jobs that failed together don't retry together. */
export const JITTER = 0.2

/** When to retry after this many failures; undefined: the job is dead. `random` is from [0, 1). */
export function nextDueAt(kind: JobKind, failures: number, now: number, random: number): number | undefined {
  const delay = RETRY_DELAYS[kind][failures - 1]
  return delay === undefined ? undefined : Math.round(now + delay * (1 + JITTER * random))
}
