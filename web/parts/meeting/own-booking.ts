import type { PublicLocation } from '../../../src/domain/event-types/public-event-type.ts'
import type { CalendarLink } from '../../../src/format/calendar-links.ts'
import { ask } from '../api.ts'

type BookingStatus = 'PendingApproval' | 'Confirmed' | 'Declined' | 'Cancelled' | 'Completed' | 'NoShow'

/** The id and token of a guest's own link. */
export interface OwnLink {
  readonly id: string
  readonly token: string
}

/** A guest's own booking, as the API shows it to anyone who has its link. */
export interface OwnBooking {
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
  readonly eventType: { readonly slug: string; readonly name: string; readonly durationMinutes: number }
  readonly userSlug: string
  /** `email` is empty if nobody answers for it any more. */
  readonly host: { readonly name: string; readonly email: string }
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
  /** All meetings of its series; left out without one. */
  readonly series?: readonly SeriesMeeting[]
}

/** A meeting of a series, with the guest's link to it. */
export interface SeriesMeeting {
  readonly id: string
  readonly startTime: string
  readonly endTime: string
  readonly manageUrl: string
}

/** Whether meetings of its series follow this one. */
export const isFollowed = ({ startTime, series = [] }: OwnBooking): boolean =>
  series.some((other) => other.startTime > startTime)

/** The API URL of this booking, or of `action` on it. */
export function ownAddress(base: string, { id, token }: OwnLink, action = ''): string {
  return `${base}/api/public/bookings/${encodeURIComponent(id)}${action}?token=${encodeURIComponent(token)}`
}

export async function loadOwnBooking(base: string, link: OwnLink, signal: AbortSignal): Promise<OwnBooking> {
  return (await ask<OwnBooking>(ownAddress(base, link), { signal })).body
}
