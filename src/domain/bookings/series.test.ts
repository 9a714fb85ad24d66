import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TWENTY_ZONES } from '../../../test/zones.ts'
import { formatDate, weekdayOf } from '../calendar-date.ts'
import { checkSeriesOffer } from '../event-types/series-offer.ts'
import { DAY, HOUR } from '../interval.ts'
import { Zones } from '../zone.ts'
import { checkRepeat, type Repeat, seriesDays, seriesStarts, wallTimeOf } from './series.ts'

const zones = new Zones()

const datesOf = (first: string, repeat: Repeat, zone = 'UTC') =>
  seriesDays(Date.parse(first), repeat, zones.get(zone)).map(formatDate)

describe('a series', () => {
  it('keeps its wall time and its steps in twenty zones, all year round', () => {
    for (const name of TWENTY_ZONES) {
      const zone = zones.get(name)
      for (const [every, count] of [
        ['week', 52],
        ['2 weeks', 26],
        ['month', 12],
      ] as const) {
        const firstAt = Date.UTC(2027, 0, 14, 12)
        const wall = wallTimeOf(zone, firstAt)
        const starts = seriesStarts(firstAt, { every, count }, zone)
        assert.equal(starts.length, count)
        assert.equal(starts[0], firstAt)
        for (const [index, start] of starts.entries()) {
          const { day, minutes } = wallTimeOf(zone, start)
          assert.equal(minutes, wall.minutes, `${name} ${index}`)
          assert.equal(weekdayOf(day), weekdayOf(wall.day), `${name} ${index}`)
          if (every !== 'month') assert.equal(day, wall.day + index * (every === 'week' ? 7 : 14))
        }
      }
    }
  })

  it('is another instant in summer where clocks change', () => {
    const [march, april] = seriesStarts(
      Date.UTC(2027, 2, 22, 9),
      { every: 'week', count: 2 },
      zones.get('Europe/Berlin'),
    ) as [number, number]
    assert.equal(april - march, 7 * DAY - HOUR)
  })

  it('takes the same weekday of the month, and the last for a fifth', () => {
    assert.deepEqual(datesOf('2027-01-12T09:00Z', { every: 'month', count: 4 }), [
      '2027-01-12',
      '2027-02-09',
      '2027-03-09',
      '2027-04-13',
    ])
    assert.deepEqual(datesOf('2027-01-29T09:00Z', { every: 'month', count: 4 }), [
      '2027-01-29',
      '2027-02-26',
      '2027-03-26',
      '2027-04-30',
    ])
    assert.deepEqual(datesOf('2027-11-30T09:00Z', { every: 'month', count: 3 }), [
      '2027-11-30',
      '2027-12-28',
      '2028-01-25',
    ])
  })

  it('counts dates in its own zone', () => {
    // Sunday in Auckland, Saturday in UTC.
    assert.deepEqual(datesOf('2027-01-02T20:00Z', { every: 'week', count: 2 }, 'Pacific/Auckland'), [
      '2027-01-03',
      '2027-01-10',
    ])
  })

  it('is refused unless the event type offers it', () => {
    const offer = { every: ['week', 'month'], most: 12 } as const
    checkRepeat({ every: 'week', count: 12 }, offer)
    const refused: [Repeat, typeof offer | null, RegExp][] = [
      [{ every: 'week', count: 3 }, null, /no series/],
      [{ every: '2 weeks', count: 3 }, offer, /one of week, month/],
      [{ every: 'week', count: 1 }, offer, /from 2 to 12/],
      [{ every: 'week', count: 13 }, offer, /from 2 to 12/],
      [{ every: 'week', count: 2.5 }, offer, /from 2 to 12/],
    ]
    for (const [repeat, given, reason] of refused) assert.throws(() => checkRepeat(repeat, given), reason)
  })

  it('is offered with at least one step, and for at most a year of weeks', () => {
    checkSeriesOffer(null)
    checkSeriesOffer({ every: ['week', '2 weeks', 'month'], most: 52 })
    assert.throws(() => checkSeriesOffer({ every: [], most: 4 }), /how often/)
    assert.throws(() => checkSeriesOffer({ every: ['week', 'week'], most: 4 }), /twice/)
    assert.throws(() => checkSeriesOffer({ every: ['week'], most: 1 }), /2 to 52/)
    assert.throws(() => checkSeriesOffer({ every: ['week'], most: 53 }), /2 to 52/)
  })
})
