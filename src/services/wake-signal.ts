/** Tells this process's worker that something has just been written down for it. */
export class WakeSignal {
  readonly #listeners = new Set<() => void>()

  /** After the commit: whoever looks must find it. */
  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` on every wake, until what is returned is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
