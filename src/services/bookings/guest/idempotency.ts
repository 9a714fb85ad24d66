import { createHash } from 'node:crypto'
import type { Booking } from '../../../domain/bookings/booking.ts'
import type { Booked } from '../../../domain/bookings/decisions/decide-booking.ts'
import { answerOf, type Retry, readAnswer } from '../../../domain/bookings/idempotency.ts'
import { Problem, type ProblemCode } from '../../../domain/problem.ts'
import { findAnswer, insertAnswer } from '../../../store/bookings/idempotency-keys.ts'
import { brokenConstraint } from '../../../store/engine/database.ts'
import type { Context } from '../../context.ts'

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
  attempt: () => Promise<Booked>,
): Promise<Booked> {
  const remembered = lookFirst ? await recall(context, retry) : undefined
  if (remembered !== undefined) return remembered
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Problem) || !isFinal(error)) throw error
    return remember(context, retry, error)
  }
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

/** The first answer to this key, returned or thrown as it was then; undefined if there is none. */
async function recall({ db, now }: Context, retry: Retry): Promise<Booking | undefined> {
  const answer = readAnswer(await findAnswer(db, retry.eventTypeId, retry.key, now()), retry, now())
  if (answer instanceof Problem) throw answer
  return answer
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
