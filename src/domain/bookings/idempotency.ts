import { Problem, type ProblemCode } from '../problem.ts'
import { type Sentence, sentence, verbatim } from '../sentence.ts'
import type { Booking } from './booking.ts'

/** A request that may be repeated: the same key and body get the first answer again. */
export interface Retry {
  readonly eventTypeId: string
  readonly key: string
  readonly bodyHash: string
}

/** The stored response to a request with an idempotency key. */
export interface RememberedAnswer {
  readonly eventTypeId: string
  readonly key: string
  readonly bodyHash: string
  /** The booking, or the problem, as JSON. */
  readonly answer: string
  readonly expiresAt: number
}

const REMEMBERED_FOR = 24 * 3_600_000

/** The first answer to this key, a booking or a refusal; undefined if there is none. */
export function readAnswer(
  found: RememberedAnswer | undefined,
  retry: Retry,
  now: number,
): Booking | Problem | undefined {
  if (found === undefined || found.expiresAt <= now) return undefined
  if (found.bodyHash !== retry.bodyHash) {
    return new Problem(
      'idempotency_mismatch',
      sentence`This Idempotency-Key was used before, with another body.`,
    )
  }
  const answer = JSON.parse(found.answer) as Answer
  if ('problem' in answer) {
    const { code, message, sentence: said = verbatim(message) } = answer.problem
    return new Problem(code, said)
  }
  return answer.booking
}

export function answerOf(
  { eventTypeId, key, bodyHash }: Retry,
  answer: Answer,
  now: number,
): RememberedAnswer {
  return { eventTypeId, key, bodyHash, answer: JSON.stringify(answer), expiresAt: now + REMEMBERED_FOR }
}

type Answer = { booking: Booking } | { problem: StoredProblem }

interface StoredProblem {
  readonly code: ProblemCode
  readonly message: string
  /** Missing in answers that older versions stored. A repeat may ask for another language. */
  readonly sentence?: Sentence
}
