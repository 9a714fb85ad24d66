// Written by `node tools/client.ts` from the OpenAPI document, and checked by `npm run check`.

import type { CallOptions, Linked } from './calls.ts'

/** How the host’s pages look. */
export interface Branding {
  /** A colour code such as #2563eb, or empty. */
  readonly primaryColor: string
  /** An address, or empty. */
  readonly logoUrl: string
}

export interface Profile {
  /** The slug in the address. */
  readonly slug: string
  /** A person, or several. */
  readonly kind: 'user' | 'team'
  /** Who they are. */
  readonly profile: {
    /** Display name. */
    readonly name: string
    /** A few words about them, or empty. */
    readonly bio: string
    /** Address of a picture, or empty. */
    readonly avatarUrl: string
    /** IANA time zone. */
    readonly timezone: string
  }
  readonly branding: Branding
  /** What can be booked, in the host’s order. Hidden event types are left out. */
  readonly eventTypes: readonly ({
    /** The `eventTypeId` of bookings. */
    readonly id: string
    /** The `eventSlug` of the other endpoints. */
    readonly slug: string
    /** Display name. */
    readonly name: string
    /** Text for guests, or empty. */
    readonly description: string
    /** Length of a meeting, unless the guest chooses another. */
    readonly durationMinutes: number
    /** The lengths in minutes that a guest can choose, `durationMinutes` among them; empty: only that one. */
    readonly durations: readonly (number)[]
    /** Where it takes place. */
    readonly location: {
      readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
    }
    /** Where a guest can choose to meet, `location` first; empty: only `location`. */
    readonly locations: readonly ({
      /** The `locationId` of `book`. */
      readonly id: string
      readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
      /** The host’s name for it, or empty. */
      readonly label: string
      /** The address of a meeting in person; empty for others until booked. */
      readonly value: string
      /** The host calls: `book` needs `inviteePhone`. */
      readonly requiresPhone: boolean
    })[]
    /** Whether bookings begin as `PendingApproval`. */
    readonly requiresApproval: boolean
    /** 1 unless several guests share a slot. */
    readonly seats: number
    /** How many `guests` a booking may have. */
    readonly maxGuests: number
    /** What `repeat` of `book` may be; null: meetings don’t repeat. */
    readonly series: {
      /** How often it may repeat. */
      readonly every: readonly ('week' | '2 weeks' | 'month')[]
      /** The most meetings of one series. */
      readonly most: number
    } | null
    /** What a meeting costs; null: nothing. `book` then answers with `paymentUrl`, where the guest pays until `payBy`. */
    readonly price: {
      /** For each person, in the smallest unit of the currency: 4900 of `EUR` is €49.00, of `JPY` ¥4900. */
      readonly amount: number
      /** As ISO 4217 writes it: `EUR`. */
      readonly currency: string
      /** By the length in minutes, where lengths differ; `amount` for all others. */
      readonly byDuration?: Readonly<Record<string, unknown>> | undefined
    } | null
  })[]
}

export interface Error {
  /** A sentence that says what to do about it. */
  readonly error: string
}

/** Ascending; dates without a free slot are left out. */
export type SlotListing = readonly ({
  /** The guest’s local date, YYYY-MM-DD. */
  readonly date: string
  /** Ascending. Pass `startTime` and `endTime` on to `book` unchanged. */
  readonly slots: readonly ({
    /** ISO 8601, UTC, whole seconds. */
    readonly startTime: string
    /** ISO 8601, UTC, whole seconds. */
    readonly endTime: string
    /** Only for event types with seats. */
    readonly seatsLeft?: number | undefined
  })[]
})[]

/** What a booking, or an answer to a form, has to pass. */
export interface AbuseConfig {
  /** Whether a filled `honeypotValue` is refused. */
  readonly enableHoneypot: boolean
  /** Whether a `captchaToken` is needed. */
  readonly enableCaptcha: boolean
  /** Whose challenge it is; empty without one. */
  readonly captchaProvider: 'altcha' | 'turnstile' | 'hcaptcha' | 'recaptcha' | ''
  /** Public key for the provider’s widget, or empty. */
  readonly captchaSiteKey: string
  /** Only if it is so: `book` needs an `emailCode`, see `verify-email`. */
  readonly confirmEmail?: boolean | undefined
  /** Only for ALTCHA: where to get a challenge. */
  readonly captchaChallengeUrl?: string | undefined
}

/** An ALTCHA challenge (version 2). */
export interface AltchaChallenge {
  /** What to solve, and until when; see ALTCHA’s documentation. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Part of the solution; leave it as it is. */
  readonly signature?: string | undefined
}

export interface BookingRequest {
  /** Slot start, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** Slot end, an ISO 8601 instant in UTC. */
  readonly endTime: string
  /** The guest’s full name. */
  readonly inviteeName: string
  /** The guest’s email address. */
  readonly inviteeEmail: string
  /** The guest’s phone number. */
  readonly inviteePhone?: string | undefined
  /** The guest wants text messages to `inviteePhone`, which must then begin with + and a country code. */
  readonly smsConsent?: boolean | undefined
  /** The guest’s IANA time zone. */
  readonly inviteeTimezone: string
  /** A language code such as en. */
  readonly inviteeLocale?: string | undefined
  /** The `id` of one of the event type’s `locations`; without it, the first. */
  readonly locationId?: string | undefined
  /** Email addresses of others who come, up to the event type’s `maxGuests`. They are notified by email; repeats and the guest’s own address are dropped. */
  readonly guests?: readonly (string)[] | undefined
  /** Answers to the event type’s own questions, by key. Keys it does not know are kept. */
  readonly customFields?: Readonly<Record<string, unknown>> | undefined
  /** Anything the guest wants to add. */
  readonly inviteeNotes?: string | undefined
  /** Where the booking comes from; `API` unless said. */
  readonly source?: 'BookingPage' | 'EmbedWidget' | 'API' | undefined
  /** The campaign that led the guest here, by what follows `utm_` in an address: `source`, `medium` … */
  readonly utm?: Readonly<Record<string, unknown>> | undefined
  /** The hidden field of a booking form. Leave it empty. */
  readonly honeypotValue?: string | undefined
  /** Needed when `abuse-config` has `confirmEmail`: the code that `verify-email` sent. */
  readonly emailCode?: string | undefined
  /** The hold that keeps this time for the guest. One that has ended does no harm. */
  readonly holdId?: string | undefined
  /** Books a series, all or none: each meeting at the same wall time in the host’s zone. A refusal names the dates that are not available. Only where the event type has `series`. */
  readonly repeat?: {
    /** `month` is the same weekday of the month; a fifth is the last. */
    readonly every: 'week' | '2 weeks' | 'month'
    /** How many meetings, the first included. */
    readonly count: number
  } | undefined
  /** Needed when the event type has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON. */
  readonly captchaToken?: string | undefined
}

export interface Booking {
  /** Identifies the booking. */
  readonly id: string
  /** The `id` of the event type. */
  readonly eventTypeId: string
  /** A new booking is `Confirmed` or `PendingApproval`; one that costs something is `PendingPayment` until it is paid, or `Expired`. */
  readonly status: 'PendingPayment' | 'PendingApproval' | 'Confirmed' | 'Declined' | 'Cancelled' | 'Expired' | 'Completed' | 'NoShow'
  /** ISO 8601, UTC, whole seconds. */
  readonly startTime: string
  /** ISO 8601, UTC, whole seconds. */
  readonly endTime: string
  /** The guest. */
  readonly invitee: {
    /** As given. */
    readonly name: string
    /** As given. */
    readonly email: string
    /** Empty if none was given. */
    readonly phone: string
    /** IANA time zone. */
    readonly timezone: string
  }
  /** Where it takes place. */
  readonly location: {
    readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
    /** An address, a number or a link, by type. */
    readonly value: string
  }
  /** ISO 8601, UTC, whole seconds. */
  readonly createdAt: string
  /** Only for a series: all its bookings share it. */
  readonly seriesId?: string | undefined
  /** Only for a series: all its meetings, in their order. */
  readonly series?: readonly ({
    /** Identifies the booking. */
    readonly id: string
    /** ISO 8601, UTC, whole seconds. */
    readonly startTime: string
    /** ISO 8601, UTC, whole seconds. */
    readonly endTime: string
    /** The guest’s page for this booking. */
    readonly manageUrl: string
  })[] | undefined
  /** Only if it costs something. */
  readonly payment?: {
    /** `authorised`: the money is only reserved until the host approves; `refunded`: in full; `failed`: never paid, or given back before it was captured. */
    readonly status: 'pending' | 'authorised' | 'paid' | 'refunded' | 'failed'
    /** In the smallest unit of the currency. */
    readonly amount: number
    /** As ISO 4217 writes it: `EUR`. */
    readonly currency: string
    /** How much of it has gone back. */
    readonly refunded: number
  } | undefined
  /** Only while it is `PendingPayment`: the page where the guest pays. */
  readonly paymentUrl?: string | undefined
  /** Only while it is `PendingPayment`: until when the time is kept. */
  readonly payBy?: string | undefined
  /** Only while it is `PendingPayment`: what is paid at `paymentUrl`, for all meetings of a series. */
  readonly amountDue?: number | undefined
}

export interface EmailCodeRequest {
  /** The guest’s email address. */
  readonly email: string
  /** The language of the email, such as en. */
  readonly locale?: string | undefined
  /** Required when CAPTCHA is enabled. Not the one for `book`. */
  readonly captchaToken?: string | undefined
}

export interface EmailCode {
  /** ISO 8601, UTC, whole seconds. */
  readonly expiresAt: string
}

export interface HoldRequest {
  /** Slot start, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** Slot end, an ISO 8601 instant in UTC. */
  readonly endTime: string
  /** Required when CAPTCHA is enabled. Not the one for `book`. */
  readonly captchaToken?: string | undefined
}

export interface Hold {
  /** For `book`, and to give the time back. */
  readonly holdId: string
  /** ISO 8601, UTC, whole seconds. */
  readonly expiresAt: string
}

/** Questions that lead a visitor on. */
export interface RoutingForm {
  /** Identifies the form. */
  readonly id: string
  /** Display name. */
  readonly name: string
  /** The slug in the address. */
  readonly slug: string
  /** Text for visitors. */
  readonly description: string | null
  /** The questions, in order. */
  readonly fields: readonly ({
    /** The key of the answer. */
    readonly id: string
    /** The question. */
    readonly label: string
    readonly type: 'select' | 'multiselect' | 'text' | 'number' | 'email' | 'phone' | 'textarea'
    /** Whether it must be answered. */
    readonly required: boolean
    /** What a `select` or `multiselect` offers; empty for every other type. */
    readonly options: readonly ({
      /** The answer to send. */
      readonly id: string
      readonly label: string
    })[]
  })[]
  readonly branding: Branding
}

export interface Leaving {
  /** The id of the furthest question. */
  readonly field: string
}

export interface Evaluation {
  /** Answers by field id: for a select the id of the option, for a multiselect a list of ids, for a number a number or text, otherwise text of at most 5,000 characters. Up to 20 answers to ids that the form does not know, of at most 200 characters each, are kept and ignored. */
  readonly answers: Readonly<Record<string, unknown>>
  /** The hidden field of the form. Leave it empty. */
  readonly honeypotValue?: string | undefined
  /** Needed when the form has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON. */
  readonly captchaToken?: string | undefined
}

export interface RoutingResult {
  readonly action: 'routeToEvent' | 'redirect' | 'message'
  /** Set when the action is routeToEvent. */
  readonly eventTypeSlug: string | null
  /** Set when the action is routeToEvent. */
  readonly eventTypeName: string | null
  /** Set when the action is redirect. */
  readonly redirectUrl: string | null
  /** Set when the action is message. */
  readonly message: string | null
  /** Only when the action is routeToEvent, and not of a dry run: pass it on as `routing` to `slots`, `hold` and `book` of the event type. It lasts 24 hours, for one booking. */
  readonly routingToken?: string | undefined
  /** Only with a `routingToken`: the booking page, with it. */
  readonly bookingUrl?: string | undefined
}

export interface OwnBooking {
  /** Identifies the booking. */
  readonly id: string
  /** The `id` of the event type. */
  readonly eventTypeId: string
  /** A new booking is `Confirmed` or `PendingApproval`; one that costs something is `PendingPayment` until it is paid, or `Expired`. */
  readonly status: 'PendingPayment' | 'PendingApproval' | 'Confirmed' | 'Declined' | 'Cancelled' | 'Expired' | 'Completed' | 'NoShow'
  /** ISO 8601, UTC, whole seconds. */
  readonly startTime: string
  /** ISO 8601, UTC, whole seconds. */
  readonly endTime: string
  /** The guest. */
  readonly invitee: {
    /** As given. */
    readonly name: string
    /** As given. */
    readonly email: string
    /** Empty if none was given. */
    readonly phone: string
    /** IANA time zone. */
    readonly timezone: string
  }
  /** Where it takes place. */
  readonly location: {
    readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
    /** An address, a number or a link, by type. */
    readonly value: string
  }
  /** ISO 8601, UTC, whole seconds. */
  readonly createdAt: string
  /** Only for a series: all its bookings share it. */
  readonly seriesId?: string | undefined
  /** Only for a series: all its meetings, in their order. */
  readonly series?: readonly ({
    /** Identifies the booking. */
    readonly id: string
    /** ISO 8601, UTC, whole seconds. */
    readonly startTime: string
    /** ISO 8601, UTC, whole seconds. */
    readonly endTime: string
    /** The guest’s page for this booking. */
    readonly manageUrl: string
  })[] | undefined
  /** What was booked. */
  readonly eventType: {
    /** The `eventSlug` of the other endpoints. */
    readonly slug: string
    /** Display name. */
    readonly name: string
    /** The event type’s current duration. */
    readonly durationMinutes: number
  }
  /** The user or team it was booked with. */
  readonly userSlug: string
  /** The host; of several, the main one. */
  readonly host: {
    /** Display name. */
    readonly name: string
    /** Where guests can write to them; empty if nowhere. */
    readonly email: string
  }
  /** Everyone who hosts it, the main host first. */
  readonly hosts: readonly ({
    /** Display name. */
    readonly name: string
    /** A picture on this server, or empty. */
    readonly avatarUrl: string
  })[]
  /** Email addresses of those whom the guest brings. */
  readonly guests: readonly (string)[]
  /** What the guest answered to the event type’s own questions. */
  readonly answers: readonly ({
    /** The question. */
    readonly label: string
    /** `true` or `false` for a checkbox. */
    readonly value: string
    /** Whether it is a checkbox. */
    readonly isTick: boolean
  })[]
  /** What the guest wanted to add, or empty. */
  readonly notes: string
  /** Why it was declined or cancelled, or empty. */
  readonly reason: string
  /** Whether the guest can cancel now. */
  readonly canCancel: boolean
  /** Whether the guest can reschedule now. */
  readonly canReschedule: boolean
  /** ISO 8601, UTC, whole seconds. */
  readonly cancelUntil: string
  /** ISO 8601, UTC, whole seconds. */
  readonly rescheduleUntil: string
  /** The guest’s page for this booking. */
  readonly manageUrl: string
  /** Empty unless the booking is `Confirmed`. */
  readonly calendarLinks: readonly ({
    /** The web calendar. */
    readonly name: 'Google' | 'Outlook.com' | 'Microsoft 365'
    /** Opens that calendar with the meeting filled in. */
    readonly url: string
  })[]
  /** Where the host wants guests to go after booking, with `bookingId` and `status`; or empty. */
  readonly returnUrl: string
  /** What it costs, and what became of that; null: it is free. */
  readonly payment: {
    /** `authorised`: the money is only reserved until the host approves; `refunded`: in full; `failed`: never paid, or given back before it was captured. */
    readonly status: 'pending' | 'authorised' | 'paid' | 'refunded' | 'failed'
    /** In the smallest unit of the currency. */
    readonly amount: number
    /** As ISO 4217 writes it: `EUR`. */
    readonly currency: string
    /** How much of it has gone back. */
    readonly refunded: number
  } | null
  /** Only while it is `PendingPayment`: the page where the guest pays. */
  readonly paymentUrl?: string | undefined
  /** Only while it is `PendingPayment`: until when the time is kept. */
  readonly payBy?: string | undefined
  /** Only while it is `PendingPayment`: what is paid at `paymentUrl`, for all meetings of a series. */
  readonly amountDue?: number | undefined
  /** If it was paid: what goes back to a guest who cancels now. */
  readonly refundIfCancelled?: number | undefined
}

export interface RescheduleRequest {
  /** Start of an available slot of the same event type, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** A message to the host. */
  readonly reason?: string | undefined
  /** Of a series: this meeting alone (`one`, unless said), or it and those that follow. */
  readonly scope?: 'one' | 'following' | undefined
}

export interface CancelRequest {
  /** A message to the host. */
  readonly reason?: string | undefined
  /** Of a series: this meeting alone (`one`, unless said), or it and those that follow. */
  readonly scope?: 'one' | 'following' | undefined
}

export interface ErasureRequest {
  /** The guest’s own email address. */
  readonly email: string
  /** The six digits from the email. Left out: one is sent. */
  readonly code?: string | undefined
  /** The language of the email, such as en. */
  readonly locale?: string | undefined
}

export interface Erasure {
  /** ISO 8601, UTC, whole seconds. */
  readonly expiresAt?: string | undefined
  /** Erased bookings: made by the guest, or by others who brought them. */
  readonly bookings?: number | undefined
  /** Erased responses to routing forms. */
  readonly responses?: number | undefined
}

export interface ProfileWidget {
  readonly kind: 'profile'
  /** Display name. */
  readonly name: string
  /** The page that the widget shows. */
  readonly url: string
  readonly branding: Branding
  readonly theme: 'light' | 'dark' | 'auto'
  /** The host’s language, such as en. */
  readonly locale: string
  /** What can be booked, in the host’s order. */
  readonly eventTypes: readonly ({
    readonly slug: string
    readonly name: string
    readonly durationMinutes: number
    /** The lengths in minutes that a guest can choose, `durationMinutes` among them; empty: only that one. */
    readonly durations: readonly (number)[]
    /** The booking page. */
    readonly url: string
  })[]
}

export interface EventWidget {
  readonly kind: 'event'
  /** Display name. */
  readonly name: string
  /** The page that the widget shows. */
  readonly url: string
  readonly branding: Branding
  readonly theme: 'light' | 'dark' | 'auto'
  /** The host’s language, such as en. */
  readonly locale: string
  readonly description: string
  readonly durationMinutes: number
  /** The lengths in minutes that a guest can choose, `durationMinutes` among them; empty: only that one. */
  readonly durations: readonly (number)[]
  readonly location: {
    readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
  }
  /** Where a guest can choose to meet, `location` first; empty: only `location`. */
  readonly locations: readonly ({
    /** The `locationId` of `book`. */
    readonly id: string
    readonly type: 'InPerson' | 'Phone' | 'Video' | 'Link'
    /** The host’s name for it, or empty. */
    readonly label: string
    /** The address of a meeting in person; empty for others until booked. */
    readonly value: string
    /** The host calls: `book` needs `inviteePhone`. */
    readonly requiresPhone: boolean
  })[]
  readonly requiresApproval: boolean
  /** 1 unless several guests share a slot. */
  readonly seats: number
  /** How many `guests` a booking may have. */
  readonly maxGuests: number
  /** What `repeat` of `book` may be; null: meetings don’t repeat. */
  readonly series: {
    /** How often it may repeat. */
    readonly every: readonly ('week' | '2 weeks' | 'month')[]
    /** The most meetings of one series. */
    readonly most: number
  } | null
  /** What a meeting costs; null: nothing. `book` then answers with `paymentUrl`, where the guest pays until `payBy`. */
  readonly price: {
    /** For each person, in the smallest unit of the currency: 4900 of `EUR` is €49.00, of `JPY` ¥4900. */
    readonly amount: number
    /** As ISO 4217 writes it: `EUR`. */
    readonly currency: string
    /** By the length in minutes, where lengths differ; `amount` for all others. */
    readonly byDuration?: Readonly<Record<string, unknown>> | undefined
  } | null
  /** The event type’s own questions. */
  readonly questions: readonly ({
    /** The key of the answer in `customFields`. */
    readonly key: string
    /** The question. */
    readonly label: string
    readonly type: 'text' | 'textarea' | 'select' | 'radio' | 'multiselect' | 'checkbox' | 'number' | 'phone' | 'email' | 'url'
    readonly required: boolean
    /** What a `select`, `radio` or `multiselect` offers; empty for every other type. */
    readonly options: readonly (string)[]
    /** The page doesn’t show it: what leads there answers it. */
    readonly hidden?: boolean | undefined
  })[]
  /** Ask guests if they want text messages: `inviteePhone` and `smsConsent` in `book`. */
  readonly sms?: 'true' | undefined
  readonly abuseConfig: AbuseConfig
  /** Where to list slots. */
  readonly slotsUrl: string
  /** Where to book. */
  readonly bookUrl: string
  /** Sites that may show the page in a frame, such as https://www.example.com; empty: all. */
  readonly allowedOrigins: readonly (string)[]
  /** Where the page goes after booking, with `bookingId` and `status` added; empty: nowhere. */
  readonly returnUrl: string
}

export interface FormWidget {
  readonly kind: 'form'
  /** Display name. */
  readonly name: string
  /** The page that the widget shows. */
  readonly url: string
  readonly branding: Branding
  readonly theme: 'light' | 'dark' | 'auto'
  /** The host’s language, such as en. */
  readonly locale: string
  readonly form: RoutingForm
  readonly abuseConfig: AbuseConfig
  /** Where to send the answers. */
  readonly evaluateUrl: string
}

/** What `getProfile` takes: a scheduler’s public profile with event types. */
export interface GetProfileInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
}

/** What `listSlots` takes: free slots of an event type, grouped by the guest’s date. */
export interface ListSlotsInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** First date in the guest’s zone, YYYY-MM-DD. */
  readonly dateFrom: string
  /** Last date in the guest’s zone, YYYY-MM-DD; at most 92 days. */
  readonly dateTo: string
  /** The guest’s IANA time zone. */
  readonly timezone: string
  /** Length of the meeting in minutes, one of `durations`; without it, `durationMinutes`. */
  readonly duration?: string | undefined
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
}

/** What `getAbuseConfig` takes: which abuse-prevention measures are active. */
export interface GetAbuseConfigInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
}

/** What `getChallenge` takes: a fresh ALTCHA challenge. */
export interface GetChallengeInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
}

/** What `book` takes: book a slot. */
export interface BookInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
  /** Of your choosing, 1 to 255 visible ASCII characters. The same key and body give the first answer again for 24 hours; with another body it is 400. */
  readonly idempotencyKey?: string | undefined
  /** Slot start, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** Slot end, an ISO 8601 instant in UTC. */
  readonly endTime: string
  /** The guest’s full name. */
  readonly inviteeName: string
  /** The guest’s email address. */
  readonly inviteeEmail: string
  /** The guest’s phone number. */
  readonly inviteePhone?: string | undefined
  /** The guest wants text messages to `inviteePhone`, which must then begin with + and a country code. */
  readonly smsConsent?: boolean | undefined
  /** The guest’s IANA time zone. */
  readonly inviteeTimezone: string
  /** A language code such as en. */
  readonly inviteeLocale?: string | undefined
  /** The `id` of one of the event type’s `locations`; without it, the first. */
  readonly locationId?: string | undefined
  /** Email addresses of others who come, up to the event type’s `maxGuests`. They are notified by email; repeats and the guest’s own address are dropped. */
  readonly guests?: readonly (string)[] | undefined
  /** Answers to the event type’s own questions, by key. Keys it does not know are kept. */
  readonly customFields?: Readonly<Record<string, unknown>> | undefined
  /** Anything the guest wants to add. */
  readonly inviteeNotes?: string | undefined
  /** Where the booking comes from; `API` unless said. */
  readonly source?: 'BookingPage' | 'EmbedWidget' | 'API' | undefined
  /** The campaign that led the guest here, by what follows `utm_` in an address: `source`, `medium` … */
  readonly utm?: Readonly<Record<string, unknown>> | undefined
  /** The hidden field of a booking form. Leave it empty. */
  readonly honeypotValue?: string | undefined
  /** Needed when `abuse-config` has `confirmEmail`: the code that `verify-email` sent. */
  readonly emailCode?: string | undefined
  /** The hold that keeps this time for the guest. One that has ended does no harm. */
  readonly holdId?: string | undefined
  /** Books a series, all or none: each meeting at the same wall time in the host’s zone. A refusal names the dates that are not available. Only where the event type has `series`. */
  readonly repeat?: {
    /** `month` is the same weekday of the month; a fifth is the last. */
    readonly every: 'week' | '2 weeks' | 'month'
    /** How many meetings, the first included. */
    readonly count: number
  } | undefined
  /** Needed when the event type has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON. */
  readonly captchaToken?: string | undefined
}

/** What `verifyEmail` takes: email a code to a guest. */
export interface VerifyEmailInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
  /** The guest’s email address. */
  readonly email: string
  /** The language of the email, such as en. */
  readonly locale?: string | undefined
  /** Required when CAPTCHA is enabled. Not the one for `book`. */
  readonly captchaToken?: string | undefined
}

/** What `hold` takes: hold a slot for five minutes. */
export interface HoldInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
  /** Slot start, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** Slot end, an ISO 8601 instant in UTC. */
  readonly endTime: string
  /** Required when CAPTCHA is enabled. Not the one for `book`. */
  readonly captchaToken?: string | undefined
}

/** What `releaseHold` takes: give a held slot back. */
export interface ReleaseHoldInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** From the answer to `hold`. */
  readonly holdId: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
}

/** What `getRoutingForm` takes: a routing form. */
export interface GetRoutingFormInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
}

/** What `getFormAbuseConfig` takes: which abuse-prevention measures a form has. */
export interface GetFormAbuseConfigInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
}

/** What `getFormChallenge` takes: a fresh ALTCHA challenge for a form. */
export interface GetFormChallengeInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
}

/** What `leaveRoutingForm` takes: where a visitor left a form. */
export interface LeaveRoutingFormInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
  /** The id of the furthest question. */
  readonly field: string
}

/** What `evaluateRoutingForm` takes: where these answers lead. */
export interface EvaluateRoutingFormInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
  /** `true`: say where the answers lead, and record nothing. */
  readonly dryRun?: 'true' | 'false' | '' | undefined
  /** Answers by field id: for a select the id of the option, for a multiselect a list of ids, for a number a number or text, otherwise text of at most 5,000 characters. Up to 20 answers to ids that the form does not know, of at most 200 characters each, are kept and ignored. */
  readonly answers: Readonly<Record<string, unknown>>
  /** The hidden field of the form. Leave it empty. */
  readonly honeypotValue?: string | undefined
  /** Needed when the form has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON. */
  readonly captchaToken?: string | undefined
}

/** What `getOwnBooking` takes: a booking, for the guest who made it. */
export interface GetOwnBookingInput {
  /** The `id` of the booking. */
  readonly id: string
  /** From the guest’s link. Anyone who has it can do this. */
  readonly token: string
}

/** What `listOwnSlots` takes: where a booking may move. */
export interface ListOwnSlotsInput {
  /** The `id` of the booking. */
  readonly id: string
  /** From the guest’s link. Anyone who has it can do this. */
  readonly token: string
  /** First date in the guest’s zone, YYYY-MM-DD. */
  readonly dateFrom: string
  /** Last date in the guest’s zone, YYYY-MM-DD; at most 92 days. */
  readonly dateTo: string
  /** The guest’s IANA time zone. */
  readonly timezone: string
}

/** What `getOwnCalendarFile` takes: a booking as a calendar file. */
export interface GetOwnCalendarFileInput {
  /** The `id` of the booking. */
  readonly id: string
  /** From the guest’s link. Anyone who has it can do this. */
  readonly token: string
}

/** What `rescheduleOwnBooking` takes: move a booking to another slot. */
export interface RescheduleOwnBookingInput {
  /** The `id` of the booking. */
  readonly id: string
  /** From the guest’s link. Anyone who has it can do this. */
  readonly token: string
  /** Start of an available slot of the same event type, an ISO 8601 instant in UTC. */
  readonly startTime: string
  /** A message to the host. */
  readonly reason?: string | undefined
  /** Of a series: this meeting alone (`one`, unless said), or it and those that follow. */
  readonly scope?: 'one' | 'following' | undefined
}

/** What `cancelOwnBooking` takes: cancel a booking. */
export interface CancelOwnBookingInput {
  /** The `id` of the booking. */
  readonly id: string
  /** From the guest’s link. Anyone who has it can do this. */
  readonly token: string
  /** A message to the host. */
  readonly reason?: string | undefined
  /** Of a series: this meeting alone (`one`, unless said), or it and those that follow. */
  readonly scope?: 'one' | 'following' | undefined
}

/** What `eraseMyData` takes: erase a guest’s own data. */
export interface EraseMyDataInput {
  /** The guest’s own email address. */
  readonly email: string
  /** The six digits from the email. Left out: one is sent. */
  readonly code?: string | undefined
  /** The language of the email, such as en. */
  readonly locale?: string | undefined
}

/** What `getProfileWidget` takes: widget configuration of a profile. */
export interface GetProfileWidgetInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
}

/** What `getEventWidget` takes: widget configuration of an event type. */
export interface GetEventWidgetInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their event types. */
  readonly eventSlug: string
  /** The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404. */
  readonly link?: string | undefined
  /** The `routingToken` that `evaluate` gave for this event type: narrows its hosts to those of the route, and opens it if it needs a link. It lasts 24 hours, for one booking; then it is 400. */
  readonly routing?: string | undefined
}

/** What `getFormWidget` takes: widget configuration of a routing form. */
export interface GetFormWidgetInput {
  /** Slug of a user or a team. */
  readonly userSlug: string
  /** Slug of one of their routing forms. */
  readonly formSlug: string
}

/** Every operation of the public interface. */
export interface Punctual {
  /**
   * A scheduler’s public profile with event types.
   *
   * Who can be booked here, for what, and how their pages look. Users and teams share one namespace.
   */
  getProfile(input: GetProfileInput, options?: CallOptions): Promise<Profile>

  /**
   * Free slots of an event type, grouped by the guest’s date.
   *
   * Every slot listed can be booked, and no other. A slot belongs to the date on which it starts in the guest’s zone. Both dates are included.
   */
  listSlots(input: ListSlotsInput, options?: CallOptions): Promise<SlotListing>

  /**
   * Which abuse-prevention measures are active.
   *
   * Ask before showing a booking form: it says whether `book` will need a CAPTCHA token.
   */
  getAbuseConfig(input: GetAbuseConfigInput, options?: CallOptions): Promise<AbuseConfig>

  /**
   * A fresh ALTCHA challenge.
   *
   * For event types whose `captchaProvider` is `altcha`: a proof-of-work puzzle, solved by ALTCHA’s widget or by `altcha-lib`. It lasts 20 minutes; each solution books once.
   */
  getChallenge(input: GetChallengeInput, options?: CallOptions): Promise<AltchaChallenge>

  /**
   * Book a slot.
   *
   * Takes a listed slot for a guest. The answer is `Confirmed`, or `PendingApproval` when the host decides; either way the slot is held.
   *
   * If the event type has a `price`, it is `PendingPayment`, with `paymentUrl`, where the guest pays, and `payBy`, until when the slot is held. Nobody is notified before it is paid. Then it is `Confirmed`, or `PendingApproval` with the money only reserved; unpaid, it becomes `Expired`, and the slot is free. If the page for the payment can’t be made, the answer is 503, and nothing is booked.
   *
   * Checked in this order, and the first failure is the answer: rate limit, address, body, honeypot, CAPTCHA, whether the booking can be accepted, duplicate, slot. Each client address may try 15 times a minute over all event types; some event types allow fewer.
   *
   * The answer’s `Location` is the guest’s own link to the booking, with a token: there it can be looked at, rescheduled and cancelled.
   *
   * To retry safely, send an `Idempotency-Key`: the same key and body get the first answer again, and book only once. A 503 means that nothing was booked. A 504, which is rare, means that this is not known: send the same key and body again.
   */
  book(input: BookInput, options?: CallOptions): Promise<Booking & Linked>

  /**
   * Email a code to a guest.
   *
   * For event types whose `abuse-config` has `confirmEmail`; 404 for others. The six digits are the `emailCode` of `book`: they work once, for ten minutes and five tries, for this event type and exactly this address. A newer code ends the older. Where `book` needs a CAPTCHA token, this needs one of its own. Counted by the rate limit of `book`; a client can have ten codes an hour sent to an address, and five to one that never answered us.
   */
  verifyEmail(input: VerifyEmailInput, options?: CallOptions): Promise<EmailCode>

  /**
   * Hold a slot for five minutes.
   *
   * Keeps a listed slot for a guest who fills in the form: until then only `book` with this `holdId` takes it. A client address (of IPv6, a /48) can hold three times of an event type; a fourth replaces the oldest. Of a host, a tenth of the open times can be held, at least five; beyond that, 429. Where `book` needs a CAPTCHA token, `hold` needs one of its own. Counted by the rate limit of `book`. 404 where the host has not turned it on.
   */
  hold(input: HoldInput, options?: CallOptions): Promise<Hold>

  /**
   * Give a held slot back.
   *
   * The slot is free again at once. A hold that has ended, or was booked, is answered the same.
   */
  releaseHold(input: ReleaseHoldInput, options?: CallOptions): Promise<null>

  /**
   * A routing form.
   *
   * The questions to ask a visitor.
   */
  getRoutingForm(input: GetRoutingFormInput, options?: CallOptions): Promise<RoutingForm>

  /**
   * Which abuse-prevention measures a form has.
   *
   * Ask before showing the form: it says whether `evaluate` will need a CAPTCHA token.
   */
  getFormAbuseConfig(input: GetFormAbuseConfigInput, options?: CallOptions): Promise<AbuseConfig>

  /**
   * A fresh ALTCHA challenge for a form.
   *
   * For forms whose `captchaProvider` is `altcha`: a proof-of-work puzzle, as for event types. It lasts 20 minutes; each solution is good for one evaluation.
   */
  getFormChallenge(input: GetFormChallengeInput, options?: CallOptions): Promise<AltchaChallenge>

  /**
   * Where a visitor left a form.
   *
   * Send it when a visitor leaves the form without an answer, with the furthest question they came to: the host then sees where visitors give up. Only a number is kept.
   *
   * Each client address may send 30 a minute over all forms, and 300 a minute are counted for a form.
   */
  leaveRoutingForm(input: LeaveRoutingFormInput, options?: CallOptions): Promise<null>

  /**
   * Where these answers lead.
   *
   * Routes a visitor to an event type, to another address or to a message, and records the answers with where they led. Fields of the result that do not apply are null.
   *
   * Checked in this order, and the first failure is the answer: rate limit, address, answers, honeypot, CAPTCHA, whether the answers can be accepted. Dry runs are checked in the same way.
   *
   * Each client address may try 30 times a minute over all forms, and a form answers 300 a minute, dry runs included.
   */
  evaluateRoutingForm(input: EvaluateRoutingFormInput, options?: CallOptions): Promise<RoutingResult>

  /**
   * A booking, for the guest who made it.
   *
   * Its status, and whether it can still be cancelled or rescheduled. The URL with its token is the `Location` of the response to `book`.
   */
  getOwnBooking(input: GetOwnBookingInput, options?: CallOptions): Promise<OwnBooking>

  /**
   * Where a booking may move.
   *
   * The slots to reschedule to, at the booking’s own length. Unlike the slots of the event type, the booking’s own time does not stand in the way of others, nor does it count for limits; its own start is left out. Both dates are included.
   */
  listOwnSlots(input: ListOwnSlotsInput, options?: CallOptions): Promise<SlotListing>

  /**
   * A booking as a calendar file.
   *
   * The same event as in the emailed invitation: same `UID`, same `SEQUENCE`, so later emails update and cancel it. A cancelled booking has `STATUS:CANCELLED`; a pending one has no file yet (409).
   */
  getOwnCalendarFile(input: GetOwnCalendarFileInput, options?: CallOptions): Promise<string>

  /**
   * Move a booking to another slot.
   *
   * Takes the new slot and frees the old one; if that fails, nothing changes. The `id` stays the same. If the event type requires approval, the booking is `PendingApproval` again. Safe to repeat.
   */
  rescheduleOwnBooking(input: RescheduleOwnBookingInput, options?: CallOptions): Promise<OwnBooking>

  /**
   * Cancel a booking.
   *
   * Frees its slot. Safe to repeat.
   */
  cancelOwnBooking(input: CancelOwnBookingInput, options?: CallOptions): Promise<OwnBooking>

  /**
   * Erase a guest’s own data.
   *
   * In two steps. Without `code`, six digits are emailed to the address (202); the answer is the same for every address, known or not. With `code`, everything that is stored about the address is erased, upcoming bookings are cancelled, and the answer comes when that is done (200). A code works once, for ten minutes; a client can have three an hour sent to an address, and try ten. Bookings stay as “Erased guest”, so that hosts’ counts do.
   */
  eraseMyData(input: EraseMyDataInput, options?: CallOptions): Promise<Erasure>

  /**
   * Widget configuration of a profile.
   *
   * What a widget that shows a whole profile needs.
   */
  getProfileWidget(input: GetProfileWidgetInput, options?: CallOptions): Promise<ProfileWidget>

  /**
   * Widget configuration of an event type.
   *
   * What a widget for one event type needs: its questions, its protection, where to list and to book.
   */
  getEventWidget(input: GetEventWidgetInput, options?: CallOptions): Promise<EventWidget>

  /**
   * Widget configuration of a routing form.
   *
   * What a widget for a routing form needs: the form, its protection, and where to send the answers.
   */
  getFormWidget(input: GetFormWidgetInput, options?: CallOptions): Promise<FormWidget>
}

export type OperationName = keyof Punctual

/** Where each operation is, and what goes where. */
export const OPERATIONS = {
  getProfile: {
    method: 'GET',
    path: '/api/public/scheduling/{userSlug}',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  listSlots: {
    method: 'GET',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/slots',
    query: ['dateFrom', 'dateTo', 'timezone', 'duration', 'link', 'routing'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getAbuseConfig: {
    method: 'GET',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/abuse-config',
    query: ['link', 'routing'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getChallenge: {
    method: 'GET',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/challenge',
    query: ['link', 'routing'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  book: {
    method: 'POST',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/book',
    query: ['link', 'routing'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    body: ['startTime', 'endTime', 'inviteeName', 'inviteeEmail', 'inviteePhone', 'smsConsent', 'inviteeTimezone', 'inviteeLocale', 'locationId', 'guests', 'customFields', 'inviteeNotes', 'source', 'utm', 'honeypotValue', 'emailCode', 'holdId', 'repeat', 'captchaToken'],
    answer: 'application/json',
    linked: true,
  },
  verifyEmail: {
    method: 'POST',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/verify-email',
    query: ['link', 'routing'],
    headers: {},
    body: ['email', 'locale', 'captchaToken'],
    answer: 'application/json',
    linked: false,
  },
  hold: {
    method: 'POST',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/hold',
    query: ['link', 'routing'],
    headers: {},
    body: ['startTime', 'endTime', 'captchaToken'],
    answer: 'application/json',
    linked: false,
  },
  releaseHold: {
    method: 'DELETE',
    path: '/api/public/scheduling/{userSlug}/{eventSlug}/hold/{holdId}',
    query: ['link', 'routing'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getRoutingForm: {
    method: 'GET',
    path: '/api/public/routing/{userSlug}/{formSlug}',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getFormAbuseConfig: {
    method: 'GET',
    path: '/api/public/routing/{userSlug}/{formSlug}/abuse-config',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getFormChallenge: {
    method: 'GET',
    path: '/api/public/routing/{userSlug}/{formSlug}/challenge',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  leaveRoutingForm: {
    method: 'POST',
    path: '/api/public/routing/{userSlug}/{formSlug}/left',
    query: [],
    headers: {},
    body: ['field'],
    answer: 'application/json',
    linked: false,
  },
  evaluateRoutingForm: {
    method: 'POST',
    path: '/api/public/routing/{userSlug}/{formSlug}/evaluate',
    query: ['dryRun'],
    headers: {},
    body: ['answers', 'honeypotValue', 'captchaToken'],
    answer: 'application/json',
    linked: false,
  },
  getOwnBooking: {
    method: 'GET',
    path: '/api/public/bookings/{id}',
    query: ['token'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  listOwnSlots: {
    method: 'GET',
    path: '/api/public/bookings/{id}/slots',
    query: ['token', 'dateFrom', 'dateTo', 'timezone'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getOwnCalendarFile: {
    method: 'GET',
    path: '/api/public/bookings/{id}/calendar.ics',
    query: ['token'],
    headers: {},
    body: undefined,
    answer: 'text/calendar',
    linked: false,
  },
  rescheduleOwnBooking: {
    method: 'POST',
    path: '/api/public/bookings/{id}/reschedule',
    query: ['token'],
    headers: {},
    body: ['startTime', 'reason', 'scope'],
    answer: 'application/json',
    linked: false,
  },
  cancelOwnBooking: {
    method: 'POST',
    path: '/api/public/bookings/{id}/cancel',
    query: ['token'],
    headers: {},
    body: ['reason', 'scope'],
    answer: 'application/json',
    linked: false,
  },
  eraseMyData: {
    method: 'POST',
    path: '/api/public/erasures',
    query: [],
    headers: {},
    body: ['email', 'code', 'locale'],
    answer: 'application/json',
    linked: false,
  },
  getProfileWidget: {
    method: 'GET',
    path: '/api/embed/{userSlug}',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getEventWidget: {
    method: 'GET',
    path: '/api/embed/{userSlug}/{eventSlug}',
    query: ['link', 'routing'],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
  getFormWidget: {
    method: 'GET',
    path: '/api/embed/routing/{userSlug}/{formSlug}',
    query: [],
    headers: {},
    body: undefined,
    answer: 'application/json',
    linked: false,
  },
} as const
