const ROUNDS = 5

/**
 * Measures several cases in turn, A B A B …, and returns the median of each.
 *
 * Other work on the machine changes from second to second. In turn, all cases
 * meet the same conditions. The first round warms up and is not counted.
 */
export async function measureInTurn<Name extends string>(
  cases: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(cases) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of names) {
      const value = await cases[name]()
      if (round > 0) measured[name].push(value)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(measured[name])])) as Record<Name, number>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]]
  if (low === undefined || high === undefined) throw new RangeError('nothing was measured')
  return (low + high) / 2
}
