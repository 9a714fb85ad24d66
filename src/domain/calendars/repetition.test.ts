import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY } from '../interval.ts'
import { EndlessRepetition, type Repetition, repeat } from './repetition.ts'

const rule = (given: Partial<Repetition>): Repetition => ({
  freq: 'DAILY',
  interval: 1,
  count: undefined,
  until: undefined,
  weekStart: 1,
  months: [],
  weekNumbers: [],
  yearDays: [],
  monthDays: [],
  weekdays: [],
  hours: [],
  minutes: [],
  seconds: [],
  positions: [],
  ...given,
})

const [MO, TU, WE, TH, FR, SA, SU] = [1, 2, 3, 4, 5, 6, 7]
const every = (...weekdays: number[]) => weekdays.map((weekday) => ({ weekday, nth: 0 }))
const nth = (position: number, weekday: number) => [{ weekday, nth: position }]

const NINE = Date.UTC(1997, 8, 2, 9)
const FOREVER = { start: 0, end: Date.UTC(2100, 0) }

/** The first of what a rule makes of 2 September 1997, at nine, as days or as moments. */
function first(given: Partial<Repetition>, count: number, start = NINE): string[] {
  const starts = repeat(rule({ ...given, count: given.count ?? count }), start, FOREVER, { steps: 1e7 })
  return starts.slice(0, count).map((at) => new Date(at).toISOString().slice(0, 16).replace('T09:00', ''))
}

// The examples of RFC 5545, section 3.8.5.3, with its own answers.
const EXAMPLES: readonly (readonly [string, Partial<Repetition>, readonly string[], number?])[] = [
  ['daily for three', { count: 3 }, ['1997-09-02', '1997-09-03', '1997-09-04']],
  ['every other day', { interval: 2 }, ['1997-09-02', '1997-09-04', '1997-09-06']],
  ['every 10 days', { interval: 10 }, ['1997-09-02', '1997-09-12', '1997-09-22', '1997-10-02']],
  [
    'every day in January',
    { freq: 'YEARLY', months: [1], weekdays: every(SU, MO, TU, WE, TH, FR, SA) },
    ['1998-01-01', '1998-01-02', '1998-01-03'],
    Date.UTC(1998, 0, 1, 9),
  ],
  [
    'every other week on Monday, Wednesday and Friday, weeks from Sunday',
    { freq: 'WEEKLY', interval: 2, weekStart: 7, weekdays: every(MO, WE, FR) },
    ['1997-09-01', '1997-09-03', '1997-09-05', '1997-09-15', '1997-09-17'],
    Date.UTC(1997, 8, 1, 9),
  ],
  [
    'the first Friday of a month',
    { freq: 'MONTHLY', weekdays: nth(1, FR) },
    ['1997-09-05', '1997-10-03', '1997-11-07', '1997-12-05'],
    Date.UTC(1997, 8, 5, 9),
  ],
  [
    'the first and last Sunday of every other month',
    { freq: 'MONTHLY', interval: 2, weekdays: [...nth(1, SU), ...nth(-1, SU)] },
    ['1997-09-07', '1997-09-28', '1997-11-02', '1997-11-30', '1998-01-04', '1998-01-25'],
    Date.UTC(1997, 8, 7, 9),
  ],
  [
    'the second-to-last Monday',
    { freq: 'MONTHLY', weekdays: nth(-2, MO) },
    ['1997-09-22', '1997-10-20', '1997-11-17', '1997-12-22'],
    Date.UTC(1997, 8, 22, 9),
  ],
  [
    'the third-to-last day of a month',
    { freq: 'MONTHLY', monthDays: [-3] },
    ['1997-09-28', '1997-10-29', '1997-11-28', '1997-12-29', '1998-01-29', '1998-02-26'],
    Date.UTC(1997, 8, 28, 9),
  ],
  [
    'the first and last day of a month',
    { freq: 'MONTHLY', monthDays: [1, -1] },
    ['1997-09-30', '1997-10-01', '1997-10-31', '1997-11-01', '1997-11-30'],
    Date.UTC(1997, 8, 30, 9),
  ],
  [
    'every third year on the 1st, 100th and 200th day',
    { freq: 'YEARLY', interval: 3, yearDays: [1, 100, 200] },
    ['1997-01-01', '1997-04-10', '1997-07-19', '2000-01-01', '2000-04-09', '2000-07-18', '2003-01-01'],
    Date.UTC(1997, 0, 1, 9),
  ],
  [
    'every 20th Monday of a year',
    { freq: 'YEARLY', weekdays: nth(20, MO) },
    ['1997-05-19', '1998-05-18', '1999-05-17'],
    Date.UTC(1997, 4, 19, 9),
  ],
  [
    'Monday of week 20',
    { freq: 'YEARLY', weekNumbers: [20], weekdays: every(MO) },
    ['1997-05-12', '1998-05-11', '1999-05-17'],
    Date.UTC(1997, 4, 12, 9),
  ],
  [
    'every Thursday in March',
    { freq: 'YEARLY', months: [3], weekdays: every(TH) },
    ['1997-03-13', '1997-03-20', '1997-03-27', '1998-03-05'],
    Date.UTC(1997, 2, 13, 9),
  ],
  [
    'every Friday the 13th',
    { freq: 'MONTHLY', weekdays: every(FR), monthDays: [13] },
    ['1998-02-13', '1998-03-13', '1998-11-13', '1999-08-13', '2000-10-13'],
  ],
  [
    'the Saturday that follows the first Sunday',
    { freq: 'MONTHLY', weekdays: every(SA), monthDays: [7, 8, 9, 10, 11, 12, 13] },
    ['1997-09-13', '1997-10-11', '1997-11-08', '1997-12-13'],
    Date.UTC(1997, 8, 13, 9),
  ],
  [
    'every fourth year, the Tuesday after a Monday in November',
    { freq: 'YEARLY', interval: 4, months: [11], weekdays: every(TU), monthDays: [2, 3, 4, 5, 6, 7, 8] },
    ['1996-11-05', '2000-11-07', '2004-11-02'],
    Date.UTC(1996, 10, 5, 9),
  ],
  [
    'the third of Tuesday, Wednesday and Thursday',
    { freq: 'MONTHLY', weekdays: every(TU, WE, TH), positions: [3] },
    ['1997-09-04', '1997-10-07', '1997-11-06'],
    Date.UTC(1997, 8, 4, 9),
  ],
  [
    'the second-to-last weekday of a month',
    { freq: 'MONTHLY', weekdays: every(MO, TU, WE, TH, FR), positions: [-2] },
    ['1997-09-29', '1997-10-30', '1997-11-27', '1997-12-30', '1998-01-29'],
    Date.UTC(1997, 8, 29, 9),
  ],
  ['every 3 hours', { freq: 'HOURLY', interval: 3 }, ['1997-09-02', '1997-09-02T12:00', '1997-09-02T15:00']],
  [
    'every 90 minutes',
    { freq: 'MINUTELY', interval: 90 },
    ['1997-09-02', '1997-09-02T10:30', '1997-09-02T12:00', '1997-09-02T13:30'],
  ],
  [
    'every 20 minutes from nine to ten',
    { hours: [9, 10], minutes: [0, 20, 40] },
    ['1997-09-02', '1997-09-02T09:20', '1997-09-02T09:40', '1997-09-02T10:00'],
  ],
  [
    'the same, minute by minute',
    { freq: 'MINUTELY', interval: 20, hours: [9, 10] },
    ['1997-09-02', '1997-09-02T09:20', '1997-09-02T09:40', '1997-09-02T10:00'],
  ],
  [
    'every other week on Tuesday and Sunday, weeks from Monday',
    { freq: 'WEEKLY', interval: 2, weekdays: every(TU, SU) },
    ['1997-08-05', '1997-08-10', '1997-08-19', '1997-08-24'],
    Date.UTC(1997, 7, 5, 9),
  ],
  [
    'every other week on Tuesday and Sunday, weeks from Sunday',
    { freq: 'WEEKLY', interval: 2, weekStart: 7, weekdays: every(TU, SU) },
    ['1997-08-05', '1997-08-17', '1997-08-19', '1997-08-31'],
    Date.UTC(1997, 7, 5, 9),
  ],
  [
    'days that some months do not have',
    { freq: 'MONTHLY', monthDays: [15, 30] },
    ['2007-01-15', '2007-01-30', '2007-02-15', '2007-03-15', '2007-03-30'],
    Date.UTC(2007, 0, 15, 9),
  ],
]

describe('a repetition', () => {
  for (const [name, given, expected, start] of EXAMPLES) {
    it(`is ${name}`, () => assert.deepEqual(first(given, expected.length, start), expected))
  }

  it('finds the same starts in a later span as from the beginning', () => {
    for (const [, { count: _, ...given }, , start = NINE] of EXAMPLES) {
      const budget = { steps: 1e7 }
      const span = { start: start + 400 * DAY, end: start + 1500 * DAY }
      const whole = repeat(rule(given), start, { start, end: span.end }, budget)
      assert.deepEqual(
        repeat(rule(given), start, span, budget),
        whole.filter((at) => at >= span.start),
        JSON.stringify(given),
      )
    }
  })

  it('ends at UNTIL, inclusive', () => {
    const until = NINE + 2 * DAY
    assert.equal(repeat(rule({ until }), NINE, FOREVER, { steps: 1000 }).length, 3)
    assert.equal(repeat(rule({ until: until - 1 }), NINE, FOREVER, { steps: 1000 }).length, 2)
  })

  it('ends if it never matches, and gives up if it takes too long', () => {
    const span = { start: NINE, end: NINE + 400 * DAY }
    const never: Partial<Repetition>[] = [
      { months: [2], monthDays: [30] },
      { freq: 'YEARLY', months: [2], monthDays: [30] },
      { freq: 'HOURLY', interval: 2, hours: [8] },
      { freq: 'SECONDLY', months: [2], monthDays: [31] },
      { interval: 7, weekdays: every(MO) },
    ]
    for (const given of never) assert.deepEqual(repeat(rule(given), NINE, span, { steps: 10_000 }), [])
    assert.throws(() => repeat(rule({ freq: 'SECONDLY' }), NINE, span, { steps: 10_000 }), EndlessRepetition)
  })
})
