import type { Static } from 'typebox'
import { ASSIGNMENT_REASONS } from '../../../domain/bookings/assignment.ts'
import { BOOKING_STATUSES, type BookingStatus, RECORDED_SOURCES } from '../../../domain/bookings/booking.ts'
import { OBSTACLES } from '../../../domain/bookings/reassignment.ts'
import { SCOPES_OF_CHANGE } from '../../../domain/bookings/series.ts'
import { LOCATION_TYPES } from '../../../domain/event-types/location.ts'
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts'
import { REFUND_WISHES } from '../../../domain/payments/refund.ts'
import { nullable, oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import { HISTORY_KINDS, HISTORY_STATES } from '../../../services/bookings/reports/history.ts'
import { BOOKING_SORTS } from '../../../services/bookings/reports/list.ts'
import { TargetView } from '../forms/schemas.ts'
import { PageQuery } from '../paging.ts'

const Instant = Type.String({ description: 'ISO 8601, UTC.', examples: ['2030-01-31T09:30:00Z'] })

export type CalendarDifferenceView = Static<typeof CalendarDifferenceView>
export const CalendarDifferenceView = Type.Union([
  Type.Object(
    { kind: Type.Literal('moved'), startTime: Instant, endTime: Instant, seenAt: Instant },
    { description: 'The host has moved the entry in their own calendar to this time.' },
  ),
  Type.Object(
    { kind: Type.Literal('deleted'), seenAt: Instant },
    { description: 'The host has deleted the entry from their own calendar.' },
  ),
])

export const PaymentView = Type.Object({
  status: oneOf(
    PAYMENT_STATUSES,
    '`refunded`: in full; `failed`: never paid, or given back before it was captured.',
  ),
  amount: Type.Integer({ description: 'In the smallest unit of the currency.' }),
  currency: Type.String({ examples: ['EUR'] }),
  refunded: Type.Integer({ description: 'How much of it has gone back.' }),
})

export type ListedBookingView = Static<typeof ListedBookingView>
export const ListedBookingView = Type.Object({
  id: Type.String(),
  eventTypeId: Type.String(),
  ownerId: Type.String({ description: 'The user or team that owns the event type.' }),
  hostId: Type.String({ description: 'The host who gets the emails.' }),
  host: Type.Object(
    { id: Type.String(), name: Type.String() },
    { description: 'The same, with their name.' },
  ),
  hostAvatarUrl: Type.String({ description: 'The address of their picture; empty: none.' }),
  meetingId: Type.String({ description: 'Shared by all guests of a seated slot.' }),
  status: oneOf(BOOKING_STATUSES),
  startTime: Instant,
  endTime: Instant,
  invitee: Type.Object({
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    timezone: Type.String(),
    locale: Type.String(),
  }),
  guests: Type.Array(Type.String(), { description: 'Email addresses of others who come.' }),
  location: Type.Object({ type: oneOf(LOCATION_TYPES), value: Type.String() }),
  awaitsLink: Type.Boolean({
    description: 'A confirmed video call without a link. Add it with `POST …/link`: guests get it by email.',
  }),
  seat: Type.Integer(),
  seats: Type.Integer(),
  sequence: Type.Integer({ description: 'Grows with every change.' }),
  reason: Type.String({ description: 'Why it was declined or cancelled, or empty.' }),
  source: oneOf(RECORDED_SOURCES),
  hostNotes: Type.String({ description: 'What hosts have noted, for themselves; or empty.' }),
  assignment: nullable(
    Type.Object({
      hostId: Type.String({ description: 'The host who was chosen.' }),
      reason: oneOf(
        ASSIGNMENT_REASONS,
        '`turn`: of several free hosts, the one whose turn it was; `only`: no other host was free; `owner`, `lookup`, `filter`: a routing form chose, or narrowed the choice. Handed over later: `manual` to a host whom a person chose, `automatic` to the next whose turn it was.',
      ),
      detail: Type.String({ description: 'The reason as a sentence.' }),
    }),
    'How a round robin or a routing form chose the host; null: there was no choice.',
  ),
  routing: nullable(
    Type.Object({ formId: Type.String(), responseId: Type.String() }),
    'The answers to a routing form that led here; null: none.',
  ),
  seriesId: nullable(Type.String(), 'All bookings of a series share it; null: none.'),
  seriesPlace: nullable(
    Type.Object({ number: Type.Integer({ description: 'From 1.' }), count: Type.Integer() }),
    'Which meeting of its series it is; null: none.',
  ),
  payment: nullable(PaymentView, 'What it costs, and what became of that; null: it is free.'),
  createdAt: Instant,
  calendarDifference: nullable(
    CalendarDifferenceView,
    'What a host’s calendar says differently about the meeting; null: nothing.',
  ),
})

/** Everything a host needs, which is more than a list should carry. */
export type BookingView = Static<typeof BookingView>
export const BookingView = Type.Object({
  ...ListedBookingView.properties,
  hostIds: Type.Array(Type.String(), { description: 'Everyone who hosts it.' }),
  series: Type.Array(
    Type.Object({ id: Type.String(), status: oneOf(BOOKING_STATUSES), startTime: Instant, endTime: Instant }),
    { description: 'All meetings of its series, in their order; empty without one.' },
  ),
  notes: Type.String(),
  customFields: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  utm: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The campaign that brought the guest here: `source`, `medium` and so on.',
  }),
  refundRule: nullable(
    Type.Object({ fullUntilMinutes: Type.Integer(), laterPercent: Type.Integer() }),
    'What its guest gets back who cancels, as it was when they booked; null: it is free.',
  ),
})

const several = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 200 })], {
      description: `${description} Several are separated by commas, or repeated.`,
    }),
  )

export type BookingFilterQuery = Static<typeof BookingFilterQuery>
export const BookingFilterQuery = Type.Object({
  scope: Type.Optional(
    oneOf(['mine', 'team'], '`mine`: what you host; `team`: all that you may see, as without it.'),
  ),
  status: several(`One of ${BOOKING_STATUSES.join(', ')}.`),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'Starts at or after this UTC instant.' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Starts before this UTC instant.' })),
  eventTypeId: several('An event type.'),
  hostId: several('One of its hosts.'),
  formId: several('The routing form that led to it.'),
  id: several('Only these bookings.'),
  ownerId: Type.Optional(Type.String({ description: 'You, or one of your teams.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the guest’s name or email, at least 2 characters; case does not matter.',
    }),
  ),
  text: Type.Optional(Type.String({ maxLength: 200, description: 'The same, of any length.' })),
  sort: Type.Optional(
    oneOf(BOOKING_SORTS, 'By startTime or createdAt; `-`: the latest first. Instead of `order`.'),
  ),
  order: Type.Optional(oneOf(['asc', 'desc'], 'By startTime.')),
})

export const ChangeBooking = Type.Object({
  hostNotes: Type.Optional(Type.String({ maxLength: 5000 })),
})

export type HistoryView = Static<typeof HistoryView>
export const HistoryView = Type.Object({
  items: Type.Array(
    Type.Object({
      at: Instant,
      kind: oneOf(HISTORY_KINDS),
      what: Type.String({ description: 'A sentence in the language of the request.' }),
      by: nullable(Type.String(), 'The name of the person who did it; null: the service.'),
      state: oneOf(HISTORY_STATES, '`waiting`: it follows, or is tried again.'),
    }),
  ),
})

export type BookingListQuery = Static<typeof BookingListQuery>
export const BookingListQuery = Type.Object({ ...PageQuery.properties, ...BookingFilterQuery.properties })

export const reason = Type.Optional(
  Type.String({ maxLength: 1000, description: 'Included in the email to the guest.' }),
)

export const undoable = Type.Optional(
  Type.Boolean({ description: 'Wait some seconds before the guest is notified, so that it can be undone.' }),
)

export type ApproveBooking = Static<typeof ApproveBooking>
export const ApproveBooking = Type.Object({ undoable })

export type DeclineBooking = Static<typeof DeclineBooking>
export const DeclineBooking = Type.Object({ reason, undoable })

/** The link of a video call. */
export type AddLink = Static<typeof AddLink>
export const AddLink = Type.Object({
  link: Type.String({ maxLength: 2000, description: 'Where guests join: a web address.' }),
})

/** Ends a meeting. */
export type EndBooking = Static<typeof EndBooking>
export const EndBooking = Type.Object({ reason })

const scope = Type.Optional(
  oneOf(
    SCOPES_OF_CHANGE,
    'Of a series: this meeting alone (`one`, unless said), or it and those that follow.',
  ),
)

export type CancelBooking = Static<typeof CancelBooking>
export const CancelBooking = Type.Object({
  reason,
  scope,
  refund: Type.Optional(
    oneOf(
      REFUND_WISHES,
      'What the guest gets back of what they paid: `full` (unless given), `policy`: as if they had cancelled, or `none`. What is only reserved is always given back.',
    ),
  ),
})

export type RescheduleBooking = Static<typeof RescheduleBooking>
export const RescheduleBooking = Type.Object({
  reason,
  startTime: Type.String({ maxLength: 64, description: 'The new start: an ISO 8601 instant in UTC.' }),
  scope,
})

/** Who takes over. */
export const SuccessorChoice = {
  hostId: Type.Optional(
    Type.String({ maxLength: 64, description: 'A host of the event type who takes turns.' }),
  ),
  automatic: Type.Optional(
    Type.Boolean({
      description: 'Instead of `hostId`: the next host whose turn it is, among those who are free.',
    }),
  ),
}

export type ReassignBooking = Static<typeof ReassignBooking>
export const ReassignBooking = Type.Object({ ...SuccessorChoice, reason, scope })

export const SuccessorQuery = Type.Object({ scope })

export type SuccessorsView = Static<typeof SuccessorsView>
export const SuccessorsView = Type.Object({
  hosts: Type.Array(
    Type.Object({
      hostId: Type.String(),
      name: Type.String(),
      free: Type.Boolean({ description: 'Whether the meeting can be handed over to them by `hostId`.' }),
      obstacle: nullable(
        oneOf(
          OBSTACLES,
          'What they have at this time: another `meeting`, `time-off`, or something in a connected `calendar`. With `hours`, it is outside their hours, or against the buffers or limits of the event type: then only `automatic` leaves them out.',
        ),
        'null: nothing is in the way.',
      ),
    }),
    { description: 'Those who are free come first.' },
  ),
})

export type BlockedGuestView = Static<typeof BlockedGuestView>
export const BlockedGuestView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  entry: Type.String({ description: 'An address, or a domain with all its subdomains.' }),
  createdAt: Type.String(),
})

export type BlockGuest = Static<typeof BlockGuest>
export const BlockGuest = Type.Object({
  entry: Type.String({
    maxLength: 254,
    description: 'An address (`a@b.example`) or a domain (`b.example`, `@b.example`, `*.b.example`).',
  }),
  teamId: Type.Optional(Type.String({ description: 'The team whose list it goes on; yours without it.' })),
})

const Count = Type.Integer()
const counts = {
  held: Type.Integer({ description: 'Neither cancelled nor declined.' }),
  calledOff: Type.Integer({ description: 'Cancelled or declined.' }),
}

export type InsightsView = Static<typeof InsightsView>
export const InsightsView = Type.Object({
  from: Type.String({ description: 'The first date.' }),
  to: Type.String({ description: 'The last date.' }),
  timezone: Type.String({ description: 'Your time zone, which dates and hours are in.' }),
  totals: Type.Unsafe<Record<BookingStatus, number>>(
    Type.Object(Object.fromEntries(BOOKING_STATUSES.map((status) => [status, Count]))),
  ),
  byDay: Type.Array(Type.Object({ date: Type.String(), ...counts }), { description: 'Every date.' }),
  byEventType: Type.Array(Type.Object({ eventTypeId: Type.String(), ...counts }), {
    description: 'The most booked first.',
  }),
  byHour: Type.Array(
    Type.Object({
      weekday: Type.Integer({ description: '1 is Monday.' }),
      hour: Type.Integer({ description: '0 to 23: when meetings start.' }),
      count: Count,
    }),
    { description: 'Without hours in which nothing starts.' },
  ),
  leadTimes: Type.Array(
    Type.Object({
      hours: nullable(
        Type.Integer(),
        'Booked fewer than this many hours ahead, and not in an earlier group; null: longer.',
      ),
      count: Count,
    }),
  ),
  payments: Type.Array(
    Type.Object({
      currency: Type.String(),
      paid: Type.Integer({ description: 'What came in, in the smallest unit of the currency.' }),
      refunded: Type.Integer({ description: 'What went back.' }),
    }),
    { description: 'Of bookings that you may see, by currency: money that moved in that time.' },
  ),
  routes: Type.Array(Type.Object({ formId: Type.String(), result: TargetView, count: Count }), {
    description: 'Where routing forms sent visitors in that time, most often first; at most 200.',
  }),
})

export type InsightsQuery = Static<typeof InsightsQuery>
export const InsightsQuery = Type.Object({
  from: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date; 30 days before the last by default.' }),
  ),
  to: Type.Optional(
    Type.String({ maxLength: 10, description: 'A date, included; today by default. At most 366 days.' }),
  ),
  ownerId: Type.Optional(Type.String({ description: 'You, or one of your teams.' })),
})

export const BookForGuest = Type.Object({
  eventTypeId: Type.String({ maxLength: 64 }),
  startTime: Type.String({ maxLength: 64, description: 'ISO 8601, UTC.' }),
  endTime: Type.String({
    maxLength: 64,
    description: 'ISO 8601, UTC: one of the event type’s durations later.',
  }),
  inviteeName: Type.String({ maxLength: 200 }),
  inviteeEmail: Type.String({ maxLength: 254 }),
  inviteeTimezone: Type.String({ maxLength: 64, description: 'The guest’s IANA time zone.' }),
  inviteePhone: Type.Optional(Type.String({ maxLength: 40 })),
  inviteeLocale: Type.Optional(Type.String({ maxLength: 35, description: 'A language code such as en.' })),
  locationId: Type.Optional(
    Type.String({ maxLength: 64, description: 'One of the event type’s locations; without it, the first.' }),
  ),
  guests: Type.Optional(
    Type.Array(Type.String({ maxLength: 254 }), {
      maxItems: 50,
      description: 'Email addresses of others who come; they are notified by email.',
    }),
  ),
  customFields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: 100,
      description: 'Answers to the event type’s own questions, by key.',
    }),
  ),
  inviteeNotes: Type.Optional(Type.String({ maxLength: 5000 })),
})
