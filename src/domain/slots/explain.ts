import { formatDate } from '../calendar-date.ts'
import { formatInstant } from '../instant.ts'
import { DAY, type Interval, MINUTE } from '../interval.ts'
import { LAST_KNOWN_INSTANT, localDay, offsetAt } from '../zone.ts'
import { conflicts } from './conflicts.ts'
import {
  commonRanges,
  gridStarts,
  type HostAvailability,
  joinableMeetings,
  limitChecks,
  windowSpan,
} from './openings.ts'
import type { SlotRules } from './rules.ts'

/**
 * Every rule that blocks this start for these hosts, in words; empty if it is available.
 *
 * Explains what `findOpenings` decides, rule by rule. A property test checks that the two agree.
 */
export function explainStart(
  rules: SlotRules,
  hosts: readonly HostAvailability[],
  now: number,
  start: number,
): string[] {
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
): string[] {
  const reasons: string[] = []
  if (start < now) reasons.push('It lies in the past.')
  else if (start < now + rules.notice) {
    reasons.push(`It begins sooner than the minimum notice of ${rules.notice / MINUTE} minutes allows.`)
  }
  for (const { schedule } of hosts) {
    const window = windowSpan(rules.window, schedule.zone, now)
    if (start < window.start) reasons.push('It lies before the booking window opens.')
    if (start >= window.end) reasons.push('It lies beyond the booking window.')
  }
  return [...new Set(reasons)]
}

function explainHours(rules: SlotRules, hosts: readonly HostAvailability[], start: number): string[] {
  const end = start + rules.duration
  const closed = hosts.filter(({ schedule }) => {
    const { zone } = schedule
    const ranges = schedule.openRanges(localDay(zone, start) - 1, localDay(zone, start) + 1)
    return !ranges.some((range) => range.start <= start && start < range.end)
  })
  if (closed.length > 0) {
    return closed.map(({ schedule, unconfirmed }) => {
      if (unconfirmed) return 'The host has not confirmed their hours yet.'
      const { zone } = schedule
      const wall = formatInstant(start + offsetAt(zone, start)).slice(11, 16)
      return `It is outside the hours: ${wall} on ${formatDate(localDay(zone, start))} in ${zone.id} is closed.`
    })
  }
  const ranges = commonRanges(hosts, start, end)
  const onGrid = (duration: number) =>
    gridStarts(ranges, { ...rules, duration }, start, start + 1)[0] === start
  if (onGrid(rules.duration)) return []
  // With almost no duration, a meeting fits at every start of the grid.
  if (onGrid(1)) return ['The meeting would run past the end of the open hours.']
  const before = gridStarts(ranges, { ...rules, duration: 1 }, start - DAY, start).at(-1)
  const after = gridStarts(ranges, { ...rules, duration: 1 }, start, start + DAY)[0]
  const nearest = [before, after].filter((at) => at !== undefined).map(formatInstant)
  return [
    `Starts are ${rules.step / MINUTE} minutes apart, counted from when the hours open, and this is between two.${
      nearest.length > 0 ? ` Nearest: ${nearest.join(' and ')}.` : ''
    }`,
  ]
}

function explainTaken(rules: SlotRules, hosts: readonly HostAvailability[], start: number): string[] {
  const reasons: string[] = []
  const end = start + rules.duration
  const meeting = { ...rules, startsAt: start, endsAt: end }
  const isInTheWay = (span: Interval) =>
    conflicts(meeting, { startsAt: span.start, endsAt: span.end, bufferBefore: 0, bufferAfter: 0 })
  const spell = (from: number, to: number) => `${formatInstant(from)} to ${formatInstant(to)}`
  for (const { claims, absences, busyTimes = [] } of hosts) {
    for (const claim of claims) {
      const taken = spell(claim.startsAt, claim.endsAt)
      if (start < claim.endsAt && end > claim.startsAt) {
        const full = rules.seats > 1 && claim.startsAt === start && claim.eventTypeId === rules.eventTypeId
        reasons.push(full ? 'All its seats are taken.' : `Another meeting takes ${taken}.`)
      } else if (conflicts(meeting, claim)) {
        reasons.push(`A buffer would run into the meeting from ${taken}.`)
      }
    }
    for (const span of absences) {
      if (isInTheWay(span)) {
        reasons.push(`The host is away or busy from ${spell(span.start, span.end)}.`)
      }
    }
    for (const span of busyTimes) {
      if (isInTheWay(span)) {
        const whose =
          span.calendar === undefined ? 'A connected calendar' : `Your calendar "${span.calendar}"`
        reasons.push(
          span.end === LAST_KNOWN_INSTANT
            ? `${whose} is known only until ${formatInstant(span.start)}.`
            : `${whose} has something from ${spell(span.start, span.end)}.`,
        )
      }
    }
  }
  return reasons
}

function explainLimits(rules: SlotRules, hosts: readonly HostAvailability[], start: number): string[] {
  return limitChecks(rules, hosts)
    .filter(({ reached }) => reached(start))
    .map(({ period, limit }) => `The limit of ${limit} per ${period} has been reached.`)
}
