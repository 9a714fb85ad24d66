import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zones } from '../../test/openings.ts'
import { type DayNumber, parseDate } from '../domain/calendar-date.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../domain/interval.ts'
import { type Openings, openingsAt, startsOf } from '../domain/slots/openings.ts'
import { guestSpan, ListingWriter } from './listing.ts'

interface ListedDay {
  date: string
  slots: { startTime: string; endTime: string; seatsLeft?: number }[]
}

const writer = new ListingWriter()

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const day = (date: string) => parseDate(date) as DayNumber
const starting = (...starts: number[]) => openingsAt(starts, 30 * MINUTE)

const write = (openings: Openings, duration: number, guest: string) =>
  new TextDecoder('utf-8', { fatal: true }).decode(writer.write(openings, duration, zones.get(guest)))

const read = (openings: Openings, duration: number, guest: string): ListedDay[] =>
  JSON.parse(write(openings, duration, guest))

/** The same listing, by Temporal and plain objects. */
function construct(openings: Openings, duration: number, guest: string): ListedDay[] {
  const { seatsLeft } = openings
  const days: ListedDay[] = []
  for (const [i, start] of startsOf(openings).entries()) {
    const [from, until] = [start, start + duration].map((instant) =>
      Temporal.Instant.fromEpochMilliseconds(instant),
    )
    const date = (from as Temporal.Instant).toZonedDateTimeISO(guest).toPlainDate().toString()
    if (days.at(-1)?.date !== date) days.push({ date, slots: [] })
    const [startTime, endTime] = [from, until].map(
      (instant) => `${instant?.toString({ smallestUnit: 'second' })}`,
    )
    const slot = { startTime: startTime as string, endTime: endTime as string }
    days.at(-1)?.slots.push(seatsLeft === undefined ? slot : { ...slot, seatsLeft: seatsLeft[i] as number })
  }
  return days
}

const assertWellWritten = (openings: Openings, duration: number, guest: string) => {
  const [actual, expected] = [
    write(openings, duration, guest),
    JSON.stringify(construct(openings, duration, guest)),
  ]
  if (actual !== expected) assert.deepEqual(JSON.parse(actual), JSON.parse(expected), guest)
  assert.ok(actual === expected, `${guest}: written as JSON.stringify would`)
}

const evenly = (from: string, step: number, count: number) =>
  openingsAt(
    Array.from({ length: count }, (_, i) => at(from) + i * step),
    step,
  )

/** The same starts with seats: each is its own run. */
const seated = (openings: Openings, seatsLeft: (i: number) => number): Openings => {
  const firsts = startsOf(openings)
  const counts = firsts.map(() => 1)
  return { step: openings.step, firsts, counts, seatsLeft: firsts.map((_, i) => seatsLeft(i)) }
}

describe('guestSpan', () => {
  const hoursLong = ({ start, end }: Interval) => (end - start) / HOUR

  it('is both dates, whole, in the guest’s zone', () => {
    assert.deepEqual(guestSpan(zones.get('UTC'), day('2026-03-02'), day('2026-03-03')), {
      start: at('2026-03-02T00:00Z'),
      end: at('2026-03-04T00:00Z'),
    })
    assert.deepEqual(guestSpan(zones.get('Asia/Kathmandu'), day('2026-03-02'), day('2026-03-02')), {
      start: at('2026-03-02T00:00+05:45'),
      end: at('2026-03-03T00:00+05:45'),
    })
  })

  it('is as long as the day is', () => {
    const paris = zones.get('Europe/Paris')
    assert.equal(hoursLong(guestSpan(paris, day('2026-03-29'), day('2026-03-29'))), 23)
    assert.equal(hoursLong(guestSpan(paris, day('2026-10-25'), day('2026-10-25'))), 25)
  })

  it('leaves no gap between one date and the next, and no overlap, in any zone', () => {
    for (const name of ['UTC', ...Intl.supportedValuesOf('timeZone')]) {
      const zone = zones.get(name)
      let previous = guestSpan(zone, day('2025-12-31'), day('2025-12-31'))
      for (let date = day('2026-01-01'); date <= day('2026-12-31'); date++) {
        const next = guestSpan(zone, date, date)
        assert.equal(next.start, previous.end, name)
        previous = next
      }
    }
  })
})

describe('ListingWriter', () => {
  it('writes an empty array without openings', () => {
    assert.equal(write(starting(), 30 * MINUTE, 'UTC'), '[]')
    assert.equal(
      write(
        seated(starting(), () => 1),
        30 * MINUTE,
        'UTC',
      ),
      '[]',
    )
  })

  it('writes starts and ends in UTC, under the guest’s date', () => {
    assert.deepEqual(read(starting(at('2026-03-02T14:05Z')), 50 * MINUTE, 'America/New_York'), [
      {
        date: '2026-03-02',
        slots: [{ startTime: '2026-03-02T14:05:00Z', endTime: '2026-03-02T14:55:00Z' }],
      },
    ])
  })

  it('puts a slot under the guest’s local date, not the UTC date', () => {
    const evening = starting(at('2026-03-02T22:00Z'))
    const dateIn = (guest: string) => read(evening, 30 * MINUTE, guest).map(({ date }) => date)
    assert.deepEqual(dateIn('UTC'), ['2026-03-02'])
    assert.deepEqual(dateIn('Asia/Tokyo'), ['2026-03-03'])
    assert.deepEqual(dateIn('Pacific/Kiritimati'), ['2026-03-03'])
    assert.deepEqual(dateIn('Pacific/Pago_Pago'), ['2026-03-02'])
    assert.deepEqual(dateIn('Asia/Kathmandu'), ['2026-03-03'])
  })

  it('keeps a slot whole that crosses the guest’s midnight', () => {
    // Midnight in Paris, in winter, is 23:00 in UTC.
    const around = evenly('2026-03-02T22:00Z', 30 * MINUTE, 4)
    const listed = read(around, 60 * MINUTE, 'Europe/Paris')
    assert.deepEqual(
      listed.map(({ date, slots }) => [date, slots.map(({ startTime, endTime }) => [startTime, endTime])]),
      [
        [
          '2026-03-02',
          [
            ['2026-03-02T22:00:00Z', '2026-03-02T23:00:00Z'],
            ['2026-03-02T22:30:00Z', '2026-03-02T23:30:00Z'],
          ],
        ],
        [
          '2026-03-03',
          [
            ['2026-03-02T23:00:00Z', '2026-03-03T00:00:00Z'],
            ['2026-03-02T23:30:00Z', '2026-03-03T00:30:00Z'],
          ],
        ],
      ],
    )
  })

  it('leaves out dates without slots', () => {
    const apart = starting(at('2026-03-02T12:00Z'), at('2026-03-09T12:00Z'))
    assert.deepEqual(
      read(apart, 30 * MINUTE, 'UTC').map(({ date }) => date),
      ['2026-03-02', '2026-03-09'],
    )
  })

  it('adds the seats left to each slot of an event type with seats', () => {
    const starts = [at('2026-03-02T12:00Z'), at('2026-03-02T13:00Z'), at('2026-03-03T12:00Z')]
    const seats = [10, 1, 9_999]
    const openings = seated(starting(...starts), (i) => seats[i] as number)
    const listed = read(openings, HOUR, 'UTC')
    assert.deepEqual(
      listed.map(({ slots }) => slots.map(({ seatsLeft }) => seatsLeft)),
      [[10, 1], [9_999]],
    )
  })

  it('has no seats for other event types', () => {
    const [listed] = read(starting(at('2026-03-02T12:00Z')), HOUR, 'UTC')
    assert.deepEqual(Object.keys(listed?.slots[0] ?? {}), ['startTime', 'endTime'])
  })

  it('writes what JSON.stringify would, in every zone, over the changes of a whole year', () => {
    const year = evenly('2026-01-01T00:15Z', 31 * HOUR, Math.ceil((365 * DAY) / (31 * HOUR)))
    for (const guest of ['UTC', ...Intl.supportedValuesOf('timeZone')])
      assertWellWritten(year, 45 * MINUTE, guest)
  })

  it('moves from one date to the next at the right slot when the clock changes in between', () => {
    for (const guest of [
      'Europe/Paris',
      'America/Havana',
      'Asia/Beirut',
      'Australia/Lord_Howe',
      'America/Nuuk',
    ]) {
      let change = Temporal.Instant.from('2026-01-01T00:00Z').toZonedDateTimeISO(guest)
      for (let i = 0; i < 4; i++) {
        change = change.getTimeZoneTransition('next') as Temporal.ZonedDateTime
        const around = evenly(change.toInstant().subtract({ hours: 48 }).toString(), 5 * MINUTE, 12 * 96)
        assertWellWritten(around, 30 * MINUTE, guest)
      }
    }
  })

  it('has room for any shape of listing', () => {
    for (const guest of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      for (const openings of [
        evenly('2026-03-02T23:59Z', DAY, 1),
        evenly('2026-03-02T23:59Z', DAY, 2),
        evenly('2026-03-02T23:59Z', MINUTE, 2),
        evenly('2026-03-01T00:00Z', DAY, 94),
        evenly('2026-03-01T00:00Z', DAY + MINUTE, 92),
        evenly('2026-03-01T00:00Z', MINUTE, 3 * 24 * 60),
      ]) {
        for (const duration of [MINUTE, 30 * MINUTE, DAY]) {
          assertWellWritten(openings, duration, guest)
          const many = seated(openings, (i) => (i % 2 === 0 ? 2 ** 31 : i))
          assertWellWritten(many, duration, guest)
        }
      }
    }
  })

  it('handles months, years and leap days', () => {
    const aroundEach = ['2026-12-31', '2028-02-28', '2028-02-29', '2027-02-28', '2099-12-31', '2100-02-28']
    for (const date of aroundEach)
      assertWellWritten(evenly(`${date}T00:00Z`, 20 * MINUTE, 150), 50 * MINUTE, 'UTC')
  })

  it('does not change one listing while writing another', () => {
    const first = writer.write(starting(at('2026-03-02T12:00Z')), HOUR, zones.get('UTC'))
    const kept = first.slice()
    writer.write(starting(at('2027-04-05T06:00Z')), HOUR, zones.get('UTC'))
    assert.deepEqual(first, kept)
  })
})
