import { formatDate } from '../calendar-date.ts'
import type { Period } from '../event-types/event-type.ts'
import { formatInstant } from '../instant.ts'
import { DAY, type Interval, MINUTE } from '../interval.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { LAST_KNOWN_INSTANT, localDay, offsetAt } from '../zone.ts'
import { conflicts, isTaken, takenBy } from './conflicts.ts'
import {
  type BusyTime,
  commonRanges,
  gridStarts,
  type HostAvailability,
  joinableMeetings,
  limitChecks,
  windowSpan,
} from './openings.ts'
import type { SlotRules } from './rules.ts'

/**
 * Every rule that blocks this start for these hosts, in sentences; empty if it is available.
 *
 * Explains what `findOpenings` decides, rule by rule. A property test checks that the two agree.
 */
export function explainStart(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  now: number,
  start: number,
): Sentence[] {
  const reasons = [...explainTiming(rules, hosts, now, start), ...explainHours(rules, hosts, start)]
  // An existing meeting can be joined even where a new one would be blocked.
  if (rules.seats > 1 && joinableMeetings(rules, hosts).has(start)) return reasons
  return [...reasons, ...explainTaken(rules, hosts, start), ...explainLimits(rules, hosts, start)]
}

function explainTiming(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  now: number,
  start: number,
): Sentence[] {
  const reasons: Sentence[] = []
  if (start < now) reasons.push(sentence`It lies in the past.`)
  else if (start < now + rules.notice) {
    const minutes = rules.notice / MINUTE
    reasons.push(sentence`It begins sooner than the minimum notice of ${minutes} minutes allows.`)
  }
  const windows = hosts.map(({ schedule }) => windowSpan(rules.window, schedule.zone, now))
  if (windows.some((window) => start < window.start)) {
    reasons.push(sentence`It lies before the booking window opens.`)
  }
  if (windows.some((window) => start >= window.end)) {
    reasons.push(sentence`It lies beyond the booking window.`)
  }
  return reasons
}

function explainHours(rules: SlotRules, hosts: readonly HostAvailability[], start: number): Sentence[] {
  const end = start + rules.duration
  const closed = hosts.filter(({ schedule }) => {
    const { zone } = schedule
    const ranges = schedule.openRanges(localDay(zone, start) - 1, localDay(zone, start) + 1)
    return !ranges.some((range) => range.start <= start && start < range.end)
  })
  if (closed.length > 0) {
    return closed.map(({ schedule, unconfirmed }) => {
      if (unconfirmed) return sentence`The host has not confirmed their hours yet.`
      const { zone } = schedule
      const wall = formatInstant(start + offsetAt(zone, start)).slice(11, 16)
      const day = { date: formatDate(localDay(zone, start)) }
      return sentence`It is outside the hours: ${wall} on ${day} in ${{ zone: zone.id }} is closed.`
    })
  }
  const ranges = commonRanges(hosts, start, end)
  const onGrid = (duration: number) =>
    gridStarts(ranges, { ...rules, duration }, start, start + 1)[0] === start
  if (onGrid(rules.duration)) return []
  // With almost no duration, a meeting fits at every start of the grid.
  if (onGrid(1)) return [sentence`The meeting would run past the end of the open hours.`]
  const before = gridStarts(ranges, { ...rules, duration: 1 }, start - DAY, start).at(-1)
  const after = gridStarts(ranges, { ...rules, duration: 1 }, start, start + DAY)[0]
  const nearest = [before, after].filter((at) => at !== undefined).map(formatInstant)
  const apart = sentence`Starts are ${rules.step / MINUTE} minutes apart, counted from when the hours open, and this is between two.`
  const [first, second] = nearest
  if (first === undefined) return [apart]
  if (second === undefined) return [sentence`${apart} Nearest: ${first}.`]
  return [sentence`${apart} Nearest: ${first} and ${second}.`]
}

function explainTaken(rules: SlotRules, hosts: readonly HostAvailability[], start: number): Sentence[] {
  const reasons: Sentence[] = []
  const end = start + rules.duration
  const meeting = { ...rules, startsAt: start, endsAt: end }
  const isInTheWay = (span: Interval) => conflicts(meeting, takenBy(span))
  for (const { claims, absences, busyTimes = [] } of hosts) {
    for (const claim of claims) {
      const [from, to] = [formatInstant(claim.startsAt), formatInstant(claim.endsAt)]
      if (isTaken([claim], meeting)) {
        const full = rules.seats > 1 && claim.startsAt === start && claim.eventTypeId === rules.eventTypeId
        reasons.push(
          full ? sentence`All its seats are taken.` : sentence`Another meeting takes ${from} to ${to}.`,
        )
      } else if (conflicts(meeting, claim)) {
        reasons.push(sentence`A buffer would run into the meeting from ${from} to ${to}.`)
      }
    }
    for (const span of absences) {
      if (!isInTheWay(span)) continue
      const [from, to] = [formatInstant(span.start), formatInstant(span.end)]
      reasons.push(
        span.standIn === undefined
          ? sentence`The host is away or busy from ${from} to ${to}.`
          : sentence`The host is away from ${from} to ${to}. Guests are led to ${span.standIn}.`,
      )
    }
    for (const span of busyTimes) if (isInTheWay(span)) reasons.push(explainBusy(span))
  }
  return reasons
}

function explainBusy({ start, end, calendar }: BusyTime): Sentence {
  const from = formatInstant(start)
  if (end === LAST_KNOWN_INSTANT) {
    return calendar === undefined
      ? sentence`A connected calendar is known only until ${from}.`
      : sentence`Your calendar "${calendar}" is known only until ${from}.`
  }
  const to = formatInstant(end)
  return calendar === undefined
    ? sentence`A connected calendar has something from ${from} to ${to}.`
    : sentence`Your calendar "${calendar}" has something from ${from} to ${to}.`
}

function explainLimits(rules: SlotRules, hosts: readonly HostAvailability[], start: number): Sentence[] {
  return limitChecks(rules, hosts)
    .filter(({ reached }) => reached(start))
    .map(({ period, limit, unit }) => LIMIT_REACHED[unit][period](limit))
}

type LimitSentences = Readonly<Record<Period, (limit: number) => Sentence>>

const LIMIT_REACHED: Readonly<Record<'meetings' | 'minutes', LimitSentences>> = {
  meetings: {
    day: (limit) => sentence`The limit of ${limit} per day has been reached.`,
    week: (limit) => sentence`The limit of ${limit} per week has been reached.`,
    month: (limit) => sentence`The limit of ${limit} per month has been reached.`,
    year: (limit) => sentence`The limit of ${limit} per year has been reached.`,
  },
  minutes: {
    day: (limit) => sentence`It would exceed the limit of ${limit} minutes per day.`,
    week: (limit) => sentence`It would exceed the limit of ${limit} minutes per week.`,
    month: (limit) => sentence`It would exceed the limit of ${limit} minutes per month.`,
    year: (limit) => sentence`It would exceed the limit of ${limit} minutes per year.`,
  },
}
