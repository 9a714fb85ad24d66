import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { BOOKING_SOURCES, BOOKING_STATUSES } from '../../../domain/bookings/booking.ts'
import { readReason, readStart } from '../../../domain/bookings/change-request.ts'
import { formatCursor } from '../../../domain/cursor.ts'
import { LOCATION_TYPES } from '../../../domain/event-types/event-type.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { approve } from '../../../services/bookings/approve.ts'
import { cancel } from '../../../services/bookings/cancel.ts'
import { changeAsHost } from '../../../services/bookings/change-as-host.ts'
import type { Author } from '../../../services/bookings/change-state.ts'
import { decline } from '../../../services/bookings/decline.ts'
import { getBooking, type HostedBooking, listBookings } from '../../../services/bookings/list.ts'
import { markNoShow } from '../../../services/bookings/mark-no-show.ts'
import { reschedule } from '../../../services/bookings/reschedule.ts'
import type { Context } from '../../../services/context.ts'
import type { ListedBooking } from '../../../store/bookings/list.ts'
import { problems } from '../../problems.ts'
import {
  checkVersion,
  IdPath,
  PageQuery,
  pageOf,
  pick,
  principalOf,
  readLimit,
  sendVersioned,
  toPage,
} from '../desk.ts'

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values })
const Instant = Type.String({ description: 'ISO 8601, UTC.', examples: ['2030-01-31T09:30:00Z'] })

const ListedBookingView = Type.Object({
  id: Type.String(),
  eventTypeId: Type.String(),
  ownerId: Type.String({ description: 'The user or team whose event type it is.' }),
  hostId: Type.String({ description: 'The host who is written to.' }),
  meetingId: Type.String({ description: 'Guests of a seated slot share one.' }),
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
  location: Type.Object({ type: oneOf(LOCATION_TYPES), value: Type.String() }),
  seat: Type.Integer(),
  seats: Type.Integer(),
  sequence: Type.Integer({ description: 'Grows with every change.' }),
  reason: Type.String({ description: 'Why it was declined or cancelled, or empty.' }),
  source: oneOf(BOOKING_SOURCES),
  createdAt: Instant,
})

/** Everything a host needs, which is more than a list should carry. */
const BookingView = Type.Object({
  ...ListedBookingView.properties,
  hostIds: Type.Array(Type.String(), { description: 'Everyone who hosts it.' }),
  notes: Type.String(),
  customFields: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  utm: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The campaign that led the guest here: `source`, `medium` and so on.',
  }),
})

const BookingListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })], {
      description: `One or several of ${BOOKING_STATUSES.join(', ')}: separated by commas, or repeated.`,
    }),
  ),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'Starts at or after this UTC instant.' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Starts before this UTC instant.' })),
  eventTypeId: Type.Optional(Type.String()),
  ownerId: Type.Optional(Type.String({ description: 'Yourself, or one of your teams.' })),
  text: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the guest’s name or e-mail, in any case of letters.',
    }),
  ),
  order: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({ ...oneOf(['asc', 'desc']), description: 'By startTime.' }),
  ),
})

/** Bookings of the user and of their teams. */
export const bookingRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Bookings']

  app.get(
    '/bookings',
    {
      schema: {
        operationId: 'listBookings',
        summary: 'Your bookings, and your teams’, by startTime',
        description:
          'A search that finds little goes only so far at a time: a page may have fewer items than asked for, even none. The last page is the one whose nextCursor is null.',
        tags,
        querystring: BookingListQuery,
        response: { 200: pageOf(ListedBookingView), ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const query = pick(request.query, BookingListQuery)
      const { found, searchedTo } = await listBookings(context, principalOf(request), query, limit + 1)
      const page = toPage(found, limit, keyOf, toListedView)
      return { ...page, nextCursor: page.nextCursor ?? (searchedTo ? formatCursor(searchedTo) : null) }
    },
  )

  app.get(
    '/bookings/:id',
    {
      schema: {
        operationId: 'getBooking',
        summary: 'A booking, with everything the guest has said',
        tags,
        params: IdPath,
        response: { 200: BookingView, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getBooking(context, principalOf(request), request.params.id))),
  )

  /** One thing that hosts do about a booking. */
  function action<B extends Type.TObject>(
    path: string,
    { operationId, summary, description }: Record<'operationId' | 'summary' | 'description', string>,
    body: B,
    change: (given: Static<B>) => (author: Author, seen: ListedBooking) => Promise<ListedBooking>,
  ): void {
    app.post(
      `/bookings/:id/${path}`,
      {
        schema: {
          operationId,
          summary,
          description,
          tags,
          params: IdPath,
          body: body as Type.TObject,
          response: { 200: BookingView, ...problems(400, 401, 403, 404, 409, 412) },
        },
        // Without a body, nothing is said about it.
        preValidation: async (request) => {
          request.body ??= {}
        },
      },
      async (request, reply) => {
        const changed = await changeAsHost(
          context,
          principalOf(request),
          request.params.id,
          (now) => checkVersion(request, toView(now)),
          change(request.body as Static<B>),
        )
        return sendVersioned(reply, toView(changed))
      },
    )
  }

  action(
    'approve',
    {
      operationId: 'approveBooking',
      summary: 'Confirm a request',
      description: 'A `PendingApproval` becomes `Confirmed`, as long as its time has not come.',
    },
    NoBody,
    () => (author, seen) => approve(context, author, seen),
  )
  action(
    'decline',
    {
      operationId: 'declineBooking',
      summary: 'Refuse a request',
      description: 'A `PendingApproval` becomes `Declined`, and its time is open again.',
    },
    ReasonBody,
    ({ reason }) => {
      const said = readReason(reason)
      return (author, seen) => decline(context, author, seen, said)
    },
  )
  action(
    'cancel',
    {
      operationId: 'cancelBooking',
      summary: 'Call a booking off',
      description: 'Its time is open again, unless other guests share the meeting.',
    },
    ReasonBody,
    ({ reason }) => {
      const said = readReason(reason)
      return (author, seen) => cancel(context, author, seen, said)
    },
  )
  action(
    'reschedule',
    {
      operationId: 'rescheduleBooking',
      summary: 'Move a booking to another time',
      description:
        'The id stays. Hours, buffers, limits and seats hold as for a guest; the minimum notice and the booking window do not.',
    },
    MoveBody,
    ({ startTime, reason }) => {
      const move = { startsAt: readStart(startTime), reason: readReason(reason) }
      return (author, seen) => reschedule(context, author, seen, move)
    },
  )
  action(
    'no-show',
    {
      operationId: 'markNoShow',
      summary: 'Note that the guest did not come',
      description: 'From the start of the meeting on, also when it counts as `Completed`. Nobody is told.',
    },
    NoBody,
    () => (author, seen) => markNoShow(context, author, seen),
  )
}

const actions = {
  reason: Type.Optional(Type.String({ maxLength: 1000, description: 'What the guest is told about it.' })),
  startTime: Type.String({ maxLength: 64, description: 'Where to: an ISO 8601 instant in UTC.' }),
}
const NoBody = Type.Object({})
const ReasonBody = Type.Object({ reason: actions.reason })
const MoveBody = Type.Object(actions)

const keyOf = ({ booking }: ListedBooking) => formatCursor({ at: booking.startsAt, id: booking.id })

function toListedView({
  booking,
  schedulerId,
  hostId,
  seat,
  seats,
}: ListedBooking): Static<typeof ListedBookingView> {
  const { timeZone, ...invitee } = booking.invitee
  return {
    id: booking.id,
    eventTypeId: booking.eventTypeId,
    ownerId: schedulerId,
    hostId,
    meetingId: booking.meetingId,
    status: booking.status,
    startTime: formatInstant(booking.startsAt),
    endTime: formatInstant(booking.endsAt),
    invitee: { ...invitee, timezone: timeZone },
    location: booking.location,
    seat,
    seats,
    sequence: booking.sequence,
    reason: booking.reason,
    source: booking.source,
    createdAt: formatInstant(booking.createdAt),
  }
}

function toView(hosted: HostedBooking): Static<typeof BookingView> {
  const { notes, customFields, utm } = hosted.booking
  return {
    ...toListedView(hosted),
    hostIds: [...hosted.hostIds],
    notes,
    customFields: { ...customFields },
    utm: { ...utm },
  }
}
