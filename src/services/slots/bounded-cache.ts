interface Entry<V> {
  readonly key: string
  readonly value: V
  readonly size: number
  older: Entry<V> | undefined
  newer: Entry<V> | undefined
}

/** A map with a capacity: it drops the oldest entries when the sizes of all exceed it. */
export class BoundedCache<V> {
  readonly #entries = new Map<string, Entry<V>>()
  readonly #capacity: number
  #size = 0
  // A linked list, because finding a map's first entry slows down with every entry deleted before it.
  #oldest: Entry<V> | undefined
  #newest: Entry<V> | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: V, size = 1): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#unlink(before)
    const entry: Entry<V> = { key, value, size, older: this.#newest, newer: undefined }
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
    this.#size += size
    this.#entries.set(key, entry)
    while (this.#oldest !== undefined && this.#size > this.#capacity) this.#dropOldest(this.#oldest)
  }

  /** Drops the oldest entries while they are useless. */
  dropWhile(isUseless: (value: V) => boolean): void {
    while (this.#oldest !== undefined && isUseless(this.#oldest.value)) this.#dropOldest(this.#oldest)
  }

  #dropOldest(oldest: Entry<V>): void {
    this.#entries.delete(oldest.key)
    this.#unlink(oldest)
  }

  #unlink(entry: Entry<V>): void {
    const { older, newer } = entry
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    this.#size -= entry.size
  }
}
