import type { Interval } from '../../../interval.ts'
import { Problem } from '../../../problem.ts'
import { sentence } from '../../../sentence.ts'
import { type Claim, decidingSpan, findOpenings, type HostAvailability } from '../../../slots/openings.ts'
import { type Assignment, assignNext, type BalanceChanges } from '../../assignment.ts'
import { availabilityOf, type BookableEventType, type Narrowing, rotatingHostOf } from '../../bookable.ts'
import type { Booking } from '../../booking.ts'
import type { HostClaim } from '../../facts/claims.ts'
import type { Ledger, Question } from '../../ledger.ts'

/** What takes a host's time. */
export type ClaimsOf = (hostId: string) => readonly Claim[]

/** Hosts who would all attend a meeting. */
export type Group = readonly HostAvailability[]

/** Everything that deciding about these starts of this event type depends on. */
export function questionAbout(bookable: BookableEventType, starts: readonly number[]): Question {
  const { rules, hostIds, dependsOn, groups, eventType, narrowedBy } = bookable
  return {
    hostIds,
    dependsOn,
    spans: starts.map((start) => decidingSpan(rules, start)),
    ...(rules.seats > 1 && { seatsAt: starts }),
    ...((groups.length > 1 || narrowedBy) && { turnsOf: eventType.id }),
  }
}

/** The time that meetings at these starts need to be free, buffers included. */
export const spansAt = ({ rules }: BookableEventType, starts: readonly number[]): Interval[] =>
  starts.map((start) => ({
    start: start - rules.bufferBefore,
    end: start + rules.duration + rules.bufferAfter,
  }))

/** Whether no owner or host has changed anything since the event type was read. */
export const isCurrent = ({ dependsOn, revisions }: BookableEventType, { schedulers }: Ledger): boolean =>
  dependsOn.every((id) => revisions.has(id) && revisions.get(id) === schedulers.revisionOf(id))

/** A host who has agreed on a time with the guest is bound neither by the notice nor by the booking window. */
export function rulesForHost(bookable: BookableEventType): BookableEventType {
  return { ...bookable, rules: { ...bookable.rules, notice: 0, window: { kind: 'unlimited' } } }
}

/** The groups of hosts that are free at this start: the rules of the listing, asked about one instant. */
export function findFreeGroups(
  bookable: BookableEventType,
  claimsOf: ClaimsOf,
  startsAt: number,
  now: number,
): HostAvailability[][] {
  const span = { start: startsAt, end: startsAt + 1 }
  const taken = bookable.hostIds.map((hostId) => ({ hostId, claims: claimsOf(hostId) }))
  return availabilityOf(bookable, taken).filter((group) => {
    return findOpenings(bookable.rules, [group], now, span).firsts[0] === startsAt
  })
}

/** A group of hosts for a meeting, and how the round robin or a form chose it, if one did. */
export interface ChosenGroup {
  readonly group: Group
  readonly assignment?: Assignment
}

/** Of the free groups, the one of the host whose turn it is. `reversed` is what a booking gives back that leaves its host. */
export function chooseGroup(
  { eventType, groups, narrowedBy }: BookableEventType,
  { turns }: Ledger,
  free: readonly Group[],
  reversed: BalanceChanges = {},
): ChosenGroup | undefined {
  const [first] = free
  if (first === undefined) return undefined
  if (groups.length <= 1 && narrowedBy === undefined) return { group: first }
  const hostIds = free.map(rotatingHostOf)
  const theirs = turns
    .of(eventType.id)
    .filter(({ hostId }) => hostIds.includes(hostId))
    .map((turn) => ({ ...turn, balance: turn.balance + (reversed[turn.hostId] ?? 0) }))
  const assignment = assignNext(theirs)
  if (assignment === undefined) return undefined
  const group = free[hostIds.indexOf(assignment.hostId)] as Group
  return { group, assignment: narrowedBy === undefined ? assignment : withNarrowing(assignment, narrowedBy) }
}

/** An assignment by a form. If it left several hosts, it tells how one of them was chosen as well. */
function withNarrowing(assignment: Assignment, { reason, detail }: Narrowing): Assignment {
  const isTurn = assignment.reason === 'turn'
  return { ...assignment, reason, detail: isTurn ? `${detail} ${assignment.detail}` : detail }
}

/** The hosts of a group, the main host first. */
export const hostIdsOf = (group: Group): string[] => group.map(({ hostId }) => hostId).toReversed()

/** The meeting with free seats that a guest at this start joins, if there is one. */
export function findJoinedMeeting(
  { rules, eventType }: BookableEventType,
  group: Group,
  startsAt: number,
): Claim | undefined {
  if (rules.seats === 1) return undefined
  return group[0]?.claims.find((claim) => claim.startsAt === startsAt && claim.eventTypeId === eventType.id)
}

/** A refusal unless the meeting has seats for all of them. One seat is free: it is listed. */
export function findLackOfSeats(
  { rules }: BookableEventType,
  joined: Claim | undefined,
  party: number,
): Problem | undefined {
  if (rules.seats === 1 || party === 1) return undefined
  const left = rules.seats - (joined?.seatsTaken ?? 0)
  if (party <= left) return undefined
  return new Problem(
    'slot_unavailable',
    left === 1
      ? sentence`Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.`
      : sentence`Only ${left} seats are left at this time. Please bring fewer guests, or choose another slot.`,
  )
}

/** The number of the seat that a guest gets in a meeting; without one, in a new meeting. */
export function lowestFreeSeat({ seats }: Ledger, joined: Claim | undefined): number {
  const taken = joined && seats.takenIn(joined.meetingId)
  let seat = 1
  while (taken?.has(seat)) seat++
  return seat
}

/** The time that a meeting takes from each host of a group. */
export function claimsFor(
  { rules }: BookableEventType,
  group: Group,
  booking: Pick<Booking, 'meetingId' | 'eventTypeId' | 'startsAt' | 'endsAt'>,
): HostClaim[] {
  const claim: Claim = {
    meetingId: booking.meetingId,
    eventTypeId: booking.eventTypeId,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
    bufferBefore: rules.bufferBefore,
    bufferAfter: rules.bufferAfter,
    seatsTaken: 1,
  }
  return group.map(({ hostId }) => ({ hostId, claim }))
}
