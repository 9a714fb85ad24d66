const MOST_REMEMBERED = 100_000

/**
 * Remembers which changes this process has made to whom, in their order.
 *
 * Whoever reads in order to cache takes the mark first. A change is noted after
 * its commit and before its answer: so nobody who has seen the answer can be
 * served what was read before the commit.
 */
export class Changes {
  readonly #last = new Map<string, number>()
  #mark = 0
  /** What happened up to here is forgotten, so anything may have. */
  #forgotten = 0

  get mark(): number {
    return this.#mark
  }

  note(ids: readonly string[]): void {
    this.#mark++
    if (this.#last.size > MOST_REMEMBERED) {
      this.#last.clear()
      this.#forgotten = this.#mark
    }
    for (const id of ids) this.#last.set(id, this.#mark)
  }

  noneSince(mark: number, ids: readonly string[]): boolean {
    if (mark < this.#forgotten) return false
    for (const id of ids) if ((this.#last.get(id) ?? 0) > mark) return false
    return true
  }
}
