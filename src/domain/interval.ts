/** A half-open span of time, `[start, end)`, in epoch milliseconds. */
export interface Interval {
  readonly start: number
  readonly end: number
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** True when the two share at least an instant; touching ends do not count. */
export function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end
}

/**
 * The common parts of two lists, each sorted by start.
 *
 * The parts are not joined where they touch: each keeps a start of its own,
 * because slot grids begin there.
 */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const common: Interval[] = []
  let sorted = true
  for (const left of a) {
    for (const right of b) {
      if (right.start >= left.end) break
      const start = Math.max(left.start, right.start)
      const end = Math.min(left.end, right.end)
      if (start >= end) continue
      // Only where intervals of one list overlap each other do the parts come out of order.
      if (start < (common.at(-1)?.start ?? -Infinity)) sorted = false
      common.push({ start, end })
    }
  }
  return sorted ? common : common.sort((x, y) => x.start - y.start)
}
