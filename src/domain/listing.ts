import { civilOf, type DayNumber } from './calendar-date.ts'
import { DAY, type Interval, MINUTE } from './interval.ts'
import type { Openings } from './slots.ts'
import { instantOf, nextChange, offsetAt, type Zone } from './zone.ts'

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

/**
 * The slot listing as JSON bytes, grouped by the guest's local date of each start.
 *
 * Bytes are copied from templates because this is the hot path: a month of
 * slots as strings takes five times as long, and nothing in here needs escaping.
 */
export function writeListing(openings: Openings, duration: number, guest: Zone): Uint8Array {
  const { starts, seatsLeft } = openings
  if (starts.length === 0) return EMPTY
  const slotSize = SLOT.length + (seatsLeft === undefined ? 0 : SEATS.length + MAX_SEATS_DIGITS)
  // One group per slot is the most there can be, but a group per day is what there is.
  const days = Math.ceil(((starts.at(-1) as number) - (starts[0] as number)) / DAY) + 2
  const json = new Uint8Array(starts.length * slotSize + Math.min(days, starts.length) * GROUP.length + 4)
  const slot = SLOT.slice()
  let at = 0
  let offset = 0
  let offsetUntil = -Infinity
  let guestDay = Number.NaN
  let startDay = Number.NaN
  let endDay = Number.NaN
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number
    if (start >= offsetUntil) {
      offset = offsetAt(guest, start)
      offsetUntil = nextChange(guest, start)
    }
    const day = Math.floor((start + offset) / DAY)
    const opensGroup = day !== guestDay
    if (opensGroup) {
      guestDay = day
      json.set(GROUP, at)
      writeDate(json, at + DATE_IN_GROUP, day)
      at += GROUP.length
    }
    const end = start + duration
    const utcStart = Math.floor(start / DAY)
    if (utcStart !== startDay) {
      startDay = utcStart
      writeDate(slot, START_IN_SLOT, utcStart)
    }
    const utcEnd = Math.floor(end / DAY)
    if (utcEnd !== endDay) {
      endDay = utcEnd
      writeDate(slot, END_IN_SLOT, utcEnd)
    }
    writeTime(slot, START_IN_SLOT + 11, (start - utcStart * DAY) / MINUTE)
    writeTime(slot, END_IN_SLOT + 11, (end - utcEnd * DAY) / MINUTE)
    // The first slot of a group overwrites nothing but its own leading comma.
    if (opensGroup) at -= 1
    const kept = json[at] as number
    json.set(slot, at)
    if (opensGroup) json[at] = kept
    at += SLOT.length
    if (seatsLeft !== undefined) {
      at -= 1
      json.set(SEATS, at)
      at += SEATS.length
      const digits = ascii(String(seatsLeft[i]))
      json.set(digits, at)
      at += digits.length
      json[at++] = CLOSE_OBJECT
    }
  }
  json[at++] = CLOSE_ARRAY
  json[at++] = CLOSE_OBJECT
  json[at++] = CLOSE_ARRAY
  // The first group needs no `]},` before it: its last byte becomes the array's bracket.
  json[2] = OPEN
  return json.subarray(2, at)
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
