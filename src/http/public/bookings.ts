import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { readReason, readStart } from '../../domain/bookings/change-request.ts'
import { toldBooking } from '../../domain/bookings/guest-facts.ts'
import { SCOPES_OF_CHANGE } from '../../domain/bookings/series.ts'
import { isActive } from '../../domain/bookings/states.ts'
import { returnAddress } from '../../domain/event-types/return-url.ts'
import { formatInstant } from '../../domain/instant.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../domain/text.ts'
import { WEB_CALENDARS } from '../../format/calendar-links.ts'
import { nullable, oneOf } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'
import { cancel } from '../../services/bookings/cancel.ts'
import {
  afterChange,
  checkManageToken,
  type GuestBooking,
  getGuestBooking,
} from '../../services/bookings/guest/guest-view.ts'
import { listMoves } from '../../services/bookings/guest/list-moves.ts'
import { clientTags, noteAnswer } from '../../services/bookings/guest/mail-cap.ts'
import { isMailedToken } from '../../services/bookings/guest/manage-link.ts'
import { reschedule } from '../../services/bookings/guest/reschedule.ts'
import type { Context } from '../../services/context.ts'
import { JSON_TYPE, sendEncoded } from '../encoded.ts'
import { clientAddress, countRequest } from '../gate.ts'
import { problems } from '../problems.ts'
import type { ReplyOf, RequestOf } from '../typed-route.ts'
import type { PublicOptions } from './scheduling.ts'
import {
  BookingView,
  Instant,
  PaymentView,
  paymentFields,
  SlotListing,
  SlotQuery,
  seriesFields,
} from './schemas.ts'
import { toBookingView, toPayment, toSeries } from './views.ts'

export const CHANGES_PER_MINUTE = 15

const BookingPath = Type.Object({ id: Type.String({ description: 'The `id` of the booking.' }) })
const TokenQuery = Type.Object({
  token: Type.String({
    description: 'From the guest’s link. Anyone who has it can do this.',
  }),
})

const MoveQuery = Type.Omit(SlotQuery, ['duration'])

const reason = Type.Optional(Type.String({ maxLength: 1000, description: 'A message to the host.' }))
const scope = Type.Optional(
  oneOf(
    SCOPES_OF_CHANGE,
    'Of a series: this meeting alone (`one`, unless said), or it and those that follow.',
  ),
)
const CancelRequest = Type.Object({ reason, scope }, { title: 'CancelRequest' })
const RescheduleRequest = Type.Object(
  {
    startTime: Type.String({
      maxLength: 64,
      description: 'Start of an available slot of the same event type, an ISO 8601 instant in UTC.',
    }),
    reason,
    scope,
  },
  { title: 'RescheduleRequest' },
)

const GuestBookingView = Type.Object(
  {
    ...BookingView.properties,
    ...seriesFields,
    eventType: Type.Object(
      {
        slug: Type.String({ description: 'The `eventSlug` of the other endpoints.' }),
        name: Type.String({ description: 'Display name.' }),
        durationMinutes: Type.Integer({ description: 'The event type’s current duration.' }),
      },
      { description: 'What was booked.' },
    ),
    userSlug: Type.String({ description: 'The user or team it was booked with.' }),
    host: Type.Object(
      {
        name: Type.String({ description: 'Display name.' }),
        email: Type.String({ description: 'Where guests can write to them; empty if nowhere.' }),
      },
      { description: 'The host; of several, the main one.' },
    ),
    hosts: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Display name.' }),
        avatarUrl: Type.String({ description: 'A picture on this server, or empty.' }),
      }),
      { description: 'Everyone who hosts it, the main host first.' },
    ),
    guests: Type.Array(Type.String(), { description: 'Email addresses of those whom the guest brings.' }),
    answers: Type.Array(
      Type.Object({
        label: Type.String({ description: 'The question.' }),
        value: Type.String({ description: '`true` or `false` for a checkbox.' }),
        isTick: Type.Boolean({ description: 'Whether it is a checkbox.' }),
      }),
      { description: 'What the guest answered to the event type’s own questions.' },
    ),
    notes: Type.String({ description: 'What the guest wanted to add, or empty.' }),
    reason: Type.String({ description: 'Why it was declined or cancelled, or empty.' }),
    canCancel: Type.Boolean({ description: 'Whether the guest can cancel now.' }),
    canReschedule: Type.Boolean({ description: 'Whether the guest can reschedule now.' }),
    cancelUntil: Instant,
    rescheduleUntil: Instant,
    manageUrl: Type.String({ description: 'The guest’s page for this booking.' }),
    calendarLinks: Type.Array(
      Type.Object({
        name: oneOf(WEB_CALENDARS, 'The web calendar.'),
        url: Type.String({ description: 'Opens that calendar with the meeting filled in.' }),
      }),
      { description: 'Empty unless the booking is `Confirmed`.' },
    ),
    returnUrl: Type.String({
      description:
        'Where the host wants guests to go after booking, with `bookingId` and `status`; or empty.',
    }),
    payment: nullable(PaymentView, 'What it costs, and what became of that; null: it is free.'),
    ...paymentFields,
    refundIfCancelled: Type.Optional(
      Type.Integer({ description: 'If it was paid: what goes back to a guest who cancels now.' }),
    ),
  },
  { title: 'OwnBooking' },
)

/** Loaded when first needed: the texts in six languages and the iCalendar writer are large. */
const guestCalendar = () => import('../../services/mail/guest-calendar.ts')

const CalendarFile = Type.String({ description: 'An iCalendar file (RFC 5545).' })

/** A guest's own booking, for anyone who has its link. */
export const ownBookingRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const changeLimit = rateLimits('manage', CHANGES_PER_MINUTE, 60)
  // The token in the URL must not be cached, nor sent to other sites in a Referer.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  })
  const checkToken = async (request: FastifyRequest) => checkTokenOf(context, request)
  // Every attempt is counted, to stop guessing of tokens. The booking is read at the same time.
  const countAndCheck = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id: string }
    const own = checkToken(request).then(() => getGuestBooking(context, id))
    // If the limit is reached, nothing awaits this.
    own.catch(() => {})
    await countRequest(changeLimit, request, reply)
    await checkToken(request)
    await noteReader(context, request, own)
    wanted.set(request, own)
  }

  app.get('/:id', { schema: GET, onRequest: checkToken }, (request) => get(context, request))
  app.get('/:id/slots', { schema: LIST_SLOTS, onRequest: checkToken }, (request, reply) =>
    listSlots(context, request, reply),
  )
  app.get('/:id/calendar.ics', { schema: SEND_CALENDAR_FILE, onRequest: checkToken }, (request, reply) =>
    sendCalendarFile(context, request, reply),
  )
  app.post('/:id/reschedule', { schema: RESCHEDULE_OWN, onRequest: countAndCheck }, (request) =>
    rescheduleOwn(context, request),
  )
  app.post(
    '/:id/cancel',
    { schema: CANCEL_OWN, onRequest: countAndCheck, preValidation: allowNoBody },
    (request) => cancelOwn(context, request),
  )
}

const tags = ['Your booking']
const answers = { 200: GuestBookingView, ...problems(400, 404, 503) }

const GET = {
  operationId: 'getOwnBooking',
  summary: 'A booking, for the guest who made it',
  description:
    'Its status, and whether it can still be cancelled or rescheduled. The URL with its token is the `Location` of the response to `book`.',
  tags,
  params: BookingPath,
  querystring: TokenQuery,
  response: answers,
}

async function get(context: Context, request: RequestOf<typeof GET>) {
  const own = getGuestBooking(context, request.params.id)
  await noteReader(context, request, own)
  return viewOf(context, await own)
}

const LIST_SLOTS = {
  operationId: 'listOwnSlots',
  summary: 'Where a booking may move',
  description:
    'The slots to reschedule to, at the booking’s own length. Unlike the slots of the event type, the booking’s own time does not stand in the way of others, nor does it count for limits; its own start is left out. Both dates are included.',
  tags,
  params: BookingPath,
  querystring: Type.Object({ ...TokenQuery.properties, ...MoveQuery.properties }),
  response: { 200: SlotListing, ...problems(400, 404, 409, 503) },
}

async function listSlots(
  context: Context,
  request: RequestOf<typeof LIST_SLOTS>,
  reply: ReplyOf<typeof LIST_SLOTS>,
) {
  const own = await getGuestBooking(context, request.params.id)
  const json = await listMoves(context, own, request.query)
  return sendEncoded(reply, JSON_TYPE, Buffer.from(json))
}

const SEND_CALENDAR_FILE = {
  operationId: 'getOwnCalendarFile',
  summary: 'A booking as a calendar file',
  description:
    'The same event as in the emailed invitation: same `UID`, same `SEQUENCE`, so later emails update and cancel it. A cancelled booking has `STATUS:CANCELLED`; a pending one has no file yet (409).',
  tags,
  params: BookingPath,
  querystring: TokenQuery,
  response: {
    200: { content: { 'text/calendar': { schema: CalendarFile } } },
    ...problems(400, 404, 409, 503),
  },
}

async function sendCalendarFile(
  context: Context,
  request: RequestOf<typeof SEND_CALENDAR_FILE>,
  reply: ReplyOf<typeof SEND_CALENDAR_FILE>,
) {
  const own = await getGuestBooking(context, request.params.id)
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', `attachment; filename="${own.eventType.slug}.ics"`)
    .send((await guestCalendar()).guestCalendarFile(context, own))
}

const RESCHEDULE_OWN = {
  operationId: 'rescheduleOwnBooking',
  summary: 'Move a booking to another slot',
  description:
    'Takes the new slot and frees the old one; if that fails, nothing changes. The `id` stays the same. If the event type requires approval, the booking is `PendingApproval` again. Safe to repeat.',
  tags,
  params: BookingPath,
  querystring: TokenQuery,
  body: RescheduleRequest,
  response: { ...answers, ...problems(409, 429, 504) },
}

async function rescheduleOwn(context: Context, request: RequestOf<typeof RESCHEDULE_OWN>) {
  checkBody(request.body)
  const { startTime, reason, scope } = request.body
  const move = { startsAt: readStart(startTime), reason: readReason(reason), scope }
  const own = (await wanted.get(request)) as GuestBooking
  const moved = await reschedule(context, guestOf(context, request), own, move)
  return viewOf(context, await afterChange(context, own, moved))
}

const CANCEL_OWN = {
  operationId: 'cancelOwnBooking',
  summary: 'Cancel a booking',
  description: 'Frees its slot. Safe to repeat.',
  tags,
  params: BookingPath,
  querystring: TokenQuery,
  body: CancelRequest,
  response: { ...answers, ...problems(409, 429, 504) },
}

async function cancelOwn(context: Context, request: RequestOf<typeof CANCEL_OWN>) {
  checkBody(request.body)
  const { reason, scope } = request.body
  const cancellation = { reason: readReason(reason), scope }
  const own = (await wanted.get(request)) as GuestBooking
  const cancelled = await cancel(context, guestOf(context, request), own, cancellation)
  return viewOf(context, await afterChange(context, own, cancelled))
}

const guestOf = (context: Context, request: FastifyRequest) =>
  ({ by: 'guest', clientOf: clientTags(context, clientAddress(request)) }) as const

/** The bookings that requests to change one are about. */
const wanted = new WeakMap<FastifyRequest, Promise<GuestBooking>>()

function checkTokenOf(context: Context, request: FastifyRequest): void {
  const { id } = request.params as { id: string }
  checkManageToken(context, id, (request.query as { token?: unknown }).token)
}

/** Only the guest's mails have that token, so this is their answer to one. */
async function noteReader(context: Context, request: FastifyRequest, own: Promise<GuestBooking>) {
  const { id } = request.params as { id: string }
  const { token } = request.query as { token?: unknown }
  if (typeof token === 'string' && isMailedToken(context, id, token)) {
    await noteAnswer(context, (await own).booking.invitee.email)
  }
}

/** A request without a body gives no reason. */
async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

function checkBody(body: unknown): void {
  const reason = findUnstorable(body)
  if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The body`))
}

/** The meetings of its series that take place or may do so, and itself. */
const ownSeries = ({ booking, series = [] }: GuestBooking) =>
  series.filter((other) => other.id === booking.id || isActive(other))

async function viewOf(context: Context, own: GuestBooking): Promise<Static<typeof GuestBookingView>> {
  const { slug, name, durationMinutes } = own.eventType
  const { hosts, guests, answers, notes } = toldBooking(own, context.publicUrl)
  return {
    ...toBookingView(own.booking),
    ...toSeries(context, ownSeries(own)),
    eventType: { slug, name, durationMinutes },
    userSlug: own.scheduler.slug,
    host: { name: own.hostName, email: own.hosts[0]?.email ?? '' },
    hosts: [...hosts],
    guests: [...guests],
    answers: [...answers],
    notes,
    reason: own.booking.reason,
    canCancel: own.canCancel,
    canReschedule: own.canReschedule,
    cancelUntil: formatInstant(own.cancelUntil),
    rescheduleUntil: formatInstant(own.rescheduleUntil),
    manageUrl: own.manageUrl,
    calendarLinks: (await guestCalendar()).guestCalendarLinks(context, own),
    returnUrl: own.eventType.returnUrl && returnAddress(own.eventType.returnUrl, own.booking),
    ...(await toPayment(context, own.booking)),
  }
}
