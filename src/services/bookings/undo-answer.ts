import type { Booking } from '../../domain/bookings/booking.ts'
import { partyOf } from '../../domain/bookings/guests.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { BalanceChange, HostClaim, Ledger, Unannounced } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { Context } from '../context.ts'
import { type BookableEventType, ofLengthOf } from '../slots/bookable.ts'
import {
  type Author,
  announce,
  auditOf,
  getUnchanged,
  joinWrites,
  meetingHosts,
  questionAboutBookings,
  turnsFor,
} from './change-state.ts'
import {
  balancesToday,
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  hostIdsOf,
  lowestFreeSeat,
  questionAbout,
  refusalOf,
  requireCurrent,
  rulesForHost,
  toBalances,
  withCurrentSettings,
} from './placing.ts'
import { withSameState } from './series-members.ts'

/**
 * Takes back a host's answer to a request: it is pending again, and the guest never hears of it.
 *
 * Possible until the answer is announced. A declined request needs its time again, which may be taken by now. An
 * answer to a series is taken back for all of it.
 */
export async function undoAnswer(
  context: Context,
  author: Author,
  seen: ListedBooking,
): Promise<ListedBooking> {
  const all = await withSameState(context, seen, seen.booking.status)
  const own = { ...questionAboutBookings(all), unannouncedIds: all.map(({ booking }) => booking.id) }
  const { undone, hostIds } =
    seen.booking.status === 'Declined'
      ? await undoDecline(context, author, all, own)
      : await decideUnderLock(context.db, own, (ledger) =>
          joinUndone(
            findAnswers(ledger, all).map((answered) =>
              decideUndo(author, answered, {}, meetingHosts(ledger, answered.current), context.now()),
            ),
          ),
        )
  announce(context, hostIds)
  return undone
}

async function undoDecline(
  context: Context,
  author: Author,
  all: readonly [ListedBooking, ...ListedBooking[]],
  own: ReturnType<typeof questionAboutBookings>,
): Promise<Undone> {
  const [seen] = all
  const known = await context.slots.getBookableOf(seen.schedulerId, seen.booking.eventTypeId)
  const reload = () => context.slots.reloadBookable(known)
  const starts = all.map(({ booking }) => booking.startsAt)
  try {
    return await withCurrentSettings(known, reload, (current) => {
      const bookable = ofLengthOf(current, seen.booking)
      const about = questionAbout(bookable, starts)
      const question = {
        ...about,
        ...own,
        ...turnsFor(all),
        hostIds: [...new Set([...about.hostIds, ...own.hostIds])],
      }
      return decideUnderLock(context.db, question, (ledger) => {
        const retaken: HostClaim[] = []
        return joinUndone(
          findAnswers(ledger, all).map((answered) => {
            if (answered.answer === undefined) return decideUndo(author, answered, {}, [], context.now())
            requireCurrent(bookable, ledger)
            const { current, answer } = answered
            const place = takeAgain(ledger, bookable, current, answer, retaken, context.now())
            const balances = toBalances(current.booking.eventTypeId, balancesToday(ledger, current, 1))
            retaken.push(...(place.claims ?? []))
            return decideUndo(
              author,
              answered,
              { ...place, balances },
              answer.record.hostIds ?? [],
              context.now(),
            )
          }),
        )
      })
    })
  } catch (error) {
    throw error instanceof Problem || refusalOf(error) === undefined ? error : takenMeanwhile()
  }
}

/** The answers that were given together; those of a series that were given before stay. */
function findAnswers(
  ledger: Ledger,
  [seen, ...others]: readonly [ListedBooking, ...ListedBooking[]],
): Answered[] {
  const mine = findAnswer(ledger, seen)
  const at = mine.answer?.record.at
  if (at === undefined) return [mine]
  const theirs = others.filter(({ booking }) => ledger.unannouncedOf(booking)?.record.at === at)
  return [mine, ...theirs.map((other) => findAnswer(ledger, other))]
}

function joinUndone(all: readonly Decision<Undone>[]): Decision<Undone> {
  const [first] = all as [Decision<Undone>]
  return {
    writes: joinWrites(all.map(({ writes }) => writes)),
    result: { ...first.result, hostIds: [...new Set(all.flatMap(({ result }) => result.hostIds))] },
  }
}

interface Answered {
  readonly current: ListedBooking
  /** Undefined: the request is pending already. */
  readonly answer?: Unannounced
}

interface Undone {
  readonly undone: ListedBooking
  readonly hostIds: readonly string[]
}

/** What a declined request takes again. */
interface Place {
  readonly meetingId?: string
  readonly seat?: number
  readonly claims?: readonly HostClaim[]
  readonly balances?: readonly BalanceChange[]
}

function findAnswer(ledger: Ledger, seen: ListedBooking): Answered {
  const current = getUnchanged(ledger, seen, ({ booking }) => booking.status === 'PendingApproval')
  if (current.booking.status === 'PendingApproval') return { current }
  const answer = ledger.unannouncedOf(current.booking)
  if (answer?.record.by === 'host' && answer.record.previousStatus === 'PendingApproval') {
    if (answer.record.type === 'approved' || answer.record.type === 'declined') return { current, answer }
  }
  throw new Problem('too_late', sentence`It’s too late to undo this: the guest has been notified.`)
}

/** The same time with the same hosts; throws if it is no longer free. */
function takeAgain(
  ledger: Ledger,
  bookable: BookableEventType,
  { booking }: ListedBooking,
  { record }: Unannounced,
  retaken: readonly HostClaim[],
  now: number,
): Place {
  const claimsOf = (hostId: string) => [
    ...ledger.claimsOf(hostId),
    ...retaken.filter((taken) => taken.hostId === hostId).map(({ claim }) => claim),
  ]
  const group = findFreeGroups(rulesForHost(bookable), claimsOf, booking.startsAt, now).find((free) =>
    hostIdsOf(free).every((id) => record.hostIds?.includes(id)),
  )
  if (group === undefined) throw takenMeanwhile()
  const joined = findJoinedMeeting(bookable, group, booking.startsAt)
  if (joined && joined.seatsTaken + partyOf(booking) > bookable.rules.seats) throw takenMeanwhile()
  return {
    meetingId: joined?.meetingId ?? booking.meetingId,
    seat: lowestFreeSeat(joined && ledger.takenSeats(joined.meetingId)),
    claims: joined === undefined ? claimsFor(bookable, group, booking) : [],
  }
}

function decideUndo(
  author: Author,
  { current, answer }: Answered,
  { meetingId = current.booking.meetingId, seat = current.seat, claims = [], balances = [] }: Place,
  hostIds: readonly string[],
  now: number,
): Decision<Undone> {
  if (answer === undefined) return { writes: {}, result: { undone: current, hostIds } }
  const { booking } = current
  const after: Booking = {
    ...booking,
    meetingId,
    status: 'PendingApproval',
    reason: '',
    sequence: booking.sequence + 1,
  }
  const undone = { ...current, booking: after, seat }
  return {
    writes: {
      updates: [undone],
      claims,
      balances,
      withdrawnJobs: [answer.jobId],
      audit: auditOf(author, current, 'undone', now),
    },
    result: { undone, hostIds },
  }
}

const takenMeanwhile = () =>
  new Problem('state_conflict', sentence`This time has been taken meanwhile. The request stays declined.`)
