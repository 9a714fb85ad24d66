import type { FormCount } from '../store/forms/counts.ts'

/**
 * How often forms were opened and left since the last flush.
 *
 * Counted in memory: opening a form writes nothing. A process that is killed loses what it had not saved yet.
 */
export class FormCounts {
  #counts = new Map<string, FormCount>()

  add(count: FormCount): void {
    const { formId, day, step, field } = count
    const key = `${formId} ${day} ${step} ${field}`
    const before = this.#counts.get(key)?.count ?? 0
    this.#counts.set(key, { ...count, count: before + count.count })
  }

  /** Everything counted so far, which is then no longer here. */
  take(): FormCount[] {
    const taken = [...this.#counts.values()]
    this.#counts = new Map()
    return taken
  }
}
