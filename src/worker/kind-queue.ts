import type { JobKind } from '../domain/job.ts'
import type { TakenJob } from '../services/work-queue.ts'

/** Jobs taken per query. */
const BATCH = 100
const SMALL_BATCH = 20

/** No receiver gets more than this share of the running jobs, so that one that hangs leaves room for the others. */
const RECEIVER_SHARE = 0.3
/** No owner gets more than this, however many receivers they have. */
const OWNER_SHARE = 0.4

/** Excluding busy receivers makes the query slow: run it at most every 250 ms, backing off to 1 s. */
const THROTTLE = 250
const LONGEST_THROTTLE = 1000

/**
 * The jobs of one kind that this worker has taken: some run, the others wait.
 *
 * Jobs whose lanes share a prefix are a group. `webhook:A:B:1` is of the owner `A` and goes to the receiver `B`;
 * `calendar:B:1` names no owner.
 */
export class KindQueue {
  readonly kind: JobKind
  /** The outbox may have more jobs that are due. */
  mayHaveMore = true
  readonly #limit: number
  /** With so many running, more may start after the limit was reached. */
  readonly #refillAt: number
  #isFull = false
  readonly #receiverLimit: number
  readonly #ownerLimit: number
  readonly #running = new Set<TakenJob>()
  #waiting: TakenJob[] = []
  /** Running jobs by receiver and by owner, waiting ones by receiver. */
  readonly #runningOf = new Map<string, number>()
  readonly #waitingOf = new Map<string, number>()
  #queriedAt = -Infinity
  #excludedGroups = false
  #throttle = THROTTLE

  /** `inGroups`: once the limit is reached, nothing starts until half of the jobs have ended, and then many do at once. */
  constructor(kind: JobKind, limit: number, inGroups = false) {
    this.kind = kind
    this.#limit = limit
    this.#refillAt = inGroups ? Math.floor(limit / 2) : limit - 1
    this.#receiverLimit = Math.max(1, Math.floor(limit * RECEIVER_SHARE))
    this.#ownerLimit = Math.max(1, Math.floor(limit * OWNER_SHARE))
  }

  /** How many jobs to take now, and of which groups none; undefined if none are needed, or none are left. */
  wanted(now: number): { readonly limit: number; readonly without: readonly string[] } | undefined {
    if (!this.#wantsMore() || this.throttledFor(now) < Infinity) return undefined
    return { limit: Math.min(BATCH, Math.max(SMALL_BATCH, this.#limit)), without: this.#fullGroups() }
  }

  /** Milliseconds until the next query, if one is wanted and held back; otherwise infinite. */
  throttledFor(now: number): number {
    if (!this.#wantsMore() || this.#fullGroups().length === 0 || !this.#excludedGroups) return Infinity
    const rest = this.#queriedAt + this.#throttle - now
    return rest > 0 ? rest : Infinity
  }

  /** Notes that a query begins. */
  querying(now: number): void {
    this.#queriedAt = now
    this.#excludedGroups = this.#fullGroups().length > 0
    this.mayHaveMore = false
  }

  add(jobs: readonly TakenJob[], more: boolean): void {
    if (more) this.mayHaveMore = true
    const foundNone = this.#excludedGroups && jobs.length === 0
    this.#throttle = foundNone ? Math.min(LONGEST_THROTTLE, 2 * this.#throttle) : THROTTLE
    for (const job of jobs) {
      this.#waiting.push(job)
      count(this.#waitingOf, groupsOf(job).receiver, 1)
    }
  }

  /** Whether there is a job that may run now. */
  hasNext(): boolean {
    return this.#nextIndex() >= 0
  }

  /** Moves a job that may run now from waiting to running, and returns it. */
  next(): TakenJob | undefined {
    const index = this.#nextIndex()
    if (index < 0) return undefined
    const [job] = this.#waiting.splice(index, 1) as [TakenJob]
    this.#running.add(job)
    if (this.#running.size >= this.#limit) this.#isFull = true
    const { receiver, owner } = groupsOf(job)
    count(this.#waitingOf, receiver, -1)
    for (const group of [receiver, owner]) count(this.#runningOf, group, 1)
    return job
  }

  ended(job: TakenJob): void {
    if (!this.#running.delete(job)) return
    if (this.#running.size <= this.#refillAt) this.#isFull = false
    const { receiver, owner } = groupsOf(job)
    for (const group of [receiver, owner]) count(this.#runningOf, group, -1)
  }

  held(): TakenJob[] {
    return [...this.#running, ...this.#waiting]
  }

  /** Removes all waiting jobs, and returns them. */
  drain(): TakenJob[] {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingOf.clear()
    return waiting
  }

  #nextIndex(): number {
    return this.#isFull ? -1 : this.#waiting.findIndex((job) => this.#hasRoom(job))
  }

  #wantsMore(): boolean {
    if (!this.mayHaveMore || this.#running.size >= this.#limit) return false
    let ready = 0
    for (const job of this.#waiting) if (this.#hasRoom(job)) ready++
    return ready <= this.#limit / 4
  }

  #hasRoom(job: TakenJob): boolean {
    const { receiver, owner } = groupsOf(job)
    const running = (group = '') => this.#runningOf.get(group) ?? 0
    return running(receiver) < this.#receiverLimit && running(owner) < this.#ownerLimit
  }

  /**
   * Groups that have as many jobs waiting as may run at once.
   *
   * For an owner, a receiver's jobs count only as far as they may run: if one receiver hangs, jobs for the owner's others
   * are still looked for.
   */
  #fullGroups(): string[] {
    const full: string[] = []
    const waitingOfOwner = new Map<string, number>()
    for (const [receiver, waiting] of this.#waitingOf) {
      if (waiting >= this.#receiverLimit) full.push(receiver)
      count(waitingOfOwner, ownerOf(receiver), Math.min(waiting, this.#receiverLimit))
    }
    for (const [owner, waiting] of waitingOfOwner) if (waiting >= this.#ownerLimit) full.push(owner)
    return full
  }
}

/** The beginnings of a job's lane, as far as it has them. */
interface Groups {
  readonly receiver: string | undefined
  readonly owner: string | undefined
}

const groups = new WeakMap<TakenJob, Groups>()

/** Kept, because they are needed often. */
function groupsOf(job: TakenJob): Groups {
  let known = groups.get(job)
  if (known === undefined) {
    const receiver = /^[^:]+:.+:(?=[^:]*$)/.exec(job.lane ?? '')?.[0]
    known = { receiver, owner: ownerOf(receiver) }
    groups.set(job, known)
  }
  return known
}

const ownerOf = (receiver = '') => /^[^:]+:[^:]+:(?=.)/.exec(receiver)?.[0]

function count(counts: Map<string, number>, group: string | undefined, by: number): void {
  if (group === undefined) return
  const sum = (counts.get(group) ?? 0) + by
  if (sum === 0) counts.delete(group)
  else counts.set(group, sum)
}
