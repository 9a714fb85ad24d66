import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { zones } from '../../../test/openings.ts'
import { DAY, HOUR, type Interval, MINUTE } from '../../domain/interval.ts'
import { type BusyQuestion, CutShort, NotACalendar, readBusy } from './read.ts'
import { WINDOWS_ZONES } from './windows-zones.ts'

const NOW = Date.UTC(2027, 0, 11, 12)

const question = (given: Partial<BusyQuestion> = {}): BusyQuestion => ({
  span: { start: NOW - DAY, end: NOW + 400 * DAY },
  timeZone: 'Europe/Berlin',
  own: [],
  addresses: ['host@hosts.example'],
  tentative: 'busy',
  ...given,
})

const calendar = (...blocks: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...blocks, 'END:VCALENDAR', ''].join('\r\n')

let uids = 0
const event = (...lines: string[]) => {
  const uid = lines.some((line) => line.startsWith('UID:')) ? [] : [`UID:event-${++uids}`]
  return ['BEGIN:VEVENT', ...uid, 'DTSTAMP:20270101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
}

const read = (text: string, given: Partial<BusyQuestion> = {}) => readBusy([text], question(given), zones)

const spell = ({ start, end }: Interval) => {
  const text = (instant: number) => new Date(instant).toISOString().slice(0, 16)
  return `${text(start)}/${text(end)}`
}

/** The busy times of a calendar of these events, as text. */
const busyOf = (blocks: readonly string[], given: Partial<BusyQuestion> = {}) =>
  read(calendar(...blocks), given).busy.map(spell)

// An Outlook calendar names its zones its own way, and describes them.
const WEST_EUROPE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
].join('\r\n')

/** Four ways to say that an event is not certain, and one that is. */
const UNCERTAIN = [
  event('DTSTART:20270112T090000Z', 'DURATION:PT1H', 'STATUS:TENTATIVE'),
  event('DTSTART:20270112T110000Z', 'DURATION:PT1H', 'ATTENDEE;PARTSTAT=TENTATIVE:mailto:Host@hosts.example'),
  event('DTSTART:20270112T130000Z', 'DURATION:PT1H', 'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE'),
  [
    'BEGIN:VFREEBUSY',
    'UID:published',
    'DTSTAMP:20270101T000000Z',
    'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20270112T150000Z/PT1H',
    'END:VFREEBUSY',
  ].join('\r\n'),
  event('DTSTART:20270112T170000Z', 'DURATION:PT1H', 'ATTENDEE;PARTSTAT=TENTATIVE:mailto:a@b.example'),
]

const table: readonly (readonly [string, readonly string[], readonly string[], Partial<BusyQuestion>?])[] = [
  [
    'a time in UTC',
    [event('DTSTART:20270112T090000Z', 'DTEND:20270112T100000Z')],
    ['2027-01-12T09:00/2027-01-12T10:00'],
  ],
  [
    'a time in a named zone, without a description of it',
    [event('DTSTART;TZID=America/New_York:20270112T090000', 'DTEND;TZID=America/New_York:20270112T100000')],
    ['2027-01-12T14:00/2027-01-12T15:00'],
  ],
  [
    'a name that has a path before it',
    [event('DTSTART;TZID=/example.org/Europe/Paris:20270112T090000', 'DURATION:PT1H')],
    ['2027-01-12T08:00/2027-01-12T09:00'],
    { timeZone: 'UTC' },
  ],
  [
    'a zone that only the calendar knows, in winter and in summer',
    [
      WEST_EUROPE,
      event('DTSTART;TZID=W. Europe Standard Time:20270112T090000', 'DURATION:PT1H'),
      event('DTSTART;TZID=W. Europe Standard Time:20270712T090000', 'DURATION:PT1H'),
    ],
    ['2027-01-12T08:00/2027-01-12T09:00', '2027-07-12T07:00/2027-07-12T08:00'],
    { timeZone: 'Asia/Tokyo' },
  ],
  [
    'a zone of Windows, without a description of it',
    [
      event('DTSTART;TZID=Pacific Standard Time:20270112T090000', 'DURATION:PT1H'),
      event('DTSTART;TZID=Pacific Standard Time:20270712T090000', 'DURATION:PT1H'),
    ],
    ['2027-01-12T17:00/2027-01-12T18:00', '2027-07-12T16:00/2027-07-12T17:00'],
    { timeZone: 'Asia/Tokyo' },
  ],
  [
    'an unknown zone, as the host’s',
    [event('DTSTART;TZID=Customized Time Zone 1:20270112T090000', 'DURATION:PT1H')],
    ['2027-01-12T00:00/2027-01-12T01:00'],
    { timeZone: 'Asia/Tokyo' },
  ],
  [
    'a floating time, in the host’s zone',
    [event('DTSTART:20270112T090000', 'DTEND:20270112T093000')],
    ['2027-01-12T08:00/2027-01-12T08:30'],
  ],
  [
    'a whole day, in the host’s zone',
    [event('DTSTART;VALUE=DATE:20270112', 'DTEND;VALUE=DATE:20270113')],
    ['2027-01-11T23:00/2027-01-12T23:00'],
  ],
  [
    'a whole day that does not say when it ends',
    [event('DTSTART;VALUE=DATE:20270112')],
    ['2027-01-11T23:00/2027-01-12T23:00'],
  ],
  [
    'a whole day of 23 hours, when clocks change',
    [event('DTSTART;VALUE=DATE:20270328', 'DURATION:P1D')],
    ['2027-03-27T23:00/2027-03-28T22:00'],
  ],
  [
    'several whole days',
    [event('DTSTART;VALUE=DATE:20270112', 'DTEND;VALUE=DATE:20270115')],
    ['2027-01-11T23:00/2027-01-14T23:00'],
  ],
  [
    'a duration in place of an end',
    [event('DTSTART:20270112T090000Z', 'DURATION:PT1H30M')],
    ['2027-01-12T09:00/2027-01-12T10:30'],
  ],
  ['nothing for a moment without length', [event('DTSTART:20270112T090000Z')], []],
  ['nothing for an end before the start', [event('DTSTART:20270112T090000Z', 'DTEND:20270112T080000Z')], []],
  [
    'tentative events, however they say so',
    UNCERTAIN,
    [9, 11, 13, 15, 17].map((hour) => {
      const at = (time: number) => `2027-01-12T${String(time).padStart(2, '0')}:00`
      return `${at(hour)}/${at(hour + 1)}`
    }),
  ],
  [
    'no tentative events if the host wants so, but those that others have not answered',
    UNCERTAIN,
    ['2027-01-12T17:00/2027-01-12T18:00'],
    { tentative: 'free' },
  ],
  [
    'nothing for transparent, cancelled or declined events',
    [
      event('DTSTART:20270112T090000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'),
      event('DTSTART:20270113T090000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'),
      event(
        'DTSTART:20270114T090000Z',
        'DURATION:PT1H',
        'ATTENDEE;PARTSTAT=DECLINED:mailto:Host@hosts.example',
      ),
    ],
    [],
  ],
  [
    'tentative and opaque events, and those declined by others',
    [
      event('DTSTART:20270112T090000Z', 'DURATION:PT1H', 'TRANSP:OPAQUE', 'STATUS:TENTATIVE'),
      event('DTSTART:20270114T090000Z', 'DURATION:PT1H', 'ATTENDEE;PARTSTAT=DECLINED:mailto:a@b.example'),
      event('DTSTART:20270115T090000Z', 'DURATION:PT1H', 'ATTENDEE:mailto:host@hosts.example'),
    ],
    [
      '2027-01-12T09:00/2027-01-12T10:00',
      '2027-01-14T09:00/2027-01-14T10:00',
      '2027-01-15T09:00/2027-01-15T10:00',
    ],
  ],
  [
    'what repeats, on the wall clock',
    [event('DTSTART;TZID=Europe/Berlin:20270320T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3')],
    [
      '2027-03-20T08:00/2027-03-20T09:00',
      '2027-03-27T08:00/2027-03-27T09:00',
      '2027-04-03T07:00/2027-04-03T08:00',
    ],
  ],
  [
    'what repeats in a zone that only the calendar knows, until an instant in UTC',
    [
      WEST_EUROPE,
      event(
        'DTSTART;TZID=W. Europe Standard Time:20270325T233000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;UNTIL=20270328T213000Z',
      ),
    ],
    [
      '2027-03-25T22:30/2027-03-25T23:30',
      '2027-03-26T22:30/2027-03-26T23:30',
      '2027-03-27T22:30/2027-03-27T23:30',
      '2027-03-28T21:30/2027-03-28T22:30',
    ],
    { timeZone: 'America/New_York' },
  ],
  [
    'what repeats until a date, the last day included',
    [event('DTSTART;TZID=Asia/Tokyo:20270120T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20270121')],
    ['2027-01-20T00:00/2027-01-20T01:00', '2027-01-21T00:00/2027-01-21T01:00'],
  ],
  [
    'whole days that repeat until an instant',
    [event('DTSTART;VALUE=DATE:20270120', 'RRULE:FREQ=WEEKLY;UNTIL=20270127T000000Z')],
    ['2027-01-19T23:00/2027-01-20T23:00', '2027-01-26T23:00/2027-01-27T23:00'],
  ],
  [
    'not the excepted dates, in any notation',
    [
      event(
        'DTSTART;TZID=Europe/Berlin:20270118T090000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE;TZID=Europe/Berlin:20270119T090000',
        'EXDATE:20270120T080000Z',
        'EXDATE;VALUE=DATE:20270121',
      ),
    ],
    ['2027-01-18T08:00/2027-01-18T09:00', '2027-01-22T08:00/2027-01-22T09:00'],
  ],
  [
    'additional dates and periods',
    [
      event(
        'DTSTART:20270118T090000Z',
        'DURATION:PT1H',
        'RDATE:20270120T150000Z,20270121T150000Z',
        'RDATE;VALUE=PERIOD:20270122T100000Z/20270122T103000Z,20270123T100000Z/PT2H',
      ),
    ],
    [
      '2027-01-18T09:00/2027-01-18T10:00',
      '2027-01-20T15:00/2027-01-20T16:00',
      '2027-01-21T15:00/2027-01-21T16:00',
      '2027-01-22T10:00/2027-01-22T10:30',
      '2027-01-23T10:00/2027-01-23T12:00',
    ],
  ],
  [
    'an occurrence where it was moved to, and not where it was',
    [
      event('UID:moved', 'DTSTART:20270118T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'),
      event('UID:moved', 'RECURRENCE-ID:20270119T090000Z', 'DTSTART:20270119T150000Z', 'DURATION:PT2H'),
    ],
    [
      '2027-01-18T09:00/2027-01-18T10:00',
      '2027-01-19T15:00/2027-01-19T17:00',
      '2027-01-20T09:00/2027-01-20T10:00',
    ],
  ],
  [
    'the latest version of an occurrence',
    [
      event('UID:twice', 'DTSTART:20270118T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=1'),
      event(
        'UID:twice',
        'SEQUENCE:2',
        'RECURRENCE-ID:20270118T090000Z',
        'DTSTART:20270118T120000Z',
        'DURATION:PT1H',
      ),
      event(
        'UID:twice',
        'SEQUENCE:1',
        'RECURRENCE-ID:20270118T090000Z',
        'DTSTART:20270118T110000Z',
        'DURATION:PT1H',
      ),
    ],
    ['2027-01-18T12:00/2027-01-18T13:00'],
  ],
  [
    'an occurrence and all that follow where they were moved to',
    [
      event('UID:shifted', 'DTSTART:20270118T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4'),
      event(
        'UID:shifted',
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20270120T090000Z',
        'DTSTART:20270120T100000Z',
        'DURATION:PT30M',
      ),
    ],
    [
      '2027-01-18T09:00/2027-01-18T10:00',
      '2027-01-19T09:00/2027-01-19T10:00',
      '2027-01-20T10:00/2027-01-20T10:30',
      '2027-01-21T10:00/2027-01-21T10:30',
    ],
  ],
  [
    'not a single occurrence that was cancelled, or made transparent',
    [
      event('UID:off', 'DTSTART:20270118T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'),
      event('UID:off', 'RECURRENCE-ID:20270119T090000Z', 'DTSTART:20270119T090000Z', 'STATUS:CANCELLED'),
      event(
        'UID:off',
        'RECURRENCE-ID:20270120T090000Z',
        'DTSTART:20270120T090000Z',
        'DURATION:PT1H',
        'TRANSP:TRANSPARENT',
      ),
    ],
    ['2027-01-18T09:00/2027-01-18T10:00'],
  ],
  [
    'an occurrence whose event is not in the text',
    [event('RECURRENCE-ID:20270119T090000Z', 'DTSTART:20270119T110000Z', 'DURATION:PT1H')],
    ['2027-01-19T11:00/2027-01-19T12:00'],
  ],
  [
    'nothing for ignored events',
    [
      event('UID:ours', 'DTSTART:20270118T090000Z', 'DURATION:PT1H'),
      event('UID:theirs', 'DTSTART:20270119T090000Z', 'DURATION:PT1H'),
    ],
    ['2027-01-19T09:00/2027-01-19T10:00'],
    { own: ['ours'] },
  ],
  [
    'published free and busy times',
    [
      [
        'BEGIN:VFREEBUSY',
        'UID:fb',
        'DTSTAMP:20270101T000000Z',
        'FREEBUSY;FBTYPE=BUSY:20270112T090000Z/PT1H,20270113T090000Z/20270113T100000Z',
        'FREEBUSY;FBTYPE=FREE:20270114T090000Z/PT1H',
        'END:VFREEBUSY',
      ].join('\r\n'),
    ],
    ['2027-01-12T09:00/2027-01-12T10:00', '2027-01-13T09:00/2027-01-13T10:00'],
  ],
  [
    'overlapping events as one, whole',
    [
      event('DTSTART:20270112T090000Z', 'DURATION:PT1H'),
      event('DTSTART:20270112T093000Z', 'DURATION:PT1H'),
      event('DTSTART:20270112T103000Z', 'DURATION:PT1H'),
    ],
    ['2027-01-12T09:00/2027-01-12T11:30'],
  ],
  [
    'only what touches the span, such as what began long ago and goes on',
    [
      event('DTSTART:20261201T090000Z', 'DURATION:PT1H'),
      event('DTSTART:20290101T090000Z', 'DURATION:PT1H'),
      event('DTSTART:20261201T090000Z', 'DTEND:20270120T090000Z'),
    ],
    ['2026-12-01T09:00/2027-01-20T09:00'],
  ],
]

describe('busy times of a calendar', () => {
  for (const [name, blocks, expected, given] of table) {
    it(`has ${name}`, () => assert.deepEqual(busyOf(blocks, given), expected))
  }

  it('expands an endless rule up to the end of the span', () => {
    const { busy, skipped } = read(
      calendar(event('DTSTART:20100101T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY')),
    )
    assert.equal(busy.length, 401)
    assert.equal(skipped, 0)
  })

  const endless: readonly (readonly [string, string])[] = [
    ['every second', 'FREQ=SECONDLY'],
    ['every second of one month', 'FREQ=SECONDLY;BYMONTH=12'],
    ['the 30th of February, daily', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
    ['the 30th of February, yearly', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['a weekday that never comes', 'FREQ=DAILY;INTERVAL=7;BYDAY=TU'],
    ['an hour that never comes', 'FREQ=HOURLY;INTERVAL=2;BYHOUR=8'],
    ['a step of thousands of years', 'FREQ=DAILY;INTERVAL=99999999'],
    ['the tenth Monday of a month', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=10'],
  ]
  for (const [name, rule] of endless) {
    it(`ends with a rule that asks for ${name}, and keeps the other events`, () => {
      const spans = busyOf([
        event('DTSTART:20270118T090000Z', 'DURATION:PT1M', `RRULE:${rule}`),
        event('DTSTART:20270112T090000Z', 'DURATION:PT1H'),
      ])
      assert.equal(spans[0], '2027-01-12T09:00/2027-01-12T10:00')
    })
  }

  it('skips and counts unreadable entries, and reads the rest', () => {
    const good = event('DTSTART:20270112T090000Z', 'DURATION:PT1H')
    const bad = [
      event('SUMMARY:No start'),
      event('DTSTART:yesterday', 'DURATION:PT1H'),
      event('DTSTART:20270113T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES'),
      event('DTSTART:20270113T090000Z', 'DURATION:PT1H', 'this line is no property'),
    ]
    for (const broken of bad) {
      const { busy, skipped } = read(calendar(broken, good))
      assert.deepEqual(busy.map(spell), ['2027-01-12T09:00/2027-01-12T10:00'], broken)
      assert.equal(skipped, 1, broken)
    }
  })

  it('counts entries whose zone it had to guess, each once', () => {
    const guessed = event('DTSTART;TZID=Nowhere:20270112T090000', 'DTEND;TZID=Nowhere:20270112T100000')
    const known = event('DTSTART;TZID=Tokyo Standard Time:20270112T090000', 'DURATION:PT1H')
    const { busy, skipped } = read(calendar(guessed, known))
    assert.deepEqual([busy.length, skipped], [2, 1])
  })

  it('knows every zone of Windows', () => {
    for (const [name, id] of WINDOWS_ZONES) assert.ok(zones.find(id), name)
  })

  it('refuses text that is not a calendar', () => {
    for (const text of ['', '<html>Sign in</html>', 'BEGIN:VCARD\r\nEND:VCARD\r\n', '{}']) {
      assert.throws(() => read(text), NotACalendar)
    }
  })

  it('refuses text that ends in the middle of a calendar', () => {
    const whole = calendar(event('DTSTART:20270112T090000Z', 'DURATION:PT1H'))
    for (let end = 'BEGIN:VCALENDAR\r\n'.length; end <= whole.lastIndexOf('R'); end++) {
      assert.throws(() => read(whole.slice(0, end)), CutShort, whole.slice(0, end))
    }
    assert.throws(() => read(`${whole}${whole.slice(0, 40)}`), CutShort)
    assert.equal(read(whole.trimEnd()).busy.length, 1)
  })

  it('reads several calendars in one text, and one that begins with a byte order mark', () => {
    const one = calendar(event('DTSTART:20270112T090000Z', 'DURATION:PT1H'))
    const other = calendar(event('DTSTART:20270113T090000Z', 'DURATION:PT1H'))
    assert.equal(read(`\uFEFF${one}${other}`).busy.length, 2)
  })

  it('expands rules like a walk over all days', () => {
    fc.assert(
      fc.property(repetition, (given) => {
        const { busy, skipped } = read(
          calendar(
            event(`DTSTART;TZID=${ZONE}:${stampOf(given.first)}`, 'DURATION:PT20M', `RRULE:${ruleOf(given)}`),
          ),
        )
        assert.equal(skipped, 0)
        assert.deepEqual(
          busy.map(({ start }) => start),
          walk(given),
          ruleOf(given),
        )
      }),
      { numRuns: 400 },
    )
  })
})

const ZONE = 'America/Sao_Paulo'
// This zone has had no change of clocks since 2019.
const OFFSET = -3 * HOUR
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

interface Repetition {
  readonly freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  /** Days since 1970, on the wall. */
  readonly first: number
  readonly interval: number
  readonly count: number | undefined
  readonly weekdays: readonly number[]
  readonly monthDays: readonly number[]
  readonly months: readonly number[]
}

const FROM = Math.floor(NOW / DAY)

const repetition: fc.Arbitrary<Repetition> = fc
  .record({
    freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const, 'YEARLY' as const),
    first: fc.integer({ min: FROM + 1, max: FROM + 200 }),
    interval: fc.integer({ min: 1, max: 4 }),
    count: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    monthDays: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: -31, max: -1 })), {
      maxLength: 3,
    }),
    months: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
  })
  .map((given) => ({
    ...given,
    // RFC 5545 has no days of the month in weeks.
    monthDays: given.freq === 'WEEKLY' ? [] : given.monthDays,
  }))

const stampOf = (day: number) =>
  `${new Date(day * DAY).toISOString().slice(0, 10).replaceAll('-', '')}T100000`

function ruleOf({ freq, interval, count, weekdays, monthDays, months }: Repetition): string {
  return [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(count === undefined ? [] : [`COUNT=${count}`]),
    ...(weekdays.length > 0 ? [`BYDAY=${weekdays.map((day) => WEEKDAYS[day]).join(',')}`] : []),
    ...(monthDays.length > 0 ? [`BYMONTHDAY=${monthDays.join(',')}`] : []),
    ...(months.length > 0 ? [`BYMONTH=${months.join(',')}`] : []),
  ].join(';')
}

/** Every start of the rule within the span: all days are looked at, one by one. */
function walk(given: Repetition): number[] {
  const { freq, first, interval, count = Infinity } = given
  const starts: number[] = []
  const begin = new Date(first * DAY)
  const week = (day: number) => Math.floor((day + 3) / 7)
  let made = 0
  for (let day = first; day <= FROM + 401 && made < count; day++) {
    const date = new Date(day * DAY)
    const months =
      (date.getUTCFullYear() - begin.getUTCFullYear()) * 12 + date.getUTCMonth() - begin.getUTCMonth()
    const period = {
      DAILY: day - first,
      WEEKLY: week(day) - week(first),
      MONTHLY: months,
      YEARLY: date.getUTCFullYear() - begin.getUTCFullYear(),
    }[freq]
    if (period % interval !== 0 || !isMeant(given, date, begin)) continue
    made++
    starts.push(day * DAY + 10 * HOUR - OFFSET)
  }
  // The first one counts, whatever the rule says.
  if (starts[0] !== first * DAY + 10 * HOUR - OFFSET) starts.unshift(first * DAY + 10 * HOUR - OFFSET)
  return starts.filter((start) => start < NOW + 400 * DAY && start + 20 * MINUTE > NOW - DAY)
}

function isMeant({ freq, weekdays, monthDays, months }: Repetition, date: Date, begin: Date): boolean {
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  if (months.length > 0 && !months.includes(date.getUTCMonth() + 1)) return false
  if (
    monthDays.length > 0 &&
    !monthDays.some((day) => (day < 0 ? length + 1 + day : day) === date.getUTCDate())
  )
    return false
  if (weekdays.length > 0 && !weekdays.includes(date.getUTCDay())) return false
  // What a rule does not say, the first one says.
  if (weekdays.length > 0 || monthDays.length > 0) return true
  if (freq === 'WEEKLY') return date.getUTCDay() === begin.getUTCDay()
  if (freq === 'DAILY') return true
  if (date.getUTCDate() !== begin.getUTCDate()) return false
  return freq !== 'YEARLY' || months.length > 0 || date.getUTCMonth() === begin.getUTCMonth()
}
