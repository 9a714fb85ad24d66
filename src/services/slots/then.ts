/** A value that may have to be waited for. */
export type OrPromise<T> = T | Promise<T>

/**
 * Goes on with a value at once, unless it has to be waited for.
 *
 * To wait for what SQLite reads at once took a tenth of the instructions of a listing, where 10,000 hosts are asked for in
 * turn.
 */
export function then<T, R>(value: OrPromise<T>, goOn: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(goOn) as Promise<Awaited<R>>) : goOn(value)
}
