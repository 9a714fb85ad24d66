/**
 * Everything that can be refused. Codes are permanent; `http/problems.ts` gives
 * each its status. The message is a sentence for the person who asked.
 */
export type ProblemCode =
  | 'invalid'
  | 'not_found'
  | 'slot_unavailable'
  | 'duplicate_booking'
  | 'honeypot_filled'
  | 'captcha_missing'
  | 'captcha_failed'
  | 'captcha_unreachable'
  | 'email_blocked'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'unauthenticated'
  | 'forbidden'
  | 'link_dead'
  | 'state_conflict'
  | 'too_late'
  | 'slug_taken'
  | 'in_use'
  | 'changed_meanwhile'
  | 'unavailable'

/** An expected refusal, as opposed to a bug. */
export class Problem extends Error {
  readonly code: ProblemCode

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Problem'
    this.code = code
  }
}
