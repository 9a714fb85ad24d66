import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { civilOf, formatDate, monthOf, parseDate, weekdayOf, weekOf } from './calendar-date.ts'

const EPOCH = Temporal.PlainDate.from('1970-01-01')

/** What a day number has to be, by Temporal. */
const daysSinceEpoch = (date: Temporal.PlainDate) => EPOCH.until(date, { largestUnit: 'day' }).days

const dayOf = (text: string) => {
  const day = parseDate(text)
  assert.ok(day !== undefined, `${text} is a date`)
  return day
}

/** Every date of one full turn of the Gregorian calendar, and the two ends of the four-digit years. */
function* manyDates(): Generator<[Temporal.PlainDate, number]> {
  for (const [first, last] of [
    ['0000-01-01', '0001-01-01'],
    ['1899-12-01', '1900-04-01'],
    ['1969-12-25', '2370-01-07'],
    ['9999-01-01', '9999-12-31'],
  ] as const) {
    let date = Temporal.PlainDate.from(first)
    const end = daysSinceEpoch(Temporal.PlainDate.from(last))
    for (let day = daysSinceEpoch(date); day <= end; day++) {
      yield [date, day]
      date = date.add({ days: 1 })
    }
  }
}

describe('calendar dates', () => {
  it('match Temporal in every year', () => {
    const monday = daysSinceEpoch(Temporal.PlainDate.from('1969-12-29'))
    for (const [date, day] of manyDates()) {
      const text = date.toString()
      assert.equal(parseDate(text), day, text)
      assert.equal(formatDate(day), text)
      assert.equal(weekdayOf(day), date.dayOfWeek, text)
      const { year, month, dayOfMonth } = civilOf(day)
      assert.ok(year === date.year && month === date.month && dayOfMonth === date.day, text)
      assert.equal(weekOf(day) - weekOf(monday), Math.floor((day - monday) / 7), text)
      assert.equal(monthOf(day) - monthOf(0), (date.year - 1970) * 12 + date.month - 1, text)
    }
  })
})

describe('parseDate', () => {
  it('knows 29 February in leap years only', () => {
    for (const year of ['2000', '2024', '2028', '2400', '0000', '0004']) {
      assert.notEqual(parseDate(`${year}-02-29`), undefined, year)
    }
    for (const year of ['1900', '2026', '2100', '2200', '0100', '9999']) {
      assert.equal(parseDate(`${year}-02-29`), undefined, year)
    }
  })

  it('does not read the years 0 to 99 as 19xx', () => {
    assert.equal(dayOf('0026-01-01'), daysSinceEpoch(Temporal.PlainDate.from('0026-01-01')))
    assert.equal(dayOf('0099-12-31'), daysSinceEpoch(Temporal.PlainDate.from('0099-12-31')))
  })

  it('refuses dates that do not exist', () => {
    for (const text of ['2026-00-01', '2026-13-01', '2026-01-00', '2026-01-32', '2026-04-31', '2026-02-30']) {
      assert.equal(parseDate(text), undefined, text)
    }
  })

  it('refuses everything that is not written YYYY-MM-DD', () => {
    const garbage = [
      '',
      'today',
      '2026',
      '2026-1-1',
      '26-01-01',
      '20260101',
      '2026/01/01',
      '01-01-2026',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '2026-01-01 ',
      '2026-01-01\n',
      '-2026-01-01',
      '+2026-01-01',
      '+002026-01-01',
      '12026-01-01',
      '2026-01-0x',
      '２０２６-01-01',
      '٢٠٢٦-٠١-٠١',
    ]
    for (const text of garbage) assert.equal(parseDate(text), undefined, JSON.stringify(text))
  })
})

describe('weekOf', () => {
  it('begins on Monday', () => {
    const [sunday, monday, nextSunday] = [dayOf('2026-03-01'), dayOf('2026-03-02'), dayOf('2026-03-08')]
    assert.notEqual(weekOf(sunday), weekOf(monday))
    assert.equal(weekOf(monday), weekOf(nextSunday))
  })

  it('continues over the new year', () => {
    assert.equal(weekOf(dayOf('2026-12-28')), weekOf(dayOf('2027-01-03')))
  })
})

describe('monthOf', () => {
  it('differs for the same month of two years', () => {
    assert.notEqual(monthOf(dayOf('2026-03-01')), monthOf(dayOf('2027-03-01')))
  })

  it('is consecutive from December to January', () => {
    assert.equal(monthOf(dayOf('2027-01-01')), monthOf(dayOf('2026-12-31')) + 1)
  })
})
