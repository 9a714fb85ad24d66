import type { DayNumber } from './calendar-date.ts'
import { DAY, type Interval, MINUTE } from './interval.ts'

/**
 * A time zone as a table: `offsets[i]` (milliseconds east of UTC) applies from
 * `changes[i]` until `changes[i + 1]`.
 *
 * The table comes from Temporal, once per zone; after that, all is integer arithmetic.
 */
export interface Zone {
  readonly id: string
  readonly changes: readonly number[]
  readonly offsets: readonly number[]
}

// Outside these years, the nearest known offset applies. No slots are listed there.
const FIRST_KNOWN_INSTANT = Date.UTC(2000, 0)
export const LAST_KNOWN_INSTANT = Date.UTC(2200, 0)

/**
 * The IANA name of a zone as the time zone database spells it; undefined when there is no such zone.
 *
 * Takes any case of letters. Refuses bare offsets such as `+02:00`: they are no names.
 */
export function canonicalZone(name: string): string | undefined {
  if (name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return undefined
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    // Temporal also accepts a time with a zone, such as T00Z, as that zone.
    return timeZoneId.toLowerCase() === name.toLowerCase() ? timeZoneId : undefined
  } catch {
    return undefined
  }
}

/**
 * Finds zones by name, and keeps the tables it has built.
 *
 * Building one takes about a millisecond, so make one `Zones` and pass it on. Only
 * names of the time zone database are kept, so it cannot grow without bound.
 */
export class Zones {
  readonly #zones = new Map<string, Zone>()

  /** The zone of that name, in any case of letters. */
  find(name: string): Zone | undefined {
    const known = this.#zones.get(name)
    if (known !== undefined) return known
    const id = canonicalZone(name)
    if (id === undefined) return undefined
    const zone = this.#zones.get(id) ?? buildZone(id)
    this.#zones.set(id, zone)
    this.#zones.set(name.toLowerCase(), zone)
    return zone
  }

  /** The same for a name that was checked when it was saved. */
  get(name: string): Zone {
    const zone = this.find(name)
    if (zone === undefined) throw new RangeError(`Unknown time zone ${name}`)
    return zone
  }
}

function buildZone(id: string): Zone {
  let moment = Temporal.Instant.fromEpochMilliseconds(FIRST_KNOWN_INSTANT).toZonedDateTimeISO(id)
  const changes = [-Infinity]
  const offsets = [moment.offsetNanoseconds / 1e6]
  for (;;) {
    const next = moment.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= LAST_KNOWN_INSTANT) break
    changes.push(next.epochMilliseconds)
    offsets.push(next.offsetNanoseconds / 1e6)
    moment = next
  }
  return { id, changes, offsets }
}

/** The index of the table's row that applies at `instant`. */
function rowAt(zone: Zone, instant: number): number {
  const { changes } = zone
  let low = 0
  let high = changes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((changes[middle] as number) <= instant) low = middle
    else high = middle - 1
  }
  return low
}

/** Milliseconds to add to `instant` to read this zone's wall clock. */
export function offsetAt(zone: Zone, instant: number): number {
  return zone.offsets[rowAt(zone, instant)] as number
}

/** The next instant after `instant` at which the offset changes, or Infinity. */
export function nextChange(zone: Zone, instant: number): number {
  return zone.changes[rowAt(zone, instant) + 1] ?? Infinity
}

/** The lowest and the highest of the offsets that apply within `span`. */
export function offsetsWithin(zone: Zone, { start, end }: Interval): { lowest: number; highest: number } {
  const { changes, offsets } = zone
  let row = rowAt(zone, start)
  let lowest = offsets[row] as number
  let highest = lowest
  while ((changes[++row] ?? Infinity) < end) {
    lowest = Math.min(lowest, offsets[row] as number)
    highest = Math.max(highest, offsets[row] as number)
  }
  return { lowest, highest }
}

/** The date on this zone's wall calendar. */
export function localDay(zone: Zone, instant: number): DayNumber {
  return Math.floor((instant + offsetAt(zone, instant)) / DAY)
}

/**
 * The instant at which the wall clock shows `minutes` past midnight on `day`.
 *
 * If daylight saving repeats that time, this is the first occurrence; if it skips
 * it, the time moves on by the gap. That is Temporal's `compatible` rule.
 */
export function instantOf(zone: Zone, day: DayNumber, minutes: number): number {
  const wall = day * DAY + minutes * MINUTE
  const { changes, offsets } = zone
  // No offset is more than a day, so the answer cannot be in an earlier row.
  for (let row = rowAt(zone, wall - DAY); ; row++) {
    const instant = wall - (offsets[row] as number)
    if (instant < (changes[row + 1] ?? Infinity)) {
      return instant >= (changes[row] as number) ? instant : wall - (offsets[row - 1] as number)
    }
  }
}
