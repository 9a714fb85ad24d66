import type { Db } from './database.ts'

/** A request that waits for its result. */
export interface Pending<Request, Result> {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

interface Options<Request, Result> {
  /** Resolves or rejects every request of a batch; if it throws, those that are still pending are rejected with that. */
  readonly run: (batch: readonly Pending<Request, Result>[]) => Promise<void>
  /** A key is in one batch at a time. */
  readonly keysOf?: (request: Request) => readonly string[]
  /** Whether two requests with the same key may be in one batch; left out: they never are. */
  readonly mayShareBatch?: (one: Request, other: Request) => boolean
  /** Only requests with the same keys are in a batch. */
  readonly sameKeysOnly?: boolean
  readonly maxRunning?: number
}

const MAX_BATCH = 64
const MAX_RUNNING = 2

/**
 * Runs requests that arrive at the same time as one batch.
 *
 * A statement for one request costs PostgreSQL, and us, nearly as much as a statement for twenty. No request waits
 * for others to arrive: while fewer than two batches run, the next one starts with the requests that are there.
 */
export class Batcher<Request, Result> {
  readonly #options: Options<Request, Result>
  #queue: Pending<Request, Result>[] = []
  #running = 0
  /** Keys in the batches that run. */
  readonly #busyKeys = new Set<string>()
  #scheduled = false

  constructor(options: Options<Request, Result>) {
    this.#options = options
  }

  /** Whether the next request has to wait for a batch to end. */
  get isFull(): boolean {
    return this.#running >= (this.#options.maxRunning ?? MAX_RUNNING)
  }

  submit(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.isFull || this.#queue.length === 0) return
    this.#scheduled = true
    // Not at once, so that requests can join which have arrived already. The loop reads those in its next turn.
    setImmediate(() => {
      setImmediate(() => {
        this.#scheduled = false
        this.#runNext()
      })
    })
  }

  async #runNext(): Promise<void> {
    const { keysOf, run } = this.#options
    const batch = this.#takeBatch()
    if (batch.length === 0) return
    const keys = keysOf === undefined ? [] : batch.flatMap(({ request }) => keysOf(request))
    for (const key of keys) this.#busyKeys.add(key)
    this.#running++
    this.#schedule()
    try {
      await run(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      for (const key of keys) this.#busyKeys.delete(key)
      this.#running--
      this.#schedule()
    }
  }

  #takeBatch(): Pending<Request, Result>[] {
    const { keysOf = () => [], mayShareBatch = () => false, sameKeysOnly = false } = this.#options
    const byKey = new Map<string, Request[]>()
    /** Keys that an earlier request waits for: later ones must not overtake it. */
    const awaited = new Set<string>()
    const batch: Pending<Request, Result>[] = []
    let batchKeys: string | undefined
    this.#queue = this.#queue.filter((pending) => {
      if (batch.length === MAX_BATCH) return true
      const { request } = pending
      const keys = keysOf(request)
      const fits = keys.every((key) => {
        if (this.#busyKeys.has(key) || awaited.has(key)) return false
        return (byKey.get(key) ?? []).every((other) => mayShareBatch(request, other))
      })
      const joined = keys.join()
      if (!fits || (sameKeysOnly && batchKeys !== undefined && joined !== batchKeys)) {
        for (const key of keys) awaited.add(key)
        return true
      }
      batchKeys = joined
      for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), request])
      batch.push(pending)
      return false
    })
    return batch
  }
}

/** Reads by key, where keys that are asked for at the same time share one call of `readAll`. */
export function batchedRead<Value>(
  readAll: (db: Db, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (db: Db, key: string) => Promise<Value | undefined> {
  const batchers = new WeakMap<Db, Batcher<string, Value | undefined>>()
  return (db, key) => {
    let batcher = batchers.get(db)
    if (batcher === undefined) {
      batcher = new Batcher({
        async run(batch) {
          const found = await readAll(db, [...new Set(batch.map(({ request }) => request))])
          for (const { request, resolve } of batch) resolve(found.get(request))
        },
      })
      batchers.set(db, batcher)
    }
    return batcher.submit(key)
  }
}
