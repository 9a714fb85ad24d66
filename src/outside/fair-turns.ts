/** Runs a limited number of tasks at once: one per owner, and other owners' first when one ends. */
export class FairTurns {
  readonly #limit: number
  readonly #running = new Set<string>()
  readonly #waiting: { readonly owner: string; readonly start: () => void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    if (this.#running.size < this.#limit && !this.#running.has(owner)) this.#running.add(owner)
    else await new Promise<void>((start) => this.#waiting.push({ owner, start }))
    try {
      return await task()
    } finally {
      this.#running.delete(owner)
      this.#startNext(owner)
    }
  }

  #startNext(last: string): void {
    const ready = this.#waiting.filter(({ owner }) => !this.#running.has(owner))
    const next = ready.find(({ owner }) => owner !== last) ?? ready[0]
    if (next === undefined) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#running.add(next.owner)
    next.start()
  }
}
