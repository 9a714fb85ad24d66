import type { EventType } from '../event-types/event-type.ts'
import { HOUR, MINUTE } from '../interval.ts'
import type { Booking, BookingStatus } from './booking.ts'

/**
 * Where a booking may go from each state. Whatever is not here does not happen.
 *
 * A meeting is completed by itself, so a host who says afterwards that nobody came is still believed.
 */
export const TRANSITIONS: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  PendingApproval: ['Confirmed', 'Declined', 'Cancelled'],
  Confirmed: ['Cancelled', 'Completed', 'NoShow'],
  Declined: [],
  Cancelled: [],
  Completed: ['NoShow'],
  NoShow: [],
}

export function mayBecome(from: BookingStatus, to: BookingStatus): boolean {
  return TRANSITIONS[from].includes(to)
}

/** Takes its host's time, and can be rescheduled. */
export function isActive({ status }: Pick<Booking, 'status'>): boolean {
  return status === 'PendingApproval' || status === 'Confirmed'
}

type Start = Pick<Booking, 'startsAt'>

/** The instant from which on a guest may no longer cancel. */
export function cancelUntil({ startsAt }: Start, eventType: Pick<EventType, 'cancelNoticeMinutes'>): number {
  return startsAt - eventType.cancelNoticeMinutes * MINUTE
}

/** The instant from which on a guest may no longer reschedule. */
export function rescheduleUntil(
  { startsAt }: Start,
  eventType: Pick<EventType, 'rescheduleNoticeMinutes'>,
): number {
  return startsAt - eventType.rescheduleNoticeMinutes * MINUTE
}

/**
 * When a request that nobody has answered is declined.
 *
 * An hour before the start, so that the guest can plan; a request made later than two hours
 * before gives the host half of the time that is left. Always before the start.
 */
export function unansweredUntil(startsAt: number, requestedAt: number): number {
  const half = requestedAt + (startsAt - requestedAt) / 2
  return Math.floor(Math.min(Math.max(startsAt - HOUR, half), startsAt - 1))
}
