import { Problem } from '../../problem.ts'
import { sentence } from '../../sentence.ts'
import type { BookableEventType } from '../bookable.ts'
import type { Booking } from '../booking.ts'
import type { Unannounced } from '../facts/announcements.ts'
import type { HostClaim } from '../facts/claims.ts'
import type { BalanceChange } from '../facts/turns.ts'
import { partyOf } from '../guests.ts'
import { claimsIn, joinWrites, type Ledger } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { type Author, auditOf } from './author.ts'
import { type Decision, type Done, done, type Given, needs, type Plan, refused } from './decision.ts'
import { balancesToday, toBalances } from './hosts/balances.ts'
import {
  claimsFor,
  findFreeGroups,
  findJoinedMeeting,
  hostIdsOf,
  isCurrent,
  lowestFreeSeat,
  questionAbout,
  rulesForHost,
} from './hosts/placing.ts'
import { questionAboutMoney } from './payments/money.ts'
import {
  findUnchanged,
  joinQuestions,
  type Members,
  meetingHosts,
  questionAboutBookings,
  turnsFor,
} from './present.ts'

interface Undone {
  readonly undone: ListedBooking
  readonly hostIds: readonly string[]
}

/** What is to be pending again. */
interface WantedUndo {
  readonly author: Author
  readonly all: Members
  /** Needed for requests that were declined: they take their time again. */
  readonly bookable?: BookableEventType
}

/** Takes back a host's answer to a request, which the guest has not heard of yet. */
export function planUndo(wanted: WantedUndo): Plan<Undone> {
  const { all, bookable } = wanted
  const own = {
    ...questionAboutBookings(all),
    ...questionAboutMoney(all),
    unannouncedIds: all.map(({ booking }) => booking.id),
  }
  const starts = all.map(({ booking }) => booking.startsAt)
  return {
    question: bookable ? joinQuestions(questionAbout(bookable, starts), { ...own, ...turnsFor(all) }) : own,
    decide: (ledger, given) => decideUndo(ledger, wanted, given),
  }
}

function decideUndo(ledger: Ledger, { author, all, bookable }: WantedUndo, given: Given): Decision<Undone> {
  const answers = findAnswers(ledger, all)
  if (answers instanceof Problem) return refused(answers)
  const [{ current, answer }] = answers as [Answered]
  if (answer === undefined) return done({ undone: current, hostIds: meetingHosts(ledger, current) })
  if (bookable !== undefined && !isCurrent(bookable, ledger)) return needs({ what: 'settings' })
  const parts: Done<Undone>[] = []
  const retaken: HostClaim[] = []
  for (const { current, answer } of answers) {
    if (answer === undefined) continue
    const place = bookable ? takeAgain(ledger, bookable, { current, answer, retaken }, given.now) : {}
    if (place === undefined) return refused(takenMeanwhile())
    retaken.push(...(place.claims ?? []))
    const undone = pendingAgain(current, place)
    const hostIds = bookable ? (answer.record.hostIds ?? []) : meetingHosts(ledger, current)
    const { claims = [], balances = [] } = place
    const audit = auditOf(author, current, 'undone', given)
    const writes = { updates: [undone], claims, balances, withdrawnJobs: [answer.jobId], audit }
    parts.push(done({ undone, hostIds }, writes))
  }
  const [{ result }] = parts as [Done<Undone>]
  const hostIds = [...new Set(parts.flatMap((part) => part.result.hostIds))]
  return done({ ...result, hostIds }, joinWrites(parts.map(({ writes }) => writes)))
}

interface Answered {
  readonly current: ListedBooking
  /** Undefined: the request is pending already. */
  readonly answer?: Unannounced
}

/** The answers that were given together; those of a series that were given before stay. */
function findAnswers(ledger: Ledger, [seen, ...others]: Members): Answered[] | Problem {
  const mine = findAnswer(ledger, seen)
  if (mine instanceof Problem) return mine
  const at = mine.answer?.record.at
  if (at === undefined) return [mine]
  const answers = [mine]
  for (const other of others) {
    if (ledger.announcements.of(other.booking)?.record.at !== at) continue
    const theirs = findAnswer(ledger, other)
    if (theirs instanceof Problem) return theirs
    answers.push(theirs)
  }
  return answers
}

function findAnswer(ledger: Ledger, seen: ListedBooking): Answered | Problem {
  const current = findUnchanged(ledger, seen, ({ booking }) => booking.status === 'PendingApproval')
  if (current instanceof Problem) return current
  if (current.booking.status === 'PendingApproval') return { current }
  const answer = ledger.announcements.of(current.booking)
  if (
    answer?.record.by === 'host' &&
    answer.record.previousStatus === 'PendingApproval' &&
    !isGivenBack(ledger, current.booking)
  ) {
    if (answer.record.type === 'approved' || answer.record.type === 'declined') return { current, answer }
  }
  return new Problem('too_late', sentence`It’s too late to undo this: the guest has been notified.`)
}

/** Whether the money for a request that was declined is on its way back, or has gone. */
function isGivenBack({ checkouts }: Ledger, { status, payment }: Booking): boolean {
  if (status !== 'Declined' || payment === undefined) return false
  return payment.status !== 'failed' || checkouts.find(payment.checkoutId)?.status !== 'authorised'
}

/** What a declined request takes again. */
interface Place {
  readonly meetingId?: string
  readonly seat?: number
  readonly claims?: readonly HostClaim[]
  readonly balances?: readonly BalanceChange[]
}

interface Retaking {
  readonly current: ListedBooking
  readonly answer: Unannounced
  /** What requests before it have taken again. */
  readonly retaken: readonly HostClaim[]
}

/** The same time with the same hosts; undefined if it is no longer free. */
function takeAgain(
  ledger: Ledger,
  bookable: BookableEventType,
  { current, answer: { record }, retaken }: Retaking,
  now: number,
): Place | undefined {
  const { booking } = current
  const claimsOf = (hostId: string) => [
    ...claimsIn(ledger, hostId),
    ...retaken.filter((taken) => taken.hostId === hostId).map(({ claim }) => claim),
  ]
  const group = findFreeGroups(rulesForHost(bookable), claimsOf, booking.startsAt, now).find((free) =>
    hostIdsOf(free).every((id) => record.hostIds?.includes(id)),
  )
  if (group === undefined) return undefined
  const joined = findJoinedMeeting(bookable, group, booking.startsAt)
  if (joined && joined.seatsTaken + partyOf(booking) > bookable.rules.seats) return undefined
  return {
    meetingId: joined?.meetingId ?? booking.meetingId,
    seat: lowestFreeSeat(ledger, joined),
    claims: joined === undefined ? claimsFor(bookable, group, booking) : [],
    balances: toBalances(booking.eventTypeId, balancesToday(ledger, current, 1)),
  }
}

function pendingAgain(
  current: ListedBooking,
  { meetingId = current.booking.meetingId, seat = current.seat }: Place,
): ListedBooking {
  const { booking } = current
  const after: Booking = {
    ...booking,
    meetingId,
    status: 'PendingApproval',
    reason: '',
    sequence: booking.sequence + 1,
    ...(booking.payment?.status === 'failed' && {
      payment: { ...booking.payment, status: 'authorised' as const },
    }),
  }
  return { ...current, booking: after, seat }
}

/** Said if a declined request can't have its time again. */
export const takenMeanwhile = () =>
  new Problem('state_conflict', sentence`This time has been taken meanwhile. The request stays declined.`)
