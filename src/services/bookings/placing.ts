import {
  type Assignment,
  assignNext,
  type BalanceChanges,
  changesToday,
} from '../../domain/bookings/assignment.ts'
import type { Booking } from '../../domain/bookings/booking.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type Claim, decidingSpan, findOpenings, type HostAvailability } from '../../domain/slots/openings.ts'
import type { BalanceChange, HostClaim, Ledger, Question } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { brokenConstraint } from '../../store/engine/database.ts'
import { availabilityOf, type BookableEventType, type Narrowing } from '../slots/bookable.ts'
import { deadLink } from './open-event-type.ts'

/** The settings that a decision was prepared with have changed: it must be prepared again. */
export class OutdatedSettings extends Error {}

/** Everything that deciding about these starts of this event type depends on. */
export function questionAbout(bookable: BookableEventType, startsAt: number | readonly number[]): Question {
  const starts = typeof startsAt === 'number' ? [startsAt] : startsAt
  const { rules, hostIds, dependsOn, groups, eventType, narrowedBy } = bookable
  return {
    hostIds,
    dependsOn,
    spans: starts.map((start) => decidingSpan(rules, start)),
    ...(rules.seats > 1 && { seatsAt: starts }),
    ...((groups.length > 1 || narrowedBy) && { turnsOf: eventType.id }),
  }
}

/** Throws `OutdatedSettings` if an owner or host has changed anything since the event type was read. */
export function requireCurrent({ dependsOn, revisions }: BookableEventType, ledger: Ledger): void {
  if (!dependsOn.every((id) => revisions.has(id) && revisions.get(id) === ledger.revisionOf(id))) {
    throw new OutdatedSettings()
  }
}

/** A host who has agreed on a time with the guest is bound neither by the notice nor by the booking window. */
export function rulesForHost(bookable: BookableEventType): BookableEventType {
  return { ...bookable, rules: { ...bookable.rules, notice: 0, window: { kind: 'unlimited' } } }
}

/** The groups of hosts that are free at this start: the rules of the listing, asked about one instant. */
export function findFreeGroups(
  bookable: BookableEventType,
  claimsOf: (hostId: string) => readonly Claim[],
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
  readonly group: readonly HostAvailability[]
  readonly assignment?: Assignment
}

/**
 * Of the free groups, the one of the host whose turn it is; throws `slot_unavailable` if there is none.
 *
 * `reversed` is what a booking gives back that leaves its former host.
 */
export function chooseGroup(
  { eventType, groups, narrowedBy }: BookableEventType,
  ledger: Ledger,
  free: readonly HostAvailability[][],
  reversed: BalanceChanges = {},
): ChosenGroup {
  const [first] = free
  if (first === undefined) throw slotUnavailable()
  if (groups.length <= 1 && narrowedBy === undefined) return { group: first }
  const hostIds = free.map(rotatingHostOf)
  const turns = ledger
    .turnsOf(eventType.id)
    .filter(({ hostId }) => hostIds.includes(hostId))
    .map((turn) => ({ ...turn, balance: turn.balance + (reversed[turn.hostId] ?? 0) }))
  const assignment = assignNext(turns)
  if (assignment === undefined) throw slotUnavailable()
  const group = free[hostIds.indexOf(assignment.hostId)] as HostAvailability[]
  return { group, assignment: narrowedBy === undefined ? assignment : withNarrowing(assignment, narrowedBy) }
}

/** An assignment by a form. If it left several hosts, it tells how one of them was chosen as well. */
function withNarrowing(assignment: Assignment, { reason, detail }: Narrowing): Assignment {
  const isTurn = assignment.reason === 'turn'
  return { ...assignment, reason, detail: isTurn ? `${detail} ${assignment.detail}` : detail }
}

/** What a new assignment changes about the hosts' balances. */
export function balancesOf(
  eventTypeId: string,
  { hostId, changes }: Assignment,
  now: number,
): BalanceChange[] {
  const assigned = { eventTypeId, hostId, by: changes[hostId] ?? 0, assignedAt: now }
  const others = Object.entries(changes).filter(([id]) => id !== hostId)
  return [assigned, ...others.map(([id, by]) => ({ eventTypeId, hostId: id, by }))]
}

/** What reversing a booking's assignment changes, or applying it again, for the hosts of today. */
export function balancesToday(
  ledger: Ledger,
  { booking: { eventTypeId }, assignment }: Pick<ListedBooking, 'booking' | 'assignment'>,
  times: 1 | -1,
): BalanceChanges {
  if (assignment === undefined) return {}
  const hostIds = ledger.turnsOf(eventTypeId).map(({ hostId }) => hostId)
  return changesToday(assignment, hostIds, times)
}

export const toBalances = (eventTypeId: string, changes: BalanceChanges): BalanceChange[] =>
  Object.entries(changes).map(([hostId, by]) => ({ eventTypeId, hostId, by }))

/** A group ends with its one host who is not fixed. */
export const rotatingHostOf = (group: readonly HostAvailability[]): string =>
  (group.at(-1) as HostAvailability).hostId

/** The hosts of a group, the main host first. */
export const hostIdsOf = (group: readonly HostAvailability[]): string[] =>
  group.map(({ hostId }) => hostId).toReversed()

/** The meeting with free seats that a guest at this start joins, if there is one. */
export function findJoinedMeeting(
  { rules, eventType }: BookableEventType,
  group: readonly HostAvailability[],
  startsAt: number,
): Claim | undefined {
  if (rules.seats === 1) return undefined
  return group[0]?.claims.find((claim) => claim.startsAt === startsAt && claim.eventTypeId === eventType.id)
}

/** Throws `slot_unavailable` unless the meeting has seats for all of them. One seat is free: it is listed. */
export function requireSeats({ rules }: BookableEventType, joined: Claim | undefined, party: number): void {
  if (rules.seats === 1 || party === 1) return
  const left = rules.seats - (joined?.seatsTaken ?? 0)
  if (party <= left) return
  throw new Problem(
    'slot_unavailable',
    left === 1
      ? sentence`Only 1 seat is left at this time. Please bring fewer guests, or choose another slot.`
      : sentence`Only ${left} seats are left at this time. Please bring fewer guests, or choose another slot.`,
  )
}

export function lowestFreeSeat(taken: ReadonlySet<number> = new Set()): number {
  let seat = 1
  while (taken.has(seat)) seat++
  return seat
}

/** The time that a meeting takes from each host of a group. */
export function claimsFor(
  { rules }: BookableEventType,
  group: readonly HostAvailability[],
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

export const slotUnavailable = () =>
  new Problem('slot_unavailable', sentence`This time is no longer available. Please choose another slot.`)

export const duplicateBooking = () =>
  new Problem('duplicate_booking', sentence`This email address has already booked this time.`)

/** The problem behind an error: one of ours, or a constraint of the database. */
export function refusalOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const constraint = brokenConstraint(error)
  if (constraint === 'duplicate_booking') return duplicateBooking()
  if (constraint === 'link_used') return deadLink()
  if (constraint === 'host_overlap' || constraint === 'seat_taken') return slotUnavailable()
  return undefined
}

const MOST_ATTEMPTS = 5

/** Runs an attempt with the event type as it was known, and again with current settings if those were outdated. */
export async function withCurrentSettings<T>(
  known: BookableEventType,
  reload: () => Promise<BookableEventType>,
  attempt: (bookable: BookableEventType) => Promise<T>,
): Promise<T> {
  // Read by a slug that has moved, it has no revisions to compare.
  let bookable = known.revisions.size === 0 ? await reload() : known
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(bookable)
    } catch (error) {
      if (!(error instanceof OutdatedSettings)) throw error
      // With a cause, the request itself has brought the news, which it does once for each host.
      if (error.cause !== undefined) tries--
      if (tries === MOST_ATTEMPTS) {
        throw new Problem(
          'unavailable',
          sentence`These settings are being changed. Please try again in a moment.`,
        )
      }
      bookable = await reload()
    }
  }
}
