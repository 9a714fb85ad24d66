/**
 * Runs callers that share a key one after another, within this process.
 *
 * The database holds the real lock. Waiting here instead keeps a rush on one
 * host from filling every connection with transactions that wait for that lock.
 */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<void>>()

  async run<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.#last.get(key))
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    // Join every queue before the first await: this rules out deadlocks.
    for (const key of keys) this.#last.set(key, done)
    try {
      await Promise.all(before)
      return await task()
    } finally {
      for (const key of keys) if (this.#last.get(key) === done) this.#last.delete(key)
      finish()
    }
  }
}
