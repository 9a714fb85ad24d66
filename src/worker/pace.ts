import { JOBS, type JobKind } from '../domain/job.ts'

/** The event loop since the last measurement. */
export interface LoopState {
  /** The share of the time in which it was busy, from 0 to 1. */
  readonly utilisation: number
  /** Requests per second. */
  readonly requestRate: number
}

/** Above this utilisation, requests have to wait. */
const FULL = 0.85

/** With fewer requests per second, the worker itself fills the loop, and need not slow down. */
const FEW_REQUESTS = 50

/** Above this multiple of the busy rates, the limit is lifted. */
const EASED = 64

/**
 * The next multiple of the busy rates: 1 as soon as the loop is full, then doubled at each measurement until the limit
 * is lifted.
 */
export function nextEase(ease: number, { utilisation, requestRate }: LoopState): number {
  if (utilisation > FULL && requestRate >= FEW_REQUESTS) return 1
  return ease >= EASED ? Infinity : ease * 2
}

/** Jobs of a kind that may start per second. */
export function rateOf(kind: JobKind, ease: number): number {
  return JOBS[kind].busyRate * ease
}

/** Seconds of allowance that can be saved up: few, so that no burst follows a pause. */
const SAVED = 0.05

/** A token bucket for each kind of job. Times are milliseconds of a monotonic clock. */
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

  /** Whether one more job of this kind may start now; if so, it is counted. */
  mayStart(kind: JobKind, now: number): boolean {
    if (!this.isLimited) return true
    const rate = rateOf(kind, this.#ease)
    const most = Math.max(1, rate * SAVED)
    const { balance, at } = this.#accounts.get(kind) ?? { balance: 0, at: now }
    const grown = Math.min(most, balance + ((now - at) * rate) / 1000)
    const allowed = grown >= 1
    this.#accounts.set(kind, { balance: allowed ? grown - 1 : grown, at: now })
    return allowed
  }

  /** Milliseconds until a job of this kind may start. */
  waitFor(kind: JobKind): number {
    const { balance } = this.#accounts.get(kind) ?? { balance: 0 }
    return this.isLimited ? Math.max(0, ((1 - balance) * 1000) / rateOf(kind, this.#ease)) : 0
  }
}
