const MOST_REMEMBERED = 100_000

/**
 * The order of this process's own changes, by the id of what each one affects.
 *
 * A reader takes the mark before it reads. A writer notes its change after the
 * commit and before the answer, so a client that has seen the answer never gets
 * anything cached from before the commit.
 */
export class Changes {
  readonly #last = new Map<string, number>()
  #mark = 0
  /** Changes up to this mark are forgotten, so any id may have changed. */
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
    if (mark === this.#mark) return true
    if (mark < this.#forgotten) return false
    for (const id of ids) if ((this.#last.get(id) ?? 0) > mark) return false
    return true
  }
}
