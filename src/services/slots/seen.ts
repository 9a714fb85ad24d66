const PLACES = 1 << 13

/**
 * Remembers roughly which texts it was asked about lately, in memory that never grows.
 *
 * Two texts may be taken for one another, or forgotten: it only ever decides what is worth keeping.
 */
export class Seen {
  readonly #hashes = new Uint32Array(PLACES)

  /** Whether it was asked about this text before; from now on it was. */
  before(text: string): boolean {
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash >>>= 0
    const place = hash % PLACES
    const seen = this.#hashes[place] === hash
    this.#hashes[place] = hash
    return seen
  }
}
