import type { EventType } from '../event-types/event-type.ts'
import type { BookingPayment } from '../payments/payment.ts'
import type { GermanAddress } from '../people/scheduler.ts'
import type { TimeFormat } from '../people/user.ts'
import type { Booking, BookingStatus } from './booking.ts'

/** `updated`: its meeting link came late, or is another one now. */
export const BOOKING_CHANGES = [
  'created',
  'approved',
  'declined',
  'cancelled',
  'rescheduled',
  'reassigned',
  'updated',
  'no_show',
  'completed',
  'paid',
  'refunded',
] as const

export type BookingChangeType = (typeof BOOKING_CHANGES)[number]

const OUTCOMES: readonly BookingChangeType[] = ['no_show', 'completed', 'paid', 'refunded']

/** Whether a change only says what became of a meeting or its money: webhooks are told, but no person and no calendar. */
export const isOutcome = ({ type }: { readonly type: BookingChangeType }): boolean => OUTCOMES.includes(type)

/** Who made a change; the service declines requests that get no answer in time. */
export type ChangeAuthor = 'guest' | 'host' | 'service'

/**
 * What happened to a booking, and its values after the change.
 *
 * Written in the transaction of the change. Everything else about a booking
 * never changes, so it is read when the change is announced.
 */
export interface ChangeRecord {
  /** The same on every retry, so that receivers can recognise a repeat. */
  readonly id: string
  readonly type: BookingChangeType
  readonly bookingId: string
  readonly by: ChangeAuthor
  /** The author's own words; empty when no reason was given. */
  readonly reason: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly endsAt: number
  /** The status before; null for a new booking, left out by older versions. */
  readonly previousStatus?: BookingStatus | null
  /** The start before it was rescheduled; null for other changes. */
  readonly previousStartsAt: number | null
  /** Starts at 0 and grows with every change of the booking: calendars keep the highest. */
  readonly sequence: number
  /** The hosts now, the main host first; left out: the hosts of its claims. */
  readonly hostIds?: readonly string[]
  /** Hosts who no longer host it since it was rescheduled or reassigned. */
  readonly formerHostIds?: readonly string[]
  /** Hosts who host it only since it was reassigned. */
  readonly newHostIds?: readonly string[]
  /** Where it was before its link came or changed. */
  readonly previousLocation?: string
  /** The email about another guest of this seated meeting tells its hosts. */
  readonly hostsTold?: true
  /** The seated meeting that it left for another one, and the hosts of that meeting. */
  readonly formerMeeting?: { readonly id: string; readonly hostIds: readonly string[] }
  /**
   * Made together with changes to other meetings of a series: the bookings of all of them, this one first. Emails about
   * it tell of all; the others have an empty list here, and cause none.
   */
  readonly together?: readonly string[]
  /** What became of the money by then; left out where it is free, and by older versions. */
  readonly payment?: BookingPayment
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
  /** As it is stored; left out: none. */
  readonly avatarUrl?: string
  /** Left out: Sie. */
  readonly germanAddress?: GermanAddress
  /** Whether a browser of theirs takes notifications; left out: no. */
  readonly hasPush?: true
  /** Left out: as their language has it. */
  readonly timeFormat?: TimeFormat
}

/** A booking with the people and settings around it. */
export interface BookedMeeting {
  readonly booking: Booking
  readonly eventType: EventType
  /** The owner of the event type, a user or a team. */
  readonly scheduler: {
    readonly id: string
    readonly kind: 'user' | 'team'
    readonly slug: string
    readonly name: string
    readonly timeZone: string
    readonly locale: string
    /** How German speaks to guests; left out: Sie. */
    readonly germanAddress?: GermanAddress
    readonly primaryColor: string
    readonly logoUrl: string
    readonly avatarUrl: string
    /** Whether there are messages of theirs; left out: no. */
    readonly hasMessages?: true
  }
  /** All hosts of the meeting, the main host first. */
  readonly hosts: readonly MeetingHost[]
  /** All bookings of its series, in their order, as they are now; left out without one. */
  readonly series?: readonly SeriesBooking[]
}

/** A booking of a series, with its main host. */
export interface SeriesBooking extends Booking {
  readonly hostId?: string
}

/** A change with everything needed to notify people; `booking` is as it was right after the change. */
export interface BookingChange extends ChangeRecord, BookedMeeting {
  /** Hosts who no longer host it since it was rescheduled or reassigned. */
  readonly formerHosts?: readonly MeetingHost[]
  /** Several guests can share the meeting. */
  readonly isSeated?: boolean
  /** What goes back to the guest now that it was called off, for all that it is about; left out: nothing. */
  readonly refund?: number
  /** The hosts' calendar entries of seated meetings that this change is about. */
  readonly entries?: readonly EntryVersion[]
}

/** A version of the one entry that hosts have for a seated meeting. */
export interface EntryVersion {
  readonly meetingId: string
  /** Grows with every change to the meeting or its guests. */
  readonly sequence: number
  /** The iCalendar UID of the entry, if that was made elsewhere. */
  readonly uid?: string
}
