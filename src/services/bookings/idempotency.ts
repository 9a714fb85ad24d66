import { createHash } from 'node:crypto'
import type { Booking } from '../../domain/bookings/booking.ts'
import { Problem, type ProblemCode } from '../../domain/problem.ts'
import { type Sentence, sentence, verbatim } from '../../domain/sentence.ts'
import { findAnswer, insertAnswer, type RememberedAnswer } from '../../store/bookings/idempotency-keys.ts'
import { brokenConstraint } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'

/** A request that may be repeated: the same key and body get the first answer again. */
export interface Retry {
  readonly eventTypeId: string
  readonly key: string
  readonly bodyHash: string
}

const REMEMBERED_FOR = 24 * 3_600_000

export function retryOf(eventTypeId: string, key: string, body: object): Retry {
  return { eventTypeId, key, bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('hex') }
}

/**
 * Runs the attempt unless this key already has an answer, and stores a refusal as that answer.
 *
 * The attempt itself looks for an answer under its lock. `lookFirst` spares what it would spend before that.
 */
export async function answerOnce(
  context: Context,
  retry: Retry,
  lookFirst: boolean,
  attempt: () => Promise<Booking>,
): Promise<Booking> {
  const remembered = lookFirst ? await recall(context, retry) : undefined
  if (remembered !== undefined) return remembered
  try {
    return await attempt()
  } catch (error) {
    if (brokenConstraint(error) === 'unique') {
      // Another instance answered first, and this attempt was rolled back.
      const answered = await recall(context, retry)
      if (answered !== undefined) return answered
    }
    if (!(error instanceof Problem) || !isFinal(error)) throw error
    return remember(context, retry, error)
  }
}

/** The first answer to this key, returned or thrown as it was then; undefined if there is none. */
export function readAnswer(
  found: RememberedAnswer | undefined,
  retry: Retry,
  now: number,
): Booking | undefined {
  if (found === undefined || found.expiresAt <= now) return undefined
  if (found.bodyHash !== retry.bodyHash) {
    throw new Problem(
      'idempotency_mismatch',
      sentence`This Idempotency-Key was used before, with another body.`,
    )
  }
  const answer = JSON.parse(found.answer) as Answer
  if ('problem' in answer) {
    const { code, message, sentence: said = verbatim(message) } = answer.problem
    throw new Problem(code, said)
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

// A later attempt could get a better answer than these.
const PASSING: ReadonlySet<ProblemCode> = new Set([
  'rate_limited',
  // The guest may get a code for it yet.
  'email_unconfirmed',
  // A repeat at another instance may have spent the solution; that one has the answer.
  'captcha_failed',
  'captcha_unreachable',
  'unavailable',
  'outcome_unknown',
  'idempotency_mismatch',
])

const isFinal = (problem: Problem) => !PASSING.has(problem.code)

async function recall({ db, now }: Context, retry: Retry): Promise<Booking | undefined> {
  return readAnswer(await findAnswer(db, retry.eventTypeId, retry.key, now()), retry, now())
}

/** Stores a refusal; if the same key was answered meanwhile, that answer stands. */
async function remember(context: Context, retry: Retry, problem: Problem): Promise<Booking> {
  const now = context.now()
  const { code, message, sentence: said } = problem
  try {
    await insertAnswer(context.db, answerOf(retry, { problem: { code, message, sentence: said } }, now), now)
  } catch (error) {
    if (brokenConstraint(error) !== 'unique') throw error
    const answered = await recall(context, retry)
    if (answered !== undefined) return answered
  }
  throw problem
}
