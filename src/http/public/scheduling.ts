import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { AccessTokens } from '../../domain/bookings/guest-access.ts'
import { formatInstant } from '../../domain/instant.ts'
import { paymentView } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../domain/text.ts'
import { Type } from '../../format/type.ts'
import { book } from '../../services/bookings/guest/book.ts'
import { hold, releaseHold, requireHolds } from '../../services/bookings/guest/hold.ts'
import { manageApiUrl } from '../../services/bookings/guest/manage-link.ts'
import {
  listSlots,
  type OpenedEventType,
  openEventType,
  openToBook,
} from '../../services/bookings/guest/open-event-type.ts'
import {
  type CodeLimits,
  emailCodeLimits,
  requireConfirmEmail,
  sendEmailCode,
} from '../../services/bookings/guest/verify-email.ts'
import { createChallenge } from '../../services/check-captcha.ts'
import type { Context } from '../../services/context.ts'
import { getProfile } from '../../services/people/get-profile.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { encodeListing } from '../fast-listing.ts'
import { clientAddress, countRequest, type RateLimits } from '../gate.ts'
import { LISTING_HEADERS } from '../listing-head.ts'
import { problems } from '../problems.ts'
import type { ReplyOf, RequestOf } from '../typed-route.ts'
import {
  AbuseConfig,
  AccessQuery,
  BookHeaders,
  Challenge,
  CreateBooking,
  CreateHold,
  EmailCodeView,
  EventPath,
  HoldView,
  NewBookingView,
  ProfileView,
  SlotListing,
  SlotQuery,
  UserPath,
  VerifyEmail,
} from './schemas.ts'
import { toAbuseConfig, toBookingView, toProfileView, toSeries } from './views.ts'

export const BOOKINGS_PER_MINUTE = 15

export interface PublicOptions {
  readonly context: Context
  readonly rateLimits: RateLimits
}

/** Profiles, slots, abuse settings and booking, for anyone without an account. */
export const schedulingRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const counted = bookingCounter(rateLimits)
  const codeLimits = emailCodeLimits(context)

  app.get('/:userSlug', { schema: SHOW_PROFILE }, (request) => showProfile(context, request))
  app.get(
    '/:userSlug/:eventSlug/slots',
    {
      schema: LIST,
      // 404 comes before 400, so the event type is looked up even if the query is not valid.
      attachValidation: true,
    },
    (request, reply) => list(context, request, reply),
  )
  app.get(
    '/:userSlug/:eventSlug/abuse-config',
    { schema: SHOW_ABUSE_CONFIG, attachValidation: true },
    (request) => showAbuseConfig(context, request),
  )
  app.get(
    '/:userSlug/:eventSlug/challenge',
    { schema: SHOW_CHALLENGE, attachValidation: true },
    (request, reply) => showChallenge(context, request, reply),
  )
  app.post(
    '/:userSlug/:eventSlug/book',
    {
      schema: BOOK_SLOT,
      onRequest: async (request, reply) => {
        const { userSlug, eventSlug } = request.params
        const isRepeatable = request.headers['idempotency-key'] !== undefined
        await counted(
          request,
          reply,
          openToBook(context, userSlug, eventSlug, tokensOf(request.query), isRepeatable),
        )
      },
    },
    (request, reply) => bookSlot(context, request, reply),
  )
  app.post(
    '/:userSlug/:eventSlug/verify-email',
    {
      schema: VERIFY_EMAIL,
      onRequest: async (request, reply) => {
        const { bookable } = await counted(request, reply, openFor(context, request))
        requireConfirmEmail(bookable)
      },
    },
    (request, reply) => verifyEmail(context, codeLimits, request, reply),
  )
  app.post(
    '/:userSlug/:eventSlug/hold',
    {
      schema: HOLD_SLOT,
      onRequest: async (request, reply) => {
        const { bookable } = await counted(request, reply, openFor(context, request))
        requireHolds(bookable)
      },
    },
    (request, reply) => holdSlot(context, request, reply),
  )
  app.delete(
    '/:userSlug/:eventSlug/hold/:holdId',
    { schema: GIVE_BACK, attachValidation: true },
    (request, reply) => giveBack(context, request, reply),
  )
}

/** What a request is about, once it was counted. */
const opened = new WeakMap<FastifyRequest, OpenedEventType>()

/** Counts a request to book, and finds what it is about. */
export type BookingCounter = ReturnType<typeof bookingCounter>

/** Counts before the body is read, while the event type is looked up: 429 comes first, then 404, then 400. */
export function bookingCounter(rateLimits: RateLimits) {
  const bookingLimit = rateLimits('book', BOOKINGS_PER_MINUTE, 60)
  const stricterLimits = new Map<number, RateLimit>()

  function stricterLimit(limit: number): RateLimit {
    let made = stricterLimits.get(limit)
    if (made === undefined) {
      made = rateLimits(`book-${limit}`, limit, 60)
      stricterLimits.set(limit, made)
    }
    return made
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    found: Promise<OpenedEventType>,
  ): Promise<OpenedEventType> => {
    // If the limit is reached, nothing awaits this.
    found.catch(() => {})
    await countRequest(bookingLimit, request, reply)
    const event = await found
    const { id, abuse } = event.bookable.eventType
    if (abuse.rateLimit !== null)
      await countRequest(stricterLimit(abuse.rateLimit), request, reply, { scope: `${id} ` })
    opened.set(request, event)
    return event
  }
}

const tags = ['Scheduling']

const SHOW_PROFILE = {
  operationId: 'getProfile',
  summary: 'A scheduler’s public profile with event types',
  description:
    'Who can be booked here, for what, and how their pages look. Users and teams share one namespace.',
  tags,
  params: UserPath,
  response: { 200: ProfileView, ...problems(404) },
}

async function showProfile(context: Context, request: RequestOf<typeof SHOW_PROFILE>) {
  return toProfileView(await getProfile(context, request.params.userSlug), context.publicUrl)
}

const LIST = {
  operationId: 'listSlots',
  summary: 'Free slots of an event type, grouped by the guest’s date',
  description:
    'Every slot listed can be booked, and no other. A slot belongs to the date on which it starts in the guest’s zone. Both dates are included.',
  tags,
  params: EventPath,
  querystring: Type.Object({ ...SlotQuery.properties, ...AccessQuery.properties }),
  response: { 200: SlotListing, ...problems(400, 404) },
}

function list(context: Context, request: RequestOf<typeof LIST>, reply: ReplyOf<typeof LIST>) {
  const { userSlug, eventSlug } = request.params
  const { link, routing } = request.query
  if (request.validationError !== undefined) {
    return openFor(context, request).then(() => Promise.reject(request.validationError))
  }
  if (link !== undefined || routing !== undefined) {
    return openFor(context, request)
      .then((event) => listSlots(context, event, request.query, ''))
      .then((json) => sendListing(request, reply, json))
  }
  const key = request.raw.url as string
  const listing = context.slots.list(userSlug, eventSlug, request.query, { key })
  if (listing instanceof Promise) return listing.then((json) => sendListing(request, reply, json))
  return sendListing(request, reply, listing)
}

const SHOW_ABUSE_CONFIG = {
  operationId: 'getAbuseConfig',
  summary: 'Which abuse-prevention measures are active',
  description: 'Ask before showing a booking form: it says whether `book` will need a CAPTCHA token.',
  tags,
  params: EventPath,
  querystring: AccessQuery,
  response: { 200: AbuseConfig, ...problems(400, 404) },
}

async function showAbuseConfig(context: Context, request: RequestOf<typeof SHOW_ABUSE_CONFIG>) {
  const { scheduler, eventType } = (await openFor(context, request)).bookable
  return toAbuseConfig(context, 'scheduling', scheduler, eventType)
}

const SHOW_CHALLENGE = {
  operationId: 'getChallenge',
  summary: 'A fresh ALTCHA challenge',
  description:
    'For event types whose `captchaProvider` is `altcha`: a proof-of-work puzzle, solved by ALTCHA’s widget or by `altcha-lib`. It lasts 20 minutes; each solution books once.',
  tags,
  params: EventPath,
  querystring: AccessQuery,
  response: { 200: Challenge, ...problems(400, 404) },
}

async function showChallenge(
  context: Context,
  request: RequestOf<typeof SHOW_CHALLENGE>,
  reply: ReplyOf<typeof SHOW_CHALLENGE>,
) {
  const { eventType } = (await openFor(context, request)).bookable
  return reply.header('cache-control', 'no-store').send(await createChallenge(context, eventType))
}

const BOOK_SLOT = {
  operationId: 'book',
  summary: 'Book a slot',
  description:
    'Takes a listed slot for a guest. The answer is `Confirmed`, or `PendingApproval` when the host decides; either way the slot is held.\n\nIf the event type has a `price`, it is `PendingPayment`, with `paymentUrl`, where the guest pays, and `payBy`, until when the slot is held. Nobody is notified before it is paid. Then it is `Confirmed`, or `PendingApproval` with the money only reserved; unpaid, it becomes `Expired`, and the slot is free. If the page for the payment can’t be made, the answer is 503, and nothing is booked.\n\nChecked in this order, and the first failure is the answer: rate limit, address, body, honeypot, CAPTCHA, whether the booking can be accepted, duplicate, slot. Each client address may try 15 times a minute over all event types; some event types allow fewer.\n\nThe answer’s `Location` is the guest’s own link to the booking, with a token: there it can be looked at, rescheduled and cancelled.\n\nTo retry safely, send an `Idempotency-Key`: the same key and body get the first answer again, and book only once. A 503 means that nothing was booked. A 504, which is rare, means that this is not known: send the same key and body again.',
  tags,
  params: EventPath,
  querystring: AccessQuery,
  headers: BookHeaders,
  body: CreateBooking,
  response: { 201: NewBookingView, ...problems(400, 404, 429, 503, 504) },
}

async function bookSlot(
  context: Context,
  request: RequestOf<typeof BOOK_SLOT>,
  reply: ReplyOf<typeof BOOK_SLOT>,
) {
  const reason = findUnstorable(request.body)
  if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The body`))
  const { bookable, access } = opened.get(request) as OpenedEventType
  const booking = await book(context, bookable, request.body, {
    clientAddress: clientAddress(request),
    access,
    idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
  })
  reply.header('location', manageApiUrl(context, booking.id))
  const { following, paymentUrl, payBy } = booking
  const series = following && toSeries(context, [booking, ...following])
  const toPay = paymentUrl !== undefined &&
    payBy !== undefined && {
      paymentUrl,
      payBy: formatInstant(payBy),
      amountDue: [booking, ...(following ?? [])].reduce(
        (sum, { payment }) => sum + (payment?.amount ?? 0),
        0,
      ),
    }
  const payment = paymentView(booking.payment)
  return reply.code(201).send({ ...toBookingView(booking), ...series, ...(payment && { payment }), ...toPay })
}

const VERIFY_EMAIL = {
  operationId: 'verifyEmail',
  summary: 'Email a code to a guest',
  description:
    'For event types whose `abuse-config` has `confirmEmail`; 404 for others. The six digits are the `emailCode` of `book`: they work once, for ten minutes and five tries, for this event type and exactly this address. A newer code ends the older. Where `book` needs a CAPTCHA token, this needs one of its own. Counted by the rate limit of `book`; a client can have ten codes an hour sent to an address, and five to one that never answered us.',
  tags,
  params: EventPath,
  querystring: AccessQuery,
  body: VerifyEmail,
  response: { 202: EmailCodeView, ...problems(400, 404, 429, 503) },
}

async function verifyEmail(
  context: Context,
  limits: CodeLimits,
  request: RequestOf<typeof VERIFY_EMAIL>,
  reply: ReplyOf<typeof VERIFY_EMAIL>,
) {
  const { bookable } = opened.get(request) as OpenedEventType
  const { expiresAt } = await sendEmailCode(
    context,
    bookable,
    { ...request.body, clientAddress: clientAddress(request) },
    limits,
  )
  return reply.code(202).send({ expiresAt: formatInstant(expiresAt) })
}

const HOLD_SLOT = {
  operationId: 'hold',
  summary: 'Hold a slot for five minutes',
  description:
    'Keeps a listed slot for a guest who fills in the form: until then only `book` with this `holdId` takes it. A client address (of IPv6, a /48) can hold three times of an event type; a fourth replaces the oldest. Of a host, a tenth of the open times can be held, at least five; beyond that, 429. Where `book` needs a CAPTCHA token, `hold` needs one of its own. Counted by the rate limit of `book`. 404 where the host has not turned it on.',
  tags,
  params: EventPath,
  querystring: AccessQuery,
  body: CreateHold,
  response: { 201: HoldView, ...problems(400, 404, 429, 503, 504) },
}

async function holdSlot(
  context: Context,
  request: RequestOf<typeof HOLD_SLOT>,
  reply: ReplyOf<typeof HOLD_SLOT>,
) {
  const event = opened.get(request) as OpenedEventType
  const { holdId, expiresAt } = await hold(context, event, request.body, {
    clientAddress: clientAddress(request),
  })
  return reply.code(201).send({ holdId, expiresAt: formatInstant(expiresAt) })
}

const GIVE_BACK = {
  operationId: 'releaseHold',
  summary: 'Give a held slot back',
  description: 'The slot is free again at once. A hold that has ended, or was booked, is answered the same.',
  tags,
  params: Type.Object({
    ...EventPath.properties,
    holdId: Type.String({ description: 'From the answer to `hold`.' }),
  }),
  querystring: AccessQuery,
  response: { 204: Type.Null(), ...problems(400, 404) },
}

async function giveBack(
  context: Context,
  request: RequestOf<typeof GIVE_BACK>,
  reply: ReplyOf<typeof GIVE_BACK>,
) {
  const { holdId, ...slugs } = request.params
  await releaseHold(context, slugs, holdId, () => openFor(context, request))
  return reply.code(204).send(null)
}

interface EventRequest {
  readonly params: Static<typeof EventPath>
  readonly query: unknown
}

const openFor = (context: Context, { params, query }: EventRequest) =>
  openEventType(context, params.userSlug, params.eventSlug, tokensOf(query))

/** The tokens in a query. One that is given twice is none that we know. */
export function tokensOf(query: unknown): AccessTokens {
  const { link, routing } = query as { readonly link?: unknown; readonly routing?: unknown }
  return {
    ...(link !== undefined && { link: String(link) }),
    ...(routing !== undefined && { routing: String(routing) }),
  }
}

function sendListing(request: FastifyRequest, reply: FastifyReply, json: Uint8Array): void {
  const { bytes, encoding } = encodeListing(json, request.headers['accept-encoding'])
  reply.headers(LISTING_HEADERS)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  reply.send(bytes)
}

function readIdempotencyKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('invalid', sentence`Idempotency-Key must be 1 to 255 visible ASCII characters.`)
  }
  return key
}
