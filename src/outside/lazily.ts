/**
 * Loads something when it is first used.
 *
 * For packages of which a server may never need a line: each costs memory and time at every start.
 */
export function lazily<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
