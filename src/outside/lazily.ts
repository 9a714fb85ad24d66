/**
 * Loads something when it is first used.
 *
 * For packages that many servers never need: each costs memory and time at every start.
 */
export function lazily<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
