import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Booking } from '../../domain/booking.ts'
import { BOOKING_SOURCES, BOOKING_STATUSES } from '../../domain/booking.ts'
import { CAPTCHA_PROVIDERS, type EventType, LOCATION_TYPES } from '../../domain/event-type.ts'
import { formatInstant } from '../../domain/instant.ts'
import { Problem } from '../../domain/problem.ts'
import { findUnstorable } from '../../domain/text.ts'
import { book } from '../../services/book.ts'
import { createChallenge } from '../../services/check-captcha.ts'
import type { Context } from '../../services/context.ts'
import { getProfile, type Profile } from '../../services/get-profile.ts'
import { listSlots } from '../../services/list-slots.ts'
import { getOffer, type Offer } from '../../services/offers.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { clientAddress, countRequest, type RateLimits } from '../gate.ts'
import { ProblemBody } from '../problems.ts'

const BOOKINGS_PER_MINUTE = 15

const UserPath = Type.Object({ userSlug: Type.String() })
const EventPath = Type.Object({ userSlug: Type.String(), eventSlug: Type.String() })

const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values })

export const Branding = Type.Object({
  primaryColor: Type.String({ description: 'A colour code such as #2563eb, or empty.' }),
  logoUrl: Type.String({ description: 'An address, or empty.' }),
})

const ProfileView = Type.Object({
  slug: Type.String(),
  kind: literals(['user', 'team']),
  profile: Type.Object({
    name: Type.String(),
    bio: Type.String(),
    avatarUrl: Type.String(),
    timezone: Type.String({ description: 'IANA time zone.' }),
  }),
  branding: Branding,
  eventTypes: Type.Array(
    Type.Object({
      id: Type.String(),
      slug: Type.String(),
      name: Type.String(),
      description: Type.String(),
      durationMinutes: Type.Integer(),
      location: Type.Object({ type: literals(LOCATION_TYPES) }),
      requiresApproval: Type.Boolean(),
      seats: Type.Integer({ description: '1 unless several guests share a slot.' }),
    }),
  ),
})

const SlotQuery = Type.Object({
  dateFrom: Type.String({ description: 'First date in the guest’s zone, YYYY-MM-DD.' }),
  dateTo: Type.String({ description: 'Last date in the guest’s zone, YYYY-MM-DD; at most 92 days.' }),
  timezone: Type.String({ description: 'The guest’s IANA time zone.' }),
})

const Instant = Type.String({ description: 'ISO 8601, UTC.', examples: ['2030-01-31T09:30:00Z'] })

const SlotListing = Type.Array(
  Type.Object({
    date: Type.String({ description: 'The guest’s local date, YYYY-MM-DD.' }),
    slots: Type.Array(
      Type.Object({
        startTime: Instant,
        endTime: Instant,
        seatsLeft: Type.Optional(Type.Integer({ description: 'Only for event types with seats.' })),
      }),
    ),
  }),
)

export const AbuseConfig = Type.Object({
  enableHoneypot: Type.Boolean(),
  enableCaptcha: Type.Boolean(),
  captchaProvider: literals([...CAPTCHA_PROVIDERS, '']),
  captchaSiteKey: Type.String(),
  captchaChallengeUrl: Type.Optional(
    Type.String({ description: 'Only for ALTCHA: where to get a challenge.' }),
  ),
})

const Challenge = Type.Object(
  { parameters: Type.Object({}, { additionalProperties: true }), signature: Type.Optional(Type.String()) },
  { additionalProperties: true, description: 'An ALTCHA challenge (version 2).' },
)

const CreateBooking = Type.Object({
  startTime: Type.String({ maxLength: 64, description: 'Slot start, ISO 8601 UTC.' }),
  endTime: Type.String({ maxLength: 64, description: 'Slot end, ISO 8601 UTC.' }),
  inviteeName: Type.String({ maxLength: 200 }),
  inviteeEmail: Type.String({ maxLength: 254 }),
  inviteePhone: Type.Optional(Type.String({ maxLength: 40 })),
  inviteeTimezone: Type.String({ maxLength: 64, description: 'IANA time zone.' }),
  inviteeLocale: Type.Optional(Type.String({ maxLength: 35, description: 'A language code such as en.' })),
  customFields: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: 100,
      description: 'Answers to the event type’s own questions, by key. Keys it does not know are kept.',
    }),
  ),
  inviteeNotes: Type.Optional(Type.String({ maxLength: 5000 })),
  source: Type.Optional(literals(BOOKING_SOURCES)),
  honeypotValue: Type.Optional(Type.String({ description: 'Leave empty.' })),
  captchaToken: Type.Optional(Type.String({ maxLength: 20_000 })),
})

const BookHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ description: 'The same key and body give the first answer again for 24 hours.' }),
  ),
})

/** What a guest sees of their own booking. Nothing else leaves. */
const BookingView = Type.Object({
  id: Type.String(),
  eventTypeId: Type.String(),
  status: literals(BOOKING_STATUSES),
  startTime: Instant,
  endTime: Instant,
  invitee: Type.Object({
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    timezone: Type.String(),
  }),
  location: Type.Object({ type: literals(LOCATION_TYPES), value: Type.String() }),
  createdAt: Instant,
})

export interface PublicOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
}

/** Profile, slots, abuse configuration and booking: for anyone, without an account. */
export const schedulingRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const tags = ['Scheduling']
  const bookingLimit = rateLimits('book', BOOKINGS_PER_MINUTE, 60)
  const stricterLimits = new Map<number, RateLimit>()
  const offers = new WeakMap<FastifyRequest, Offer>()

  app.get(
    '/:userSlug',
    {
      schema: {
        operationId: 'getProfile',
        summary: 'A scheduler’s public profile with event types',
        tags,
        params: UserPath,
        response: { 200: ProfileView, 404: ProblemBody },
      },
    },
    async (request) => toProfileView(await getProfile(context, request.params.userSlug)),
  )

  app.get(
    '/:userSlug/:eventSlug/slots',
    {
      schema: {
        operationId: 'listSlots',
        summary: 'Free slots of an event type, grouped by the guest’s date',
        tags,
        params: EventPath,
        querystring: SlotQuery,
        response: { 200: SlotListing, 400: ProblemBody, 404: ProblemBody },
      },
      onRequest: async (request) => {
        // 404 comes before 400: what does not exist takes no parameters.
        await getOffer(context, request.params.userSlug, request.params.eventSlug)
      },
    },
    (request, reply) => {
      const { userSlug, eventSlug } = request.params
      const listing = listSlots(context, userSlug, eventSlug, request.query)
      if (listing instanceof Promise)
        listing.then(
          (json) => sendListing(reply, json),
          (error) => reply.send(error),
        )
      else sendListing(reply, listing)
    },
  )

  app.get(
    '/:userSlug/:eventSlug/abuse-config',
    {
      schema: {
        operationId: 'getAbuseConfig',
        summary: 'Which abuse-prevention measures are active',
        tags,
        params: EventPath,
        response: { 200: AbuseConfig, 404: ProblemBody },
      },
    },
    async (request) => {
      const { scheduler, eventType } = await getOffer(
        context,
        request.params.userSlug,
        request.params.eventSlug,
      )
      return toAbuseConfig(context, scheduler.slug, eventType)
    },
  )

  app.get(
    '/:userSlug/:eventSlug/challenge',
    {
      schema: {
        operationId: 'getChallenge',
        summary: 'A fresh ALTCHA challenge',
        tags,
        params: EventPath,
        response: { 200: Challenge, 404: ProblemBody },
      },
    },
    async (request, reply) => {
      const { eventType } = await getOffer(context, request.params.userSlug, request.params.eventSlug)
      return reply.header('cache-control', 'no-store').send(await createChallenge(context, eventType))
    },
  )

  app.post(
    '/:userSlug/:eventSlug/book',
    {
      schema: {
        operationId: 'book',
        summary: 'Book a slot',
        tags,
        params: EventPath,
        headers: BookHeaders,
        body: CreateBooking,
        response: {
          201: BookingView,
          400: ProblemBody,
          404: ProblemBody,
          429: ProblemBody,
          503: ProblemBody,
        },
      },
      // Counted and found before the body is even read: 429, then 404, then 400.
      onRequest: async (request, reply) => {
        await countRequest(bookingLimit, request, reply)
        const offer = await getOffer(context, request.params.userSlug, request.params.eventSlug)
        const own = offer.eventType.abuse.rateLimit
        if (own !== null)
          await countRequest(stricterLimit(own), request, reply, { scope: `${offer.eventType.id} ` })
        offers.set(request, offer)
      },
    },
    async (request, reply) => {
      const unstorable = findUnstorable(request.body)
      if (unstorable !== undefined) throw new Problem('invalid', `The body ${unstorable}.`)
      const booking = await book(context, offers.get(request) as Offer, request.body, {
        clientAddress: clientAddress(request),
        idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
      })
      return reply.code(201).send(toBookingView(booking))
    },
  )

  function stricterLimit(limit: number): RateLimit {
    let made = stricterLimits.get(limit)
    if (made === undefined) {
      made = rateLimits(`book-${limit}`, limit, 60)
      stricterLimits.set(limit, made)
    }
    return made
  }
}

function sendListing(reply: FastifyReply, json: Uint8Array): void {
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(json)
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  }
  return key
}

function toProfileView({ scheduler, eventTypes }: Profile): Static<typeof ProfileView> {
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
    eventTypes: eventTypes.map((eventType) => ({
      id: eventType.id,
      slug: eventType.slug,
      name: eventType.name,
      description: eventType.description,
      durationMinutes: eventType.durationMinutes,
      location: { type: eventType.location.type },
      requiresApproval: eventType.requiresApproval,
      seats: eventType.seats,
    })),
  }
}

export function toAbuseConfig(
  context: Context,
  userSlug: string,
  eventType: EventType,
): Static<typeof AbuseConfig> {
  const { honeypot, captcha } = eventType.abuse
  return {
    enableHoneypot: honeypot,
    enableCaptcha: captcha !== '',
    captchaProvider: captcha,
    captchaSiteKey: captcha === '' ? '' : (context.captcha.services[captcha]?.siteKey ?? ''),
    ...(captcha === 'altcha' && {
      captchaChallengeUrl: `${context.publicUrl}/api/public/scheduling/${userSlug}/${eventType.slug}/challenge`,
    }),
  }
}

function toBookingView(booking: Booking): Static<typeof BookingView> {
  const { name, email, phone, timeZone } = booking.invitee
  return {
    id: booking.id,
    eventTypeId: booking.eventTypeId,
    status: booking.status,
    startTime: formatInstant(booking.startsAt),
    endTime: formatInstant(booking.endsAt),
    invitee: { name, email, phone, timezone: timeZone },
    location: booking.location,
    createdAt: formatInstant(booking.createdAt),
  }
}
