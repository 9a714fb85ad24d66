import type { BOOKING_SOURCES, BookingStatus } from '../../../src/domain/bookings/booking.ts'
import type { EventType, Location } from '../../../src/domain/event-types/event-type.ts'
import type { WallRange } from '../../../src/domain/event-types/hours.ts'
import type { Condition, FormField } from '../../../src/domain/forms/routing.ts'
import type { Branding } from '../../../src/domain/people/scheduler.ts'
import type { Role, Scope } from '../../../src/domain/people/user.ts'
import type { DeliveryStatus, WebhookEvent } from '../../../src/domain/webhooks/webhook.ts'

// What the admin API answers with (src/http/admin).

/** What users and teams set about their own page. */
export interface PageView {
  readonly slug: string
  readonly name: string
  readonly bio: string
  readonly avatarUrl: string
  readonly timezone: string
  readonly locale: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly branding: Branding
}

export interface MeView extends PageView {
  readonly id: string
  readonly email: string
  readonly admin: boolean
  readonly teams: readonly {
    readonly id: string
    readonly slug: string
    readonly name: string
    readonly role: Role
  }[]
}

export interface TeamView extends PageView {
  readonly id: string
  readonly role: Role
}

export interface MemberView {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly joinedAt: string
}

export interface InvitationView {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly expiresAt: string
}

export interface MyInvitationView {
  readonly id: string
  readonly role: Role
  readonly team: { readonly id: string; readonly slug: string; readonly name: string }
}

export interface EventTypeView extends Omit<EventType, 'schedulerId'> {
  readonly ownerId: string
  readonly hosts: readonly HostSeat[]
}

export interface HostSeat {
  readonly userId: string
  readonly fixed: boolean
  readonly weight?: number
}

export interface ScheduleView {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly weekly: Readonly<Record<string, readonly WallRange[]>>
  readonly overrides: Readonly<Record<string, readonly WallRange[]>>
  readonly isDefault: boolean
}

export interface AbsenceView {
  readonly id: string
  readonly startTime: string
  readonly endTime: string
  readonly note: string
}

export interface ListedBookingView {
  readonly id: string
  readonly eventTypeId: string
  readonly ownerId: string
  readonly hostId: string
  readonly meetingId: string
  readonly status: BookingStatus
  readonly startTime: string
  readonly endTime: string
  readonly invitee: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly timezone: string
    readonly locale: string
  }
  readonly location: Location
  readonly seat: number
  readonly seats: number
  readonly sequence: number
  readonly reason: string
  readonly source: (typeof BOOKING_SOURCES)[number]
  readonly createdAt: string
}

export interface BookingView extends ListedBookingView {
  readonly hostIds: readonly string[]
  readonly notes: string
  readonly customFields: Readonly<Record<string, unknown>>
}

export interface ExplanationView {
  readonly startTime: string
  readonly offered: boolean
  readonly groups: readonly { readonly hostIds: readonly string[]; readonly reasons: readonly string[] }[]
}

export interface TargetView {
  readonly action: 'routeToEvent' | 'redirect' | 'message'
  readonly eventTypeId: string | null
  readonly redirectUrl: string | null
  readonly message: string | null
}

export interface RuleView {
  readonly when: Condition
  readonly target: TargetView
}

export interface FormView {
  readonly id: string
  readonly ownerId: string
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly fields: readonly FormField[]
  readonly rules: readonly RuleView[]
  readonly fallback: TargetView
}

export interface FormResponseView {
  readonly id: string
  readonly answers: Readonly<Record<string, unknown>>
  readonly result: TargetView
  readonly createdAt: string
}

export interface WebhookView {
  readonly id: string
  readonly ownerId: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly eventTypeIds: readonly string[]
  readonly active: boolean
  readonly createdAt: string
  readonly previousSecretUntil: string | null
  readonly failingSince: string | null
  readonly disabledAt: string | null
  readonly disabledReason: string
}

export interface DeliverySummaryView {
  readonly id: string
  readonly webhookId: string
  readonly event: string
  readonly bookingId: string | null
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly lastAttemptAt: string | null
  readonly durationMs: number | null
  readonly responseStatus: number | null
  readonly error: string
}

export interface DeliveryView extends DeliverySummaryView {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

export interface CalendarView {
  readonly id: string
  readonly kind: 'feed' | 'caldav'
  readonly name: string
  readonly url: string
  readonly username: string
  readonly busy: boolean
  readonly writeTo: boolean
  readonly hasPassword: boolean
  readonly busyTimes: number
  readonly refreshedAt: string | null
  readonly nextRefreshAt: string
  readonly failures: number
  readonly lastError: string
  readonly skippedEvents: number
}

export interface BlockedView {
  readonly id: string
  readonly ownerId: string
  readonly entry: string
  readonly createdAt: string
}

export interface TokenView {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
  readonly expiresAt: string | null
}

export interface AuditView {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly objectType: string
  readonly objectId: string
  readonly ownerId: string
  readonly changes: readonly string[]
}

export interface InsightsView {
  readonly from: string
  readonly to: string
  readonly timezone: string
  readonly totals: Readonly<Record<BookingStatus, number>>
  readonly byDay: readonly { readonly date: string; readonly held: number; readonly calledOff: number }[]
  readonly byEventType: readonly {
    readonly eventTypeId: string
    readonly held: number
    readonly calledOff: number
  }[]
  readonly byHour: readonly { readonly weekday: number; readonly hour: number; readonly count: number }[]
  readonly leadTimes: readonly { readonly hours: number | null; readonly count: number }[]
  readonly routes: readonly { readonly formId: string; readonly result: TargetView; readonly count: number }[]
}
