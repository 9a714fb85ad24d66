import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Booking } from '../../domain/bookings/booking.ts'
import { BOOKING_SOURCES, BOOKING_STATUSES, shownLocation } from '../../domain/bookings/booking.ts'
import { CAPTCHA_PROVIDERS, type EventType } from '../../domain/event-types/event-type.ts'
import { hostCalls, LOCATION_TYPES, publicValue } from '../../domain/event-types/location.ts'
import { SERIES_STEPS } from '../../domain/event-types/series-offer.ts'
import type { FormAbusePrevention } from '../../domain/forms/routing.ts'
import { formatInstant } from '../../domain/instant.ts'
import { withShownImages } from '../../domain/people/image.ts'
import { Problem } from '../../domain/problem.ts'
import { findUnstorable } from '../../domain/text.ts'
import { nullable, oneOf } from '../../format/schema.ts'
import { book } from '../../services/bookings/book.ts'
import { hold, releaseHold, requireHolds } from '../../services/bookings/hold.ts'
import { manageApiUrl, manageUrl } from '../../services/bookings/manage-link.ts'
import {
  listSlots,
  type OpenedEventType,
  openEventType,
  openToBook,
} from '../../services/bookings/open-event-type.ts'
import { emailCodeLimit, requireConfirmEmail, sendEmailCode } from '../../services/bookings/verify-email.ts'
import { createChallenge } from '../../services/check-captcha.ts'
import type { Context } from '../../services/context.ts'
import { getProfile, type Profile } from '../../services/people/get-profile.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { encodeListing, LISTING_HEADERS } from '../fast-listing.ts'
import { clientAddress, countRequest, type RateLimits } from '../gate.ts'
import { problems } from '../problems.ts'

export const BOOKINGS_PER_MINUTE = 15

const userSlug = Type.String({ description: 'Slug of a user or a team.' })
const UserPath = Type.Object({ userSlug })
const EventPath = Type.Object({
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

export const Durations = Type.Array(Type.Integer(), {
  description:
    'The lengths in minutes that a guest can choose, `durationMinutes` among them; empty: only that one.',
})

export const MaxGuests = Type.Integer({ description: 'How many `guests` a booking may have.' })

export const SeriesOfferView = nullable(
  Type.Object({
    every: Type.Array(oneOf(SERIES_STEPS), { description: 'How often it may repeat.' }),
    most: Type.Integer({ description: 'The most meetings of one series.' }),
  }),
  'What `repeat` of `book` may be; null: meetings don’t repeat.',
)

export const Locations = Type.Array(
  Type.Object({
    id: Type.String({ description: 'The `locationId` of `book`.' }),
    type: oneOf(LOCATION_TYPES),
    label: Type.String({ description: 'The host’s name for it, or empty.' }),
    value: Type.String({ description: 'The address of a meeting in person; empty for others until booked.' }),
    requiresPhone: Type.Boolean({ description: 'The host calls: `book` needs `inviteePhone`.' }),
  }),
  { description: 'Where a guest can choose to meet, `location` first; empty: only `location`.' },
)

const ProfileView = Type.Object(
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
    eventTypes: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The `eventTypeId` of bookings.' }),
        slug: Type.String({ description: 'The `eventSlug` of the other endpoints.' }),
        name: Type.String({ description: 'Display name.' }),
        description: Type.String({ description: 'Text for guests, or empty.' }),
        durationMinutes: Type.Integer({
          description: 'Length of a meeting, unless the guest chooses another.',
        }),
        durations: Durations,
        location: Type.Object({ type: oneOf(LOCATION_TYPES) }, { description: 'Where it takes place.' }),
        locations: Locations,
        requiresApproval: Type.Boolean({ description: 'Whether bookings begin as `PendingApproval`.' }),
        seats: Type.Integer({ description: '1 unless several guests share a slot.' }),
        maxGuests: MaxGuests,
        series: SeriesOfferView,
      }),
      { description: 'What can be booked, in the host’s order. Hidden event types are left out.' },
    ),
  },
  { title: 'Profile' },
)

/** The token of a private link, on everything that a guest does with its event type. */
export const LinkQuery = Type.Object({
  link: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The token of a private link, what follows `/l/` in it. Without it, event types that need one are 404.',
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

const CreateBooking = Type.Object(
  {
    startTime: Type.String({ maxLength: 64, description: 'Slot start, an ISO 8601 instant in UTC.' }),
    endTime: Type.String({ maxLength: 64, description: 'Slot end, an ISO 8601 instant in UTC.' }),
    inviteeName: Type.String({ maxLength: 200, description: 'The guest’s full name.' }),
    inviteeEmail: Type.String({ maxLength: 254, description: 'The guest’s email address.' }),
    inviteePhone: Type.Optional(Type.String({ maxLength: 40, description: 'The guest’s phone number.' })),
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

const VerifyEmail = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'The guest’s email address.' }),
    locale: Type.Optional(
      Type.String({ maxLength: 35, description: 'The language of the email, such as en.' }),
    ),
  },
  { title: 'EmailCodeRequest' },
)

const EmailCodeView = Type.Object({ expiresAt: Instant }, { title: 'EmailCode' })

const CreateHold = Type.Object(
  {
    startTime: Type.String({ maxLength: 64, description: 'Slot start, an ISO 8601 instant in UTC.' }),
    endTime: Type.String({ maxLength: 64, description: 'Slot end, an ISO 8601 instant in UTC.' }),
  },
  { title: 'HoldRequest' },
)

const HoldView = Type.Object(
  {
    holdId: Type.String({ description: 'For `book`, and to give the time back.' }),
    expiresAt: Instant,
  },
  { title: 'Hold' },
)

const BookHeaders = Type.Object({
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
  status: oneOf(BOOKING_STATUSES, 'A new booking is `Confirmed` or `PendingApproval`.'),
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

const NewBookingView = Type.Object({ ...BookingView.properties, ...seriesFields }, { title: 'Booking' })

export interface PublicOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
}

/** Profiles, slots, abuse settings and booking, for anyone without an account. */
export const schedulingRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const tags = ['Scheduling']
  const bookingLimit = rateLimits('book', BOOKINGS_PER_MINUTE, 60)
  const codeLimit = emailCodeLimit(context)
  const stricterLimits = new Map<number, RateLimit>()
  const opened = new WeakMap<FastifyRequest, OpenedEventType>()

  app.get(
    '/:userSlug',
    {
      schema: {
        operationId: 'getProfile',
        summary: 'A scheduler’s public profile with event types',
        description:
          'Who can be booked here, for what, and how their pages look. Users and teams share one namespace.',
        tags,
        params: UserPath,
        response: { 200: ProfileView, ...problems(404) },
      },
    },
    async (request) => toProfileView(await getProfile(context, request.params.userSlug), context.publicUrl),
  )

  app.get(
    '/:userSlug/:eventSlug/slots',
    {
      schema: {
        operationId: 'listSlots',
        summary: 'Free slots of an event type, grouped by the guest’s date',
        description:
          'Every slot listed can be booked, and no other. A slot belongs to the date on which it starts in the guest’s zone. Both dates are included.',
        tags,
        params: EventPath,
        querystring: Type.Object({ ...SlotQuery.properties, ...LinkQuery.properties }),
        response: { 200: SlotListing, ...problems(400, 404) },
      },
      // 404 comes before 400, so the event type is looked up even if the query is not valid.
      attachValidation: true,
    },
    (request, reply) => {
      const { userSlug, eventSlug } = request.params
      const { link } = request.query
      if (request.validationError !== undefined) {
        const found = openEventType(context, userSlug, eventSlug, textOf(link))
        return found.then(() => Promise.reject(request.validationError))
      }
      if (link !== undefined) {
        const found = openEventType(context, userSlug, eventSlug, link)
        return found
          .then((event) => listSlots(context, event, request.query, ''))
          .then((json) => sendListing(request, reply, json))
      }
      const key = request.raw.url as string
      const listing = context.slots.list(userSlug, eventSlug, request.query, { key })
      if (listing instanceof Promise) return listing.then((json) => sendListing(request, reply, json))
      return sendListing(request, reply, listing)
    },
  )

  app.get(
    '/:userSlug/:eventSlug/abuse-config',
    {
      schema: {
        operationId: 'getAbuseConfig',
        summary: 'Which abuse-prevention measures are active',
        description: 'Ask before showing a booking form: it says whether `book` will need a CAPTCHA token.',
        tags,
        params: EventPath,
        querystring: LinkQuery,
        response: { 200: AbuseConfig, ...problems(404) },
      },
      attachValidation: true,
    },
    async (request) => {
      const { scheduler, eventType } = (await openFor(request)).bookable
      return toAbuseConfig(context, 'scheduling', scheduler, eventType)
    },
  )

  app.get(
    '/:userSlug/:eventSlug/challenge',
    {
      schema: {
        operationId: 'getChallenge',
        summary: 'A fresh ALTCHA challenge',
        description:
          'For event types whose `captchaProvider` is `altcha`: a proof-of-work puzzle, solved by ALTCHA’s widget or by `altcha-lib`. It lasts 20 minutes; each solution books once.',
        tags,
        params: EventPath,
        querystring: LinkQuery,
        response: { 200: Challenge, ...problems(404) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const { eventType } = (await openFor(request)).bookable
      return reply.header('cache-control', 'no-store').send(await createChallenge(context, eventType))
    },
  )

  app.post(
    '/:userSlug/:eventSlug/book',
    {
      schema: {
        operationId: 'book',
        summary: 'Book a slot',
        description:
          'Takes a listed slot for a guest. The answer is `Confirmed`, or `PendingApproval` when the host decides; either way the slot is held.\n\nChecked in this order, and the first failure is the answer: rate limit, address, body, honeypot, CAPTCHA, whether the booking can be accepted, duplicate, slot. Each client address may try 15 times a minute over all event types; some event types allow fewer.\n\nThe answer’s `Location` is the guest’s own link to the booking, with a token: there it can be looked at, rescheduled and cancelled.\n\nTo retry safely, send an `Idempotency-Key`: the same key and body get the first answer again, and book only once. A 503 means that nothing was booked. A 504, which is rare, means that this is not known: send the same key and body again.',
        tags,
        params: EventPath,
        querystring: LinkQuery,
        headers: BookHeaders,
        body: CreateBooking,
        response: { 201: NewBookingView, ...problems(400, 404, 429, 503, 504) },
      },
      // Count and look up before reading the body: 429 comes first, then 404, then 400.
      onRequest: async (request, reply) => {
        const { userSlug, eventSlug } = request.params
        const token = textOf(request.query.link)
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        const found = openToBook(context, userSlug, eventSlug, token, isRepeatable)
        // If the limit is reached, nothing awaits this.
        found.catch(() => {})
        await countRequest(bookingLimit, request, reply)
        const event = await found
        const { bookable } = event
        const own = bookable.eventType.abuse.rateLimit
        if (own !== null)
          await countRequest(stricterLimit(own), request, reply, { scope: `${bookable.eventType.id} ` })
        opened.set(request, event)
      },
    },
    async (request, reply) => {
      const unstorable = findUnstorable(request.body)
      if (unstorable !== undefined) throw new Problem('invalid', `The body ${unstorable}.`)
      const { bookable, link } = opened.get(request) as OpenedEventType
      const booking = await book(context, bookable, request.body, {
        clientAddress: clientAddress(request),
        link,
        idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
      })
      reply.header('location', manageApiUrl(context, booking.id))
      const { following } = booking
      const series = following && toSeries(context, [booking, ...following])
      return reply.code(201).send({ ...toBookingView(booking), ...series })
    },
  )

  app.post(
    '/:userSlug/:eventSlug/verify-email',
    {
      schema: {
        operationId: 'verifyEmail',
        summary: 'Email a code to a guest',
        description:
          'For event types whose `abuse-config` has `confirmEmail`; 404 for others. The six digits are the `emailCode` of `book`: they work once, for ten minutes and five tries, for this event type and address. A newer code ends the older. Counted by the rate limit of `book`; an address that never answered us gets five emails an hour.',
        tags,
        params: EventPath,
        querystring: LinkQuery,
        body: VerifyEmail,
        response: { 202: EmailCodeView, ...problems(400, 404, 429, 503) },
      },
      onRequest: async (request, reply) => {
        const { userSlug, eventSlug } = request.params
        const found = openEventType(context, userSlug, eventSlug, textOf(request.query.link))
        // If the limit is reached, nothing awaits this.
        found.catch(() => {})
        await countRequest(bookingLimit, request, reply)
        const event = await found
        requireConfirmEmail(event.bookable)
        opened.set(request, event)
      },
    },
    async (request, reply) => {
      const { bookable } = opened.get(request) as OpenedEventType
      const { expiresAt } = await sendEmailCode(context, bookable, request.body, codeLimit)
      return reply.code(202).send({ expiresAt: formatInstant(expiresAt) })
    },
  )

  app.post(
    '/:userSlug/:eventSlug/hold',
    {
      schema: {
        operationId: 'hold',
        summary: 'Hold a slot for five minutes',
        description:
          'Keeps a listed slot for a guest who fills in the form: until then only `book` with this `holdId` takes it. A client address can hold three times of an event type; a fourth replaces the oldest. Counted by the rate limit of `book`. 404 where the host has not turned it on.',
        tags,
        params: EventPath,
        querystring: LinkQuery,
        body: CreateHold,
        response: { 201: HoldView, ...problems(400, 404, 429, 503, 504) },
      },
      onRequest: async (request, reply) => {
        const { userSlug, eventSlug } = request.params
        const found = openEventType(context, userSlug, eventSlug, textOf(request.query.link))
        // If the limit is reached, nothing awaits this.
        found.catch(() => {})
        await countRequest(bookingLimit, request, reply)
        const event = await found
        requireHolds(event.bookable)
        opened.set(request, event)
      },
    },
    async (request, reply) => {
      const event = opened.get(request) as OpenedEventType
      const { holdId, expiresAt } = await hold(context, event, request.body, clientAddress(request))
      return reply.code(201).send({ holdId, expiresAt: formatInstant(expiresAt) })
    },
  )

  app.delete(
    '/:userSlug/:eventSlug/hold/:holdId',
    {
      schema: {
        operationId: 'releaseHold',
        summary: 'Give a held slot back',
        description:
          'The slot is free again at once. A hold that has ended, or was booked, is answered the same.',
        tags,
        params: Type.Object({
          ...EventPath.properties,
          holdId: Type.String({ description: 'From the answer to `hold`.' }),
        }),
        querystring: LinkQuery,
        response: { 204: Type.Null(), ...problems(404) },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      await releaseHold(context, await openFor(request), request.params.holdId)
      return reply.code(204).send(null)
    },
  )

  function openFor({
    params,
    query,
  }: {
    readonly params: Static<typeof EventPath>
    readonly query: unknown
  }) {
    const { link } = query as { readonly link?: unknown }
    return openEventType(context, params.userSlug, params.eventSlug, textOf(link))
  }

  function stricterLimit(limit: number): RateLimit {
    let made = stricterLimits.get(limit)
    if (made === undefined) {
      made = rateLimits(`book-${limit}`, limit, 60)
      stricterLimits.set(limit, made)
    }
    return made
  }
}

/** A query parameter as text. One that is given twice is no link that we know. */
export const textOf = (parameter: unknown): string | undefined =>
  parameter === undefined ? undefined : String(parameter)

function sendListing(request: FastifyRequest, reply: FastifyReply, json: Uint8Array): void {
  const { bytes, encoding } = encodeListing(json, request.headers['accept-encoding'])
  reply.headers(LISTING_HEADERS)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.send(bytes)
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  return key
}

function toProfileView(profile: Profile, publicUrl: string): Static<typeof ProfileView> {
  const { eventTypes } = profile
  const scheduler = withShownImages(publicUrl, profile.scheduler)
  return {
    slug: scheduler.slug,
    kind: scheduler.kind,
    profile: {
      name: scheduler.name,
      bio: scheduler.bio,
      avatarUrl: scheduler.avatarUrl,
      timezone: scheduler.timeZone,
    },
    branding: scheduler.branding,
    eventTypes: eventTypes.map((eventType) => ({ id: eventType.id, ...toEventTypeFacts(eventType) })),
  }
}

/** The public fields of an event type. */
export function toEventTypeFacts(eventType: EventType) {
  const { slug, name, description, durationMinutes, location, requiresApproval, seats } = eventType
  return {
    slug,
    name,
    description,
    durationMinutes,
    durations: [...eventType.durations],
    location: { type: location.type },
    locations: toLocations(eventType),
    requiresApproval,
    seats,
    maxGuests: eventType.maxGuests,
    series: eventType.series && { every: [...eventType.series.every], most: eventType.series.most },
  }
}

/** The locations that guests choose from. Numbers and links are told after booking. */
export function toLocations({ locations }: EventType): Static<typeof Locations> {
  return locations.map((offered) => ({
    id: offered.id,
    type: offered.type,
    label: offered.label,
    value: publicValue(offered),
    requiresPhone: hostCalls(offered),
  }))
}

/** The protection of an event type or a form. */
export function toAbuseConfig(
  context: Context,
  kind: 'scheduling' | 'routing',
  owner: { readonly slug: string },
  {
    slug,
    abuse,
    confirmEmail = false,
  }: { readonly slug: string; readonly abuse: FormAbusePrevention; readonly confirmEmail?: boolean },
): Static<typeof AbuseConfig> {
  const { honeypot, captcha } = abuse
  return {
    enableHoneypot: honeypot,
    enableCaptcha: captcha !== '',
    captchaProvider: captcha,
    captchaSiteKey: captcha === '' ? '' : (context.captcha.services[captcha]?.siteKey ?? ''),
    ...(confirmEmail && { confirmEmail }),
    ...(captcha === 'altcha' && {
      captchaChallengeUrl: `${context.publicUrl}/api/public/${kind}/${owner.slug}/${slug}/challenge`,
    }),
  }
}

/** The series of a booking, for its guest. */
export function toSeries(context: Context, [first, ...others]: readonly Booking[]) {
  if (first?.series === undefined) return {}
  return {
    seriesId: first.series.id,
    series: [first, ...others].map(({ id, startsAt, endsAt }) => ({
      id,
      startTime: formatInstant(startsAt),
      endTime: formatInstant(endsAt),
      manageUrl: manageUrl(context, id),
    })),
  }
}

export function toBookingView(booking: Booking): Static<typeof BookingView> {
  const { name, email, phone, timeZone } = booking.invitee
  return {
    id: booking.id,
    eventTypeId: booking.eventTypeId,
    status: booking.status,
    startTime: formatInstant(booking.startsAt),
    endTime: formatInstant(booking.endsAt),
    invitee: { name, email, phone, timezone: timeZone },
    location: shownLocation(booking),
    createdAt: formatInstant(booking.createdAt),
  }
}
