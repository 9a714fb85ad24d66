import { type Interval, MINUTE, overlaps, within } from '../interval.ts'
import { type Claim, findOpenings, type HostAvailability } from '../slots/openings.ts'
import type { SlotRules } from '../slots/rules.ts'

/** What takes the time of a meeting already. */
export const CONFLICTS = ['meeting', 'time-off', 'calendar'] as const

export type Conflict = (typeof CONFLICTS)[number]

/** Why a host can't take a meeting over, even by hand; `hours`: only because of their hours, buffers or limits. */
export const OBSTACLES = [...CONFLICTS, 'hours'] as const

export type Obstacle = (typeof OBSTACLES)[number]

/** A meeting that someone else is to host. */
export type MovedMeeting = Pick<Claim, 'meetingId' | 'eventTypeId' | 'startsAt' | 'endsAt'>

/**
 * What keeps a host from taking over all of these meetings; undefined: nothing.
 *
 * A person who hands a meeting over knows about hours, buffers and limits, so `hours` stops only the round robin. The
 * grid of starts never matters: the meeting has its time already. The host's claims must not include these meetings.
 */
export function findObstacle(
  rules: SlotRules,
  host: HostAvailability,
  meetings: readonly MovedMeeting[],
  now: number,
): Obstacle | undefined {
  return findConflict(host, meetings) ?? (fitsRules(rules, host, meetings, now) ? undefined : 'hours')
}

/** What a host has at the time of these meetings: the obstacles that no person can overrule. */
export function findConflict(
  host: Pick<HostAvailability, 'claims' | 'absences' | 'busyTimes'>,
  meetings: readonly MovedMeeting[],
): Conflict | undefined {
  const taken = (spans: readonly Interval[]) => meetings.some((one) => spans.some(isAt(one)))
  if (taken(host.claims.map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt })))) return 'meeting'
  if (taken(host.absences)) return 'time-off'
  if (meetings.some((one) => within(host.busyTimes ?? [], spanOf(one)).length > 0)) return 'calendar'
  return undefined
}

/** Each meeting that was placed counts for the buffers and limits of the next. */
function fitsRules(
  rules: SlotRules,
  host: HostAvailability,
  meetings: readonly MovedMeeting[],
  now: number,
): boolean {
  const claims = [...host.claims]
  return meetings.every((meeting) => {
    const { startsAt, endsAt } = meeting
    // With a step of a minute, every start is on the grid. A meeting can't be joined with another one.
    const own: SlotRules = {
      ...rules,
      duration: endsAt - startsAt,
      step: MINUTE,
      seats: 1,
      notice: 0,
      window: { kind: 'unlimited' },
    }
    const span = { start: startsAt, end: startsAt + 1 }
    const fits = findOpenings(own, [[{ ...host, claims }]], now, span).firsts[0] === startsAt
    const { bufferBefore, bufferAfter } = rules
    claims.push({ ...meeting, bufferBefore, bufferAfter, seatsTaken: 1 })
    return fits
  })
}

const spanOf = ({ startsAt, endsAt }: MovedMeeting): Interval => ({ start: startsAt, end: endsAt })

const isAt = (meeting: MovedMeeting) => (span: Interval) => overlaps(span, spanOf(meeting))
