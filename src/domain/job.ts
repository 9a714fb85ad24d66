/**
 * Something to be done after the transaction that asked for it.
 *
 * `announce` spreads the news of a change to a booking into the other kinds;
 * `announce-response` does the same for the answers to a routing form.
 */
export const JOB_KINDS = [
  'announce',
  'announce-response',
  'mail',
  'reminder',
  'webhook',
  'webhook-disabled',
  'calendar-write',
] as const

export type JobKind = (typeof JOB_KINDS)[number]

export interface NewJob {
  readonly kind: JobKind
  /** Jobs of one lane are done in the order they were written; null: in no order. */
  readonly lane: string | null
  /** Plain data that survives JSON. */
  readonly data: unknown
  readonly dueAt: number
}

/** A job as the worker hands it to whoever does it. */
export interface Job {
  readonly id: number
  readonly kind: JobKind
  readonly data: unknown
  /** How often it was tried before. */
  readonly attempts: number
  readonly createdAt: number
}

/** Thrown by a job that no further try could help. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

/** Thrown by a job that knows better than its schedule when to try again. */
export class TryAgainAt extends Error {
  override readonly name = 'TryAgainAt'
  readonly retryAt: number

  constructor(retryAt: number, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.retryAt = retryAt
  }
}

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

const USUAL = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR]

const WEBHOOK = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]

/** How long to wait after each failure. After as many as there are here, and one more, it is dead. */
export const RETRY_DELAYS: Readonly<Record<JobKind, readonly number[]>> = {
  announce: USUAL,
  'announce-response': USUAL,
  mail: USUAL,
  reminder: USUAL,
  webhook: WEBHOOK,
  'webhook-disabled': USUAL,
  'calendar-write': USUAL,
}

/** At most so much longer, so that what failed together is not tried together. */
export const JITTER = 0.2

/** When to try again after that many failures; undefined when it is dead. `random` is from [0, 1). */
export function nextDueAt(kind: JobKind, failures: number, now: number, random: number): number | undefined {
  const delay = RETRY_DELAYS[kind][failures - 1]
  return delay === undefined ? undefined : Math.round(now + delay * (1 + JITTER * random))
}
