import { BOOKING_SOURCES, BOOKING_STATUSES } from '../../domain/bookings/booking.ts'
import { CAPTCHA_PROVIDERS } from '../../domain/event-types/event-type.ts'
import { LOCATION_TYPES } from '../../domain/event-types/location.ts'
import { QUESTION_TYPES } from '../../domain/event-types/questions.ts'
import { SERIES_STEPS } from '../../domain/event-types/series-offer.ts'
import { PAYMENT_STATUSES } from '../../domain/payments/payment.ts'
import { PUBLIC_EVENT_TYPE } from '../../format/event-type-schema.ts'
import { list, oneOf } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'

const userSlug = Type.String({ description: 'Slug of a user or a team.' })
export const UserPath = Type.Object({ userSlug })
export const EventPath = Type.Object({
  userSlug,
  eventSlug: Type.String({ description: 'Slug of one of their event types.' }),
})

export const Branding = Type.Object(
  {
    primaryColor: Type.String({ description: 'A colour code such as #2563eb, or empty.' }),
    logoUrl: Type.String({ description: 'An address, or empty.' }),
  },
  { title: 'Branding', description: 'How the host’s pages look.' },
)

/** The questions of an event type; `options` describes those of choices. */
export const questionsView = (options: string) =>
  list(
    Type.Object({
      key: Type.String({ description: 'The key of the answer in `customFields`.' }),
      label: Type.String({ description: 'The question.' }),
      type: oneOf(QUESTION_TYPES),
      required: Type.Boolean(),
      options: list(Type.String(), { description: options }),
      hidden: Type.Optional(
        Type.Boolean({ description: 'The page doesn’t show it: what leads there answers it.' }),
      ),
    }),
    { description: 'The event type’s own questions.' },
  )

export const ProfileView = Type.Object(
  {
    slug: Type.String({ description: 'The slug in the address.' }),
    kind: oneOf(['user', 'team'], 'A person, or several.'),
    profile: Type.Object(
      {
        name: Type.String({ description: 'Display name.' }),
        bio: Type.String({ description: 'A few words about them, or empty.' }),
        avatarUrl: Type.String({ description: 'Address of a picture, or empty.' }),
        timezone: Type.String({ description: 'IANA time zone.' }),
      },
      { description: 'Who they are.' },
    ),
    branding: Branding,
    eventTypes: list(Type.Object(PUBLIC_EVENT_TYPE), {
      description: 'What can be booked, in the host’s order. Hidden event types are left out.',
    }),
  },
  { title: 'Profile' },
)

/** What a guest came with, on everything that they do with its event type. */
export const AccessQuery = Type.Object({
  link: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404.',
    }),
  ),
  routing: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400.',
    }),
  ),
})

export const SlotQuery = Type.Object({
  dateFrom: Type.String({ description: 'First date in the guest’s zone, YYYY-MM-DD.' }),
  dateTo: Type.String({ description: 'Last date in the guest’s zone, YYYY-MM-DD; at most 92 days.' }),
  timezone: Type.String({ description: 'The guest’s IANA time zone.' }),
  duration: Type.Optional(
    Type.String({
      description: 'Length of the meeting in minutes, one of `durations`; without it, `durationMinutes`.',
    }),
  ),
})

export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, whole seconds.' })

export const SlotListing = Type.Array(
  Type.Object({
    date: Type.String({ description: 'The guest’s local date, YYYY-MM-DD.' }),
    slots: Type.Array(
      Type.Object({
        startTime: Instant,
        endTime: Instant,
        seatsLeft: Type.Optional(Type.Integer({ description: 'Only for event types with seats.' })),
      }),
      { description: 'Ascending. Pass `startTime` and `endTime` on to `book` unchanged.' },
    ),
  }),
  { title: 'SlotListing', description: 'Ascending; dates without a free slot are left out.' },
)

export const AbuseConfig = Type.Object(
  {
    enableHoneypot: Type.Boolean({ description: 'Whether a filled `honeypotValue` is refused.' }),
    enableCaptcha: Type.Boolean({ description: 'Whether a `captchaToken` is needed.' }),
    captchaProvider: oneOf([...CAPTCHA_PROVIDERS, ''], 'Whose challenge it is; empty without one.'),
    captchaSiteKey: Type.String({ description: 'Public key for the provider’s widget, or empty.' }),
    confirmEmail: Type.Optional(
      Type.Boolean({ description: 'Only if it is so: `book` needs an `emailCode`, see `verify-email`.' }),
    ),
    captchaChallengeUrl: Type.Optional(
      Type.String({ description: 'Only for ALTCHA: where to get a challenge.' }),
    ),
  },
  { title: 'AbuseConfig', description: 'What a booking, or an answer to a form, has to pass.' },
)

export const Challenge = Type.Object(
  {
    parameters: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'What to solve, and until when; see ALTCHA’s documentation.',
      },
    ),
    signature: Type.Optional(Type.String({ description: 'Part of the solution; leave it as it is.' })),
  },
  { title: 'AltchaChallenge', additionalProperties: true, description: 'An ALTCHA challenge (version 2).' },
)

export const CreateBooking = Type.Object(
  {
    startTime: Type.String({ maxLength: 64, description: 'Slot start, an ISO 8601 instant in UTC.' }),
    endTime: Type.String({ maxLength: 64, description: 'Slot end, an ISO 8601 instant in UTC.' }),
    inviteeName: Type.String({ maxLength: 200, description: 'The guest’s full name.' }),
    inviteeEmail: Type.String({ maxLength: 254, description: 'The guest’s email address.' }),
    inviteePhone: Type.Optional(Type.String({ maxLength: 40, description: 'The guest’s phone number.' })),
    smsConsent: Type.Optional(
      Type.Boolean({
        description:
          'The guest wants text messages to `inviteePhone`, which must then begin with + and a country code.',
      }),
    ),
    inviteeTimezone: Type.String({ maxLength: 64, description: 'The guest’s IANA time zone.' }),
    inviteeLocale: Type.Optional(Type.String({ maxLength: 35, description: 'A language code such as en.' })),
    locationId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The `id` of one of the event type’s `locations`; without it, the first.',
      }),
    ),
    guests: Type.Optional(
      Type.Array(Type.String({ maxLength: 254 }), {
        maxItems: 50,
        description:
          'Email addresses of others who come, up to the event type’s `maxGuests`. They are notified by email; repeats and the guest’s own address are dropped.',
      }),
    ),
    customFields: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        maxProperties: 100,
        description: 'Answers to the event type’s own questions, by key. Keys it does not know are kept.',
      }),
    ),
    inviteeNotes: Type.Optional(
      Type.String({ maxLength: 5000, description: 'Anything the guest wants to add.' }),
    ),
    source: Type.Optional(oneOf(BOOKING_SOURCES, 'Where the booking comes from; `API` unless said.')),
    utm: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        maxProperties: 20,
        additionalProperties: { type: 'string', maxLength: 500 },
        description:
          'The campaign that led the guest here, by what follows `utm_` in an address: `source`, `medium` …',
      }),
    ),
    honeypotValue: Type.Optional(
      Type.String({ description: 'The hidden field of a booking form. Leave it empty.' }),
    ),
    emailCode: Type.Optional(
      Type.String({
        maxLength: 20,
        description: 'Needed when `abuse-config` has `confirmEmail`: the code that `verify-email` sent.',
      }),
    ),
    holdId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The hold that keeps this time for the guest. One that has ended does no harm.',
      }),
    ),
    repeat: Type.Optional(
      Type.Object(
        {
          every: oneOf(SERIES_STEPS, '`month` is the same weekday of the month; a fifth is the last.'),
          count: Type.Integer({ description: 'How many meetings, the first included.' }),
        },
        {
          description:
            'Books a series, all or none: each meeting at the same wall time in the host’s zone. A refusal names the dates that are not available. Only where the event type has `series`.',
        },
      ),
    ),
    captchaToken: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description:
          'Needed when the event type has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON.',
      }),
    ),
  },
  { title: 'BookingRequest' },
)

export const VerifyEmail = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'The guest’s email address.' }),
    locale: Type.Optional(
      Type.String({ maxLength: 35, description: 'The language of the email, such as en.' }),
    ),
    captchaToken: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'Required when CAPTCHA is enabled. Not the one for `book`.',
      }),
    ),
  },
  { title: 'EmailCodeRequest' },
)

export const EmailCodeView = Type.Object({ expiresAt: Instant }, { title: 'EmailCode' })

export const CreateHold = Type.Object(
  {
    startTime: Type.String({ maxLength: 64, description: 'Slot start, an ISO 8601 instant in UTC.' }),
    endTime: Type.String({ maxLength: 64, description: 'Slot end, an ISO 8601 instant in UTC.' }),
    captchaToken: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'Required when CAPTCHA is enabled. Not the one for `book`.',
      }),
    ),
  },
  { title: 'HoldRequest' },
)

export const HoldView = Type.Object(
  {
    holdId: Type.String({ description: 'For `book`, and to give the time back.' }),
    expiresAt: Instant,
  },
  { title: 'Hold' },
)

export const BookHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Of your choosing, 1 to 255 visible ASCII characters. The same key and body give the first answer again for 24 hours; with another body it is 400.',
    }),
  ),
})

/** The fields of a booking that its guest may see. */
export const BookingView = Type.Object({
  id: Type.String({ description: 'Identifies the booking.' }),
  eventTypeId: Type.String({ description: 'The `id` of the event type.' }),
  status: oneOf(
    BOOKING_STATUSES,
    'A new booking is `Confirmed` or `PendingApproval`; one that costs something is `PendingPayment` until it is paid, or `Expired`.',
  ),
  startTime: Instant,
  endTime: Instant,
  invitee: Type.Object(
    {
      name: Type.String({ description: 'As given.' }),
      email: Type.String({ description: 'As given.' }),
      phone: Type.String({ description: 'Empty if none was given.' }),
      timezone: Type.String({ description: 'IANA time zone.' }),
    },
    { description: 'The guest.' },
  ),
  location: Type.Object(
    {
      type: oneOf(LOCATION_TYPES),
      value: Type.String({ description: 'An address, a number or a link, by type.' }),
    },
    { description: 'Where it takes place.' },
  ),
  createdAt: Instant,
})

const SeriesMeeting = Type.Object({
  id: Type.String({ description: 'Identifies the booking.' }),
  startTime: Instant,
  endTime: Instant,
  manageUrl: Type.String({ description: 'The guest’s page for this booking.' }),
})

/** What a booking of a series adds to the others. */
export const seriesFields = {
  seriesId: Type.Optional(Type.String({ description: 'Only for a series: all its bookings share it.' })),
  series: Type.Optional(
    Type.Array(SeriesMeeting, { description: 'Only for a series: all its meetings, in their order.' }),
  ),
}

export const PaymentView = Type.Object({
  status: oneOf(
    PAYMENT_STATUSES,
    '`authorised`: the money is only reserved until the host approves; `refunded`: in full; `failed`: never paid, or given back before it was captured.',
  ),
  amount: Type.Integer({ description: 'In the smallest unit of the currency.' }),
  currency: Type.String({ description: 'As ISO 4217 writes it: `EUR`.' }),
  refunded: Type.Integer({ description: 'How much of it has gone back.' }),
})

/** Where and until when a guest pays. */
export const paymentFields = {
  paymentUrl: Type.Optional(
    Type.String({ description: 'Only while it is `PendingPayment`: the page where the guest pays.' }),
  ),
  payBy: Type.Optional({
    ...Instant,
    description: 'Only while it is `PendingPayment`: until when the time is kept.',
  }),
  amountDue: Type.Optional(
    Type.Integer({
      description:
        'Only while it is `PendingPayment`: what is paid at `paymentUrl`, for all meetings of a series.',
    }),
  ),
}

export const NewBookingView = Type.Object(
  {
    ...BookingView.properties,
    ...seriesFields,
    payment: Type.Optional({ ...PaymentView, description: 'Only if it costs something.' }),
    ...paymentFields,
  },
  { title: 'Booking' },
)
