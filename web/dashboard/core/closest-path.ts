/**
 * The control to show an error at: the longest path that equals the refused field or contains it, such as
 * `abuse.blocklist` for `abuse.blocklist.3`.
 */
export function closestPath(paths: Iterable<string>, field: string | undefined): string | undefined {
  if (field === undefined) return undefined
  return [...paths]
    .filter((path) => field === path || field.startsWith(`${path}.`))
    .sort((a, b) => b.length - a.length)[0]
}
