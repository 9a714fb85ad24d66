import type { JobKind } from '../domain/job.ts'

type Listener = (kinds: readonly JobKind[] | undefined) => void

/** Tells this process's worker that something has just been written down for it. */
export class WakeSignal {
  readonly #listeners = new Set<Listener>()

  /** After the commit: whoever looks must find it. Left out: it may be of any kind. */
  wake(kinds?: readonly JobKind[]): void {
    for (const listener of this.#listeners) listener(kinds)
  }

  /** Calls `listener` on every wake, until what is returned is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
