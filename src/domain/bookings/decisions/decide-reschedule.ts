import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import type { Zone } from '../../zone.ts'
import { type BookableEventType, rotatingHostOf } from '../bookable.ts'
import type { Booking } from '../booking.ts'
import type { HostClaim } from '../facts/claims.ts'
import { partyOf } from '../guests.ts'
import { claimsIn, joinWrites, type Ledger } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { SeriesUnavailable } from '../series.ts'
import { isActive, rescheduleUntil } from '../states.ts'
import { announcementOf, recordOf } from './announcement.ts'
import { type Author, auditOf } from './author.ts'
import { countMails, countMove, questionAboutMails } from './caps.ts'
import { type Decision, type Done, done, type Given, needs, type Plan, refused } from './decision.ts'
import { balancesOf, balancesToday, toBalances } from './hosts/balances.ts'
import { needsCalendars, withAnswers } from './hosts/calendars.ts'
import {
  type ClaimsOf,
  chooseGroup,
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  findLackOfSeats,
  hostIdsOf,
  isCurrent,
  lowestFreeSeat,
  questionAbout,
  rulesForHost,
  spansAt,
} from './hosts/placing.ts'
import { findUnchanged, joinQuestions, meetingHosts, questionAboutBookings, turnsFor } from './present.ts'
import { slotUnavailable, stateConflict } from './refusals.ts'

/** A booking as it was seen, and its new start. */
export interface Move {
  readonly seen: ListedBooking
  readonly startsAt: number
}

interface WantedReschedule {
  /** At the length of these bookings, with the hosts that are open to their guests. */
  readonly bookable: BookableEventType
  /** One, or the following ones of a series. */
  readonly moves: readonly [Move, ...Move[]]
  readonly author: Author
  /** A message about it. */
  readonly reason: string
  /** In which a refusal names the dates of a series. */
  readonly zone: Zone
}

export interface Moved {
  /** The first. */
  readonly moved: ListedBooking
  /** Everyone whose calendar has changed. */
  readonly hostIds: readonly string[]
}

/** Moves bookings to other starts, all or none. */
export function planReschedule(wanted: WantedReschedule, now: number): Plan<Moved> {
  const { bookable, moves, author } = wanted
  const starts = moves.map(({ startsAt }) => startsAt)
  const all = moves.map(({ seen }) => seen)
  const own = {
    ...questionAboutBookings(all),
    ...turnsFor(all),
    ...questionAboutMails(author, moves[0].seen.booking, now),
  }
  return {
    question: joinQuestions(questionAbout(bookable, starts), own),
    decide: (ledger, given) => withMails(ledger, wanted, decideReschedule(ledger, wanted, given), given),
    spans: spansAt(bookable, starts),
  }
}

/** Counts the mails about a guest's move. Of a series, one tells of all. */
function withMails(
  ledger: Ledger,
  { author }: WantedReschedule,
  decision: Decision<Moved>,
  given: Given,
): Decision<Moved> {
  const isAnnounced = decision.kind === 'done' && (decision.writes.jobs ?? []).length > 0
  if (author.by !== 'guest' || !isAnnounced) return decision
  const { result, writes } = decision
  const mails = countMails(ledger, result.moved.booking, { type: 'rescheduled', author }, given)
  return 'kind' in mails ? mails : done(result, { ...writes, ...mails })
}

function decideReschedule(ledger: Ledger, wanted: WantedReschedule, given: Given): Decision<Moved> {
  const { moves, zone } = wanted
  const [first] = moves
  if (moves.length === 1) return decideMove(ledger, wanted, first, given)
  const bookings = moves.map(({ seen }) => seen.booking)
  const freed = new Set(
    bookings.filter((one) => !ledger.bookings.hasCompanions(one)).map(({ meetingId }) => meetingId),
  )
  const taken: HostClaim[] = []
  const claimsOf = (hostId: string) => [
    ...claimsIn(ledger, hostId).filter(({ meetingId }) => !freed.has(meetingId)),
    ...taken.filter((one) => one.hostId === hostId).map(({ claim }) => claim),
  ]
  const ids = bookings.map(({ id }) => id)
  const missing: number[] = []
  const decided: Done<Moved>[] = []
  for (const move of moves) {
    const series = { claimsOf, together: move === first ? ids : [] }
    const decision = decideMove(ledger, wanted, { ...move, series }, given)
    if (decision.kind === 'done') {
      taken.push(...(decision.writes.claims ?? []))
      decided.push(decision)
    } else if (decision.kind === 'refused' && decision.problem.code === 'slot_unavailable') {
      missing.push(move.startsAt)
    } else return decision
  }
  if (missing.length > 0) return refused(new SeriesUnavailable(missing, zone))
  const [leading] = decided as [Done<Moved>]
  const writes = joinWrites(decided.map(({ writes }) => writes))
  return done(
    {
      moved: leading.result.moved,
      hostIds: [...new Set(decided.flatMap(({ result }) => result.hostIds))],
    },
    { ...writes, updates: (writes.updates ?? []).map((update) => ({ ...update, leavesFirst: true })) },
  )
}

/** Set if others of the series move as well: what is taken besides them, and what to note about all. */
interface OfSeries {
  readonly claimsOf: ClaimsOf
  readonly together: readonly string[]
}

function decideMove(
  ledger: Ledger,
  { bookable, author, reason }: WantedReschedule,
  { seen, startsAt, series }: Move & { readonly series?: OfSeries },
  given: Given,
): Decision<Moved> {
  const { now, newId } = given
  const isThere = ({ booking }: ListedBooking) => isActive(booking) && booking.startsAt === startsAt
  const current = findUnchanged(ledger, seen, isThere)
  if (current instanceof Problem) return refused(current)
  const { booking } = current
  const former = meetingHosts(ledger, current)
  if (booking.status === 'PendingPayment') return refused(stateConflict(booking))
  if (isThere(current)) return done({ moved: current, hostIds: former })
  if (!isActive(booking)) return refused(stateConflict(booking))
  if (!isCurrent(bookable, ledger)) return needs({ what: 'settings' })
  const tooLate = author.by === 'guest' ? findTooLate(booking, bookable, now) : undefined
  if (tooLate !== undefined) return refused(tooLate)
  const guestMoves = author.by === 'guest' ? countMove(current, now) : current.guestMoves
  if (guestMoves instanceof Problem) return refused(guestMoves)

  const shared = ledger.bookings.hasCompanions(booking)
  // Its own time is not in the way of the booking, unless other guests stay in that meeting.
  const besideOwn = (hostId: string) =>
    claimsIn(ledger, hostId).filter(({ meetingId }) => shared || meetingId !== booking.meetingId)
  const rules = author.by === 'host' ? rulesForHost(bookable) : bookable
  const every = findFreeGroups(rules, series?.claimsOf ?? besideOwn, startsAt, now)
  // A host knows their own calendar.
  const found = author.by === 'guest' ? given.found : undefined
  const free = found === undefined ? every : withAnswers(bookable, every, found)
  if (free instanceof Problem) return refused(free)
  const reversed = balancesToday(ledger, current, -1)
  // A guest keeps their host if that one is free, and a series always does.
  const kept = free.find((group) => rotatingHostOf(group) === current.hostId)
  const chosen = kept || series ? undefined : chooseGroup(bookable, ledger, free, reversed)
  const hosts = kept ?? chosen?.group
  if (hosts === undefined) return refused(slotUnavailable())
  const joined = findJoinedMeeting(bookable, hosts, startsAt)
  const lack = findLackOfSeats(bookable, joined, partyOf(booking))
  if (lack !== undefined) return refused(lack)
  const need = joined === undefined && found && needsCalendars(bookable, hosts, found)
  if (need) return need

  const { eventTypeId } = booking
  const asksAgain = author.by === 'guest' && bookable.eventType.requiresApproval
  const after: Booking = {
    ...booking,
    startsAt,
    endsAt: startsAt + bookable.rules.duration,
    // A meeting with other guests keeps its id for them.
    meetingId: joined?.meetingId ?? (shared ? newId() : booking.meetingId),
    status: asksAgain ? 'PendingApproval' : booking.status,
    sequence: booking.sequence + 1,
  }
  const moved = {
    ...current,
    booking: after,
    hostId: rotatingHostOf(hosts),
    seat: lowestFreeSeat(ledger, joined),
    seats: bookable.rules.seats,
    ...(chosen && { assignment: chosen.assignment }),
    ...(guestMoves && { guestMoves }),
  }
  const hostIds = [...new Set([moved.hostId, ...hostIdsOf(hosts)])]
  const record = recordOf(after, newId(), {
    type: 'rescheduled',
    by: author.by,
    reason,
    previousStatus: booking.status,
    previousStartsAt: booking.startsAt,
    hostIds,
    formerHostIds: former.filter((id) => !hostIds.includes(id)),
    ...(after.meetingId !== booking.meetingId && {
      formerMeeting: { id: booking.meetingId, hostIds: former },
    }),
    ...(series && { together: series.together }),
    at: now,
  })
  return done(
    { moved, hostIds: [...new Set([...hostIds, ...former])] },
    {
      updates: [asksAgain ? { ...moved, requestedAt: now } : moved],
      ...(!shared && { freedMeetings: [booking.meetingId] }),
      claims: joined === undefined ? claimsFor(bookable, hosts, after) : [],
      ...(chosen && {
        balances: [
          ...toBalances(eventTypeId, reversed),
          ...(chosen.assignment ? balancesOf(eventTypeId, chosen.assignment, now) : []),
        ],
      }),
      jobs: [announcementOf(record)],
      audit: auditOf(author, current, 'rescheduled', given),
    },
  )
}

/** A refusal unless a guest may still move this booking. */
export function findTooLate(
  booking: Booking,
  { eventType }: BookableEventType,
  now: number,
): Problem | undefined {
  if (now < rescheduleUntil(booking, eventType)) return undefined
  return new Problem(
    'too_late',
    sentence`It is too late to reschedule this booking here. Please contact the host.`,
  )
}
