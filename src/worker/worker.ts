import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind } from '../domain/job.ts'
import type { Context } from '../services/context.ts'
import { type CompletedJob, openWorkQueue, type TakenJob, type WorkQueue } from '../services/work-queue.ts'
import type { Handler, Handlers } from './handler.ts'
import { KindQueue } from './kind-queue.ts'
import { type LoopState, Pace } from './pace.ts'
import type { Sweep } from './sweeps.ts'

/** How many jobs of a kind run at once; ten unless said. */
export const CONCURRENCY: Readonly<Partial<Record<JobKind, number>>> = { mail: 5, webhook: 100 }

export interface WorkerOptions {
  readonly handlers: Handlers
  readonly sweeps?: readonly Sweep[]
  readonly concurrency?: Readonly<Partial<Record<JobKind, number>>>
  /** Milliseconds that a job is left to this worker, unless it says that it goes on. */
  readonly lease?: number
  /** The net under everything that should have woken it. */
  readonly pollEvery?: number
  /** How long stopping waits for what runs. */
  readonly grace?: number
  /** How the event loop was since it was last asked; left out: there is nobody to give way to. */
  readonly loop?: () => LoopState
  readonly onError?: (error: Error, what: string) => void
}

export interface Worker {
  /** Begins nothing more, and waits for what runs, but not forever. */
  stop(): Promise<void>
}

const USUAL_CONCURRENCY = 10
/** While it is busy, it looks again this often for what has become due. */
const BUSY_EVERY = 1000
/** After a failure of the database itself. */
const RECOVER_AFTER = 1000
/** Jobs that end within this time are struck off together. */
const GATHER = 50
const GATHER_AT_MOST = 100
/** How often it asks how the event loop is. */
const WATCH_EVERY = 200
/** While it gives way to others, it does not look more often than this, whoever wakes it. */
const LOOK_EVERY = 100
/** Nor does it begin something more often. */
const BEGIN_EVERY = 30

/** Starts doing what the outbox holds. */
export function startWorker(context: Context, options: WorkerOptions): Worker {
  return new OutboxWorker(context, options)
}

interface Done extends Pick<CompletedJob, 'delivery'> {
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
  /** Kinds that are to begin again when their allowance has grown. */
  readonly #held = new Map<KindQueue, NodeJS.Timeout>()
  readonly #ending = new AbortController()
  readonly #silence: () => Promise<void>
  readonly #loop: Promise<void>
  /** The moment for which each kind was last asked. */
  readonly #askedFor = new Map<JobKind, number>()
  /** Done, and not yet completed in the outbox. */
  #done: Done[] = []
  #completing: Promise<void> | undefined
  #stopping = false
  #stopped = false
  #nudge: () => void = () => {}
  #nudged = false

  constructor(context: Context, options: WorkerOptions) {
    const { handlers, sweeps = [], concurrency = CONCURRENCY } = options
    const { lease = 60_000, pollEvery = 5000, grace = 10_000, onError = () => {} } = options
    this.#context = context
    this.#handlers = handlers
    this.#options = { lease, pollEvery, grace, onError }
    this.#queue = openWorkQueue(context, lease)
    this.#kinds = (Object.keys(handlers) as JobKind[]).map(
      (kind) => new KindQueue(kind, concurrency[kind] ?? USUAL_CONCURRENCY),
    )
    this.#silence = this.#queue.listen(
      (kinds) => this.#lookAgain(kinds),
      (error) => onError(error, 'listening for jobs'),
    )
    this.#timers.add(setInterval(() => this.#track(this.#renew(), 'renewing leases'), lease / 3))
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
    this.#track(this.#silence(), 'ceasing to listen')
    this.#wake()
    await this.#loop
    // What was taken and not begun is for others at once.
    const waiting = this.#kinds.flatMap((kind) => kind.drain())
    await this.#release(waiting)
    await this.#patiently()
    for (const timer of this.#timers) clearInterval(timer)
    await this.#completeDone()
    this.#stopped = true
  }

  /** Waits for what runs until it has ended, or until patience has. */
  async #patiently(): Promise<void> {
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
        this.#options.onError(error as Error, 'taking jobs')
        for (const kind of this.#kinds) kind.unsure = true
        rest = RECOVER_AFTER
      }
      if (this.#pace.isLimited) await sleep(LOOK_EVERY, undefined, this.#ending).catch(() => {})
      if (!(await this.#sleep(rest))) for (const kind of this.#kinds) kind.unsure = true
    }
  }

  async #take(kind: KindQueue): Promise<void> {
    const wish = kind.wish(performance.now())
    if (wish === undefined || this.#stopping) return
    // Before the question: what is written while it is asked may be missing from the answer.
    kind.asked(performance.now())
    const moment = this.#context.now()
    this.#askedFor.set(kind.kind, moment)
    const taken = await this.#queue.take(kind.kind, moment, wish.limit, wish.without)
    kind.add(taken, taken.length === wish.limit)
    this.#begin(kind)
  }

  /** Begins what may run now; later, if others need the event loop more. */
  #begin(kind: KindQueue): void {
    while (!this.#stopping && kind.hasNext()) {
      if (!this.#pace.mayBegin(kind.kind, performance.now())) {
        this.#beginLater(kind)
        return
      }
      const job = kind.next() as TakenJob
      this.#track(this.#run(kind, job), job.kind)
    }
  }

  #beginLater(kind: KindQueue): void {
    if (this.#held.has(kind)) return
    const again = () => {
      this.#held.delete(kind)
      this.#begin(kind)
    }
    this.#held.set(kind, setTimeout(again, Math.max(BEGIN_EVERY, this.#pace.waitFor(kind.kind))))
  }

  async #run(kind: KindQueue, job: TakenJob): Promise<void> {
    const handler = this.#handlers[job.kind] as Handler
    let delivery: CompletedJob['delivery']
    try {
      await handler(this.#context, job, (ended) => {
        delivery = ended
      })
    } catch (error) {
      await this.#failed(kind, job, error)
      return
    }
    if (this.#stopped) return
    this.#done.push({ job, from: kind, delivery })
    if (this.#done.length >= GATHER_AT_MOST) void this.#completeDone()
    else if (this.#done.length === 1) setTimeout(() => this.#completeDone(), GATHER)
    kind.ended(job)
    this.#begin(kind)
    if (kind.wish(performance.now()) !== undefined) this.#wake()
  }

  async #failed(kind: KindQueue, job: TakenJob, thrown: unknown): Promise<void> {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    try {
      const fate = await this.#queue.fail(job, error)
      if (fate === 'dead') this.#options.onError(error, `giving up a job (${job.kind} ${job.id})`)
    } finally {
      kind.ended(job)
      kind.unsure = true
      this.#begin(kind)
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
          done.map(({ job, delivery }) => ({ id: job.id, delivery })),
        )
        for (const { id, error } of rejected) {
          const { job, from } = done.find((one) => one.job.id === id) as Done
          await this.#failed(from, job, error)
        }
      } catch (error) {
        this.#options.onError(error as Error, 'completing jobs')
        this.#done.push(...done)
        if (this.#stopping) return
        setTimeout(() => this.#completeDone(), RECOVER_AFTER)
        return
      }
      // The next of their lanes may be waiting.
      const laned = done.filter(({ job }) => job.lane !== null)
      for (const { from } of laned) from.unsure = true
      if (laned.length > 0) this.#wake()
    }
  }

  async #renew(): Promise<void> {
    const held = this.#kinds.flatMap((kind) => kind.held()).map(({ id }) => id)
    const ids = [...held, ...this.#done.map(({ job }) => job.id)]
    if (ids.length > 0) await this.#queue.renew(ids)
  }

  async #release(jobs: readonly TakenJob[]): Promise<void> {
    if (jobs.length === 0) return
    try {
      await this.#queue.release(jobs.map(({ id }) => id))
    } catch (error) {
      this.#options.onError(error as Error, 'giving jobs back')
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
      this.#track(swept, name)
    }
    this.#timers.add(setInterval(sweep, every))
    sweep()
  }

  /** Lets a task run, and remembers it until it has ended. */
  #track(task: Promise<void>, what: string): void {
    const tracked = task
      .catch((error: Error) => {
        if (!this.#stopped) this.#options.onError(error, what)
      })
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }

  /** How long it may sleep. */
  async #restFor(): Promise<number> {
    if (this.#kinds.some((kind) => kind.wish(performance.now()) !== undefined)) return 0
    const throttled = Math.min(...this.#kinds.map((kind) => kind.throttledFor(performance.now())))
    if (throttled < Infinity) return throttled
    if (this.#kinds.some((kind) => kind.held().length > 0)) return BUSY_EVERY
    // From the moments of asking on: what became due since then is no less to be done.
    const next = await this.#queue.nextDue(this.#askedFor)
    const { pollEvery } = this.#options
    return next === undefined ? pollEvery : Math.max(0, Math.min(pollEvery, next - this.#context.now()))
  }

  #lookAgain(kinds: readonly JobKind[] | undefined): void {
    for (const kind of this.#kinds) if (kinds?.includes(kind.kind) ?? true) kind.unsure = true
    this.#wake()
  }

  #wake(): void {
    this.#nudged = true
    this.#nudge()
  }

  /** True when it was woken, false when the time ran out. */
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
