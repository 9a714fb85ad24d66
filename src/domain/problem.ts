import { type Sentence, say, sentence } from './sentence.ts'

/**
 * The reasons for refusing a request. Codes are permanent; `http/problems.ts` gives
 * each its status. The message is a sentence for the person who sent the request.
 */
export type ProblemCode =
  | 'invalid'
  | 'not_found'
  | 'slot_unavailable'
  | 'host_unavailable'
  | 'duplicate_booking'
  | 'honeypot_filled'
  | 'captcha_missing'
  | 'captcha_failed'
  | 'captcha_unreachable'
  | 'email_blocked'
  | 'email_unconfirmed'
  | 'too_many_bookings'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'unauthenticated'
  | 'forbidden'
  | 'link_dead'
  | 'start_again'
  | 'state_conflict'
  | 'too_late'
  | 'slug_taken'
  | 'in_use'
  | 'changed_meanwhile'
  | 'unavailable'
  | 'outcome_unknown'

interface ProblemOptions extends ErrorOptions {
  /** The one field that the refusal is about, as a path on the wire: `questions.2.label`. */
  readonly field?: string | undefined
  /** In how many seconds the same request may succeed. */
  readonly retryAfter?: number
}

/** An expected refusal, as opposed to a bug. */
export class Problem extends Error {
  readonly code: ProblemCode
  /** What the message says in English, for those who read another language. */
  readonly sentence: Sentence
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, sentence: Sentence, options: ProblemOptions = {}) {
    super(say(sentence), options)
    this.name = 'Problem'
    this.code = code
    this.sentence = sentence
    this.field = options.field
    this.retryAfter = options.retryAfter
  }
}

/**
 * A refusal of one field, such as invalidField('seats', sentence`{field} must be a whole number.`)
 *
 * The message names the field as requests and files do. The host API puts the name that people know in its place.
 */
export function invalidField(field: string, complaint: Sentence, options: ErrorOptions = {}): Problem {
  return new Problem('invalid', { ...complaint, field }, { ...options, field })
}

/** Said when the answer to a commit is lost. */
export const OUTCOME_UNKNOWN = sentence`The database went away before it confirmed this, so it may or may not be saved. Please check before you repeat it. A booking can be repeated with the same Idempotency-Key: it is made only once.`
