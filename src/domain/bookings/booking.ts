import { type Location, lacksLink } from '../event-types/location.ts'
import type { CustomFields } from '../event-types/questions.ts'
import type { BookingPayment } from '../payments/payment.ts'
import type { SeriesPlace } from './series.ts'

export const BOOKING_STATUSES = [
  'PendingPayment',
  'PendingApproval',
  'Confirmed',
  'Declined',
  'Cancelled',
  'Expired',
  'Completed',
  'NoShow',
] as const

export type BookingStatus = (typeof BOOKING_STATUSES)[number]

/** Where guests say that they book from. */
export const BOOKING_SOURCES = ['BookingPage', 'EmbedWidget', 'API'] as const

/** The same, and bookings that a host made for a guest. */
export const RECORDED_SOURCES = [...BOOKING_SOURCES, 'Host'] as const

export interface Invitee {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly timeZone: string
  readonly locale: string
  /** Where they have agreed to get text messages, in E.164 form. */
  readonly smsNumber?: string
}

/** Which answers to which form led to a booking. */
interface RoutingOrigin {
  readonly formId: string
  readonly responseId: string
}

/** One guest's seat in a meeting. */
export interface Booking {
  readonly id: string
  readonly eventTypeId: string
  /** Guests of a seated slot share a meeting; otherwise each booking is its own. */
  readonly meetingId: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly endsAt: number
  readonly invitee: Invitee
  /** Email addresses of others whom the guest brings. */
  readonly guests: readonly string[]
  readonly location: Location
  readonly notes: string
  readonly customFields: CustomFields
  readonly source: (typeof RECORDED_SOURCES)[number]
  /** The `utm_…` parameters of the page's address, without that prefix: `source`, `medium` and so on. */
  readonly utm: Readonly<Record<string, string>>
  readonly createdAt: number
  /** Grows with every change. */
  readonly sequence: number
  /** Why it was declined or cancelled; empty when no reason was given. */
  readonly reason: string
  /** The private link that it was made through. It may be gone by now. */
  readonly linkId?: string
  /** The answers to a form that led to it. They may be gone by now. */
  readonly routing?: RoutingOrigin
  /** What the program that booked keeps with it, for programs alone. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Set if it was booked as one of a series. */
  readonly series?: SeriesPlace
  /** The iCalendar UID that it has in its guest's calendar, if that was made elsewhere. */
  readonly uid?: string
  /** Set if it costs something. */
  readonly payment?: BookingPayment
}

/** Whether guest and host still wait for the link of a video call that its host has to add. */
export const awaitsLink = ({ status, location }: Pick<Booking, 'status' | 'location'>): boolean =>
  status === 'Confirmed' && lacksLink(location)

/** The location as a guest sees it: a meeting that is not, or no longer, agreed on has no link to join it. */
export function shownLocation({ status, location }: Pick<Booking, 'status' | 'location'>): Location {
  const isOnline = location.type === 'Video' || location.type === 'Link'
  const isOff = status !== 'Confirmed' && status !== 'Completed' && status !== 'NoShow'
  return isOnline && isOff ? { ...location, value: '' } : location
}

/** The location as a host sees it: what was called off has no link, and a request keeps the one that it may get. */
export const hostLocation = (booking: Pick<Booking, 'status' | 'location'>): Location =>
  booking.status === 'PendingApproval' ? booking.location : shownLocation(booking)

/**
 * An iCalendar UID, which never changes: of a booking for its guest, of a meeting for its host.
 *
 * A meeting that is not seated has the id of its booking.
 */
export const uidOf = (id: string) => `${id}@punctual`

/** Whether a UID from elsewhere can stand in our calendar entries: one line of printable characters. */
export const isUid = (uid: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(uid)

/** A meeting with all its bookings, or those that are left. */
interface UidOfMeeting {
  readonly meetingId: string
  /** That of its entry, if several guests can share it and it was made elsewhere. */
  readonly uid: string | undefined
  readonly bookings: readonly Pick<Booking, 'id' | 'uid'>[]
}

/** The UID of the one entry that the hosts of a meeting have. */
export const meetingUid = ({ meetingId, uid, bookings }: UidOfMeeting): string =>
  uid ?? bookingUid(bookings.find(({ id }) => id === meetingId) ?? { id: meetingId })

/** The same, where a booking that was made elsewhere keeps the UID that calendars know. */
export const bookingUid = ({ id, uid }: Pick<Booking, 'id' | 'uid'>): string => uid ?? uidOf(id)
