import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compiled } from '../../../test/openings.ts'
import { type DayNumber, parseDate } from '../calendar-date.ts'
import { HOUR } from '../interval.ts'
import { Problem } from '../problem.ts'
import { checkSchedule, type Schedule, type WallRange } from './hours.ts'

const hours = (...texts: string[]): WallRange[] =>
  texts.map((text) => {
    const [opens, closes] = text.split('-') as [string, string]
    return { opens, closes }
  })

const paris = (weekly: Schedule['weekly'], overrides: Schedule['overrides'] = {}): Schedule => ({
  timeZone: 'Europe/Paris',
  weekly,
  overrides,
})

const day = (date: string) => parseDate(date) as DayNumber

/** The ranges of some dates as `from/until`, in the zone's own wall time and offset. */
const opening = (schedule: Schedule, first: string, last = first) =>
  compiled(schedule)
    .openRanges(day(first), day(last))
    .map(({ start, end }) => {
      const [from, until] = [start, end].map((instant) =>
        Temporal.Instant.fromEpochMilliseconds(instant)
          .toZonedDateTimeISO(schedule.timeZone)
          .toString({ timeZoneName: 'never', smallestUnit: 'minute' }),
      )
      return `${from}/${until}`
    })

const hoursLong = (schedule: Schedule, date: string) =>
  compiled(schedule)
    .openRanges(day(date), day(date))
    .map(({ start, end }) => (end - start) / HOUR)

describe('CompiledSchedule.openRanges', () => {
  it('opens at the weekday’s wall-clock times', () => {
    assert.deepEqual(opening(paris({ 1: hours('09:00-12:00', '13:30-17:00') }), '2026-03-02'), [
      '2026-03-02T09:00+01:00/2026-03-02T12:00+01:00',
      '2026-03-02T13:30+01:00/2026-03-02T17:00+01:00',
    ])
  })

  it('counts weekdays from Monday to Sunday', () => {
    const monday = Temporal.PlainDate.from('2026-03-02')
    for (let weekday = 1; weekday <= 7; weekday++) {
      const schedule = paris({ [weekday]: hours('09:00-17:00') })
      const only = monday.add({ days: weekday - 1 }).toString()
      const week = opening(schedule, '2026-03-02', '2026-03-08')
      assert.deepEqual(week, [`${only}T09:00+01:00/${only}T17:00+01:00`])
    }
  })

  it('includes both dates, and none outside them', () => {
    const daily = paris(
      Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((weekday) => [weekday, hours('09:00-17:00')])),
    )
    assert.equal(opening(daily, '2026-03-02', '2026-03-05').length, 4)
    assert.equal(opening(daily, '2026-03-05', '2026-03-02').length, 0)
  })

  it('is closed on days without hours', () => {
    assert.deepEqual(opening(paris({ 1: hours('09:00-17:00') }), '2026-03-03'), [])
    assert.deepEqual(opening(paris({ 1: [] }), '2026-03-02'), [])
  })

  it('replaces the weekly hours of a date with an override', () => {
    const schedule = paris({ 1: hours('09:00-12:00', '13:00-17:00') }, { '2026-03-02': hours('20:00-21:00') })
    assert.deepEqual(opening(schedule, '2026-03-02'), ['2026-03-02T20:00+01:00/2026-03-02T21:00+01:00'])
    assert.equal(opening(schedule, '2026-03-09').length, 2)
  })

  it('is closed on a date with an empty override', () => {
    const schedule = paris({ 1: hours('09:00-17:00') }, { '2026-03-02': [] })
    assert.deepEqual(opening(schedule, '2026-03-02'), [])
    assert.equal(opening(schedule, '2026-03-09').length, 1)
  })

  it('opens an overridden date on a closed weekday', () => {
    assert.deepEqual(opening(paris({}, { '2026-03-03': hours('09:00-10:00') }), '2026-03-03'), [
      '2026-03-03T09:00+01:00/2026-03-03T10:00+01:00',
    ])
  })

  it('ends at midnight if it closes at 24:00', () => {
    assert.deepEqual(opening(paris({ 1: hours('22:00-24:00') }), '2026-03-02'), [
      '2026-03-02T22:00+01:00/2026-03-03T00:00+01:00',
    ])
  })

  it('keeps touching ranges apart, also over midnight', () => {
    const schedule = paris({ 1: hours('09:00-12:00', '12:00-24:00'), 2: hours('00:00-01:00') })
    assert.deepEqual(opening(schedule, '2026-03-02', '2026-03-03'), [
      '2026-03-02T09:00+01:00/2026-03-02T12:00+01:00',
      '2026-03-02T12:00+01:00/2026-03-03T00:00+01:00',
      '2026-03-03T00:00+01:00/2026-03-03T01:00+01:00',
    ])
  })

  it('sorts ranges', () => {
    const schedule = paris({ 1: hours('13:00-17:00', '09:00-12:00') })
    assert.deepEqual(
      opening(schedule, '2026-03-02'),
      opening(paris({ 1: hours('09:00-12:00', '13:00-17:00') }), '2026-03-02'),
    )
  })

  it('loses the hour that spring skips', () => {
    const sundays = paris({ 7: hours('01:00-04:00') })
    assert.deepEqual(hoursLong(sundays, '2026-03-22'), [3])
    assert.deepEqual(hoursLong(sundays, '2026-03-29'), [2])
  })

  it('gains the hour that autumn repeats', () => {
    assert.deepEqual(hoursLong(paris({ 7: hours('01:00-04:00') }), '2026-10-25'), [4])
  })

  it('is 23 or 25 hours on a whole day of change', () => {
    const sundays = paris({ 7: hours('00:00-24:00') })
    assert.deepEqual(hoursLong(sundays, '2026-03-29'), [23])
    assert.deepEqual(hoursLong(sundays, '2026-10-25'), [25])
  })

  it('drops a range that the spring change skips whole', () => {
    assert.deepEqual(opening(paris({ 7: hours('02:00-03:00') }), '2026-03-29'), [])
    assert.deepEqual(opening(paris({ 7: hours('02:30-03:15') }), '2026-03-29'), [])
  })

  it('moves a range if the spring change skips both its ends', () => {
    assert.deepEqual(opening(paris({ 7: hours('02:15-02:45') }), '2026-03-29'), [
      '2026-03-29T03:15+02:00/2026-03-29T03:45+02:00',
    ])
  })

  it('stays sorted when the spring change moves a range past the start of the next', () => {
    assert.deepEqual(opening(paris({ 7: hours('02:15-02:45', '03:00-05:00') }), '2026-03-29'), [
      '2026-03-29T03:00+02:00/2026-03-29T05:00+02:00',
      '2026-03-29T03:15+02:00/2026-03-29T03:45+02:00',
    ])
  })

  it('uses the first of two repeated times', () => {
    assert.deepEqual(opening(paris({ 7: hours('01:00-02:30', '02:30-04:00') }), '2026-10-25'), [
      '2026-10-25T01:00+02:00/2026-10-25T02:30+02:00',
      '2026-10-25T02:30+02:00/2026-10-25T04:00+01:00',
    ])
  })

  it('opens when the date begins where the spring change skips midnight', () => {
    const havana: Schedule = {
      timeZone: 'America/Havana',
      weekly: { 7: hours('00:00-02:00') },
      overrides: {},
    }
    assert.deepEqual(opening(havana, '2026-03-08'), ['2026-03-08T01:00-04:00/2026-03-08T02:00-04:00'])
  })
})

describe('CompiledSchedule.zone', () => {
  it('is the zone the schedule names', () => {
    assert.equal(compiled(paris({})).zone.id, 'Europe/Paris')
    assert.equal(compiled({ ...paris({}), timeZone: 'asia/kathmandu' }).zone.id, 'Asia/Kathmandu')
  })
})

describe('checkSchedule', () => {
  const refuses = (schedule: Schedule, culprit: RegExp) =>
    assert.throws(
      () => checkSchedule(schedule),
      (error) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.code, 'invalid')
        assert.match(error.message, culprit)
        return true
      },
    )

  it('accepts usual hours', () => {
    checkSchedule(paris({}))
    checkSchedule(paris({ 1: hours('09:00-17:00'), 5: [], 7: hours('00:00-24:00') }))
    checkSchedule(paris({ 1: hours('22:00-24:00'), 2: hours('00:00-02:00', '02:00-03:00', '23:59-24:00') }))
    checkSchedule(paris({ 1: hours('13:00-17:00', '09:00-12:00') }))
    checkSchedule(paris({}, { '2026-12-24': hours('09:00-12:00'), '2026-12-25': [], '2028-02-29': [] }))
    checkSchedule({ ...paris({}), timeZone: 'america/new_york' })
  })

  it('refuses an unknown zone, and names it', () => {
    for (const timeZone of ['Mars/Olympus_Mons', '+02:00', 'T00:00+02:00', '', 'Europe/Paris ']) {
      refuses({ ...paris({}), timeZone }, new RegExp(RegExp.escape(timeZone)))
    }
  })

  it('refuses weekdays other than 1 to 7', () => {
    for (const weekday of ['0', '8', '-1', '1.5', '01', 'monday', '']) {
      refuses(paris({ [weekday]: hours('09:00-17:00') } as Schedule['weekly']), /weekday/i)
    }
  })

  it('refuses dates that do not exist, and names them', () => {
    for (const date of ['2026-02-29', '2026-13-01', '2026-1-1', 'tomorrow', '2026-01-01T00:00:00Z']) {
      refuses(paris({}, { [date]: [] }), new RegExp(RegExp.escape(date)))
    }
  })

  it('refuses hours that do not close after they open, and names them and the day', () => {
    for (const range of ['17:00-09:00', '09:00-09:00', '22:00-02:00', '24:00-24:00', '23:00-00:00']) {
      const [opens, closes] = range.split('-')
      const named = new RegExp(`Wednesday\\b.*${opens}.*${closes}`)
      refuses(paris({ 3: hours('00:00-01:00', range) }), named)
    }
    refuses(paris({}, { '2026-12-24': hours('12:00-09:00') }), /2026-12-24/)
  })

  it('refuses times that do not exist', () => {
    for (const time of [
      '9:00',
      '09:60',
      '24:01',
      '25:00',
      '9am',
      '0900',
      '09:00:00',
      '',
      ' 09:00',
      '-01:00',
    ]) {
      refuses(paris({ 3: [{ opens: time, closes: '24:00' }] }), /Wednesday/)
      refuses(paris({ 3: [{ opens: '00:00', closes: time }] }), /Wednesday/)
      refuses(paris({}, { '2026-12-24': [{ opens: '00:00', closes: time }] }), /2026-12-24/)
    }
  })

  it('refuses overlapping hours in any order, and names the day', () => {
    refuses(paris({ 3: hours('09:00-12:00', '11:59-17:00') }), /Wednesday/)
    refuses(paris({ 3: hours('11:59-17:00', '09:00-12:00') }), /Wednesday/)
    refuses(paris({ 3: hours('09:00-17:00', '10:00-11:00') }), /Wednesday/)
    refuses(paris({ 3: hours('09:00-17:00', '09:00-17:00') }), /Wednesday/)
    refuses(paris({}, { '2026-12-24': hours('09:00-12:00', '10:00-13:00') }), /2026-12-24/)
  })

  it('finds the one bad day in a good week', () => {
    const good = hours('09:00-12:00', '13:00-17:00')
    refuses(paris({ 1: good, 2: good, 3: good, 6: hours('12:00-09:00'), 7: good }), /Saturday/)
  })
})
