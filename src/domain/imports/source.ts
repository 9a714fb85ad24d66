// Every reader speaks in Cal.com's tables and columns, whichever source it reads, so that there is one plan for all.

/** The tables that are read. A source may lack any of them. */
export const SOURCE_TABLES = [
  'users',
  'Profile',
  'Team',
  'Membership',
  'Schedule',
  'Availability',
  'OutOfOfficeEntry',
  'TravelSchedule',
  'EventType',
  'EventTypeCustomInput',
  'Host',
  '_user_eventtype',
  'HashedLink',
  'App_RoutingForms_Form',
  'App_RoutingForms_FormResponse',
  'Attribute',
  'AttributeOption',
  'AttributeToUser',
  'Webhook',
  'Workflow',
  'WorkflowStep',
  'WorkflowsOnEventTypes',
  'WorkflowsOnRoutingForms',
  'Watchlist',
  'Booking',
  'Attendee',
  'BookingSeat',
  'BookingReference',
  'BookingInternalNote',
  'Tracking',
  'Payment',
  'Credential',
  'App',
  'SelectedCalendar',
  'DestinationCalendar',
] as const

export type SourceTable = (typeof SOURCE_TABLES)[number]

export const SOURCES = ['calcom', 'calendly'] as const

export type Source = (typeof SOURCES)[number]

/**
 * A row, by column; columns that the source lacks are left out. Instants are ISO texts in UTC, dates `YYYY-MM-DD`, times of day
 * `HH:MM`, trees and lists are as parsed, and what could not be read as its column's type stays text.
 */
export type SourceRow = Readonly<Record<string, unknown>>

/** A row with its table. */
export interface Sourced {
  readonly table: SourceTable
  readonly row: SourceRow
}

/** A row of the source, such as `users/38`. It stays the same when the source is read again. */
export type SourceKey = `${SourceTable}/${string}`

/** The tables whose rows come by the hundred thousand: they are read in pages, the others as a whole. */
export const BOOKING_TABLES = [
  'Booking',
  'Attendee',
  'BookingSeat',
  'BookingReference',
  'BookingInternalNote',
  'Tracking',
  'Payment',
  'App_RoutingForms_FormResponse',
] as const satisfies readonly SourceTable[]

type BookingTable = (typeof BOOKING_TABLES)[number]

/** All rows but those of bookings. */
export type SourceSettings = Readonly<Record<Exclude<SourceTable, BookingTable>, readonly SourceRow[]>>

/** A booking with all that refers to it. */
export interface SourceBooking {
  readonly booking: SourceRow
  /** In the order of their ids: the first booked. */
  readonly attendees: readonly SourceRow[]
  readonly seats: readonly SourceRow[]
  readonly references: readonly SourceRow[]
  readonly notes: readonly SourceRow[]
  readonly tracking: readonly SourceRow[]
  readonly payments: readonly SourceRow[]
}
