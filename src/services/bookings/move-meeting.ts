import { isActive } from '../../domain/bookings/states.ts'
import { type Interval, MINUTE, overlaps } from '../../domain/interval.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { MAX_DURATION } from '../../domain/slots/openings.ts'
import type { HostClaim, Ledger } from '../../store/bookings/ledger.ts'
import { findMeetingHosts, type ListedBooking } from '../../store/bookings/list.ts'
import { findActiveIds } from '../../store/bookings/rosters.ts'
import { type Decision, decideUnderLock } from '../../store/bookings/write-path.ts'
import type { Context } from '../context.ts'
import {
  type Author,
  announce,
  auditOf,
  changedMeanwhile,
  meetingHosts,
  stateConflict,
} from './change-state.ts'
import { announcementOf, recordOf } from './emit.ts'
import { refusalOf, slotUnavailable } from './placing.ts'

/**
 * Moves a meeting with all its guests to a time that a host has chosen in their own calendar.
 *
 * Hours, grid, buffers and limits don't apply: the host has put it there by hand. Other meetings do.
 */
export async function moveMeeting(
  context: Context,
  author: Author,
  seen: ListedBooking,
  span: Interval,
  reason: string,
): Promise<ListedBooking> {
  checkSpan(span, context.now())
  const { meetingId } = seen.booking
  const [hostIds, bookingIds] = await Promise.all([
    findMeetingHosts(context.db, meetingId),
    findActiveIds(context.db, meetingId),
  ])
  const question = {
    hostIds: [...new Set([seen.hostId, ...hostIds])],
    meetingIds: [meetingId],
    bookingIds: [...new Set([seen.booking.id, ...bookingIds])],
    spans: [{ start: span.start - MAX_DURATION, end: span.end }],
  }
  try {
    const { moved, affected } = await decideUnderLock(context.db, question, (ledger) =>
      decideMove(ledger, author, seen, span, reason, context.now()),
    )
    announce(context, affected)
    return moved
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

/** Throws `invalid` with the reason if no meeting can be at this time. */
function checkSpan({ start, end }: Interval, now: number): void {
  const length = end - start
  if (start <= now) throw new Problem('invalid', sentence`The time in your calendar has passed.`)
  if (length <= 0 || length > MAX_DURATION || start % MINUTE !== 0 || end % MINUTE !== 0) {
    throw new Problem(
      'invalid',
      sentence`Meetings last at most 24 hours, and start and end at whole minutes.`,
    )
  }
}

function decideMove(
  ledger: Ledger,
  author: Author,
  seen: ListedBooking,
  span: Interval,
  reason: string,
  now: number,
): Decision<{ readonly moved: ListedBooking; readonly affected: readonly string[] }> {
  const current = ledger.find(seen.booking.id)
  if (current === undefined) throw new Problem('not_found', sentence`There is no such booking.`)
  const { meetingId } = current.booking
  if (!isActive(current.booking)) throw stateConflict(current.booking)
  if (current.booking.sequence !== seen.booking.sequence) throw changedMeanwhile()
  const guests = ledger.activeIn(meetingId).map((id) => ledger.find(id))
  // A guest has joined since.
  if (!guests.every((guest) => guest !== undefined)) throw changedMeanwhile()

  const hostIds = meetingHosts(ledger, current)
  const claims = hostIds.flatMap((hostId): HostClaim[] => {
    const taken = ledger.claimsOf(hostId)
    const inTheWay = taken.some((claim) => {
      return claim.meetingId !== meetingId && overlaps({ start: claim.startsAt, end: claim.endsAt }, span)
    })
    if (inTheWay) throw slotUnavailable()
    const own = taken.find((claim) => claim.meetingId === meetingId)
    return own ? [{ hostId, claim: { ...own, startsAt: span.start, endsAt: span.end } }] : []
  })
  const updates = guests.map((guest) => ({
    ...guest,
    booking: {
      ...guest.booking,
      startsAt: span.start,
      endsAt: span.end,
      sequence: guest.booking.sequence + 1,
    },
  }))
  const jobs = guests.map(({ booking }, i) => {
    const details = {
      type: 'rescheduled',
      by: author.by,
      reason,
      hostIds,
      formerHostIds: [],
      at: now,
    } as const
    const previous = { previousStatus: booking.status, previousStartsAt: booking.startsAt }
    return announcementOf(recordOf(updates[i]?.booking ?? booking, { ...details, ...previous }))
  })
  return {
    writes: {
      updates,
      freedMeetings: [meetingId],
      claims,
      jobs,
      audit: auditOf(author, current, 'rescheduled', now),
    },
    result: {
      moved: updates.find(({ booking }) => booking.id === seen.booking.id) ?? current,
      affected: hostIds,
    },
  }
}
