import { randomUUIDv7 } from 'node:crypto'
import type { Booking } from '../../domain/bookings/booking.ts'
import { partyOf } from '../../domain/bookings/guests.ts'
import { isActive, rescheduleUntil } from '../../domain/bookings/states.ts'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import type { HostAvailability } from '../../domain/slots/openings.ts'
import type { Ledger } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { Context } from '../context.ts'
import { type BookableEventType, ofLengthOf } from '../slots/bookable.ts'
import { CalendarAnswers, spanOf } from './ask-calendars.ts'
import {
  type Author,
  announce,
  auditOf,
  getUnchanged,
  meetingHosts,
  questionAboutBooking,
  stateConflict,
} from './change-state.ts'
import { announcementOf, recordOf } from './emit.ts'
import {
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
  withCurrentSettings,
} from './placing.ts'

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
 * event type requires it.
 */
export async function reschedule(
  context: Context,
  author: Author,
  seen: ListedBooking,
  move: Move,
): Promise<ListedBooking> {
  // Starts are whole minutes.
  if (move.startsAt % MINUTE !== 0) throw slotUnavailable()
  const known = await context.slots.getBookableOf(seen.schedulerId, seen.booking.eventTypeId)
  const reload = () => context.slots.reloadBookable(known)
  // A host knows their own calendar.
  const calendars = author.by === 'guest' ? new CalendarAnswers() : undefined
  try {
    const { moved, hostIds } = await withCurrentSettings(known, reload, (current) => {
      const bookable = ofLengthOf(current, seen.booking)
      const about = questionAbout(bookable, move.startsAt, context.now())
      const own = questionAboutBooking(seen)
      const question = { ...about, ...own, hostIds: [...new Set([...about.hostIds, ...own.hostIds])] }
      const { startsAt } = move
      const span = spanOf(bookable, { startsAt, endsAt: startsAt + bookable.rules.duration })
      const take = () =>
        decideUnderLock(context.db, question, (ledger) =>
          decideMove(ledger, author, seen, bookable, move, calendars, context.now()),
        )
      return calendars === undefined ? take() : calendars.asking(context, span, take)
    })
    announce(context, hostIds)
    return moved
  } catch (error) {
    throw refusalOf(error) ?? error
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
  seen: ListedBooking,
  bookable: BookableEventType,
  { startsAt, reason }: Move,
  calendars: CalendarAnswers | undefined,
  now: number,
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
    const claims = ledger.claimsOf(hostId)
    return shared ? claims : claims.filter(({ meetingId }) => meetingId !== booking.meetingId)
  }
  const every = findFreeGroups(rules, claimsOf, startsAt, now)
  const free = calendars?.bookable(bookable, every) ?? every
  const kept = hostedBy(free, current.hostId)
  const { group, assignments } =
    kept === undefined ? chooseGroup(bookable, ledger, free, now) : { group: kept, assignments: [] }
  const joined = findJoinedMeeting(bookable, group, startsAt)
  requireSeats(bookable, joined, partyOf(booking))
  if (joined === undefined) calendars?.require(bookable, group)
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
    hostId: rotatingHostOf(group),
    seat: lowestFreeSeat(joined && ledger.takenSeats(joined.meetingId)),
    seats: bookable.rules.seats,
  }
  const hostIds = [...new Set([moved.hostId, ...hostIdsOf(group)])]
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
    at: now,
  })
  return {
    writes: {
      updates: [asksAgain ? { ...moved, requestedAt: now } : moved],
      ...(!shared && { freedMeetings: [booking.meetingId] }),
      claims: joined === undefined ? claimsFor(bookable, group, after) : [],
      assignments,
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
  throw new Problem('too_late', 'It is too late to reschedule this booking here. Please contact the host.')
}

/** The group of the present host, if it is free: a guest keeps their host. */
const hostedBy = (groups: readonly HostAvailability[][], hostId: string) =>
  groups.find((group) => rotatingHostOf(group) === hostId)
