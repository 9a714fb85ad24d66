import type { EventType } from '../event-types/event-type.ts'
import type { Booking, BookingStatus } from './booking.ts'

export const BOOKING_CHANGES = ['created', 'approved', 'declined', 'cancelled', 'rescheduled'] as const

export type BookingChangeType = (typeof BOOKING_CHANGES)[number]

/** Who made a change: the guest, a host, or the service itself when nobody answered in time. */
export type ChangeAuthor = 'guest' | 'host' | 'service'

/**
 * What happened to a booking, and what of it was different afterwards.
 *
 * Written in the transaction of the change itself. Everything else about a
 * booking never changes, and is read when the news is spread.
 */
export interface ChangeRecord {
  /** The same on every repeat, so that a receiver can tell one. */
  readonly id: string
  readonly type: BookingChangeType
  readonly bookingId: string
  readonly by: ChangeAuthor
  /** In the words of whoever did it; empty when nothing was said. */
  readonly reason: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly endsAt: number
  /** Where it was before it was rescheduled; null otherwise. */
  readonly previousStartsAt: number | null
  /** Grows with every change of one booking, from 0: a calendar keeps the highest. */
  readonly sequence: number
  /** Who hosts it now, the one who is written to first; left out: whoever's time it takes. */
  readonly hostIds?: readonly string[]
  /** Who did before it was rescheduled, and does no longer. */
  readonly formerHostIds?: readonly string[]
  readonly at: number
}

/** A person who hosts the meeting. */
export interface MeetingHost {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly email: string
  readonly timeZone: string
  readonly locale: string
}

/** A booking with the people and settings around it. */
export interface BookedMeeting {
  readonly booking: Booking
  readonly eventType: EventType
  /** The user or team whose event type it is. */
  readonly scheduler: {
    readonly id: string
    readonly kind: 'user' | 'team'
    readonly slug: string
    readonly name: string
    readonly timeZone: string
    readonly locale: string
    readonly primaryColor: string
    readonly logoUrl: string
  }
  /** Everyone who hosts the meeting, the main host first. */
  readonly hosts: readonly MeetingHost[]
}

/** A change with everything needed to notify people; `booking` is as it was right after the change. */
export interface BookingChange extends ChangeRecord, BookedMeeting {
  /** Those who hosted it before it was rescheduled, and do no longer. */
  readonly formerHosts?: readonly MeetingHost[]
}
