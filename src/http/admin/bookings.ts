import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { BOOKING_SOURCES, BOOKING_STATUSES } from '../../domain/booking.ts'
import { formatCursor } from '../../domain/cursor.ts'
import { LOCATION_TYPES } from '../../domain/event-type.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { Context } from '../../services/context.ts'
import { getBooking, type HostedBooking, listBookings } from '../../services/list-bookings.ts'
import type { ListedBooking } from '../../store/booking-list.ts'
import { ProblemBody } from '../problems.ts'
import { IdPath, PageQuery, pageOf, pick, principalOf, readLimit, sendVersioned, toPage } from './desk.ts'

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
  source: oneOf(BOOKING_SOURCES),
  createdAt: Instant,
})

/** Everything a host needs, which is more than a list should carry. */
const BookingView = Type.Object({
  ...ListedBookingView.properties,
  hostIds: Type.Array(Type.String(), { description: 'Everyone who hosts it.' }),
  notes: Type.String(),
  customFields: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
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
        response: {
          200: pageOf(ListedBookingView),
          400: ProblemBody,
          401: ProblemBody,
          403: ProblemBody,
          404: ProblemBody,
        },
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
        response: { 200: BookingView, 401: ProblemBody, 403: ProblemBody, 404: ProblemBody },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getBooking(context, principalOf(request), request.params.id))),
  )
}

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
    source: booking.source,
    createdAt: formatInstant(booking.createdAt),
  }
}

function toView(hosted: HostedBooking): Static<typeof BookingView> {
  const { notes, customFields } = hosted.booking
  return { ...toListedView(hosted), hostIds: [...hosted.hostIds], notes, customFields: { ...customFields } }
}
