import { randomUUIDv7 } from 'node:crypto'
import type { Booking } from '../../domain/bookings/booking.ts'
import { isActive, rescheduleUntil } from '../../domain/bookings/states.ts'
import { MINUTE } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import type { HostAvailability } from '../../domain/slots/openings.ts'
import { findTakenSeats, insertClaim, type TakenTime } from '../../store/bookings/bookings.ts'
import { deleteClaims, findCompanions, updateBookingIfUnchanged } from '../../store/bookings/changes.ts'
import type { ListedBooking } from '../../store/bookings/list.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { findEventTypeById } from '../../store/event-types/event-types.ts'
import { findScheduler, lockHosts } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { notFound } from '../people/access.ts'
import type { BookableEventType } from '../slots/bookable.ts'
import {
  chooseGroup,
  claimOf,
  freeGroups,
  joinedMeeting,
  lowestFree,
  readTaken,
  refusalOf,
  slotUnavailable,
} from './book.ts'
import {
  type Author,
  auditBooking,
  changedMeanwhile,
  getUnchanged,
  meetingHosts,
  signalChange,
  stateConflict,
} from './change-state.ts'
import { emit } from './emit.ts'

/** The new start, and a message about it. */
export interface Move {
  readonly startsAt: number
  readonly reason: string
}

/**
 * Moves a booking to another start of its event type. It keeps its id; the old time is freed
 * and the new one taken in one transaction, by the same rules as for booking.
 *
 * Minimum notice and booking window bind guests, not hosts. Guests are also bound by the
 * cutoff, and need a new approval where the event type requires one.
 */
export async function reschedule(
  context: Context,
  author: Author,
  seen: ListedBooking,
  { startsAt, reason }: Move,
): Promise<ListedBooking> {
  // Starts are whole minutes.
  if (startsAt % MINUTE !== 0) throw slotUnavailable()
  const from = await meetingHosts(context.db, seen)
  const known = await getBookableOf(context, context.db, seen)
  const concerned = [...new Set([...known.hostIds, ...from])]
  const isThere = ({ booking }: ListedBooking) => isActive(booking) && booking.startsAt === startsAt
  const attempt = () =>
    context.db.transaction().execute(async (trx) => {
      const now = context.now()
      await lockHosts(trx, concerned)
      const current = await getUnchanged(trx, seen, isThere)
      if (isThere(current)) return current
      if (!isActive(current.booking)) throw stateConflict(current.booking)
      const bookable = await getBookableOf(context, trx, current)
      // A host has just joined or left the event type.
      if (bookable.hostIds.join() !== known.hostIds.join()) throw changedMeanwhile()
      if (author.by === 'guest') checkCutOff(current.booking, bookable, now)
      const { moved, hostIds } = await move(trx, author, current, bookable, startsAt, now)
      await emit(trx, moved.booking, {
        type: 'rescheduled',
        by: author.by,
        reason,
        previousStartsAt: current.booking.startsAt,
        hostIds,
        formerHostIds: from.filter((id) => !hostIds.includes(id)),
        at: now,
      })
      await auditBooking(trx, author, current, 'rescheduled', now)
      return moved
    })
  try {
    const moved = await context.slots.inTurn(concerned, attempt)
    signalChange(context, concerned)
    return moved
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

async function getBookableOf(
  { slots }: Context,
  db: Db,
  { booking, schedulerId }: ListedBooking,
): Promise<BookableEventType> {
  const [scheduler, eventType] = [
    await findScheduler(db, schedulerId),
    await findEventTypeById(db, booking.eventTypeId),
  ]
  if (scheduler === undefined || eventType === undefined) throw notFound()
  return slots.readBookable(db, scheduler, eventType)
}

function checkCutOff(booking: Booking, { eventType }: BookableEventType, now: number): void {
  if (now < rescheduleUntil(booking, eventType)) return
  throw new Problem('too_late', 'It is too late to reschedule this booking here. Please contact the host.')
}

/** Finds hosts for the new start, and moves the booking there. */
async function move(
  trx: Trx,
  author: Author,
  current: ListedBooking,
  bookable: BookableEventType,
  startsAt: number,
  now: number,
): Promise<{ readonly moved: ListedBooking; readonly hostIds: readonly string[] }> {
  const { booking } = current
  const companions = await findCompanions(trx, booking)
  const leaves = !companions.some(isActive)
  const wanted = rulesFor(author, bookable)
  const taken = await readTaken(trx, wanted, { startsAt })
  // The booking's own time doesn't block it, unless other guests stay in that meeting.
  const free = freeGroups(wanted, leaves ? without(taken, booking.meetingId) : taken, { startsAt }, now)
  const group = hostedBy(free, current.hostId) ?? (await chooseGroup(trx, bookable, free, now))
  if (group === undefined) throw slotUnavailable()

  const joined = joinedMeeting(bookable, group, startsAt)
  const moved: Booking = {
    ...booking,
    startsAt,
    endsAt: startsAt + bookable.rules.duration,
    // Other guests of the meeting keep its id.
    meetingId: joined?.meetingId ?? (companions.length === 0 ? booking.meetingId : randomUUIDv7()),
    status: author.by === 'guest' && bookable.eventType.requiresApproval ? 'PendingApproval' : booking.status,
    sequence: booking.sequence + 1,
  }
  const hostId = (group.at(-1) as HostAvailability).hostId
  const seat = lowestFree(joined && (await findTakenSeats(trx, joined.meetingId)))
  const seats = bookable.rules.seats
  if (leaves) await deleteClaims(trx, booking.meetingId)
  for (const host of joined === undefined ? group : []) {
    await insertClaim(trx, host.hostId, claimOf(bookable, moved))
  }
  const again = moved.status === 'PendingApproval' && author.by === 'guest'
  const done = await updateBookingIfUnchanged(trx, booking, {
    ...moved,
    hostId,
    seat,
    seats,
    ...(again && { requestedAt: now }),
  })
  if (!done) throw changedMeanwhile()
  const hostIds = [...new Set([hostId, ...group.map((host) => host.hostId)])]
  return { moved: { ...current, booking: moved, hostId, seat, seats }, hostIds }
}

/** A host who reschedules has agreed on the time with the guest, so notice and window don't apply. */
function rulesFor({ by }: Author, bookable: BookableEventType): BookableEventType {
  if (by !== 'host') return bookable
  return { ...bookable, rules: { ...bookable.rules, notice: 0, window: { kind: 'unlimited' } } }
}

const without = (taken: readonly TakenTime[], meetingId: string): TakenTime[] =>
  taken.map((time) => ({ ...time, claims: time.claims.filter((claim) => claim.meetingId !== meetingId) }))

/** The group of the booking's present host, if free: guests keep their host where possible. */
const hostedBy = (groups: readonly HostAvailability[][], hostId: string) =>
  groups.find((group) => group.at(-1)?.hostId === hostId)
