import { type Interval, merge, without } from '../../interval.ts'
import type { SourceKey } from '../source.ts'

/** What each host's meetings take of their time. There are a hundred thousand of them, so it keeps numbers alone. */
export class TakenTime {
  /** Start, end, when it was made, and the number of the meeting, one after the other. */
  readonly #meetings = new Map<SourceKey, number[]>()
  /** What is left of the meetings that overlap others, by host and number. */
  #left: Map<string, readonly Interval[]> | undefined

  add(host: SourceKey, meeting: number, { start, end }: Interval, madeAt: number): void {
    const list = this.#meetings.get(host)
    if (list === undefined) this.#meetings.set(host, [start, end, madeAt, meeting])
    else list.push(start, end, madeAt, meeting)
  }

  /** The part of its time that a meeting can claim; undefined: all of it, for nothing else was there. */
  leftOf(host: SourceKey, meeting: number): readonly Interval[] | undefined {
    this.#left ??= this.#settle()
    return this.#left.get(`${host} ${meeting}`)
  }

  /** Of meetings that overlap, the one made first has its whole time. */
  #settle(): Map<string, readonly Interval[]> {
    const left = new Map<string, readonly Interval[]>()
    for (const [host, numbers] of this.#meetings) {
      for (const cluster of clustersOf(numbers)) {
        const inOrder = cluster.toSorted((a, b) => a.madeAt - b.madeAt || a.meeting - b.meeting)
        let taken: readonly Interval[] = []
        for (const { start, end, meeting } of inOrder) {
          const rest = without([{ start, end }], taken)
          if (rest.length !== 1 || rest[0]?.start !== start || rest[0].end !== end)
            left.set(`${host} ${meeting}`, rest)
          taken = merge([...taken, { start, end }])
        }
      }
    }
    this.#meetings.clear()
    return left
  }
}

interface Taken extends Interval {
  readonly madeAt: number
  readonly meeting: number
}

/** Groups of meetings of which each overlaps another; those that stand alone are left out. */
function clustersOf(numbers: readonly number[]): Taken[][] {
  const at = (index: number) => numbers[index] as number
  const order = Array.from({ length: numbers.length / 4 }, (_, index) => index * 4).sort(
    (a, b) => at(a) - at(b),
  )
  const clusters: Taken[][] = []
  let cluster: number[] = []
  let until = -Infinity
  const close = () => {
    if (cluster.length > 1)
      clusters.push(
        cluster.map((index) => ({
          start: at(index),
          end: at(index + 1),
          madeAt: at(index + 2),
          meeting: at(index + 3),
        })),
      )
    cluster = []
  }
  for (const index of order) {
    if (at(index) >= until) close()
    cluster.push(index)
    until = Math.max(cluster.length === 1 ? -Infinity : until, at(index + 1))
  }
  close()
  return clusters
}
