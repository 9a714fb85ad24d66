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
 * Parts that touch are not joined, because each one's start begins a grid of slots.
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
      // Parts are out of order only if intervals of one list overlap each other.
      if (start < (common.at(-1)?.start ?? -Infinity)) sorted = false
      common.push({ start, end })
    }
  }
  return sorted ? common : common.sort((x, y) => x.start - y.start)
}

/** The same time in ascending order; intervals that overlap or touch become one. */
export function merge(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || start > last.end) merged.push({ start, end })
    else if (end > last.end) merged[merged.length - 1] = { start: last.start, end }
  }
  return merged
}

/** What is left of the first list without the time of the second. Both must be merged. */
export function without(merged: readonly Interval[], removed: readonly Interval[]): Interval[] {
  return merged.flatMap(({ start, end }) => {
    const left: Interval[] = []
    let from = start
    for (const gap of within(removed, { start, end })) {
      if (gap.start > from) left.push({ start: from, end: gap.start })
      from = Math.max(from, gap.end)
    }
    if (from < end) left.push({ start: from, end })
    return left
  })
}

/** The intervals of a merged list that overlap `span`, found by binary search. */
export function within<I extends Interval>(merged: readonly I[], span: Interval): readonly I[] {
  const first = firstAt(merged, ({ end }) => end > span.start)
  const last = firstAt(merged, ({ start }) => start >= span.end)
  return first === 0 && last === merged.length ? merged : merged.slice(first, last)
}

/** The index of the first item for which `is` is true; it must be true for all later items. */
function firstAt<I>(list: readonly I[], is: (item: I) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (is(list[middle] as I)) high = middle
    else low = middle + 1
  }
  return low
}
