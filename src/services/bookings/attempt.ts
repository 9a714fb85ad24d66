import {
  type Cap,
  type Decision,
  type Findings,
  type Need,
  type Plan,
  refused,
} from '../../domain/bookings/decisions/decision.ts'
import { deadLink, duplicateBooking, slotUnavailable } from '../../domain/bookings/decisions/refusals.ts'
import type { Interval } from '../../domain/interval.ts'
import { guestKey } from '../../domain/people/guest-key.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { decideUnderLock } from '../../store/bookings/write-path.ts'
import { brokenConstraint } from '../../store/engine/database.ts'
import { newId } from '../../store/new-id.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { checkCalendars } from '../calendars/live-check.ts'
import type { Context } from '../context.ts'
import { mayGetMore } from './guest/mail-cap.ts'

/** Makes the plan, when settings were outdated from newer ones. It may refuse by throwing a `Problem`. */
export type Prepare<T> = (isOutdated: boolean) => Plan<T> | Promise<Plan<T>>

/** Settings that change faster than this many decisions are made are not waited for. */
const MOST_RELOADS = 5

/** All calendars together have this long to answer, in milliseconds. */
const CALENDARS_LIMIT = 2000

/**
 * The one loop of everything that changes a booking: asks and decides under the lock, writes, and is done; or finds
 * what the decision still needs, without any lock, and decides again.
 *
 * Throws the refusal of the decision, or of the database, as `explain` says it.
 */
export async function attempt<T>(
  context: Context,
  prepare: Prepare<T>,
  explain: (refusal: Problem) => Problem | Promise<Problem> = (refusal) => refusal,
): Promise<T> {
  const found = new FoundSoFar(context)
  let plan = await prepare(false)
  for (let reloads = 0; ; ) {
    const decision = await decideOnce(context, plan, found)
    if (decision.kind === 'done') return decision.result
    if (decision.kind === 'refused') throw await explain(decision.problem)
    const { need } = decision
    context.decidedAgain[need.what]++
    if (need.what === 'settings' && ++reloads === MOST_RELOADS) throw settingsKeepChanging()
    const isOutdated = await found.meet(need, plan.spans ?? [])
    if (isOutdated) plan = await prepare(true)
  }
}

/** Decides under the lock. What the database refuses is refused. */
async function decideOnce<T>(
  context: Context,
  plan: Plan<T>,
  found: Findings,
  isAgain = false,
): Promise<Decision<T>> {
  try {
    return await decideUnderLock(context.db, plan.question, (ledger) =>
      plan.decide(ledger, { now: context.now(), newId, found }),
    )
  } catch (error) {
    // Another instance has answered the same request: the next decision finds that answer.
    if (brokenConstraint(error) === 'unique' && plan.question.retry !== undefined && !isAgain) {
      context.decidedAgain.answer++
      return decideOnce(context, plan, found, true)
    }
    const refusal = refusalBehind(error)
    if (refusal === undefined) throw error
    return refused(refusal)
  }
}

/** The refusal that a constraint of the database stands for: the last net below the decisions. */
function refusalBehind(error: unknown): Problem | undefined {
  const constraint = brokenConstraint(error)
  if (constraint === 'duplicate_booking') return duplicateBooking()
  if (constraint === 'link_used') return deadLink('used')
  if (constraint === 'host_overlap' || constraint === 'seat_taken') return slotUnavailable()
  return undefined
}

const settingsKeepChanging = () =>
  new Problem('unavailable', sentence`These settings are being changed. Please try again in a moment.`)

/** What was found out for one request, outside of any lock. */
class FoundSoFar implements Findings {
  readonly asked = new Set<string>()
  readonly silent = new Set<string>()
  readonly exempt: Readonly<Record<Cap, Set<string>>> = { mails: new Set(), open: new Set() }
  readonly #context: Context
  /** From the first question to a calendar on. */
  #limit: AbortSignal | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** Finds what is needed; throws the refusal if that can't be. Returns whether settings must be read again. */
  async meet(need: Need, spans: readonly Interval[]): Promise<boolean> {
    if (need.what === 'settings') return true
    if (need.what === 'calendars') return this.#askCalendars(need.hostIds, spans)
    const { cap, email, otherwise } = need
    if (!(await isExempt(this.#context, cap, email))) throw otherwise
    this.exempt[cap].add(guestKey(email))
    return false
  }

  /**
   * Asks these hosts' calendars. What they have is stored with the settings, so that a round robin moves on to a host
   * who is free. Hosts are asked once for each booking, which ends this.
   */
  async #askCalendars(hostIds: readonly string[], spans: readonly Interval[]): Promise<boolean> {
    this.#limit ??= AbortSignal.timeout(CALENDARS_LIMIT)
    const signal = this.#limit
    const { busy, unknown } = await checkCalendars(this.#context, hostIds, spans, signal)
    for (const id of hostIds) this.asked.add(id)
    for (const id of unknown) this.silent.add(id)
    return busy.length > 0
  }
}

/** Asked late: hardly anyone gets this far. */
const isExempt = async (context: Context, cap: Cap, email: string): Promise<boolean> =>
  cap === 'mails' ? mayGetMore(context, email) : (await findUserByEmail(context.db, email)) !== undefined
