import { civilOf, type DayNumber } from '../domain/calendar-date.ts'
import { DAY, type Interval, MINUTE } from '../domain/interval.ts'
import type { Openings } from '../domain/slots/openings.ts'
import { instantOf, nextChange, offsetAt, type Zone } from '../domain/zone.ts'

/** The instants of the dates `[first, last]` on the guest's calendar. */
export function guestSpan(guest: Zone, first: DayNumber, last: DayNumber): Interval {
  return { start: instantOf(guest, first, 0), end: instantOf(guest, last + 1, 0) }
}

const ascii = (text: string) => new TextEncoder().encode(text)

const EMPTY = ascii('[]')
const GROUP = ascii(']},{"date":"0000-00-00","slots":[')
const SLOT = ascii(',{"startTime":"0000-00-00T00:00:00Z","endTime":"0000-00-00T00:00:00Z"}')
const SEATS = ascii(',"seatsLeft":')
const DATE_IN_GROUP = 12
const START_IN_SLOT = 15
const END_IN_SLOT = 48
const MAX_SEATS_DIGITS = 10
const [ZERO, OPEN, CLOSE_ARRAY, CLOSE_OBJECT] = [48, 91, 93, 125]

/** Returns at least `size` bytes with any content. */
export type Allocate = (size: number) => Uint8Array

export const newMemory: Allocate = (size) => new Uint8Array(size)

/** All slots of a grid on one UTC day: the same for every host and guest, and independent of bookings. */
interface DaySlots {
  readonly day: DayNumber
  readonly phase: number
  readonly bytes: Uint8Array
}

const NO_SLOTS: DaySlots = { day: Number.NaN, phase: 0, bytes: EMPTY }
const MAX_DAY_BYTES = 8 * 1024 * 1024
const MOST_GROUPS = 4000

/**
 * Writes slot listings as JSON bytes, and keeps the days it has written.
 *
 * A day of a grid is the same for every host, so make one writer and reuse it.
 */
export class ListingWriter {
  readonly #days = new Map<number, DaySlots>()
  #dayBytes = 0
  readonly #groups = new Map<DayNumber, Uint8Array>()

  /**
   * The slot listing as JSON bytes, grouped by the guest's local date of each start.
   *
   * Bytes are copied from templates because this is the hot path: a month of
   * slots as strings takes five times as long, and nothing in here needs escaping.
   * The slots of a run are copied together, as far as they are of one day.
   */
  write(openings: Openings, duration: number, guest: Zone, allocate: Allocate = newMemory): Uint8Array {
    const { step, firsts, counts, seatsLeft } = openings
    if (firsts.length === 0) return EMPTY
    const json = allocate(sizeOf(openings))
    let at = 0
    let offset = 0
    let offsetUntil = -Infinity
    let guestDay = Number.NaN
    let guestDayEnds = -Infinity
    let utcDay = 0
    let utcDayEnds = -Infinity
    let daySlots: DaySlots = NO_SLOTS
    let run = 0
    let start = firsts[0] as number
    let left = counts[0] as number
    for (;;) {
      let opensGroup = false
      if (start >= guestDayEnds) {
        if (start >= offsetUntil) {
          offset = offsetAt(guest, start)
          offsetUntil = nextChange(guest, start)
        }
        const day = Math.floor((start + offset) / DAY)
        guestDayEnds = Math.min((day + 1) * DAY - offset, offsetUntil)
        if (day !== guestDay) {
          guestDay = day
          opensGroup = true
          json.set(this.#groupOf(day), at)
          // The first slot of a group has the group's bracket where others have a comma.
          at += GROUP.length - 1
        }
      }
      if (start >= utcDayEnds) {
        utcDay = Math.floor(start / DAY)
        utcDayEnds = (utcDay + 1) * DAY
      }
      // Less than 2^31, so as an integer it divides faster.
      const sinceMidnight = (start - utcDay * DAY) | 0
      const phase = sinceMidnight % step
      if (daySlots.day !== utcDay || daySlots.phase !== phase)
        daySlots = this.#slotsOf(utcDay, phase, step, duration)
      const count = Math.min(left, Math.ceil((Math.min(guestDayEnds, utcDayEnds) - start) / step))
      const from = ((sinceMidnight - phase) / step) * SLOT.length
      json.set(daySlots.bytes.subarray(from, from + count * SLOT.length), at)
      if (opensGroup) json[at] = OPEN
      at += count * SLOT.length
      if (seatsLeft !== undefined) {
        at -= 1
        json.set(SEATS, at)
        at += SEATS.length
        const digits = ascii(String(seatsLeft[run]))
        json.set(digits, at)
        at += digits.length
        json[at++] = CLOSE_OBJECT
      }
      start += count * step
      left -= count
      if (left > 0) continue
      if (++run === firsts.length) break
      start = firsts[run] as number
      left = counts[run] as number
    }
    json[at++] = CLOSE_ARRAY
    json[at++] = CLOSE_OBJECT
    json[at++] = CLOSE_ARRAY
    // The first group needs no `]},` before it: the last byte of that becomes the array's bracket.
    json[2] = OPEN
    return json.subarray(2, at)
  }

  #slotsOf(day: DayNumber, phase: number, step: number, duration: number): DaySlots {
    // None of the four is larger than 2^17, so one number is a faster key than text.
    const key = ((day * 1441 + phase / MINUTE) * 1441 + step / MINUTE) * 1441 + duration / MINUTE
    let slots = this.#days.get(key)
    if (slots === undefined) {
      slots = { day, phase, bytes: writeSlots(day, phase, step, duration) }
      if (this.#dayBytes > MAX_DAY_BYTES) {
        this.#days.clear()
        this.#dayBytes = 0
      }
      this.#days.set(key, slots)
      this.#dayBytes += slots.bytes.length
    }
    return slots
  }

  /** The bytes before the slots of a date. */
  #groupOf(day: DayNumber): Uint8Array {
    let group = this.#groups.get(day)
    if (group === undefined) {
      group = GROUP.slice()
      writeDate(group, DATE_IN_GROUP, day)
      if (this.#groups.size >= MOST_GROUPS) this.#groups.clear()
      this.#groups.set(day, group)
    }
    return group
  }
}

/** An upper bound for the bytes of a listing. */
function sizeOf({ step, firsts, counts, seatsLeft }: Openings): number {
  let slots = 0
  for (const count of counts) slots += count
  const slotSize = SLOT.length + (seatsLeft === undefined ? 0 : SEATS.length + MAX_SEATS_DIGITS)
  const last = (firsts.at(-1) as number) + (counts.at(-1) as number) * step
  // There is a group per day, and never more than one per slot.
  const days = Math.ceil((last - (firsts[0] as number)) / DAY) + 2
  return slots * slotSize + Math.min(days, slots) * GROUP.length + 4
}

function writeSlots(day: DayNumber, phase: number, step: number, duration: number): Uint8Array {
  const slots = new Uint8Array(Math.ceil((DAY - phase) / step) * SLOT.length)
  for (let at = 0, start = phase; at < slots.length; at += SLOT.length, start += step) {
    const endDay = Math.floor((start + duration) / DAY)
    slots.set(SLOT, at)
    writeDate(slots, at + START_IN_SLOT, day)
    writeDate(slots, at + END_IN_SLOT, day + endDay)
    writeTime(slots, at + START_IN_SLOT + 11, start / MINUTE)
    writeTime(slots, at + END_IN_SLOT + 11, (start + duration - endDay * DAY) / MINUTE)
  }
  return slots
}

function writeDate(json: Uint8Array, at: number, day: DayNumber): void {
  const { year, month, dayOfMonth } = civilOf(day)
  writePair(json, at, (year / 100) | 0)
  writePair(json, at + 2, year % 100)
  writePair(json, at + 5, month)
  writePair(json, at + 8, dayOfMonth)
}

/** `HHMM` of every minute of the day, four bytes each. */
const TIMES = ascii(
  Array.from({ length: DAY / MINUTE }, (_, minute) => {
    return String(Math.floor(minute / 60)).padStart(2, '0') + String(minute % 60).padStart(2, '0')
  }).join(''),
)

function writeTime(json: Uint8Array, at: number, minute: number): void {
  const time = minute << 2
  json[at] = TIMES[time] as number
  json[at + 1] = TIMES[time + 1] as number
  json[at + 3] = TIMES[time + 2] as number
  json[at + 4] = TIMES[time + 3] as number
}

function writePair(json: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0
  json[at] = ZERO + tens
  json[at + 1] = ZERO + value - tens * 10
}
