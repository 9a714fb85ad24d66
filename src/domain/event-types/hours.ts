import { type DayNumber, formatDate, parseDate, weekdayOf } from '../calendar-date.ts'
import type { Interval } from '../interval.ts'
import { Problem } from '../problem.ts'
import { sentence, type Value } from '../sentence.ts'
import { canonicalZone, instantOf, type Zone, type Zones } from '../zone.ts'

/** Open hours within one date, as wall-clock times: `opens` < `closes` ≤ `24:00`. */
export interface WallRange {
  readonly opens: string
  readonly closes: string
}

/** Keyed by ISO weekday, 1 is Monday. Hours over midnight are two ranges that touch. */
type WeeklyHours = Readonly<Record<number, readonly WallRange[]>>

/** When a host is open: weekly hours, and dates whose hours replace the week's. */
export interface Schedule {
  readonly timeZone: string
  readonly weekly: WeeklyHours
  /** Keyed by `YYYY-MM-DD`; an empty list is a day off. */
  readonly overrides: Readonly<Record<string, readonly WallRange[]>>
}

interface MinuteRange {
  readonly opens: number
  readonly closes: number
}

/** An open range as instants, with its local date. */
interface DatedRange extends Interval {
  readonly day: DayNumber
}

/** Ranges are computed and kept in blocks of this many dates, because most months are asked for again. */
const BLOCK_DAYS = 8
const MOST_BLOCKS = 128

/** A schedule ready for arithmetic. It keeps the ranges it has computed, so make one and reuse it. */
export class CompiledSchedule implements Schedule {
  readonly timeZone: string
  readonly weekly: WeeklyHours
  readonly overrides: Schedule['overrides']
  /** The zone of its wall-clock times. */
  readonly zone: Zone
  readonly #weekly: readonly (readonly MinuteRange[])[]
  readonly #overrides: ReadonlyMap<DayNumber, readonly MinuteRange[]>
  readonly #blocks = new Map<number, readonly DatedRange[]>()

  constructor({ timeZone, weekly, overrides }: Schedule, zones: Zones) {
    this.timeZone = timeZone
    this.weekly = weekly
    this.overrides = overrides
    this.zone = zones.get(timeZone)
    this.#weekly = Array.from({ length: 8 }, (_, weekday) => (weekly[weekday] ?? []).map(toMinutes))
    this.#overrides = new Map(
      Object.entries(overrides).map(([date, ranges]) => [
        parseDate(date) as DayNumber,
        ranges.map(toMinutes),
      ]),
    )
  }

  /**
   * The ranges of the dates `[first, last]` as instants, ascending.
   *
   * Ranges that touch stay apart, since each begins its own grid. A range
   * over a DST change gets longer or shorter by that change; one with nothing
   * left is dropped.
   */
  openRanges(first: DayNumber, last: DayNumber): Interval[] {
    const ranges: Interval[] = []
    let sorted = true
    let previous = -Infinity
    for (let block = Math.floor(first / BLOCK_DAYS); block * BLOCK_DAYS <= last; block++) {
      for (const range of this.#rangesOf(block)) {
        if (range.day < first || range.day > last) continue
        if (range.start < previous) sorted = false
        previous = range.start
        ranges.push(range)
      }
    }
    return sorted ? ranges : ranges.sort((a, b) => a.start - b.start)
  }

  #rangesOf(block: number): readonly DatedRange[] {
    const known = this.#blocks.get(block)
    if (known !== undefined) return known
    const ranges: DatedRange[] = []
    for (let day = block * BLOCK_DAYS; day < (block + 1) * BLOCK_DAYS; day++) {
      const hours = this.#overrides.get(day) ?? (this.#weekly[weekdayOf(day)] as readonly MinuteRange[])
      for (const { opens, closes } of hours) {
        const start = instantOf(this.zone, day, opens)
        const end = instantOf(this.zone, day, closes)
        if (start < end) ranges.push({ day, start, end })
      }
    }
    if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear()
    this.#blocks.set(block, ranges)
    return ranges
  }
}

const toMinutes = ({ opens, closes }: WallRange): MinuteRange => ({
  opens: minutesOf(opens),
  closes: minutesOf(closes),
})

const WALL_TIME = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

function minutesOf(time: string): number {
  const match = WALL_TIME.exec(time)
  if (match === null) return Number.NaN
  return match[1] === undefined ? 24 * 60 : Number(match[1]) * 60 + Number(match[2])
}

/** Throws `invalid` with the reason if these hours can't work. */
export function checkSchedule(schedule: Schedule): void {
  if (canonicalZone(schedule.timeZone) === undefined) {
    throw new Problem('invalid', sentence`"${schedule.timeZone}" is not a time zone we know.`, {
      field: 'timezone',
    })
  }
  for (const [weekday, ranges] of Object.entries(schedule.weekly)) {
    const field = `weekly.${weekday}`
    const name = WEEKDAYS[Number(weekday) - 1]
    if (!/^[1-7]$/.test(weekday) || name === undefined)
      throw new Problem('invalid', sentence`Weekdays are numbered 1 (Monday) to 7 (Sunday).`, { field })
    checkRanges(ranges, name, field)
  }
  for (const [date, ranges] of Object.entries(schedule.overrides)) {
    const day = parseDate(date)
    if (day === undefined || formatDate(day) !== date) {
      throw new Problem('invalid', sentence`"${date}" is not a date (YYYY-MM-DD).`, {
        field: `overrides.${date}`,
      })
    }
    checkRanges(ranges, { date }, `overrides.${date}`)
  }
}

const WEEKDAYS = [
  sentence`Monday`,
  sentence`Tuesday`,
  sentence`Wednesday`,
  sentence`Thursday`,
  sentence`Friday`,
  sentence`Saturday`,
  sentence`Sunday`,
]

function checkRanges(ranges: readonly WallRange[], day: Value, path: string): void {
  let previous = -1
  const inOrder = [...ranges.entries()].sort(([, a], [, b]) => minutesOf(a.opens) - minutesOf(b.opens))
  for (const [index, { opens, closes }] of inOrder) {
    const field = `${path}.${index}`
    const [from, until] = [minutesOf(opens), minutesOf(closes)]
    if (!(from < until)) {
      throw new Problem(
        'invalid',
        sentence`Hours on ${day} must end after they start, as HH:MM up to 24:00 (got ${opens} to ${closes}). For hours past midnight, add two ranges: until 24:00, and from 00:00 on the next day.`,
        { field },
      )
    }
    if (from < previous) throw new Problem('invalid', sentence`Hours on ${day} overlap.`, { field })
    previous = until
  }
}
