import type { RememberedAnswer } from '../idempotency.ts'
import { Fact } from './fact.ts'

interface Asked {
  /** The answer that was given to this `Idempotency-Key`. */
  readonly retry?: { readonly eventTypeId: string; readonly key: string }
}

interface Written {
  readonly answers?: readonly RememberedAnswer[]
}

/** Answers to requests that may be repeated. */
export class Answers extends Fact<Asked, Written> {
  readonly #answers = new Map<string, RememberedAnswer>()

  add(answer: RememberedAnswer): void {
    this.#answers.set(`${answer.eventTypeId} ${answer.key}`, answer)
  }

  find(eventTypeId: string, key: string): RememberedAnswer | undefined {
    return this.#answers.get(`${eventTypeId} ${key}`)
  }

  override apply({ answers = [] }: Written): void {
    for (const answer of answers) this.add(answer)
  }
}
