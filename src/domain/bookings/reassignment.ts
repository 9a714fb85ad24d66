import { MINUTE, within } from '../interval.ts'
import { isTaken, takenBy } from '../slots/conflicts.ts'
import { type Claim, findOpenings, type HostAvailability } from '../slots/openings.ts'
import type { SlotRules } from '../slots/rules.ts'

/** What takes the time of a meeting already. */
export const CONFLICTS = ['meeting', 'time-off', 'calendar'] as const

export type Conflict = (typeof CONFLICTS)[number]

/** Why a host can't take a meeting over, even by hand; `hours`: only because of their hours, buffers or limits. */
export const OBSTACLES = [...CONFLICTS, 'hours'] as const

export type Obstacle = (typeof OBSTACLES)[number]

/** A meeting that someone else is to host. */
type MovedMeeting = Pick<Claim, 'meetingId' | 'eventTypeId' | 'startsAt' | 'endsAt'>

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
  const isTakenBy = (taken: Parameters<typeof isTaken>[0]) => meetings.some((one) => isTaken(taken, one))
  if (isTakenBy(host.claims)) return 'meeting'
  if (isTakenBy(host.absences.map(takenBy))) return 'time-off'
  const busy = meetings.flatMap(({ startsAt, endsAt }) =>
    within(host.busyTimes ?? [], { start: startsAt, end: endsAt }),
  )
  if (isTakenBy(busy.map(takenBy))) return 'calendar'
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
