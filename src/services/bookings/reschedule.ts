import { randomUUIDv7 } from 'node:crypto'
import type { Booking } from '../../domain/bookings/booking.ts'
import { partyOf } from '../../domain/bookings/guests.ts'
import { type ScopeOfChange, SeriesUnavailable, seriesStarts } from '../../domain/bookings/series.ts'
import { isActive, rescheduleUntil } from '../../domain/bookings/states.ts'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Claim, HostAvailability } from '../../domain/slots/openings.ts'
import type { HostClaim, Ledger } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { Context } from '../context.ts'
import { type BookableEventType, ofLengthOf, withHostsOf } from '../slots/bookable.ts'
import { findAccessOf } from './access-of-booking.ts'
import { CalendarAnswers, spanOf } from './ask-calendars.ts'
import {
  type Author,
  announce,
  auditOf,
  getUnchanged,
  joinWrites,
  meetingHosts,
  questionAboutBookings,
  stateConflict,
  turnsFor,
} from './change-state.ts'
import { announcementOf, recordOf } from './emit.ts'
import { seriesZone } from './place-series.ts'
import {
  balancesOf,
  balancesToday,
  chooseGroup,
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  hostIdsOf,
  lowestFreeSeat,
  questionAbout,
  refusalOf,
  requireCurrent,
  requireSeats,
  rotatingHostOf,
  rulesForHost,
  slotUnavailable,
  toBalances,
  withCurrentSettings,
} from './placing.ts'
import { inScope } from './series-members.ts'

/** The new start, and a message about it. */
export interface Move {
  readonly startsAt: number
  readonly reason: string
}

/**
 * Moves a booking to another start of its event type, by the rules for booking.
 *
 * The id stays; the old time is released and the new one taken in one transaction. A host is not bound by the
 * notice and the booking window. A guest is bound by the cutoff as well, and needs approval again where the
 * event type requires it. With the scope `following`, the later meetings of its series move, too: all or none.
 */
export async function reschedule(
  context: Context,
  author: Author,
  seen: ListedBooking,
  move: Move,
  scope?: ScopeOfChange,
): Promise<ListedBooking> {
  // Starts are whole minutes.
  if (move.startsAt % MINUTE !== 0) throw slotUnavailable()
  const known = await context.slots.getBookableOf(seen.schedulerId, seen.booking.eventTypeId)
  const reload = () => context.slots.reloadBookable(known)
  const all = await inScope(context, seen, scope)
  const starts = newStarts(context, all, move)
  const access = await findAccessOf(context.db, seen)
  // A host knows their own calendar.
  const calendars = author.by === 'guest' ? new CalendarAnswers() : undefined
  try {
    const { moved, hostIds } = await withCurrentSettings(known, reload, (current) => {
      const bookable = withHostsOf(ofLengthOf(current, seen.booking), access)
      const about = questionAbout(bookable, starts)
      const own = { ...questionAboutBookings(all), ...turnsFor(all) }
      const question = { ...about, ...own, hostIds: [...new Set([...about.hostIds, ...own.hostIds])] }
      const spans = starts.map((startsAt) =>
        spanOf(bookable, { startsAt, endsAt: startsAt + bookable.rules.duration }),
      )
      const moves = all.map((one, i) => ({ seen: one, startsAt: starts[i] as number, reason: move.reason }))
      const take = () =>
        decideUnderLock(context.db, question, (ledger) =>
          decideMoves(ledger, author, moves, bookable, calendars, context),
        )
      return calendars === undefined ? take() : calendars.asking(context, spans, take)
    })
    announce(context, hostIds)
    return moved
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

/** Where these bookings move: the first to the new start, the others keep their distance on the wall clock. */
function newStarts({ slots }: Context, all: readonly ListedBooking[], { startsAt }: Move): number[] {
  const [first, ...others] = all.map(({ booking }) => booking.series)
  const last = others.at(-1)
  if (first === undefined || last === undefined) return [startsAt]
  const repeat = { every: first.every, count: last.index - first.index + 1 }
  const starts = seriesStarts(startsAt, repeat, slots.zones.get(first.timeZone))
  return [startsAt, ...others.map((place) => starts[(place?.index ?? 0) - first.index] as number)]
}

interface OneMove extends Move {
  readonly seen: ListedBooking
}

/** Moves all or none. A series keeps its host. */
function decideMoves(
  ledger: Ledger,
  author: Author,
  moves: readonly OneMove[],
  bookable: BookableEventType,
  calendars: CalendarAnswers | undefined,
  { now, slots }: Context,
): Decision<Moved> {
  const [first] = moves as readonly [OneMove]
  if (moves.length === 1) return decideMove(ledger, author, first, bookable, calendars, now())
  const bookings = moves.map(({ seen }) => seen.booking)
  const freed = new Set(
    bookings.filter((one) => !ledger.hasCompanions(one)).map(({ meetingId }) => meetingId),
  )
  const taken: HostClaim[] = []
  const claimsOf = (hostId: string) => [
    ...ledger.claimsOf(hostId).filter(({ meetingId }) => !freed.has(meetingId)),
    ...taken.filter((one) => one.hostId === hostId).map(({ claim }) => claim),
  ]
  const ids = bookings.map(({ id }) => id)
  const missing: number[] = []
  const decisions = moves.flatMap((move) => {
    try {
      const group = { claimsOf, together: move === first ? ids : [] }
      const decision = decideMove(ledger, author, move, bookable, calendars, now(), group)
      taken.push(...(decision.writes.claims ?? []))
      return [decision]
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'slot_unavailable') throw error
      missing.push(move.startsAt)
      return []
    }
  })
  if (missing.length > 0) throw new SeriesUnavailable(missing, seriesZone(bookable, slots.zones))
  const [leading] = decisions as [Decision<Moved>]
  // A meeting can take the time that another one leaves. Those that go last in time are written first, or the other way round.
  const isLater = first.startsAt > first.seen.booking.startsAt
  const inOrder = decisions.map(({ writes }) => writes)
  const writes = joinWrites(isLater ? inOrder.toReversed() : inOrder)
  return {
    writes: { ...writes, updates: (writes.updates ?? []).map((update) => ({ ...update, after: true })) },
    result: {
      moved: leading.result.moved,
      hostIds: [...new Set(decisions.flatMap(({ result }) => result.hostIds))],
    },
  }
}

interface Moved {
  readonly moved: ListedBooking
  /** Everyone whose calendar has changed. */
  readonly hostIds: readonly string[]
}

function decideMove(
  ledger: Ledger,
  author: Author,
  { seen, startsAt, reason }: OneMove,
  bookable: BookableEventType,
  calendars: CalendarAnswers | undefined,
  now: number,
  /** Set if others of the series move as well: what is taken besides them, and what to note about all. */
  group?: { readonly claimsOf: (hostId: string) => readonly Claim[]; readonly together: readonly string[] },
): Decision<Moved> {
  const isThere = ({ booking }: ListedBooking) => isActive(booking) && booking.startsAt === startsAt
  const current = getUnchanged(ledger, seen, isThere)
  const { booking } = current
  const former = meetingHosts(ledger, current)
  if (isThere(current)) return { writes: {}, result: { moved: current, hostIds: former } }
  if (!isActive(booking)) throw stateConflict(booking)
  requireCurrent(bookable, ledger)
  if (author.by === 'guest') checkCutOff(booking, bookable, now)

  const rules = author.by === 'host' ? rulesForHost(bookable) : bookable
  const shared = ledger.hasCompanions(booking)
  // Its own time is not in the way of the booking, unless other guests stay in that meeting.
  const claimsOf = (hostId: string) => {
    if (group !== undefined) return group.claimsOf(hostId)
    const claims = ledger.claimsOf(hostId)
    return shared ? claims : claims.filter(({ meetingId }) => meetingId !== booking.meetingId)
  }
  const every = findFreeGroups(rules, claimsOf, startsAt, now)
  const free = calendars?.bookable(bookable, every) ?? every
  const kept = hostedBy(free, current.hostId)
  if (kept === undefined && group !== undefined) throw slotUnavailable()
  const { eventTypeId } = booking
  const reversed = balancesToday(ledger, current, -1)
  const chosen = kept === undefined ? chooseGroup(bookable, ledger, free, reversed) : undefined
  const hosts = chosen?.group ?? (kept as HostAvailability[])
  const joined = findJoinedMeeting(bookable, hosts, startsAt)
  requireSeats(bookable, joined, partyOf(booking))
  if (joined === undefined) calendars?.require(bookable, hosts)
  const asksAgain = author.by === 'guest' && bookable.eventType.requiresApproval
  const after: Booking = {
    ...booking,
    startsAt,
    endsAt: startsAt + bookable.rules.duration,
    // A meeting with other guests keeps its id for them.
    meetingId: joined?.meetingId ?? (shared ? randomUUIDv7() : booking.meetingId),
    status: asksAgain ? 'PendingApproval' : booking.status,
    sequence: booking.sequence + 1,
  }
  const moved = {
    ...current,
    booking: after,
    hostId: rotatingHostOf(hosts),
    seat: lowestFreeSeat(joined && ledger.takenSeats(joined.meetingId)),
    seats: bookable.rules.seats,
    ...(chosen && { assignment: chosen.assignment }),
  }
  const hostIds = [...new Set([moved.hostId, ...hostIdsOf(hosts)])]
  const record = recordOf(after, {
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
    ...(group && { together: group.together }),
    at: now,
  })
  return {
    writes: {
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
      audit: auditOf(author, current, 'rescheduled', now),
    },
    result: { moved, hostIds: [...new Set([...hostIds, ...former])] },
  }
}

/** Throws unless the guest may still move this booking. */
export function checkMovable(booking: Booking, bookable: BookableEventType, now: number): void {
  if (!isActive(booking)) throw stateConflict(booking)
  checkCutOff(booking, bookable, now)
}

function checkCutOff(booking: Booking, { eventType }: BookableEventType, now: number): void {
  if (now < rescheduleUntil(booking, eventType)) return
  throw new Problem(
    'too_late',
    sentence`It is too late to reschedule this booking here. Please contact the host.`,
  )
}

/** The group of the present host, if it is free: a guest keeps their host. */
const hostedBy = (groups: readonly HostAvailability[][], hostId: string) =>
  groups.find((group) => rotatingHostOf(group) === hostId)
