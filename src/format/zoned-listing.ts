import { civilOf, type DayNumber } from '../domain/calendar-date.ts'
import { DAY, MINUTE } from '../domain/interval.ts'
import type { Openings } from '../domain/slots/openings.ts'
import { nextChange, offsetAt, type Zone } from '../domain/zone.ts'
import { type Allocate, newMemory } from './listing.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

/** How a listing that groups slots by date, with times on the guest's clock, is written. */
interface Words {
  readonly before: string
  readonly after: string
  readonly start: string
  /** Left out: only the start of a slot is told. */
  readonly end?: string
  /** What follows the times of a slot with seats. */
  readonly seats: (left: number, all: number) => string
}

const seatsOfSlot = (left: number, all: number) =>
  `,"seatsBooked":${all - left},"seatsRemaining":${left},"seatsTotal":${all}`
const attendees = (left: number, all: number) => (left < all ? `,"attendees":${all - left}` : '')

const NEWER = { before: '{"data":{', after: '},"status":"success"}' }
const OLDER = { before: '{"data":{"slots":{', after: '}},"status":"success"}' }

/** The shapes of Cal.com's listings, in both versions of its interface. */
const SHAPES = {
  time: { ...NEWER, start: 'start', seats: seatsOfSlot },
  range: { ...NEWER, start: 'start', end: 'end', seats: seatsOfSlot },
  'older time': { ...OLDER, start: 'time', seats: attendees },
  'older range': { ...OLDER, start: 'startTime', end: 'endTime', seats: attendees },
} as const satisfies Record<string, Words>

export type ListingShape = keyof typeof SHAPES

const GROUP = ascii('],"0000-00-00":[')
const DATE_IN_GROUP = 3
const LONGEST_SEATS = 80
const MAX_DAY_BYTES = 4 * 1024 * 1024
const [PLUS, MINUS, ZERO, OPEN_ARRAY, CLOSE_ARRAY] = [43, 45, 48, 91, 93]

/** The bytes of one slot, and where its times are. */
interface Template {
  readonly bytes: Uint8Array
  readonly startAt: number
  /** -1: only the start is told. */
  readonly endAt: number
}

/** All slots of a grid on one date at one distance from UTC: the same for every host. */
interface DaySlots {
  readonly day: DayNumber
  readonly phase: number
  readonly offset: number
  readonly bytes: Uint8Array
}

const NO_SLOTS: DaySlots = { day: Number.NaN, phase: 0, offset: 0, bytes: new Uint8Array(0) }

/**
 * Writes slot listings as JSON bytes with the guest's wall times, and keeps the days that it has written.
 *
 * As in `ListingWriter`, the slots of a run are copied together: no object is made for a slot.
 */
export class ZonedListingWriter {
  readonly #words: Words
  readonly #before: Uint8Array
  readonly #after: Uint8Array
  readonly #zoned: Template
  readonly #utc: Template
  readonly #days = new Map<string, DaySlots>()
  #dayBytes = 0

  constructor(shape: ListingShape) {
    this.#words = SHAPES[shape]
    this.#before = ascii(this.#words.before)
    this.#after = ascii(this.#words.after)
    this.#zoned = templateOf(this.#words, '+00:00')
    this.#utc = templateOf(this.#words, 'Z')
  }

  write(
    openings: Openings,
    { duration, seats }: { readonly duration: number; readonly seats: number },
    guest: Zone,
    allocate: Allocate = newMemory,
  ): Uint8Array {
    const { step, firsts, counts, seatsLeft } = openings
    const template = guest.id === 'UTC' ? this.#utc : this.#zoned
    const length = template.bytes.length
    const json = allocate(this.#sizeOf(openings, length))
    json.set(this.#before, 0)
    let at = this.#before.length
    const begins = at
    let offset = 0
    let offsetUntil = -Infinity
    let day = Number.NaN
    let dayEnds = -Infinity
    let daySlots: DaySlots = NO_SLOTS
    for (let run = 0; run < firsts.length; run++) {
      let start = firsts[run] as number
      let left = counts[run] as number
      while (left > 0) {
        let opensGroup = false
        if (start >= dayEnds) {
          if (start >= offsetUntil) {
            offset = offsetAt(guest, start)
            offsetUntil = nextChange(guest, start)
          }
          const local = Math.floor((start + offset) / DAY)
          dayEnds = Math.min((local + 1) * DAY - offset, offsetUntil)
          if (local !== day) {
            day = local
            opensGroup = true
            json.set(GROUP, at)
            writeDate(json, at + DATE_IN_GROUP, day)
            // The first slot of a group has the group's bracket where others have a comma.
            at += GROUP.length - 1
          }
        }
        const sinceMidnight = (start + offset - day * DAY) | 0
        const phase = sinceMidnight % step
        let count = Math.min(left, Math.ceil((dayEnds - start) / step))
        const from = at
        if (template.endAt >= 0 && start + (count - 1) * step + duration >= offsetUntil) {
          // The end of one of them is on the other side of a clock change.
          count = 1
          writeSlot(json, at, template, { start, offset, end: start + duration, guest })
        } else {
          if (daySlots.day !== day || daySlots.phase !== phase || daySlots.offset !== offset)
            daySlots = this.#slotsOf(template, { day, phase, step, duration, offset, guest })
          const first = ((sinceMidnight - phase) / step) * length
          json.set(daySlots.bytes.subarray(first, first + count * length), at)
        }
        at += count * length
        if (opensGroup) json[from] = OPEN_ARRAY
        if (seatsLeft !== undefined) {
          const told = ascii(`${this.#words.seats(seatsLeft[run] as number, seats)}}`)
          json.set(told, at - 1)
          at += told.length - 1
        }
        start += count * step
        left -= count
      }
    }
    if (at === begins) {
      json.set(this.#after, at)
      return json.subarray(0, at + this.#after.length)
    }
    // The first group needs no `],` before it, so everything before it moves up by two bytes.
    json.set(this.#before, 2)
    json[at++] = CLOSE_ARRAY
    json.set(this.#after, at)
    return json.subarray(2, at + this.#after.length)
  }

  #slotsOf(template: Template, grid: Grid): DaySlots {
    const { day, phase, step, duration, offset, guest } = grid
    const ends = template.endAt < 0 ? 0 : duration
    const key = `${day} ${phase} ${step} ${ends} ${offset} ${guest.id === 'UTC'}`
    let slots = this.#days.get(key)
    if (slots === undefined) {
      slots = { day, phase, offset, bytes: writeSlots(template, grid) }
      if (this.#dayBytes > MAX_DAY_BYTES) {
        this.#days.clear()
        this.#dayBytes = 0
      }
      this.#days.set(key, slots)
      this.#dayBytes += slots.bytes.length
    }
    return slots
  }

  /** An upper bound for the bytes of a listing. */
  #sizeOf({ step, firsts, counts, seatsLeft }: Openings, slotLength: number): number {
    let slots = 0
    for (const count of counts) slots += count
    const around = this.#before.length + this.#after.length + 4
    if (slots === 0) return around
    const last = (firsts.at(-1) as number) + (counts.at(-1) as number) * step
    const days = Math.ceil((last - (firsts[0] as number)) / DAY) + 2
    const size = slotLength + (seatsLeft === undefined ? 0 : LONGEST_SEATS)
    return around + slots * size + Math.min(days, slots) * GROUP.length
  }
}

interface Grid {
  readonly day: DayNumber
  readonly phase: number
  readonly step: number
  readonly duration: number
  readonly offset: number
  readonly guest: Zone
}

function templateOf({ start, end }: Words, suffix: string): Template {
  const time = `0000-00-00T00:00:00.000${suffix}`
  const first = `,{"${start}":"`
  const second = end === undefined ? '' : `","${end}":"`
  return {
    bytes: ascii(`${first}${time}${second}${end === undefined ? '' : time}"}`),
    startAt: first.length,
    endAt: end === undefined ? -1 : first.length + time.length + second.length,
  }
}

/** Every slot of a day, as if the clocks did not change on it. */
function writeSlots(template: Template, { day, phase, step, duration, offset }: Grid): Uint8Array {
  const { bytes, startAt, endAt } = template
  const slots = new Uint8Array(Math.ceil((DAY - phase) / step) * bytes.length)
  for (let at = 0, since = phase; at < slots.length; at += bytes.length, since += step) {
    slots.set(bytes, at)
    writeTime(slots, at + startAt, day * DAY + since, offset, bytes)
    if (endAt >= 0) writeTime(slots, at + endAt, day * DAY + since + duration, offset, bytes)
  }
  return slots
}

function writeSlot(
  json: Uint8Array,
  at: number,
  { bytes, startAt, endAt }: Template,
  slot: { readonly start: number; readonly end: number; readonly offset: number; readonly guest: Zone },
): void {
  json.set(bytes, at)
  writeTime(json, at + startAt, slot.start + slot.offset, slot.offset, bytes)
  const offset = offsetAt(slot.guest, slot.end)
  writeTime(json, at + endAt, slot.end + offset, offset, bytes)
}

/** Where the distance from UTC begins in a time. */
const OFFSET_IN_TIME = 23

function writeTime(json: Uint8Array, at: number, local: number, offset: number, template: Uint8Array): void {
  const day = Math.floor(local / DAY)
  const minutes = (local - day * DAY) / MINUTE
  writeDate(json, at, day)
  writePair(json, at + 11, (minutes / 60) | 0)
  writePair(json, at + 14, minutes % 60)
  const isZoned = template.includes(PLUS)
  if (!isZoned) return
  const distance = Math.abs(offset) / MINUTE
  json[at + OFFSET_IN_TIME] = offset < 0 ? MINUS : PLUS
  writePair(json, at + OFFSET_IN_TIME + 1, (distance / 60) | 0)
  writePair(json, at + OFFSET_IN_TIME + 4, (distance % 60) | 0)
}

function writeDate(json: Uint8Array, at: number, day: DayNumber): void {
  const { year, month, dayOfMonth } = civilOf(day)
  writePair(json, at, (year / 100) | 0)
  writePair(json, at + 2, year % 100)
  writePair(json, at + 5, month)
  writePair(json, at + 8, dayOfMonth)
}

function writePair(json: Uint8Array, at: number, value: number): void {
  const tens = (value / 10) | 0
  json[at] = ZERO + tens
  json[at + 1] = ZERO + value - tens * 10
}
