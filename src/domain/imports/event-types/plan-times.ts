import { formatDate } from '../../calendar-date.ts'
import {
  type BookingWindow,
  checkEventType,
  EVENT_TYPE_DEFAULTS,
  type EventTypeSettings,
  type Limits,
} from '../../event-types/event-type.ts'
import { MOST_OF_SERIES, type SeriesOffer } from '../../event-types/series-offer.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { localDay, type Zone } from '../../zone.ts'
import type { PlannedSchedule } from '../plan.ts'
import type { SourceRow } from '../source.ts'
import {
  clamp,
  datesBetween,
  instantIn,
  isNo,
  listOfAny,
  type Tree,
  textIn,
  treeIn,
  valueIn,
  wholeIn,
  wholeOf,
} from '../values.ts'

const DAY_MINUTES = 24 * 60
const YEAR_MINUTES = 365 * DAY_MINUTES

export type Times = Pick<
  EventTypeSettings,
  | 'durationMinutes'
  | 'durations'
  | 'intervalMinutes'
  | 'bufferBeforeMinutes'
  | 'bufferAfterMinutes'
  | 'noticeMinutes'
  | 'window'
  | 'limits'
  | 'limitMinutes'
  | 'cancelNoticeMinutes'
  | 'rescheduleNoticeMinutes'
  | 'series'
> & {
  /** Nobody could book it there; here, nobody shall either. */
  readonly closed: boolean
}

/** When an event type can be booked; a sentence if it can't be at all. */
export function planTimes(
  row: SourceRow,
  zone: Zone,
  schedule: PlannedSchedule | undefined,
  notes: Sentence[],
): Times | Sentence {
  const length = wholeIn(row, 'length')
  if (length === undefined || length < 1) return sentence`Its length can’t be read.`
  if (length > DAY_MINUTES) return sentence`Meetings last at most 24 hours here.`
  const durations = planDurations(row, length, notes)
  const interval = planInterval(row, length, notes)
  noteStarts(interval ?? length, schedule, notes)
  const [before, after] = [
    minutesIn(row, 'beforeEventBuffer', DAY_MINUTES),
    minutesIn(row, 'afterEventBuffer', DAY_MINUTES),
  ]
  if (before + after > 0)
    notes.push(
      sentence`Buffers of two meetings were added up there. Here the longer one counts, so guests see more times.`,
    )
  const window = planWindow(row, zone, notes)
  const notice = minutesIn(row, 'minimumBookingNotice', YEAR_MINUTES)
  const shortest = Math.min(length, ...durations)
  const { limitMinutes, isTooShort } = planMinutes(row, shortest)
  const noticeFits = fits(notice, window)
  if (isTooShort || !noticeFits)
    notes.push(
      sentence`Its rules left no time to book there. Here only private links open it: please check its notice and limits.`,
    )
  const limits = planLimits(row, notes)
  return {
    durationMinutes: length,
    durations,
    intervalMinutes: interval,
    bufferBeforeMinutes: before,
    bufferAfterMinutes: after,
    noticeMinutes: noticeFits ? notice : 0,
    window,
    limits,
    limitMinutes,
    cancelNoticeMinutes: planCutoff(row, 'disableCancelling', 0, notes),
    rescheduleNoticeMinutes: planCutoff(
      row,
      'disableRescheduling',
      minutesIn(row, 'minimumRescheduleNotice', YEAR_MINUTES),
      notes,
    ),
    series: planSeries(row, notes),
    closed: isTooShort || !noticeFits,
  }
}

const minutesIn = (row: SourceRow, column: string, most: number) => clamp(wholeIn(row, column) ?? 0, 0, most)

const MOST_DURATIONS = 10

function planDurations(row: SourceRow, length: number, notes: Sentence[]): number[] {
  const given = listOfAny(valueIn(treeIn(row, 'metadata'), 'multipleDuration')).map(wholeOf)
  const fitting = given.filter((one): one is number => one !== undefined && one >= 1 && one <= DAY_MINUTES)
  const all = [...new Set([...fitting, length])].sort((a, b) => a - b)
  if (fitting.length === 0 || all.length === 1) return []
  if (all.length <= MOST_DURATIONS) return all
  notes.push(sentence`Guests choose from at most ${MOST_DURATIONS} durations here: some were left out.`)
  const others = all.filter((one) => one !== length).slice(0, MOST_DURATIONS - 1)
  return [...others, length].sort((a, b) => a - b)
}

function planInterval(row: SourceRow, length: number, notes: Sentence[]): number | null {
  const given = wholeIn(row, 'slotInterval')
  const offset = wholeIn(row, 'offsetStart') ?? 0
  if (offset > 0)
    notes.push(
      sentence`Starts were shifted by ${offset} minutes there. Here they begin when your hours open.`,
    )
  if (given === undefined || given < 1 || given === length) return null
  const interval = clamp(given, 5, DAY_MINUTES)
  if (interval !== given) notes.push(sentence`Starts are ${interval} minutes apart here.`)
  return interval
}

/** Starts are rounded there to the largest of these that the interval is a multiple of. */
const ROUNDED_TO = [60, 30, 20, 15, 10, 5]

function noteStarts(interval: number, schedule: PlannedSchedule | undefined, notes: Sentence[]): void {
  const step = ROUNDED_TO.find((minutes) => interval % minutes === 0) ?? 1
  const ranges = Object.values(schedule?.content.weekly ?? {}).flat()
  if (ranges.some(({ opens }) => Number(opens.slice(3)) % step !== 0))
    notes.push(
      sentence`Starts were rounded in the guest’s time zone there. Here they count from when your hours open, so they differ.`,
    )
}

const MOST_DAYS = 3650
const USUAL_DAYS = 30

function planWindow(row: SourceRow, zone: Zone, notes: Sentence[]): BookingWindow {
  const type = textIn(row, 'periodType')
  const days = clamp(wholeIn(row, 'periodDays') ?? USUAL_DAYS, 0, MOST_DAYS)
  const businessDays = isNo(valueIn(row, 'periodCountCalendarDays'))
  const rolling: BookingWindow = { kind: 'rolling', days, ...(businessDays && { businessDays }) }
  switch (type) {
    case 'rolling':
      return rolling
    case 'rolling_window':
      notes.push(
        sentence`The window reached over ${days} days with free times there. Here it counts days without free times, too.`,
      )
      return rolling
    case 'range': {
      const [start, end] = [instantIn(row, 'periodStartDate'), instantIn(row, 'periodEndDate')]
      if (start !== undefined && end !== undefined) {
        const [from, to] = datesBetween(start, end, (instant) => localDay(zone, instant))
        if (from <= to) return { kind: 'fixed', from: formatDate(from), to: formatDate(to) }
      }
      notes.push(sentence`The dates of its booking window can’t be read, so it has none.`)
      return { kind: 'unlimited' }
    }
    case 'unlimited':
    case '':
      return { kind: 'unlimited' }
    default:
      notes.push(sentence`Its kind of booking window is not known here, so it has none.`)
      return { kind: 'unlimited' }
  }
}

function fits(noticeMinutes: number, window: BookingWindow): boolean {
  try {
    checkEventType({ ...EVENT_TYPE_DEFAULTS, slug: 'a', name: 'a', noticeMinutes, window })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const PERIODS = { day: 'PER_DAY', week: 'PER_WEEK', month: 'PER_MONTH', year: 'PER_YEAR' } as const

const limitsOf = (tree: Tree, most: number): Required<Limits> => {
  const one = (name: string) => {
    const limit = wholeOf(valueIn(tree, name))
    return limit === undefined || limit < 1 ? null : Math.min(limit, most)
  }
  return {
    day: one(PERIODS.day),
    week: one(PERIODS.week),
    month: one(PERIODS.month),
    year: one(PERIODS.year),
  }
}

function planLimits(row: SourceRow, notes: Sentence[]): Limits {
  const limits = limitsOf(treeIn(row, 'bookingLimits'), 10_000)
  const minutes = limitsOf(treeIn(row, 'durationLimits'), Infinity)
  if (limits.week !== null || minutes.week !== null)
    notes.push(sentence`Weeks begin on Sunday there and on Monday here, which matters for its limits.`)
  return limits
}

function planMinutes(row: SourceRow, shortest: number): { limitMinutes: Limits; isTooShort: boolean } {
  const given = limitsOf(treeIn(row, 'durationLimits'), 366 * DAY_MINUTES)
  const isTooShort = Object.values(given).some((limit) => limit !== null && limit < shortest)
  const fitting = (limit: number | null) => (limit !== null && limit < shortest ? null : limit)
  return {
    limitMinutes: {
      day: fitting(given.day),
      week: fitting(given.week),
      month: fitting(given.month),
      year: fitting(given.year),
    },
    isTooShort,
  }
}

function planCutoff(row: SourceRow, column: string, minutes: number, notes: Sentence[]): number {
  const value = valueIn(row, column)
  if (value !== true && value !== 't') return minutes
  notes.push(
    column === 'disableCancelling'
      ? sentence`Guests can’t cancel there. Here they can until a year before the start.`
      : sentence`Guests can’t reschedule there. Here they can until a year before the start.`,
  )
  return YEAR_MINUTES
}

function planSeries(row: SourceRow, notes: Sentence[]): SeriesOffer | null {
  const recurring = treeIn(row, 'recurringEvent')
  if (Object.keys(recurring).length === 0) return null
  const every = stepOf(recurring)
  const count = wholeOf(valueIn(recurring, 'count')) ?? 0
  if (every === undefined || count < 2) {
    notes.push(
      sentence`Series repeat every week, every two weeks or every month here, so this one is for single meetings.`,
    )
    return null
  }
  if (every === 'month') notes.push(sentence`Monthly meetings keep their weekday here, and not their date.`)
  if (count > MOST_OF_SERIES) notes.push(sentence`A series has at most ${MOST_OF_SERIES} meetings here.`)
  return { every: [every], most: Math.min(count, MOST_OF_SERIES) }
}

/** How often a series repeats; undefined for what we don't know. */
export function stepOf(recurring: Tree): SeriesOffer['every'][number] | undefined {
  const [freq, interval] = [wholeOf(valueIn(recurring, 'freq')), wholeOf(valueIn(recurring, 'interval')) ?? 1]
  if (freq === 2 && interval === 1) return 'week'
  if (freq === 2 && interval === 2) return '2 weeks'
  return freq === 1 && interval === 1 ? 'month' : undefined
}
