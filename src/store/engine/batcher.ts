/** Someone who waits for an answer. */
export interface Waiting<Wish, Answer> {
  readonly wish: Wish
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Options<Wish, Answer> {
  /** Answers every one of them; if it throws, that is the answer to all it has not answered. */
  readonly answer: (waiting: readonly Waiting<Wish, Answer>[]) => Promise<void>
  /** Wishes with the same key are answered one after the other, or in one go. */
  readonly keyOf?: (wish: Wish) => string
  /** Whether two of the same key may be answered in one go; left out: they never are. */
  readonly mayShare?: (one: Wish, other: Wish) => boolean
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
  /** Keys of those that are being answered. */
  readonly #busy = new Set<string>()
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
    const { keyOf, answer } = this.#options
    const batch = this.#take()
    if (batch.length === 0) return
    const keys = keyOf === undefined ? [] : batch.map(({ wish }) => keyOf(wish))
    for (const key of keys) this.#busy.add(key)
    this.#running++
    this.#call()
    try {
      await answer(batch)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      for (const key of keys) this.#busy.delete(key)
      this.#running--
      this.#call()
    }
  }

  #take(): Waiting<Wish, Answer>[] {
    const { keyOf, mayShare = () => false } = this.#options
    const chosen = new Map<string, Wish[]>()
    const batch: Waiting<Wish, Answer>[] = []
    this.#waiting = this.#waiting.filter((one) => {
      if (batch.length === MOST_AT_ONCE) return true
      const key = keyOf?.(one.wish)
      if (key !== undefined) {
        const sharing = chosen.get(key) ?? []
        if (this.#busy.has(key) || !sharing.every((other) => mayShare(one.wish, other))) return true
        chosen.set(key, [...sharing, one.wish])
      }
      batch.push(one)
      return false
    })
    return batch
  }
}
