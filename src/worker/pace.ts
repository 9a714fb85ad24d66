import type { JobKind } from '../domain/job.ts'

/**
 * Jobs that may begin in a second, of each kind, while guests need the whole event loop.
 *
 * Chosen from the processor time that jobs took when they were done alone: three or four milliseconds for a
 * mail, one to three for an announcement, about one for a delivery.
 * They are a floor: however busy it is, nothing waits for ever.
 */
export const BUSY_RATES: Readonly<Record<JobKind, number>> = {
  announce: 8,
  'announce-response': 4,
  mail: 10,
  reminder: 4,
  webhook: 330,
  'webhook-disabled': 1,
  'calendar-write': 4,
}

/** How the event loop was, lately. */
export interface LoopState {
  /** The share of the time in which it had something to do, whoever's it was: from 0 to 1. */
  readonly utilisation: number
  /** Requests that came in a second. */
  readonly requestRate: number
}

/** Above this, whoever comes next has to wait. */
const FULL = 0.85

/** With fewer requests, it is the worker itself that fills the loop, and may. */
const FEW_REQUESTS = 50

/** From this many times the busy rates on, there is no limit. */
const EASED = 64

/**
 * How many times the busy rates are allowed next: at once no more than one when it gets crowded,
 * then twice as much each time that it is not, until there is no limit.
 */
export function nextEase(ease: number, { utilisation, requestRate }: LoopState): number {
  if (utilisation > FULL && requestRate >= FEW_REQUESTS) return 1
  return ease >= EASED ? Infinity : ease * 2
}

/** Jobs of a kind that may begin in a second. */
export function rateOf(kind: JobKind, ease: number): number {
  return BUSY_RATES[kind] * ease
}

/** What may be saved up, in seconds: little, so that a pause is not followed by a rush. */
const SAVED = 0.05

/** Deals out the allowance, evenly over time. Times are milliseconds of a clock that never goes back. */
export class Pace {
  #ease = Infinity
  readonly #accounts = new Map<JobKind, { balance: number; at: number }>()

  get isLimited(): boolean {
    return this.#ease < Infinity
  }

  observe(state: LoopState): void {
    this.#ease = nextEase(this.#ease, state)
    if (!this.isLimited) this.#accounts.clear()
  }

  /** Whether one more of this kind may begin now; if so, it counts as begun. */
  mayBegin(kind: JobKind, now: number): boolean {
    if (!this.isLimited) return true
    const rate = rateOf(kind, this.#ease)
    const most = Math.max(1, rate * SAVED)
    const { balance, at } = this.#accounts.get(kind) ?? { balance: 0, at: now }
    const grown = Math.min(most, balance + ((now - at) * rate) / 1000)
    const allowed = grown >= 1
    this.#accounts.set(kind, { balance: allowed ? grown - 1 : grown, at: now })
    return allowed
  }

  /** Milliseconds until one of this kind may begin. */
  waitFor(kind: JobKind): number {
    const { balance } = this.#accounts.get(kind) ?? { balance: 0 }
    return this.isLimited ? Math.max(0, ((1 - balance) * 1000) / rateOf(kind, this.#ease)) : 0
  }
}
