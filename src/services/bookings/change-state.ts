import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { BookingChangeType, ChangeAuthor } from '../../domain/bookings/change.ts'
import { isActive, mayBecome } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import type { Ledger, Question, Writes } from '../../store/bookings/ledger.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { AuditEntry } from '../../store/people/audit.ts'
import { type Actor, auditEntryOf } from '../change.ts'
import type { Context } from '../context.ts'
import { announcementOf, recordOf } from './emit.ts'
import { balancesToday, toBalances } from './placing.ts'

/** Who changes a booking: the guest, a host, or the service itself. */
export type Author =
  | { readonly by: 'guest' | 'service' }
  | { readonly by: Extract<ChangeAuthor, 'host'>; readonly actor: Actor }

export interface StateChange {
  readonly to: Extract<BookingStatus, 'Confirmed' | 'Declined' | 'Cancelled' | 'Completed' | 'NoShow'>
  readonly author: Author
  readonly reason?: string
  /** Set when a host takes back their own note: the state it was in, and the name of the act. Nothing is announced or released. */
  readonly takesBack?: { readonly from: BookingStatus; readonly action: string }
  /** Milliseconds for which the host can take it back: it is announced only then. */
  readonly undoFor?: number
  /** Throws if the change is not allowed now. */
  readonly check?: (booking: Booking, now: number) => void
}

/** The changes that are announced. A no-show is the host's own note. */
const ANNOUNCED: Readonly<Record<StateChange['to'], BookingChangeType | undefined>> = {
  Confirmed: 'approved',
  Declined: 'declined',
  Cancelled: 'cancelled',
  Completed: undefined,
  NoShow: 'no_show',
}

/**
 * Moves a booking from the state in which it was read to another one. If two requests try, one wins.
 *
 * Repeating a change does nothing. The hosts are locked as for booking: whether a meeting's time
 * is released depends on its other guests.
 */
export async function changeState(
  context: Context,
  seen: ListedBooking,
  change: StateChange,
): Promise<ListedBooking> {
  return changeStates(context, [seen], change)
}

/** The same for several bookings of a series, all or none. Returns the first. */
export async function changeStates(
  context: Context,
  all: readonly [ListedBooking, ...ListedBooking[]],
  change: StateChange,
): Promise<ListedBooking> {
  const question = { ...questionAboutBookings(all), ...(leavesHosts(change) && turnsFor(all)) }
  const { changed, hostIds } = await decideUnderLock(context.db, question, (ledger) =>
    decideStates(ledger, all, change, context.now()),
  )
  announce(context, hostIds)
  return changed
}

export function decideStates(
  ledger: Ledger,
  all: readonly [ListedBooking, ...ListedBooking[]],
  change: StateChange,
  now: number,
): Decision<Changed> {
  const [seen] = all
  if (all.length === 1) return decideState(ledger, seen, change, now)
  const changing = all.filter(({ booking }) => ledger.find(booking.id)?.booking.status !== change.to)
  const ids = changing.map(({ booking }) => booking.id)
  const decisions = all.map((one) => {
    const together = one === changing[0] ? ids : []
    return decideState(ledger, one, change, now, ids.length > 1 ? together : undefined)
  })
  const [first] = decisions.map(({ result }) => result) as [Changed]
  return {
    writes: joinWrites(decisions.map(({ writes }) => writes)),
    result: { ...first, hostIds: [...new Set(decisions.flatMap(({ result }) => result.hostIds))] },
  }
}

/** What several decisions of one transaction write. */
export function joinWrites(all: readonly Writes[]): Writes {
  return {
    updates: all.flatMap(({ updates = [] }) => updates),
    claims: all.flatMap(({ claims = [] }) => claims),
    freedMeetings: all.flatMap(({ freedMeetings = [] }) => freedMeetings),
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    withdrawnJobs: all.flatMap(({ withdrawnJobs = [] }) => withdrawnJobs),
    balances: all.flatMap(({ balances = [] }) => balances),
    audit: all.flatMap(({ audit = [] }) => audit),
  }
}

interface Changed {
  readonly changed: ListedBooking
  readonly hostIds: readonly string[]
}

function decideState(
  ledger: Ledger,
  seen: ListedBooking,
  { to, author, reason = '', takesBack, undoFor = 0, check }: StateChange,
  now: number,
  together?: readonly string[],
): Decision<Changed> {
  const current = getUnchanged(ledger, seen, ({ booking }) => booking.status === to)
  const { booking } = current
  const hostIds = meetingHosts(ledger, current)
  if (booking.status === to) return { writes: {}, result: { changed: current, hostIds } }
  const allowed = takesBack ? booking.status === takesBack.from : mayBecome(booking.status, to)
  if (!allowed) throw stateConflict(booking)
  check?.(booking, now)

  const after = { ...booking, status: to, reason, sequence: booking.sequence + 1 }
  const changed = { ...current, booking: after }
  const type = takesBack ? undefined : ANNOUNCED[to]
  const previous = { previousStatus: booking.status, previousStartsAt: null }
  const details = {
    by: author.by,
    reason,
    ...previous,
    hostIds,
    formerHostIds: [],
    ...(together && { together }),
    at: now,
  }
  const isNote = takesBack !== undefined || to === 'NoShow'
  const reversed = leavesHosts({ to }) ? balancesToday(ledger, current, -1) : {}
  const released = !isNote && !isActive(after) && !ledger.hasCompanions(booking)
  return {
    writes: {
      updates: [changed],
      ...(released && { freedMeetings: [booking.meetingId] }),
      balances: toBalances(booking.eventTypeId, reversed),
      ...(type && { jobs: [announcementOf(recordOf(after, { ...details, type }), now + undoFor)] }),
      audit: auditOf(author, current, actionOf(to, type, takesBack), now),
    },
    result: { changed, hostIds },
  }
}

/** How the audit log names a change. */
function actionOf(
  to: StateChange['to'],
  type: BookingChangeType | undefined,
  takesBack: StateChange['takesBack'],
): string {
  return takesBack?.action ?? (to === 'NoShow' ? 'no-show' : (type ?? to))
}

/** The question for changing this booking: it locks the hosts that the booking has by then. */
export function questionAboutBooking({ booking, hostId }: ListedBooking): Question {
  return { hostIds: [hostId], meetingIds: [booking.meetingId], bookingIds: [booking.id] }
}

export function questionAboutBookings(all: readonly ListedBooking[]): Question {
  return {
    hostIds: [...new Set(all.map(({ hostId }) => hostId))],
    meetingIds: [...new Set(all.map(({ booking }) => booking.meetingId))],
    bookingIds: all.map(({ booking }) => booking.id),
  }
}

/** Whether hosts no longer have the meeting that was assigned to them. */
const leavesHosts = ({ to }: Pick<StateChange, 'to'>) => to === 'Declined' || to === 'Cancelled'

/** The balances that change when these bookings leave their hosts. */
export function turnsFor(all: readonly ListedBooking[]): Pick<Question, 'turnsOf'> {
  const assigned = all.find(({ assignment }) => assignment !== undefined)
  return assigned === undefined ? {} : { turnsOf: assigned.booking.eventTypeId }
}

/** After the commit: refreshes the listings and wakes the worker. */
export function announce(context: Context, hostIds: readonly string[]): void {
  context.slots.bookingsChanged(hostIds)
  context.outbox.wake()
}

/** All hosts of a booking, the main host first. */
export function meetingHosts(ledger: Ledger, { booking, hostId }: ListedBooking): string[] {
  return [...new Set([hostId, ...ledger.hostsOf(booking.meetingId)])]
}

/** The booking as it is now; throws `state_conflict` if it has changed, unless to what is wanted. */
export function getUnchanged(
  ledger: Ledger,
  { booking: seen }: ListedBooking,
  isWanted: (current: ListedBooking) => boolean,
): ListedBooking {
  const current = ledger.find(seen.id)
  if (current === undefined) throw new Problem('not_found', sentence`There is no such booking.`)
  const { booking } = current
  if (booking.sequence === seen.sequence || isWanted(current)) return current
  throw isActive(booking) ? changedMeanwhile() : stateConflict(booking)
}

/** Records what hosts do; for guests and the service, the booking itself is the record. */
export function auditOf(
  author: Author,
  { booking, schedulerId }: ListedBooking,
  action: string,
  now: number,
): AuditEntry[] {
  if (author.by !== 'host') return []
  const about = { schedulerId, objectType: 'booking', objectId: booking.id }
  return [auditEntryOf(author.actor, now, { ...about, action, changes: [] })]
}
export const changedMeanwhile = () =>
  new Problem('state_conflict', sentence`Someone has just changed this booking. Look at it again.`)

const SENTENCES: Readonly<Record<BookingStatus, Sentence>> = {
  PendingApproval: sentence`This booking still waits for approval.`,
  Confirmed: sentence`This booking has been confirmed. Cancel it instead.`,
  Declined: sentence`This booking has been declined.`,
  Cancelled: sentence`This booking has been cancelled.`,
  Completed: sentence`This meeting has taken place.`,
  NoShow: sentence`This booking is marked as a no-show.`,
}

export const stateConflict = ({ status }: Booking) => new Problem('state_conflict', SENTENCES[status])
