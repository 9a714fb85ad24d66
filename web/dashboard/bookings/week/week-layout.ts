/** A stretch of one day, in minutes since midnight. */
export interface DaySpan {
  readonly from: number
  readonly until: number
}

/** Where a stretch stands in its day: the how-manieth of so many columns beside each other. */
type Placed<T> = T & { readonly column: number; readonly columns: number }

/** Puts stretches that overlap beside each other. They come back ordered by their start. */
export function placeSpans<T extends DaySpan>(spans: readonly T[]): readonly Placed<T>[] {
  const placed: Placed<T>[] = []
  let group: (T & { column: number })[] = []
  let ends: number[] = []
  const close = () => {
    for (const span of group) placed.push({ ...span, columns: ends.length })
    group = []
    ends = []
  }
  for (const span of spans.toSorted((a, b) => a.from - b.from || b.until - a.until)) {
    if (ends.every((end) => end <= span.from)) close()
    const free = ends.findIndex((end) => end <= span.from)
    const column = free === -1 ? ends.length : free
    ends[column] = span.until
    group.push({ ...span, column })
  }
  close()
  return placed
}

/** The hours to show: those of an ordinary day, and those of every stretch. */
export function hoursShown(spans: readonly DaySpan[]): { readonly first: number; readonly last: number } {
  return {
    first: Math.min(8, ...spans.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(18, ...spans.map(({ until }) => Math.ceil(until / 60))),
  }
}
