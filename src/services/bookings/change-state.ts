import type { Booking, BookingStatus } from '../../domain/bookings/booking.ts'
import type { BookingChangeType, ChangeAuthor } from '../../domain/bookings/change.ts'
import { isActive, mayBecome } from '../../domain/bookings/states.ts'
import { Problem } from '../../domain/problem.ts'
import { deleteClaims, findCompanions, updateBookingIfUnchanged } from '../../store/bookings/changes.ts'
import { findBooking, findMeetingHosts, type ListedBooking } from '../../store/bookings/list.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { lockHosts } from '../../store/people/schedulers.ts'
import { type Actor, recordAudit } from '../change.ts'
import type { Context } from '../context.ts'
import { emit } from './emit.ts'

/** Who changes a booking: the guest, a host, or the service itself. */
export type Author =
  | { readonly by: 'guest' | 'service' }
  | { readonly by: Extract<ChangeAuthor, 'host'>; readonly actor: Actor }

export interface StateChange {
  readonly to: Extract<BookingStatus, 'Confirmed' | 'Declined' | 'Cancelled' | 'NoShow'>
  readonly author: Author
  /** A message to the other side; empty if left out. */
  readonly reason?: string
  /** Throws if the change is not allowed now. */
  readonly check?: (trx: Trx, booking: Booking, now: number) => void | Promise<void>
}

/** How each change is announced. A no-show is the host's private note, so it isn't. */
const ANNOUNCED_AS: Readonly<Record<StateChange['to'], BookingChangeType | undefined>> = {
  Confirmed: 'approved',
  Declined: 'declined',
  Cancelled: 'cancelled',
  NoShow: undefined,
}

/**
 * Moves a booking from the state the caller saw to another one. If two try at once, one wins.
 *
 * Repeating a change has no effect. The hosts are locked as for booking, because whether the
 * meeting's time is freed depends on who else is in it.
 */
export async function changeState(
  context: Context,
  seen: ListedBooking,
  { to, author, reason = '', check }: StateChange,
): Promise<ListedBooking> {
  const hostIds = await meetingHosts(context.db, seen)
  const changed = await context.slots.inTurn(hostIds, () =>
    context.db.transaction().execute(async (trx) => {
      const now = context.now()
      await lockHosts(trx, hostIds)
      const current = await getUnchanged(trx, seen, ({ booking }) => booking.status === to)
      const { booking } = current
      if (booking.status === to) return current
      if (!mayBecome(booking.status, to)) throw stateConflict(booking)
      await check?.(trx, booking, now)
      const after = { ...booking, status: to, reason, sequence: booking.sequence + 1 }
      if (!(await updateBookingIfUnchanged(trx, booking, after))) throw changedMeanwhile()
      if (to !== 'NoShow') await releaseIfEmpty(trx, after)
      const type = ANNOUNCED_AS[to]
      if (type !== undefined) {
        const change = { type, by: author.by, reason, previousStartsAt: null, formerHostIds: [], at: now }
        await emit(trx, after, { ...change, hostIds })
      }
      await auditBooking(trx, author, current, type ?? 'no-show', now)
      return { ...current, booking: after }
    }),
  )
  signalChange(context, hostIds)
  return changed
}

/** Call after the commit: invalidates listings and wakes the worker. */
export function signalChange(context: Context, hostIds: readonly string[]): void {
  context.slots.bookingsChanged(hostIds)
  context.outbox.wake()
}

/** The hosts whose time a booking takes; the one to notify comes first. */
export async function meetingHosts(db: Db, { booking, hostId }: ListedBooking): Promise<string[]> {
  return [...new Set([hostId, ...(await findMeetingHosts(db, booking.meetingId))])]
}

/** The booking as it is now. Throws `state_conflict` if someone else changed it, unless to the wanted result. */
export async function getUnchanged(
  trx: Trx,
  { booking: seen }: ListedBooking,
  isWanted: (current: ListedBooking) => boolean,
): Promise<ListedBooking> {
  const current = await findBooking(trx, seen.id)
  if (current === undefined) throw new Problem('not_found', 'There is no such booking.')
  const { booking } = current
  if (booking.sequence === seen.sequence || isWanted(current)) return current
  throw isActive(booking) ? changedMeanwhile() : stateConflict(booking)
}

/** Frees the time of a meeting that has no active guest left. */
async function releaseIfEmpty(trx: Trx, booking: Booking): Promise<void> {
  if (isActive(booking)) return
  const companions = await findCompanions(trx, booking)
  if (!companions.some(isActive)) await deleteClaims(trx, booking.meetingId)
}

/** Records what a host did. Changes by guests and the service show in the booking itself. */
export async function auditBooking(
  trx: Trx,
  author: Author,
  { booking, schedulerId }: ListedBooking,
  action: string,
  now: number,
): Promise<void> {
  if (author.by !== 'host') return
  const about = { schedulerId, objectType: 'booking', objectId: booking.id }
  await recordAudit(trx, author.actor, now, { ...about, action, changes: [] })
}

export const changedMeanwhile = () =>
  new Problem('state_conflict', 'Someone has just changed this booking. Look at it again.')

const SENTENCES: Readonly<Record<BookingStatus, string>> = {
  PendingApproval: 'This booking still waits for approval.',
  Confirmed: 'This booking has been confirmed. Cancel it instead.',
  Declined: 'This booking has been declined.',
  Cancelled: 'This booking has been cancelled.',
  Completed: 'This meeting has taken place.',
  NoShow: 'This booking is marked as a no-show.',
}

export const stateConflict = ({ status }: Booking) => new Problem('state_conflict', SENTENCES[status])
