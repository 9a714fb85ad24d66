import { Problem } from '../../../problem.ts'
import type { Claim, HostAvailability } from '../../../slots/openings.ts'
import type { Zone, Zones } from '../../../zone.ts'
import type { BookableEventType } from '../../bookable.ts'
import type { Ledger } from '../../ledger.ts'
import { type Repeat, SeriesUnavailable, seriesStarts } from '../../series.ts'
import type { Findings } from '../decision.ts'
import { slotUnavailable } from '../refusals.ts'
import { withAnswers } from './calendars.ts'
import {
  type ChosenGroup,
  type ClaimsOf,
  chooseGroup,
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  type Group,
} from './placing.ts'

/** The zone whose wall time a series keeps: that of the first host's schedule. */
export const seriesZone = ({ hosts: [first], scheduler }: BookableEventType, zones: Zones): Zone =>
  first?.schedule.zone ?? zones.get(scheduler.timeZone)

/** The starts of a booking: its own, and those of its series. */
export const startsOf = (
  { startsAt, repeat }: { readonly startsAt: number; readonly repeat?: Repeat },
  zone: Zone,
): readonly number[] => (repeat === undefined ? [startsAt] : seriesStarts(startsAt, repeat, zone))

/** When meetings are to be, and what is known about that time. */
interface Wish {
  readonly starts: readonly number[]
  /** In which a refusal names the dates of a series. */
  readonly zone: Zone
  readonly claimsOf: ClaimsOf
  readonly now: number
  /** What calendars have answered; undefined: they are not asked. */
  readonly found: Findings | undefined
}

/** The hosts of each meeting, and how they were chosen: a series uses up one turn. */
interface ChosenHosts extends Pick<ChosenGroup, 'assignment'> {
  readonly groups: readonly Group[]
}

/**
 * Hosts who are free at all of these starts: one round-robin host takes a whole series, and one turn.
 *
 * A refusal of a series names the dates that are in the way of the host who could take the most.
 */
export function chooseHosts(
  ledger: Ledger,
  bookable: BookableEventType,
  { starts, zone, claimsOf, now, found }: Wish,
): ChosenHosts | Problem {
  const candidates = candidatesFor(bookable, claimsOf, starts, now)
  const complete = candidates.filter(({ missing }) => missing.length === 0)
  if (complete.length === 0 && starts.length > 1) {
    const [best] = candidates.toSorted((a, b) => a.missing.length - b.missing.length)
    return new SeriesUnavailable(best?.missing ?? starts, zone)
  }
  const firsts = complete.map(({ groups }) => groups[0] as Group)
  const free = found === undefined ? firsts : withAnswers(bookable, firsts, found)
  if (free instanceof Problem) return free
  const chosen = chooseGroup(bookable, ledger, free)
  if (chosen === undefined) return slotUnavailable()
  const { group, ...how } = chosen
  const { groups } = complete[firsts.indexOf(group)] as Candidate
  return { groups, ...how }
}

/** Hosts who could take meetings, and the starts that are in their way. */
interface Candidate {
  readonly groups: readonly Group[]
  readonly missing: readonly number[]
}

function candidatesFor(
  bookable: BookableEventType,
  claimsOf: ClaimsOf,
  starts: readonly number[],
  now: number,
): Candidate[] {
  const [startsAt] = starts
  if (starts.length === 1 && startsAt !== undefined) {
    return findFreeGroups(bookable, claimsOf, startsAt, now).map((group) => ({
      groups: [group],
      missing: [],
    }))
  }
  return bookable.groups.map((hosts) => {
    const hostIds = hosts.map(({ hostId }) => hostId)
    return tryAll({ ...bookable, groups: [hosts], hostIds }, claimsOf, starts, now)
  })
}

/** Places the meetings one after the other, so that each counts for the limits and buffers of the next. */
function tryAll(
  bookable: BookableEventType,
  taken: ClaimsOf,
  starts: readonly number[],
  now: number,
): Candidate {
  const own = new Map<string, Claim[]>()
  const claimsOf = (hostId: string) => [...taken(hostId), ...(own.get(hostId) ?? [])]
  const groups: HostAvailability[][] = []
  const missing: number[] = []
  for (const startsAt of starts) {
    const [group] = findFreeGroups(bookable, claimsOf, startsAt, now)
    if (group === undefined) {
      missing.push(startsAt)
      continue
    }
    groups.push(group)
    if (findJoinedMeeting(bookable, group, startsAt) !== undefined) continue
    const meeting = {
      meetingId: `series ${startsAt}`,
      eventTypeId: bookable.eventType.id,
      startsAt,
      endsAt: startsAt + bookable.rules.duration,
    }
    for (const { hostId, claim } of claimsFor(bookable, group, meeting)) {
      own.set(hostId, [...(own.get(hostId) ?? []), claim])
    }
  }
  return { groups, missing }
}
