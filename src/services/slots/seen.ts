const BUCKETS = 1 << 13

/**
 * Remembers roughly which texts it has seen lately, in memory that never grows.
 *
 * It may mix up or forget texts, so use it only to decide what is worth caching.
 */
export class Seen {
  readonly #hashes = new Uint32Array(BUCKETS)

  /** True when this text was seen before; remembers it from now on. */
  before(text: string): boolean {
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash >>>= 0
    const bucket = hash % BUCKETS
    const seen = this.#hashes[bucket] === hash
    this.#hashes[bucket] = hash
    return seen
  }
}
