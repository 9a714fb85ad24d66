import type { RefundWish } from '../../payments/refund.ts'
import { Problem } from '../../problem.ts'
import type { Booking, BookingStatus } from '../booking.ts'
import type { BookingChangeType } from '../change.ts'
import { joinWrites, type Ledger } from '../ledger.ts'
import type { ListedBooking } from '../listed-booking.ts'
import { isActive, mayBecome } from '../states.ts'
import { announcementOf, recordOf } from './announcement.ts'
import { type Author, auditOf } from './author.ts'
import { countMails, questionAboutMails } from './caps.ts'
import { type Decision, type Done, done, type Given, type Plan, refused } from './decision.ts'
import { balancesToday, toBalances } from './hosts/balances.ts'
import { moneyAfter, questionAboutMoney } from './payments/money.ts'
import { findUnchanged, type Members, meetingHosts, questionAboutBookings, turnsFor } from './present.ts'
import { stateConflict } from './refusals.ts'

export interface StateChange {
  readonly to: Extract<BookingStatus, 'Confirmed' | 'Declined' | 'Cancelled' | 'Completed' | 'NoShow'>
  readonly author: Author
  readonly reason?: string
  /** Set when a host takes back their own note: the state it was in, and the name of the act. Nothing is announced or released. */
  readonly takesBack?: { readonly from: BookingStatus; readonly action: string }
  /** Milliseconds for which the host can take it back: it is announced only then. */
  readonly undoFor?: number
  /** Set when the guest is erased: they get no mail, so no cap may keep them. */
  readonly isErasure?: boolean
  /** What a host who cancels gives back; left out: everything. */
  readonly refund?: RefundWish | undefined
  /** A refusal if the change is not allowed now. */
  readonly check?: (booking: Booking, now: number) => Problem | undefined
}

/** The changes that are announced. A no-show is the host's own note. */
const ANNOUNCED: Readonly<Record<StateChange['to'], BookingChangeType | undefined>> = {
  Confirmed: 'approved',
  Declined: 'declined',
  Cancelled: 'cancelled',
  Completed: undefined,
  NoShow: 'no_show',
}

/** A booking after a change, the first of several. */
interface Changed {
  readonly changed: ListedBooking
  /** Everyone whose calendar has changed. */
  readonly hostIds: readonly string[]
}

/** Moves these bookings from the state in which they were read to another one, all or none. */
export const planStates = (all: Members, change: StateChange, now: number): Plan<Changed> => ({
  question: {
    ...questionAboutBookings(all),
    ...(leavesHosts(change) && turnsFor(all)),
    ...questionAboutMoney(all),
    ...(!change.isErasure && questionAboutMails(change.author, all[0].booking, now)),
  },
  decide: (ledger, given) => decideStates(ledger, all, change, given),
})

export function decideStates(
  ledger: Ledger,
  all: Members,
  change: StateChange,
  given: Given,
): Decision<Changed> {
  // The mail about all of them is about the first in time, whichever of them was asked about.
  const changing = all
    .filter(({ booking }) => ledger.bookings.find(booking.id)?.booking.status !== change.to)
    .toSorted((a, b) => a.booking.startsAt - b.booking.startsAt)
  const ids = changing.map(({ booking }) => booking.id)
  const parts: Done<Changed>[] = []
  for (const one of all) {
    const together = one === changing[0] ? ids : []
    const part = changeOne(
      ledger,
      { seen: one, together: ids.length > 1 ? together : undefined },
      change,
      given,
    )
    if (part.kind !== 'done') return part
    parts.push(part)
  }
  const [{ result }] = parts as [Done<Changed>]
  const hostIds = [...new Set(parts.flatMap((part) => part.result.hostIds))]
  const writes = joinWrites(parts.map((part) => part.writes))
  const isTold = (writes.jobs ?? []).some(({ kind }) => kind === 'announce')
  const isMailed = change.author.by === 'guest' && !change.isErasure && isTold
  const told = { type: 'cancelled', author: change.author } as const
  const mails = isMailed ? countMails(ledger, result.changed.booking, told, given) : {}
  return 'kind' in mails ? mails : done({ ...result, hostIds }, { ...writes, ...mails })
}

function changeOne(
  ledger: Ledger,
  { seen, together }: { readonly seen: ListedBooking; readonly together: readonly string[] | undefined },
  change: StateChange,
  given: Given,
): Decision<Changed> {
  const { to, author, reason = '', takesBack, undoFor = 0, check } = change
  const current = findUnchanged(ledger, seen, ({ booking }) => booking.status === to)
  if (current instanceof Problem) return refused(current)
  const { booking } = current
  const hostIds = meetingHosts(ledger, current)
  if (booking.status === to) return done({ changed: current, hostIds })
  const allowed = takesBack ? booking.status === takesBack.from : mayChange(booking, to)
  if (!allowed) return refused(stateConflict(booking))
  const { now, newId } = given
  const refusal = check?.(booking, now)
  if (refusal !== undefined) return refused(refusal)

  const isNote = takesBack !== undefined || to === 'NoShow'
  const wish = wishOf(change)
  const money = isNote
    ? { writes: {} }
    : moneyAfter(ledger, current, { to, wish, settledAt: now + undoFor }, given)
  const after = {
    ...booking,
    ...(money.payment && { payment: money.payment }),
    status: to,
    reason,
    sequence: booking.sequence + 1,
  }
  const changed = { ...current, booking: after }
  // Nobody has heard of what was not paid.
  const type = takesBack || booking.status === 'PendingPayment' ? undefined : ANNOUNCED[to]
  const details = {
    by: author.by,
    reason,
    previousStatus: booking.status,
    previousStartsAt: null,
    hostIds,
    formerHostIds: [],
    ...(together && { together }),
    at: now,
  }
  const reversed = leavesHosts({ to }) ? balancesToday(ledger, current, -1) : {}
  const released = !isNote && !isActive(after) && !ledger.bookings.hasCompanions(booking)
  const writes = {
    updates: [changed],
    ...(released && { freedMeetings: [booking.meetingId] }),
    balances: toBalances(booking.eventTypeId, reversed),
    ...(type && { jobs: [announcementOf(recordOf(after, newId(), { ...details, type }), now + undoFor)] }),
    audit: auditOf(author, current, actionOf(to, ANNOUNCED[to], takesBack), given),
  }
  return done({ changed, hostIds }, booking.payment ? joinWrites([writes, money.writes]) : writes)
}

/** What is not paid is not confirmed by anyone but the one who pays. */
const mayChange = ({ status }: Booking, to: StateChange['to']): boolean =>
  mayBecome(status, to) && !(to === 'Confirmed' && status !== 'PendingApproval')

/** Guests cancel by the rule. Whoever is erased, and whom the service turns away, gets everything back. */
function wishOf({ author, isErasure, refund = 'full' }: StateChange): RefundWish {
  if (isErasure) return 'full'
  return author.by === 'guest' ? 'policy' : refund
}

/** How the audit log names a change. */
function actionOf(
  to: StateChange['to'],
  type: BookingChangeType | undefined,
  takesBack: StateChange['takesBack'],
): string {
  return takesBack?.action ?? (to === 'NoShow' ? 'no-show' : (type ?? to))
}

/** Whether hosts no longer have the meeting that was assigned to them. */
const leavesHosts = ({ to }: Pick<StateChange, 'to'>) => to === 'Declined' || to === 'Cancelled'
