import type { JobKind } from '../domain/job.ts'
import type { TakenJob } from '../services/work-queue.ts'

/** Taken at a time. */
const BATCH = 100
const SMALL_BATCH = 20

/**
 * No receiver gets more than this share of what may run at once, so that one
 * that hangs leaves room for the others.
 */
const GROUP_SHARE = 0.3

/** Leaving somebody's jobs alone makes looking for others' slow, so that is not done more often; in vain, less and less. */
const THROTTLE = 250
const LONGEST_THROTTLE = 1000

/**
 * The jobs of one kind that this worker has taken: some run, the others wait.
 *
 * Jobs whose lanes begin alike (`webhook:A:1`, `webhook:A:2`) are a group: they go to the
 * same receiver.
 */
export class KindQueue {
  readonly kind: JobKind
  /** There may be something due that it does not know of. */
  unsure = true
  readonly #limit: number
  readonly #groupLimit: number
  readonly #running = new Set<TakenJob>()
  #waiting: TakenJob[] = []
  readonly #runningOf = new Map<string, number>()
  readonly #waitingOf = new Map<string, number>()
  #askedAt = -Infinity
  #askedWithout = false
  #throttle = THROTTLE

  constructor(kind: JobKind, limit: number) {
    this.kind = kind
    this.#limit = limit
    this.#groupLimit = Math.max(1, Math.floor(limit * GROUP_SHARE))
  }

  /** What to take now: nothing while enough that could run is waiting, or when there was nothing left. */
  wish(now: number): { readonly limit: number; readonly without: readonly string[] } | undefined {
    if (!this.#wantsMore() || this.throttledFor(now) < Infinity) return undefined
    return { limit: Math.min(BATCH, Math.max(SMALL_BATCH, this.#limit)), without: this.#crowded() }
  }

  /** How long until it may ask, if it wants to and may not; otherwise forever. */
  throttledFor(now: number): number {
    if (!this.#wantsMore() || this.#crowded().length === 0 || !this.#askedWithout) return Infinity
    const rest = this.#askedAt + this.#throttle - now
    return rest > 0 ? rest : Infinity
  }

  /** It is being asked for. */
  asked(now: number): void {
    this.#askedAt = now
    this.#askedWithout = this.#crowded().length > 0
    this.unsure = false
  }

  add(jobs: readonly TakenJob[], more: boolean): void {
    if (more) this.unsure = true
    const inVain = this.#askedWithout && jobs.length === 0
    this.#throttle = inVain ? Math.min(LONGEST_THROTTLE, 2 * this.#throttle) : THROTTLE
    for (const job of jobs) {
      this.#waiting.push(job)
      count(this.#waitingOf, groupOf(job), 1)
    }
  }

  /** Whether there is a job that may run now. */
  hasNext(): boolean {
    return this.#nextIndex() >= 0
  }

  /** A job that may run now; it does from then on. */
  next(): TakenJob | undefined {
    const index = this.#nextIndex()
    if (index < 0) return undefined
    const [job] = this.#waiting.splice(index, 1) as [TakenJob]
    this.#running.add(job)
    count(this.#waitingOf, groupOf(job), -1)
    count(this.#runningOf, groupOf(job), 1)
    return job
  }

  ended(job: TakenJob): void {
    if (this.#running.delete(job)) count(this.#runningOf, groupOf(job), -1)
  }

  held(): TakenJob[] {
    return [...this.#running, ...this.#waiting]
  }

  /** What waits, which it does no longer. */
  drain(): TakenJob[] {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingOf.clear()
    return waiting
  }

  #nextIndex(): number {
    return this.#running.size < this.#limit ? this.#waiting.findIndex((job) => this.#hasRoom(job)) : -1
  }

  #wantsMore(): boolean {
    if (!this.unsure || this.#running.size >= this.#limit) return false
    let ready = 0
    for (const job of this.#waiting) if (this.#hasRoom(job)) ready++
    return ready <= this.#limit / 4
  }

  #hasRoom(job: TakenJob): boolean {
    const group = groupOf(job)
    return group === undefined || (this.#runningOf.get(group) ?? 0) < this.#groupLimit
  }

  /** Groups that have as many waiting as they may have running. */
  #crowded(): string[] {
    const crowded: string[] = []
    for (const [group, waiting] of this.#waitingOf) if (waiting >= this.#groupLimit) crowded.push(group)
    return crowded
  }
}

const groups = new WeakMap<TakenJob, string | undefined>()

/** `a:b:` of `a:b:c`; a lane of fewer parts is of no group. Asked of every job again and again, so it is kept. */
function groupOf(job: TakenJob): string | undefined {
  if (!groups.has(job)) {
    groups.set(job, job.lane === null ? undefined : /^[^:]+:.+:(?=[^:]*$)/.exec(job.lane)?.[0])
  }
  return groups.get(job)
}

function count(counts: Map<string, number>, group: string | undefined, by: number): void {
  if (group === undefined) return
  const sum = (counts.get(group) ?? 0) + by
  if (sum === 0) counts.delete(group)
  else counts.set(group, sum)
}
