/** Where the server stops counting. */
const COUNTED_AT_MOST = 10_000

/** A count as the reader's language writes it, with a plus where there may be more. */
export const writeCount = (tag: string, count: number) =>
  `${new Intl.NumberFormat(tag).format(count)}${count >= COUNTED_AT_MOST ? '+' : ''}`

/** The sum of one column. */
export const sumOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number => rows.reduce((sum, row) => sum + row[name], 0)
