import type { EventTypeData } from '../../src/http/pages/page-data.ts'

export type BookingStatus =
  | 'PendingApproval'
  | 'Confirmed'
  | 'Declined'
  | 'Cancelled'
  | 'Completed'
  | 'NoShow'

/** A guest's own booking, as the API shows it to whoever has its link. */
export interface OwnBooking {
  readonly id: string
  readonly status: BookingStatus
  readonly startTime: string
  readonly endTime: string
  readonly invitee: { readonly name: string; readonly email: string; readonly timezone: string }
  readonly location: { readonly type: EventTypeData['location']['type']; readonly value: string }
  readonly eventType: { readonly slug: string; readonly name: string; readonly durationMinutes: number }
  readonly userSlug: string
  readonly host: { readonly name: string }
  /** Why it was cancelled or declined, or empty. */
  readonly reason: string
  readonly canCancel: boolean
  readonly canReschedule: boolean
  readonly cancelUntil: string
  readonly rescheduleUntil: string
}
