import type { ReadonlyDeep } from '../../../../src/format/schema.ts'
import type * as bulk from '../../../../src/http/admin/bookings/bulk.ts'
import type * as fairness from '../../../../src/http/admin/bookings/fairness.ts'
import type * as handOver from '../../../../src/http/admin/bookings/hand-over.ts'
import type * as payments from '../../../../src/http/admin/bookings/payments.ts'
import type * as links from '../../../../src/http/admin/bookings/private-links.ts'
import type * as bookings from '../../../../src/http/admin/bookings/schemas.ts'
import type * as busy from '../../../../src/http/admin/calendars/busy.ts'
import type * as calendars from '../../../../src/http/admin/calendars/schemas.ts'
import type * as eventTypes from '../../../../src/http/admin/event-types/schemas.ts'
import type * as forms from '../../../../src/http/admin/forms/schemas.ts'
import type * as imports from '../../../../src/http/admin/imports/schemas.ts'
import type * as messages from '../../../../src/http/admin/messages/schemas.ts'
import type * as filters from '../../../../src/http/admin/people/saved-filters.ts'
import type * as people from '../../../../src/http/admin/people/schemas.ts'
import type * as push from '../../../../src/http/admin/push/push.ts'
import type * as slots from '../../../../src/http/admin/slots/schemas.ts'
import type * as webhooks from '../../../../src/http/admin/webhooks/schemas.ts'
import type * as attention from '../../../../src/http/admin/workspace/attention.ts'
import type * as erasures from '../../../../src/http/admin/workspace/erasures.ts'
import type * as search from '../../../../src/http/admin/workspace/search.ts'
import type * as system from '../../../../src/http/admin/workspace/system.ts'

// The routes' own schemas, as types that components can't change by accident.

export type ListedBookingView = ReadonlyDeep<bookings.ListedBookingView>
export type BookingView = ReadonlyDeep<bookings.BookingView>
export type HistoryView = ReadonlyDeep<bookings.HistoryView>
export type ChangedBookingsView = ReadonlyDeep<bulk.ChangedBookingsView>
export type BusyView = ReadonlyDeep<busy.BusyView>
export type PushSubscriptionView = ReadonlyDeep<push.PushSubscriptionView>
export type PushView = ReadonlyDeep<push.PushView>
export type SavedFiltersView = ReadonlyDeep<filters.SavedFiltersView>
export type SuccessorsView = ReadonlyDeep<bookings.SuccessorsView>
export type HandOverMeetings = ReadonlyDeep<handOver.HandOverMeetings>
export type HandedOverView = ReadonlyDeep<handOver.HandedOverView>
export type AssignmentsView = ReadonlyDeep<fairness.AssignmentsView>
export type BlockedGuestView = ReadonlyDeep<bookings.BlockedGuestView>
export type BlockGuest = ReadonlyDeep<bookings.BlockGuest>
export type ErasureView = ReadonlyDeep<erasures.ErasureView>
export type ImportView = ReadonlyDeep<imports.ImportView>
export type ImportLineView = ReadonlyDeep<imports.LineView>
export type PaymentEntryView = ReadonlyDeep<payments.EntryView>
export type InsightsView = ReadonlyDeep<bookings.InsightsView>

export type PrivateLinkView = ReadonlyDeep<links.PrivateLinkView>
export type IssuedLinkView = ReadonlyDeep<links.IssuedLinkView>
export type CreatePrivateLink = ReadonlyDeep<links.CreatePrivateLink>

export type CalendarView = ReadonlyDeep<calendars.CalendarView>
export type ChangeCalendar = ReadonlyDeep<calendars.ChangeCalendar>
export type FoundCalendarsView = ReadonlyDeep<calendars.FoundCalendarsView>
export type FeedStateView = ReadonlyDeep<calendars.FeedStateView>
export type FeedView = ReadonlyDeep<calendars.FeedView>
export type ConnectionView = ReadonlyDeep<calendars.ConnectionView>
export type ProviderCalendarsView = ReadonlyDeep<calendars.ProviderCalendarsView>
export type KindsView = ReadonlyDeep<calendars.KindsView>
export type ProvidersView = ReadonlyDeep<calendars.ProvidersView>
export type BegunConnectionView = ReadonlyDeep<calendars.BegunConnectionView>

export type EventTypeView = ReadonlyDeep<eventTypes.EventTypeView>
export type CreateEventType = ReadonlyDeep<eventTypes.CreateEventType>
export type ScheduleView = ReadonlyDeep<eventTypes.ScheduleView>
export type CreateSchedule = ReadonlyDeep<eventTypes.CreateSchedule>
export type AbsenceView = ReadonlyDeep<eventTypes.AbsenceView>
export type CreateAbsence = ReadonlyDeep<eventTypes.CreateAbsence>
export type ExplanationView = ReadonlyDeep<slots.ExplanationView>

export type FormView = ReadonlyDeep<forms.FormView>
export type RuleView = FormView['rules'][number]
export type FormTestView = FormView['tests'][number]
export type TargetView = ReadonlyDeep<forms.TargetView>
export type HostedTargetView = ReadonlyDeep<forms.HostedTargetView>
export type LookupSecretView = ReadonlyDeep<forms.LookupSecretView>
export type CreateForm = ReadonlyDeep<forms.CreateForm>
export type FunnelView = ReadonlyDeep<forms.FunnelView>
export type FormResponseView = ReadonlyDeep<forms.FormResponseView>

export type PasskeyView = ReadonlyDeep<people.PasskeyView>
export type PasskeysView = ReadonlyDeep<people.PasskeysView>
export type PasskeyCreationView = ReadonlyDeep<people.PasskeyCreationView>
export type AddPasskey = ReadonlyDeep<people.AddPasskey>
export type AddedPasskeyView = ReadonlyDeep<people.AddedPasskeyView>
export type RecoveryCodesView = ReadonlyDeep<people.RecoveryCodesView>
export type MeView = ReadonlyDeep<people.MeView>
export type PageView = ReadonlyDeep<people.PageView>
export type TeamView = ReadonlyDeep<people.TeamView>
export type CreateTeam = ReadonlyDeep<people.CreateTeam>
export type MemberView = ReadonlyDeep<people.MemberView>
export type AttributeView = ReadonlyDeep<people.AttributeView>
export type AttributeImportView = ReadonlyDeep<people.AttributeImportView>
export type InvitationView = ReadonlyDeep<people.InvitationView>
export type InstanceInvitationView = ReadonlyDeep<people.InstanceInvitationView>
export type MyInvitationView = ReadonlyDeep<people.MyInvitationView>
export type PersonView = ReadonlyDeep<people.PersonView>
export type DepartedView = ReadonlyDeep<people.DepartedView>
export type DepartureView = ReadonlyDeep<people.DepartureView>
export type TokenView = ReadonlyDeep<people.TokenView>
export type CreateToken = ReadonlyDeep<people.CreateToken>
export type NewTokenView = ReadonlyDeep<people.NewTokenView>
export type SessionsView = ReadonlyDeep<people.SessionsView>
export type AuditView = ReadonlyDeep<people.AuditView>

export type WebhookView = ReadonlyDeep<webhooks.WebhookView>
export type WebhookWithSecretView = ReadonlyDeep<webhooks.WebhookWithSecretView>
export type CreateWebhook = ReadonlyDeep<webhooks.CreateWebhook>
export type DeliverySummaryView = ReadonlyDeep<webhooks.DeliverySummaryView>
export type DeliveryView = ReadonlyDeep<webhooks.DeliveryView>
export type ReplayedView = ReadonlyDeep<webhooks.ReplayedView>

export type MessageView = ReadonlyDeep<messages.MessageView>
export type PreviewView = ReadonlyDeep<messages.PreviewView>
export type TimelineView = ReadonlyDeep<messages.TimelineView>
export type BookingMessagesView = ReadonlyDeep<messages.BookingMessagesView>

export type SystemView = ReadonlyDeep<system.SystemView>
export type ChecksView = ReadonlyDeep<system.ChecksView>
export type RetriedView = ReadonlyDeep<system.RetriedView>

export type AttentionView = ReadonlyDeep<attention.AttentionView>
export type FoundView = ReadonlyDeep<search.FoundView>
