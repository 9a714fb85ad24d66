import type { ToldBooking, ToldHost } from '../../../src/domain/bookings/guest-facts.ts'
import type { PublicLocation } from '../../../src/domain/event-types/public-event-type.ts'
import type { Answer } from '../../../src/domain/event-types/questions.ts'
import type { PaymentStatus } from '../../../src/domain/payments/payment.ts'
import type { CalendarLink } from '../../../src/format/calendar-links.ts'
import { ask } from '../api.ts'

type BookingStatus = ToldBooking['status']

/** The id and token of a guest's own link. */
export interface OwnLink {
  readonly id: string
  readonly token: string
}

/** A booking as the page that made it knows it. */
export interface NewBooking {
  readonly id: string
  readonly status: BookingStatus
  readonly startTime: string
  readonly endTime: string
  readonly invitee: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly timezone: string
  }
  readonly location: Pick<PublicLocation, 'type' | 'value'>
  /** Email addresses of those whom the guest brings. */
  readonly guests: readonly string[]
  readonly answers: readonly Answer[]
  readonly notes: string
  /** All meetings of its series; left out without one. */
  readonly series?: readonly SeriesMeeting[]
  /** Null or left out: it is free. */
  readonly payment?: {
    readonly status: PaymentStatus
    readonly amount: number
    readonly currency: string
    readonly refunded: number
  } | null
  /** Where, until when and how much is paid, while it waits for that. */
  readonly paymentUrl?: string
  readonly payBy?: string
  readonly amountDue?: number
}

/** A guest's own booking, as the API shows it to anyone who has its link. */
export interface OwnBooking extends NewBooking {
  readonly eventType: { readonly slug: string; readonly name: string; readonly durationMinutes: number }
  readonly userSlug: string
  /** `email` is empty if nobody answers for it any more. */
  readonly host: { readonly name: string; readonly email: string }
  /** Everyone who hosts it, the main host first. */
  readonly hosts: readonly ToldHost[]
  /** Why it was cancelled or declined, or empty. */
  readonly reason: string
  readonly canCancel: boolean
  readonly canReschedule: boolean
  readonly cancelUntil: string
  readonly rescheduleUntil: string
  /** Empty unless it is confirmed. */
  readonly calendarLinks: readonly CalendarLink[]
  /** Where the host wants guests to go after booking, or empty. */
  readonly returnUrl: string
  /** What goes back to a guest who cancels now. */
  readonly refundIfCancelled?: number
}

/** A meeting of a series, with the guest's link to it. */
export interface SeriesMeeting {
  readonly id: string
  readonly startTime: string
  readonly endTime: string
  readonly manageUrl: string
}

/** What its facts are found in. */
export function toldOf(
  booking: NewBooking & Partial<OwnBooking>,
  { eventName, hosts }: Pick<ToldBooking, 'eventName' | 'hosts'>,
): ToldBooking {
  const { status, location, guests, answers, notes } = booking
  return {
    eventName,
    hosts,
    status,
    startsAt: Date.parse(booking.startTime),
    endsAt: Date.parse(booking.endTime),
    location,
    phone: booking.invitee.phone,
    guests,
    answers,
    notes,
    // Not told until it is known.
    cancelUntil: booking.cancelUntil === undefined ? 0 : Date.parse(booking.cancelUntil),
  }
}

/** Whether meetings of its series follow this one. */
export const isFollowed = ({ startTime, series = [] }: OwnBooking): boolean =>
  series.some((other) => other.startTime > startTime)

/** The API URL of this booking, or of `action` on it. */
export function ownAddress(base: string, { id, token }: OwnLink, action = ''): string {
  return `${base}/api/public/bookings/${encodeURIComponent(id)}${action}?token=${encodeURIComponent(token)}`
}

export async function loadOwnBooking(base: string, link: OwnLink, signal: AbortSignal): Promise<OwnBooking> {
  const { body } = await ask<OwnBooking>(ownAddress(base, link), { signal })
  // The page may have another origin than the service's public address, and shows pictures of its own only.
  const hosts = body.hosts.map((host) => ({ ...host, avatarUrl: URL.parse(host.avatarUrl)?.pathname ?? '' }))
  return { ...body, hosts }
}
