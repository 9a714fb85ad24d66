import { civilOf, type DayNumber } from '../domain/calendar-date.ts'
import { DAY, type Interval, MINUTE } from '../domain/interval.ts'
import type { Openings } from '../domain/slots/openings.ts'
import { instantOf, nextChange, offsetAt, type Zone } from '../domain/zone.ts'

/** The instants of the dates `[first, last]` on the guest's calendar. */
export function guestSpan(guest: Zone, first: DayNumber, last: DayNumber): Interval {
  return { start: instantOf(guest, first, 0), end: instantOf(guest, last + 1, 0) }
}

const ascii = (text: string) => new TextEncoder().encode(text)

export const EMPTY = ascii('[]')
const GROUP = ascii(']},{"date":"0000-00-00","slots":[')
const SLOT = ascii(',{"startTime":"0000-00-00T00:00:00Z","endTime":"0000-00-00T00:00:00Z"}')
const SEATS = ascii(',"seatsLeft":')
/** The first slot of a group has the group's bracket where others have a comma. */
export const HEAD_BYTES = GROUP.length - 1
export const SLOT_BYTES = SLOT.length
const DATE_IN_GROUP = 12
const START_IN_SLOT = 15
const END_IN_SLOT = 48
const MAX_SEATS_DIGITS = 10
const [ZERO, OPEN, CLOSE_ARRAY, CLOSE_OBJECT] = [48, 91, 93, 125]

/** Returns at least `size` bytes with any content. */
export type Allocate = (size: number) => Uint8Array

export const newMemory: Allocate = (size) => new Uint8Array(size)

/** Days one after another, each with all slots of a grid: the same for every host and guest, and independent of bookings. */
interface Sheet {
  readonly firstDay: DayNumber
  readonly phase: number
  readonly bytes: Buffer
  /** Of each day. */
  readonly dayBytes: number
}

const SHEET_DAYS = 8
const NO_SHEET: Sheet = { firstDay: Number.NaN, phase: 0, bytes: Buffer.alloc(0), dayBytes: 0 }
const MAX_SHEET_BYTES = 8 * 1024 * 1024

/** The bytes before the slots of a date. */
interface Group {
  readonly day: DayNumber
  readonly bytes: Uint8Array
}

/** A power of two. */
const GROUPS = 4096

/**
 * Writes slot listings as JSON bytes, and keeps the days it has written.
 *
 * A day of a grid is the same for every host, so make one writer and reuse it.
 */
export class ListingWriter {
  readonly #sheets = new Map<number, Sheet>()
  #sheetBytes = 0
  readonly #groups: (Group | undefined)[] = Array.from({ length: GROUPS })

  /**
   * The slot listing as JSON bytes, grouped by the guest's local date of each start.
   *
   * Bytes are copied from templates because this is the hot path: a month of
   * slots as strings takes five times as long, and nothing in here needs escaping.
   * The slots of a run are copied together, as far as they are of one day.
   */
  write(openings: Openings, duration: number, guest: Zone, allocate: Allocate = newMemory): Uint8Array {
    if (openings.firsts.length === 0) return EMPTY
    const json = allocate(sizeOf(openings))
    return enclose(json, this.writeGroups(openings, duration, guest, json))
  }

  /** Writes the groups of a listing, each with `]},` before it, into memory of `sizeOf(openings)`; returns their end. */
  writeGroups(openings: Openings, duration: number, guest: Zone, json: Uint8Array): number {
    const { step, firsts, counts, seatsLeft } = openings
    let at = 0
    let offset = 0
    let offsetUntil = -Infinity
    let guestDay = Number.NaN
    let guestDayEnds = -Infinity
    let utcDay = 0
    let utcDayEnds = -Infinity
    let sheet = NO_SHEET
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
          at += HEAD_BYTES
        }
      }
      if (start >= utcDayEnds) {
        utcDay = Math.floor(start / DAY)
        utcDayEnds = (utcDay + 1) * DAY
      }
      // Less than 2^31, so as an integer it divides faster.
      const sinceMidnight = (start - utcDay * DAY) | 0
      const phase = sinceMidnight % step
      if (!(utcDay - sheet.firstDay < SHEET_DAYS) || sheet.phase !== phase)
        sheet = this.#sheetOf(utcDay, phase, step, duration)
      const count = Math.min(left, Math.ceil((Math.min(guestDayEnds, utcDayEnds) - start) / step))
      const from = (utcDay - sheet.firstDay) * sheet.dayBytes + ((sinceMidnight - phase) / step) * SLOT_BYTES
      // Takes half as long as `set` with a part of the sheet, which would be an object of its own.
      sheet.bytes.copy(json, at, from, from + count * SLOT_BYTES)
      if (opensGroup) json[at] = OPEN
      at += count * SLOT_BYTES
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
    return at
  }

  #sheetOf(day: DayNumber, phase: number, step: number, duration: number): Sheet {
    const index = Math.floor(day / SHEET_DAYS)
    // None of the four is larger than 2^17, so one number is a faster key than text.
    const key = ((index * 1441 + phase / MINUTE) * 1441 + step / MINUTE) * 1441 + duration / MINUTE
    let sheet = this.#sheets.get(key)
    if (sheet === undefined) {
      sheet = writeSheet(index * SHEET_DAYS, phase, step, duration)
      if (this.#sheetBytes > MAX_SHEET_BYTES) {
        this.#sheets.clear()
        this.#sheetBytes = 0
      }
      this.#sheets.set(key, sheet)
      this.#sheetBytes += sheet.bytes.length
    }
    return sheet
  }

  #groupOf(day: DayNumber): Uint8Array {
    const place = day & (GROUPS - 1)
    const known = this.#groups[place]
    if (known?.day === day) return known.bytes
    const bytes = GROUP.slice()
    writeDate(bytes, DATE_IN_GROUP, day)
    this.#groups[place] = { day, bytes }
    return bytes
  }
}

/** The listing of these groups. */
export function enclose(json: Uint8Array, groupsEnd: number): Uint8Array {
  json[groupsEnd] = CLOSE_ARRAY
  json[groupsEnd + 1] = CLOSE_OBJECT
  json[groupsEnd + 2] = CLOSE_ARRAY
  // The first group needs no `]},` before it: the last byte of that becomes the array's bracket.
  json[2] = OPEN
  return json.subarray(2, groupsEnd + 3)
}

/** An upper bound for the bytes of a listing. */
export function sizeOf({ step, firsts, counts, seatsLeft }: Openings): number {
  let slots = 0
  for (const count of counts) slots += count
  const slotSize = SLOT_BYTES + (seatsLeft === undefined ? 0 : SEATS.length + MAX_SEATS_DIGITS)
  const last = (firsts.at(-1) as number) + (counts.at(-1) as number) * step
  // There is a group per day, and never more than one per slot.
  const days = Math.ceil((last - (firsts[0] as number)) / DAY) + 2
  return slots * slotSize + Math.min(days, slots) * GROUP.length + 4
}

function writeSheet(firstDay: DayNumber, phase: number, step: number, duration: number): Sheet {
  const dayBytes = Math.ceil((DAY - phase) / step) * SLOT_BYTES
  const bytes = Buffer.alloc(SHEET_DAYS * dayBytes)
  for (let i = 0; i < SHEET_DAYS; i++) {
    writeSlots(bytes.subarray(i * dayBytes, (i + 1) * dayBytes), firstDay + i, phase, step, duration)
  }
  return { firstDay, phase, bytes, dayBytes }
}

function writeSlots(slots: Uint8Array, day: DayNumber, phase: number, step: number, duration: number): void {
  for (let at = 0, start = phase; at < slots.length; at += SLOT_BYTES, start += step) {
    const endDay = Math.floor((start + duration) / DAY)
    slots.set(SLOT, at)
    writeDate(slots, at + START_IN_SLOT, day)
    writeDate(slots, at + END_IN_SLOT, day + endDay)
    writeTime(slots, at + START_IN_SLOT + 11, start / MINUTE)
    writeTime(slots, at + END_IN_SLOT + 11, (start + duration - endDay * DAY) / MINUTE)
  }
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
