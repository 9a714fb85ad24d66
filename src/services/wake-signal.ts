import type { JobKind } from '../domain/job.ts'

type Listener = (kinds: readonly JobKind[] | undefined) => void

/** Wakes this process's worker when jobs have been queued. */
export class WakeSignal {
  readonly #listeners = new Set<Listener>()

  /** Call after the commit, so that the worker finds the jobs. Without `kinds`, they may be of any kind. */
  wake(kinds?: readonly JobKind[]): void {
    for (const listener of this.#listeners) listener(kinds)
  }

  /** Calls `listener` on every wake; the returned function stops that. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
