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
