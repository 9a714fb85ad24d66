import { type Repeat, SeriesUnavailable, seriesStarts } from '../../domain/bookings/series.ts'
import type { Claim, HostAvailability } from '../../domain/slots/openings.ts'
import type { Zone, Zones } from '../../domain/zone.ts'
import type { Ledger } from '../../store/bookings/ledger.ts'
import type { BookableEventType } from '../slots/bookable.ts'
import type { CalendarAnswers } from './ask-calendars.ts'
import {
  type ChosenGroup,
  chooseGroup,
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  rotatingHostOf,
} from './placing.ts'

/** The zone whose wall time a series keeps: that of the first host's schedule. */
export const seriesZone = ({ hosts: [first], scheduler }: BookableEventType, zones: Zones): Zone =>
  first?.schedule.zone ?? zones.get(scheduler.timeZone)

/** The starts of a booking: its own, and those of its series. */
export function startsOf(
  bookable: BookableEventType,
  { startsAt, repeat }: { readonly startsAt: number; readonly repeat?: Repeat },
  zones: Zones,
): readonly number[] {
  return repeat === undefined ? [startsAt] : seriesStarts(startsAt, repeat, seriesZone(bookable, zones))
}

/** The hosts of each meeting of a series, and how the round robin chose them: the series uses up one turn. */
export interface ChosenForAll extends Pick<ChosenGroup, 'assignment'> {
  readonly groups: readonly (readonly HostAvailability[])[]
}

/**
 * Hosts who are free at all of these starts: one round-robin host takes the whole series, and one turn.
 *
 * Throws `SeriesUnavailable` with the dates that are in the way of the host who could take the most.
 */
export function chooseGroupForAll(
  bookable: BookableEventType,
  ledger: Ledger,
  starts: readonly number[],
  { claimsOf, zone, now, calendars }: SeriesOptions,
): ChosenForAll {
  const candidates = bookable.groups.map((hosts) => {
    const hostIds = hosts.map(({ hostId }) => hostId)
    return tryAll({ ...bookable, groups: [hosts], hostIds }, claimsOf, starts, now)
  })
  const complete = candidates.filter(({ missing }) => missing.length === 0)
  if (complete.length === 0) {
    const [best] = candidates.toSorted((a, b) => a.missing.length - b.missing.length)
    throw new SeriesUnavailable(best?.missing ?? starts, zone)
  }
  const firsts = complete.map(({ groups }) => groups[0] as HostAvailability[])
  const free = calendars?.bookable(bookable, firsts) ?? firsts
  const { group, ...how } = chooseGroup(bookable, ledger, free)
  const chosen = complete.find(
    ({ groups: [first] }) => first && rotatingHostOf(first) === rotatingHostOf(group),
  )
  return { groups: chosen?.groups ?? [], ...how }
}

export interface SeriesOptions {
  /** What takes a host's time. */
  readonly claimsOf: (hostId: string) => readonly Claim[]
  readonly zone: Zone
  readonly now: number
  readonly calendars: CalendarAnswers | undefined
}

interface Candidate {
  readonly groups: readonly HostAvailability[][]
  readonly missing: readonly number[]
}

/** Places the meetings one after the other, so that each counts for the limits and buffers of the next. */
function tryAll(
  bookable: BookableEventType,
  taken: SeriesOptions['claimsOf'],
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
