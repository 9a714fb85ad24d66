import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY, HOUR, MINUTE } from '../domain/interval.ts'
import { openingsAt } from '../domain/slots/openings.ts'
import { Zones } from '../domain/zone.ts'
import { ZonedListingWriter } from './zoned-listing.ts'

const zones = new Zones()

const written = (
  shape: ConstructorParameters<typeof ZonedListingWriter>[0],
  starts: readonly number[],
  zone: string,
  duration: number,
) => {
  const writer = new ZonedListingWriter(shape)
  const write = () => writer.write(openingsAt(starts, 30 * MINUTE), { duration, seats: 1 }, zones.get(zone))
  const text = Buffer.from(write()).toString('utf8')
  assert.equal(
    Buffer.from(write()).toString('utf8'),
    text,
    'the second time it comes from days that were kept',
  )
  return JSON.parse(text)
}

/** The same, the slow way. */
function expected(starts: readonly number[], zone: string, duration: number) {
  const days: Record<string, { start: string; end: string }[]> = {}
  const told = (at: number) => {
    const text = Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(zone)
      .toString({ timeZoneName: 'never', fractionalSecondDigits: 3 })
    return zone === 'UTC' ? text.replace('+00:00', 'Z') : text
  }
  for (const at of starts) {
    const date = told(at).slice(0, 10)
    days[date] = [...(days[date] ?? []), { start: told(at), end: told(at + duration) }]
  }
  return { data: days, status: 'success' }
}

describe('a listing with wall times', () => {
  // Clocks change in Berlin on 28 March, on Lord Howe Island by half an hour on 4 April.
  const first = Date.UTC(2027, 2, 26, 22)
  const starts = Array.from({ length: 10 * 48 }, (_, index) => first + index * 30 * MINUTE).filter(
    (at) => at % DAY > 3 * HOUR || at % DAY === 0,
  )

  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe']) {
    it(`has the dates, times and offsets of ${zone}`, () => {
      for (const duration of [30 * MINUTE, 5 * HOUR]) {
        assert.deepEqual(written('range', starts, zone, duration), expected(starts, zone, duration))
      }
    })
  }

  it('has four shapes', () => {
    const [at] = [Date.UTC(2027, 0, 12, 9)]
    const [start, end] = ['2027-01-12T10:00:00.000+01:00', '2027-01-12T10:30:00.000+01:00']
    const write = (shape: Parameters<typeof written>[0]) =>
      written(shape, [at], 'Europe/Berlin', 30 * MINUTE).data
    assert.deepEqual(write('time'), { '2027-01-12': [{ start }] })
    assert.deepEqual(write('range'), { '2027-01-12': [{ start, end }] })
    assert.deepEqual(write('older time'), { slots: { '2027-01-12': [{ time: start }] } })
    assert.deepEqual(write('older range'), { slots: { '2027-01-12': [{ startTime: start, endTime: end }] } })
    assert.deepEqual(written('time', [], 'UTC', HOUR), { data: {}, status: 'success' })
  })
})
