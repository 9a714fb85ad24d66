/** A map that forgets the oldest entries when their sizes add up to more than it may hold. */
export class Recent<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly size: number }>()
  readonly #capacity: number
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: V, size = 1): void {
    this.#size += size - (this.#entries.get(key)?.size ?? 0)
    // Deleting first moves a renewed entry to the end, away from being the oldest.
    this.#entries.delete(key)
    this.#entries.set(key, { value, size })
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#capacity) break
      this.#entries.delete(oldest)
      this.#size -= entry.size
    }
  }
}
