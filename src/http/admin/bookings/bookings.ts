import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TObject } from 'typebox'
import type { Assignment } from '../../../domain/bookings/assignment.ts'
import { readReason, readStart, readSuccessor } from '../../../domain/bookings/change-request.ts'
import type { Author } from '../../../domain/bookings/decisions/author.ts'
import type { ListedBooking } from '../../../domain/bookings/listed-booking.ts'
import { UNDO_WINDOW } from '../../../domain/bookings/states.ts'
import type { SeenDifference } from '../../../domain/calendars/difference.ts'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../../domain/text.ts'
import { Type } from '../../../format/type.ts'
import { cancel } from '../../../services/bookings/cancel.ts'
import { reschedule } from '../../../services/bookings/guest/reschedule.ts'
import { approve } from '../../../services/bookings/host/approve.ts'
import { bookAsHost } from '../../../services/bookings/host/book-as-host.ts'
import {
  type ComparedBooking,
  followCalendar,
  restoreCalendar,
} from '../../../services/bookings/host/calendar-difference.ts'
import { changeAsHost, getChangeable } from '../../../services/bookings/host/change-as-host.ts'
import { decline } from '../../../services/bookings/host/decline.ts'
import { markNoShow, undoNoShow } from '../../../services/bookings/host/mark-no-show.ts'
import { findSuccessors, reassign } from '../../../services/bookings/host/reassign.ts'
import { undoAnswer } from '../../../services/bookings/host/undo-answer.ts'
import { exportBookings } from '../../../services/bookings/reports/export-csv.ts'
import { getBooking, type HostedBooking, listBookings } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { sendCsv } from '../csv.ts'
import { pageOf, readLimit, toPage } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import {
  ApproveBooking,
  BookForGuest,
  BookingFilterQuery,
  BookingListQuery,
  BookingView,
  type CalendarDifferenceView,
  CancelBooking,
  DeclineBooking,
  EndBooking,
  ListedBookingView,
  ReassignBooking,
  RescheduleBooking,
  SuccessorQuery,
  SuccessorsView,
} from './schemas.ts'

/** Bookings of the user and their teams. */
export const bookingRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Bookings']

  app.get(
    '/bookings',
    {
      schema: {
        operationId: 'listBookings',
        summary: 'Bookings of you and your teams, by startTime',
        description:
          'Each request searches a limited number of bookings, so a page may have fewer items than asked for, even none. On the last page nextCursor is null.',
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
    '/bookings.csv',
    {
      schema: {
        operationId: 'exportBookings',
        summary: 'All bookings that a filter finds, as CSV',
        description:
          'Takes the filters of the list. Answers to questions are JSON in one column. Cells that a spreadsheet would run as a formula begin with an apostrophe.',
        tags,
        querystring: BookingFilterQuery,
        response: {
          200: {
            description: 'CSV (RFC 4180), in UTF-8.',
            content: { 'text/csv': { schema: Type.String() } },
          },
          ...problems(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const query = pick(request.query, BookingFilterQuery)
      const chunks = await exportBookings(context, principalOf(request), query)
      return sendCsv(reply, 'bookings.csv', chunks)
    },
  )

  app.post(
    '/bookings',
    {
      schema: {
        operationId: 'bookForGuest',
        summary: 'Book for a guest',
        description:
          'For hosts of the event type and admins of its owner. Minimum notice, booking window, approval and CAPTCHA don’t apply; hours, other meetings and booking limits do. The guest is notified by email. The booking’s `source` is `Host`.',
        tags,
        body: BookForGuest,
        response: { 201: BookingView, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { eventTypeId, ...guest } = pick(request.body, BookForGuest)
      const reason = findUnstorable(guest)
      if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The request`))
      const made = await bookAsHost(context, principalOf(request), eventTypeId, guest)
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.get(
    '/bookings/:id',
    {
      schema: {
        operationId: 'getBooking',
        summary: 'A booking, with all that the guest entered',
        tags,
        params: IdPath,
        response: { 200: BookingView, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getBooking(context, principalOf(request), request.params.id))),
  )

  /** Adds a route that changes a booking. */
  function action<B extends TObject>(
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
          body: body as TObject,
          response: { 200: BookingView, ...problems(400, 401, 403, 404, 409, 412) },
        },
        // A request without a body gives no reason.
        preValidation: async (request) => {
          request.body ??= {}
        },
      },
      async (request, reply) => {
        const changed = await changeAsHost(
          context,
          principalOf(request),
          versionIn(request, toView),
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
      summary: 'Approve a request',
      description: 'A `PendingApproval` becomes `Confirmed`, unless its start has passed.',
    },
    ApproveBooking,
    ({ undoable }) =>
      (author, seen) =>
        approve(context, author, seen, { undoFor: undoFor(undoable) }),
  )
  action(
    'decline',
    {
      operationId: 'declineBooking',
      summary: 'Decline a request',
      description: 'A `PendingApproval` becomes `Declined`, and its time is available again.',
    },
    DeclineBooking,
    ({ reason, undoable }) => {
      const said = readReason(reason)
      return (author, seen) => decline(context, author, seen, { reason: said, undoFor: undoFor(undoable) })
    },
  )
  action(
    'undo',
    {
      operationId: 'undoAnswer',
      summary: 'Undo an approval or a decline',
      description:
        'The request is `PendingApproval` again. Possible until it is announced, and after a decline while the time is free.',
    },
    NoBody,
    () => (author, seen) => undoAnswer(context, author, seen),
  )
  action(
    'cancel',
    {
      operationId: 'cancelBooking',
      summary: 'Cancel a booking',
      description: 'Its time is available again, unless other guests share the meeting.',
    },
    CancelBooking,
    ({ reason, scope }) => {
      const said = readReason(reason)
      return (author, seen) => cancel(context, author, seen, { reason: said, scope })
    },
  )
  action(
    'reschedule',
    {
      operationId: 'rescheduleBooking',
      summary: 'Reschedule a booking',
      description:
        'The id stays the same. Hours, buffers, limits and seats apply as they do to guests; the minimum notice and the booking window do not.',
    },
    RescheduleBooking,
    ({ startTime, reason, scope }) => {
      const move = { startsAt: readStart(startTime), reason: readReason(reason), scope }
      return (author, seen) => reschedule(context, author, seen, move)
    },
  )
  action(
    'reassign',
    {
      operationId: 'reassignBooking',
      summary: 'Hand a meeting over to another host',
      description:
        'Give `hostId`, or `automatic: true` for the next host whose turn it is. The time stays the same. The host must be free: other meetings, time off and busy calendars count, by `automatic` also hours, buffers and limits (409 otherwise). All guests of a seated meeting go along. Guests, both hosts, calendars and the meeting link follow.',
    },
    ReassignBooking,
    ({ reason, scope, ...given }) => {
      const said = readReason(reason)
      return (author, seen) =>
        reassign(context, author, seen, { hostId: readSuccessor(given), reason: said, scope })
    },
  )
  app.get(
    '/bookings/:id/hosts',
    {
      schema: {
        operationId: 'listSuccessors',
        summary: 'Hosts to whom a meeting can be handed over',
        description:
          'The hosts of the event type who take turns, without those who host the meeting now. Empty for event types whose hosts all attend.',
        tags,
        params: IdPath,
        querystring: SuccessorQuery,
        response: { 200: SuccessorsView, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const seen = await getChangeable(context, principalOf(request), request.params.id)
      const found = await findSuccessors(context, seen, request.query.scope)
      return {
        hosts: found.map(({ hostId, name, obstacle = null }) => ({
          hostId,
          name,
          free: obstacle === null || obstacle === 'hours',
          obstacle,
        })),
      }
    },
  )
  action(
    'follow-calendar',
    {
      operationId: 'followCalendar',
      summary: 'Move the meeting to the calendar’s time',
      description:
        'Where `calendarDifference` is `moved`, the meeting and all its guests move to that time. Hours, buffers and limits don’t apply, but it can’t overlap another meeting. Where it is `deleted`, the meeting is cancelled. Guests are notified by email.',
    },
    EndBooking,
    ({ reason }) => {
      const said = readReason(reason)
      return (author, seen) => followCalendar(context, author, seen, said)
    },
  )
  action(
    'restore-calendar',
    {
      operationId: 'restoreCalendar',
      summary: 'Put the calendar back',
      description:
        'Writes the meeting’s entry again, where the meeting is. It takes some seconds; `calendarDifference` is null once it is done.',
    },
    NoBody,
    () => (author, seen) => restoreCalendar(context, author, seen),
  )
  action(
    'no-show',
    {
      operationId: 'markNoShow',
      summary: 'Mark a booking as a no-show',
      description:
        'Possible once the meeting has started, even when it is already `Completed`. Sends no email.',
    },
    NoBody,
    () => (author, seen) => markNoShow(context, author, seen),
  )
  app.delete(
    '/bookings/:id/no-show',
    {
      schema: {
        operationId: 'undoNoShow',
        summary: 'Undo a no-show',
        description:
          'The booking is `Confirmed` again, or `Completed` once it is over. Sends no email. Safe to repeat.',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      await changeAsHost(context, principalOf(request), versionIn(request, toView), (author, seen) =>
        undoNoShow(context, author, seen),
      )
      return reply.code(204).send(null)
    },
  )
}

const NoBody = Type.Object({})

const undoFor = (undoable = false) => (undoable ? UNDO_WINDOW : 0)

const keyOf = ({ booking }: ListedBooking) => formatCursor({ at: booking.startsAt, id: booking.id })

function toListedView({
  booking,
  schedulerId,
  hostId,
  seat,
  seats,
  assignment,
  calendarDifference,
}: ComparedBooking): ListedBookingView {
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
    guests: [...booking.guests],
    location: booking.location,
    seat,
    seats,
    sequence: booking.sequence,
    reason: booking.reason,
    source: booking.source,
    assignment: assignment ? toAssignmentView(assignment) : null,
    routing: booking.routing ?? null,
    seriesId: booking.series?.id ?? null,
    seriesPlace: booking.series ? { number: booking.series.index + 1, count: booking.series.count } : null,
    createdAt: formatInstant(booking.createdAt),
    calendarDifference: calendarDifference && toDifferenceView(calendarDifference),
  }
}

const toAssignmentView = ({ hostId, reason, detail }: Assignment) => ({ hostId, reason, detail })

function toDifferenceView(difference: SeenDifference): CalendarDifferenceView {
  const seenAt = formatInstant(difference.seenAt)
  if (difference.kind === 'deleted') return { kind: 'deleted', seenAt }
  const { kind, startsAt, endsAt } = difference
  return { kind, startTime: formatInstant(startsAt), endTime: formatInstant(endsAt), seenAt }
}

function toView(hosted: HostedBooking): BookingView {
  const { notes, customFields, utm } = hosted.booking
  return {
    ...toListedView(hosted),
    hostIds: [...hosted.hostIds],
    series: hosted.series.map(({ id, status, startsAt, endsAt }) => ({
      id,
      status,
      startTime: formatInstant(startsAt),
      endTime: formatInstant(endsAt),
    })),
    notes,
    customFields: { ...customFields },
    utm: { ...utm },
  }
}
