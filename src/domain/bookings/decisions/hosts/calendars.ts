import { Problem } from '../../../problem.ts'
import { sentence } from '../../../sentence.ts'
import type { BookableEventType } from '../../bookable.ts'
import { type Findings, type Needs, needs } from '../decision.ts'
import type { Group } from './placing.ts'

/** The groups that may be booked: all, or those whose calendars have answered if the event type insists on that. */
export function withAnswers(
  { eventType }: BookableEventType,
  free: readonly Group[],
  { silent }: Findings,
): readonly Group[] | Problem {
  if (eventType.liveCheck === 'accept' || silent.size === 0) return free
  const answered = free.filter((group) => !group.some(({ hostId }) => silent.has(hostId)))
  if (free.length === 0 || answered.length > 0) return answered
  return new Problem(
    'unavailable',
    sentence`The calendar could not be checked. Please try again in a moment.`,
  )
}

/** What is needed before these hosts can be chosen, if they have calendars that were not asked yet. */
export function needsCalendars(
  { hosts }: BookableEventType,
  group: Group,
  { asked }: Findings,
): Needs | undefined {
  const hostIds = group
    .map(({ hostId }) => hostId)
    .filter((id) => !asked.has(id) && hosts.some((host) => host.hostId === id && host.hasLiveCalendars))
  return hostIds.length === 0 ? undefined : needs({ what: 'calendars', hostIds })
}
