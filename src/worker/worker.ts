import { setTimeout as sleep } from 'node:timers/promises'
import { JOBS, type JobKind } from '../domain/job.ts'
import type { Context } from '../services/context.ts'
import { type JobOutcome, openWorkQueue, type TakenJob, type WorkQueue } from '../services/work-queue.ts'
import type { Handler, Handlers } from './handler.ts'
import { KindQueue } from './kind-queue.ts'
import { type LoopState, Pace } from './pace.ts'
import type { Sweep } from './sweeps.ts'

export interface WorkerOptions {
  readonly handlers: Handlers
  readonly sweeps?: readonly Sweep[]
  /** How many of a kind run at once, if not as many as usual. */
  readonly concurrency?: Readonly<Partial<Record<JobKind, number>>>
  /** Milliseconds that this worker may keep a job without renewing its lease. */
  readonly lease?: number
  /** How often it looks for jobs, in case a notification was lost. */
  readonly pollEvery?: number
  /** How long stopping waits for running jobs. */
  readonly grace?: number
  /** Measures the event loop. Without it, the worker never slows down for requests. */
  readonly loop?: () => LoopState
  readonly onError?: (error: Error, what: string) => void
}

export interface Worker {
  /** Starts no more jobs, and waits for the running ones until `grace` is over. */
  stop(): Promise<void>
}

/** With the pause between two looks, the jobs of an instance that was killed go to another within 15 seconds. */
const LEASE = 9000
/** While jobs run, it looks this often for others that have become due. */
const BUSY_EVERY = 1000
/** Pause after the database has failed. */
const RECOVER_AFTER = 1000
/** Jobs that end within this time are completed in one batch. */
const BATCH_WITHIN = 50
const BATCH_SIZE = 100
/** How often it measures the event loop. */
const WATCH_EVERY = 200
/** While it is slowed down, it takes jobs at most this often, even if it is woken. */
const TAKE_EVERY = 100
/** And it starts jobs at most this often. */
const START_EVERY = 30

/** Starts a worker that does the jobs of the outbox. */
export function startWorker(context: Context, options: WorkerOptions): Worker {
  return new OutboxWorker(context, options)
}

interface Done extends JobOutcome {
  readonly job: TakenJob
  readonly from: KindQueue
}

class OutboxWorker implements Worker {
  readonly #context: Context
  readonly #queue: WorkQueue
  readonly #kinds: readonly KindQueue[]
  readonly #handlers: Handlers
  readonly #options: Required<Pick<WorkerOptions, 'lease' | 'pollEvery' | 'grace' | 'onError'>>
  readonly #running = new Set<Promise<void>>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #pace = new Pace()
  /** Kinds that are slowed down, with the timer that starts their next job. */
  readonly #held = new Map<KindQueue, NodeJS.Timeout>()
  readonly #ending = new AbortController()
  readonly #stopListening: () => Promise<void>
  readonly #loop: Promise<void>
  /** When each kind was last taken from the outbox. */
  readonly #takenAt = new Map<JobKind, number>()
  /** Done, but not yet completed in the outbox. */
  #done: Done[] = []
  #completing: Promise<void> | undefined
  #stopping = false
  #stopped = false
  #nudge: () => void = () => {}
  #nudged = false

  constructor(context: Context, options: WorkerOptions) {
    const { handlers, sweeps = [], concurrency = {} } = options
    const { lease = LEASE, pollEvery = 5000, grace = 10_000, onError = () => {} } = options
    this.#context = context
    this.#handlers = handlers
    this.#options = { lease, pollEvery, grace, onError }
    this.#queue = openWorkQueue(context, lease)
    this.#kinds = (Object.keys(handlers) as JobKind[]).map(
      (kind) => new KindQueue(kind, concurrency[kind] ?? JOBS[kind].atOnce, JOBS[kind].inGroups),
    )
    this.#stopListening = this.#queue.listen(
      (kinds) => this.#lookAgain(kinds),
      (error) => onError(error, 'could not listen for jobs'),
    )
    this.#timers.add(setInterval(() => this.#track(this.#renew(), 'could not renew leases'), lease / 3))
    const { loop } = options
    if (loop !== undefined) this.#timers.add(setInterval(() => this.#pace.observe(loop()), WATCH_EVERY))
    for (const sweep of sweeps) this.#sweepRegularly(sweep)
    this.#loop = this.#work()
  }

  async stop(): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    this.#ending.abort()
    for (const timer of this.#held.values()) clearTimeout(timer)
    this.#track(this.#stopListening(), 'could not stop listening for jobs')
    this.#wake()
    await this.#loop
    // Jobs that have not started are released for other instances.
    const waiting = this.#kinds.flatMap((kind) => kind.drain())
    await this.#release(waiting)
    await this.#waitForRunning()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#completeDone()
    this.#stopped = true
  }

  /** Waits until all running jobs have ended, or `grace` is over. */
  async #waitForRunning(): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#options.grace)
    const ended = async () => {
      while (this.#running.size > 0) await Promise.all(this.#running)
    }
    await Promise.race([ended(), timeout])
    clearTimeout(timer)
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      let rest: number
      try {
        await Promise.all(this.#kinds.map((kind) => this.#take(kind)))
        rest = await this.#restFor()
      } catch (error) {
        this.#options.onError(error as Error, 'could not take jobs')
        for (const kind of this.#kinds) kind.mayHaveMore = true
        rest = RECOVER_AFTER
      }
      if (this.#pace.isLimited) await sleep(TAKE_EVERY, undefined, this.#ending).catch(() => {})
      if (!(await this.#sleep(rest))) for (const kind of this.#kinds) kind.mayHaveMore = true
    }
  }

  async #take(kind: KindQueue): Promise<void> {
    const wanted = kind.wanted(performance.now())
    if (wanted === undefined || this.#stopping) return
    // Noted before the query, which may miss jobs that are written while it runs.
    kind.querying(performance.now())
    const moment = this.#context.now()
    this.#takenAt.set(kind.kind, moment)
    const taken = await this.#queue.take(kind.kind, moment, wanted.limit, wanted.without)
    // If this process or the clock stood still, leases run out while their jobs still run here.
    const held = this.#heldIds()
    kind.add(
      taken.filter(({ id }) => !held.has(id)),
      taken.length === wanted.limit,
    )
    this.#start(kind)
  }

  /** Starts jobs that may run now; later, if requests need the event loop. */
  #start(kind: KindQueue): void {
    while (!this.#stopping && kind.hasNext()) {
      if (!this.#pace.mayStart(kind.kind, performance.now())) {
        this.#startLater(kind)
        return
      }
      const job = kind.next() as TakenJob
      this.#track(this.#run(kind, job), `could not record the end of a job (${job.kind} ${job.id})`)
    }
  }

  #startLater(kind: KindQueue): void {
    if (this.#held.has(kind)) return
    const again = () => {
      this.#held.delete(kind)
      this.#start(kind)
    }
    this.#held.set(kind, setTimeout(again, Math.max(START_EVERY, this.#pace.waitFor(kind.kind))))
  }

  async #run(kind: KindQueue, job: TakenJob): Promise<void> {
    const handler = this.#handlers[job.kind] as Handler
    let outcome: JobOutcome = {}
    try {
      await handler(this.#context, job, (ended) => {
        outcome = ended
      })
    } catch (error) {
      await this.#failed(kind, job, error)
      return
    }
    if (this.#stopped) return
    this.#done.push({ job, from: kind, ...outcome })
    if (this.#done.length >= BATCH_SIZE) void this.#completeDone()
    else if (this.#done.length === 1) setTimeout(() => this.#completeDone(), BATCH_WITHIN)
    kind.ended(job)
    this.#start(kind)
    if (kind.wanted(performance.now()) !== undefined) this.#wake()
  }

  async #failed(kind: KindQueue, job: TakenJob, thrown: unknown): Promise<void> {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    try {
      const fate = await this.#queue.fail(job, error)
      if (fate === 'dead') this.#options.onError(error, `gave up on a job (${job.kind} ${job.id})`)
    } finally {
      kind.ended(job)
      kind.mayHaveMore = true
      this.#start(kind)
      this.#wake()
    }
  }

  /** Completes jobs in batches. Until then they are only leased, and would be repeated after a crash. */
  #completeDone(): Promise<void> {
    this.#completing ??= this.#completeAll().finally(() => {
      this.#completing = undefined
    })
    return this.#completing
  }

  async #completeAll(): Promise<void> {
    while (this.#done.length > 0) {
      const done = this.#done
      this.#done = []
      try {
        const rejected = await this.#queue.complete(
          done.map(({ job: { id }, delivery, traces }) => ({ id, delivery, traces })),
        )
        for (const { id, error } of rejected) {
          const { job, from } = done.find((one) => one.job.id === id) as Done
          await this.#failed(from, job, error)
        }
      } catch (error) {
        this.#options.onError(error as Error, 'could not complete jobs')
        this.#done.push(...done)
        if (this.#stopping) return
        setTimeout(() => this.#completeDone(), RECOVER_AFTER)
        return
      }
      // The next job of their lane may be waiting.
      const laned = done.filter(({ job }) => job.lane !== null)
      for (const { from } of laned) from.mayHaveMore = true
      if (laned.length > 0) this.#wake()
    }
  }

  async #renew(): Promise<void> {
    const ids = [...this.#heldIds()]
    if (ids.length > 0) await this.#queue.renew(ids)
  }

  /** Jobs that run or wait here, and those that are done but not completed. */
  #heldIds(): Set<number> {
    const held = this.#kinds.flatMap((kind) => kind.held())
    return new Set([...held, ...this.#done.map(({ job }) => job)].map(({ id }) => id))
  }

  async #release(jobs: readonly TakenJob[]): Promise<void> {
    if (jobs.length === 0) return
    try {
      await this.#queue.release(jobs.map(({ id }) => id))
    } catch (error) {
      this.#options.onError(error as Error, 'could not release jobs')
    }
  }

  #sweepRegularly({ name, every, run }: Sweep): void {
    let busy = false
    const sweep = () => {
      if (busy || this.#stopping) return
      busy = true
      const swept = run(this.#context).finally(() => {
        busy = false
      })
      this.#track(swept, `could not ${name}`)
    }
    this.#timers.add(setInterval(sweep, every))
    sweep()
  }

  /** Remembers a task until it has ended, and reports its failure as `what`. */
  #track(task: Promise<void>, what: string): void {
    const tracked = task
      .catch((error: Error) => {
        if (!this.#stopped) this.#options.onError(error, what)
      })
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  /** Milliseconds until there may be something to do. */
  async #restFor(): Promise<number> {
    if (this.#kinds.some((kind) => kind.wanted(performance.now()) !== undefined)) return 0
    const throttled = Math.min(...this.#kinds.map((kind) => kind.throttledFor(performance.now())))
    if (throttled < Infinity) return throttled
    if (this.#kinds.some((kind) => kind.held().length > 0)) return BUSY_EVERY
    // Counted from the last query: jobs may have become due since.
    const next = await this.#queue.nextDue(this.#takenAt)
    const { pollEvery } = this.#options
    return next === undefined ? pollEvery : Math.max(0, Math.min(pollEvery, next - this.#context.now()))
  }

  #lookAgain(kinds: readonly JobKind[] | undefined): void {
    for (const kind of this.#kinds) if (kinds?.includes(kind.kind) ?? true) kind.mayHaveMore = true
    this.#wake()
  }

  #wake(): void {
    this.#nudged = true
    this.#nudge()
  }

  /** Resolves to true when it was woken, and to false after `time`. */
  async #sleep(time: number): Promise<boolean> {
    if (!this.#nudged && !this.#stopping) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, time)
      this.#nudge = resolve
      await promise
      clearTimeout(timer)
      this.#nudge = () => {}
    }
    const woken = this.#nudged
    this.#nudged = false
    return woken
  }
}
