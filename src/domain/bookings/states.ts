import type { EventType } from '../event-types/event-type.ts'
import { HOUR, MINUTE } from '../interval.ts'
import type { Booking, BookingStatus } from './booking.ts'

/**
 * The states that may follow each state; all other changes are refused.
 *
 * Bookings complete by themselves, so hosts can still mark a completed one as a no-show.
 */
const TRANSITIONS: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  PendingPayment: ['Confirmed', 'PendingApproval', 'Cancelled', 'Expired'],
  PendingApproval: ['Confirmed', 'Declined', 'Cancelled'],
  Confirmed: ['Cancelled', 'Completed', 'NoShow'],
  Declined: [],
  Cancelled: [],
  // A slow bank may pay after it: then it is booked if its time is still free.
  Expired: ['Confirmed', 'PendingApproval'],
  Completed: ['NoShow'],
  NoShow: [],
}

export function mayBecome(from: BookingStatus, to: BookingStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

/** True while it blocks its host's time. */
export function isActive({ status }: Pick<Booking, 'status'>): boolean {
  return status === 'PendingPayment' || status === 'PendingApproval' || status === 'Confirmed'
}

/** Milliseconds for which a host can undo an answer to a request, if they asked for it. */
export const UNDO_WINDOW = 8_000

type Start = Pick<Booking, 'startsAt'>

/** The instant from which a guest can no longer cancel. */
export function cancelUntil({ startsAt }: Start, eventType: Pick<EventType, 'cancelNoticeMinutes'>): number {
  return startsAt - eventType.cancelNoticeMinutes * MINUTE
}

/** The instant from which a guest can no longer reschedule. */
export function rescheduleUntil(
  { startsAt }: Start,
  eventType: Pick<EventType, 'rescheduleNoticeMinutes'>,
): number {
  return startsAt - eventType.rescheduleNoticeMinutes * MINUTE
}

/**
 * When a pending request is declined if no host has answered.
 *
 * An hour before the start, so that the guest can plan. If the request came less than two
 * hours before the start, the host gets half of that time. Always before the start.
 */
export function unansweredUntil(startsAt: number, requestedAt: number): number {
  const half = requestedAt + (startsAt - requestedAt) / 2
  return Math.floor(Math.min(Math.max(startsAt - HOUR, half), startsAt - 1))
}
