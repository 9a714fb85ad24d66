/** Someone who waits for an answer. */
export interface Waiting<Wish, Answer> {
  readonly wish: Wish
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Options<Wish, Answer> {
  /** Answers every one of them; if it throws, that is the answer to all it has not answered. */
  readonly answer: (waiting: readonly Waiting<Wish, Answer>[]) => Promise<void>
  /** Wishes with the same key are never answered together. */
  readonly keyOf?: (wish: Wish) => string
}

const MOST_AT_ONCE = 64
const MOST_STATEMENTS = 2

/**
 * Lets wishes that come at the same time be answered by one statement.
 *
 * A statement that asks for one thing costs PostgreSQL, and us, nearly as much
 * as one that asks for twenty. Nobody waits for company: while fewer than two
 * statements are under way, the next begins with whoever is there.
 */
export class Together<Wish, Answer> {
  readonly #options: Options<Wish, Answer>
  #waiting: Waiting<Wish, Answer>[] = []
  #running = 0
  #called = false

  constructor(options: Options<Wish, Answer>) {
    this.#options = options
  }

  ask(wish: Wish): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wish, resolve, reject })
      this.#call()
    })
  }

  #call(): void {
    if (this.#called || this.#running >= MOST_STATEMENTS || this.#waiting.length === 0) return
    this.#called = true
    // Not at once: requests that have arrived by now get the chance to join.
    setImmediate(() => {
      this.#called = false
      this.#run()
    })
  }

  async #run(): Promise<void> {
    const batch = this.#take()
    this.#running++
    this.#call()
    try {
      await this.#options.answer(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      this.#running--
      this.#call()
    }
  }

  #take(): Waiting<Wish, Answer>[] {
    const { keyOf } = this.#options
    const keys = new Set<string>()
    const batch: Waiting<Wish, Answer>[] = []
    this.#waiting = this.#waiting.filter((one) => {
      const key = keyOf?.(one.wish)
      if (batch.length === MOST_AT_ONCE || (key !== undefined && keys.has(key))) return true
      if (key !== undefined) keys.add(key)
      batch.push(one)
      return false
    })
    return batch
  }
}
