import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../../domain/text.ts'
import { Type } from '../../../format/type.ts'
import { bookAsHost } from '../../../services/bookings/host/book-as-host.ts'
import { changeAsHost, getChangeable } from '../../../services/bookings/host/change-as-host.ts'
import {
  countForUser,
  countRecipients,
  type HostMailLimits,
} from '../../../services/bookings/host/host-mails.ts'
import { undoNoShow } from '../../../services/bookings/host/mark-no-show.ts'
import { findSuccessors } from '../../../services/bookings/host/reassign.ts'
import { exportBookings } from '../../../services/bookings/reports/export-csv.ts'
import { getBooking, listBookings } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { sendCsv } from '../csv.ts'
import { pageOf, readLimit, toPage } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import {
  ADD_LINK,
  APPROVE,
  addAction,
  CANCEL,
  DECLINE,
  FOLLOW_CALENDAR,
  NO_SHOW,
  REASSIGN,
  RESCHEDULE,
  RESTORE_CALENDAR,
  UNDO,
} from './actions.ts'
import type { HostMailOptions } from './host-mail-options.ts'
import {
  BookForGuest,
  BookingFilterQuery,
  BookingListQuery,
  BookingView,
  ListedBookingView,
  SuccessorQuery,
  SuccessorsView,
} from './schemas.ts'
import { keyOf, toListedView, toView } from './views.ts'

/** Bookings of the user and their teams. */
export const bookingRoutes: FastifyPluginAsyncTypebox<HostMailOptions> = async (app, options) => {
  const { context, mailLimits } = options
  app.get('/bookings', { schema: LIST }, (request) => list(context, request))
  app.get('/bookings.csv', { schema: EXPORT_CSV }, (request, reply) => exportCsv(context, request, reply))
  app.post('/bookings', { schema: BOOK_FOR_GUEST }, (request, reply) =>
    bookForGuest(context, mailLimits, request, reply),
  )
  app.get('/bookings/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  addAction(app, options, APPROVE)
  addAction(app, options, DECLINE)
  addAction(app, options, UNDO)
  addAction(app, options, CANCEL)
  addAction(app, options, RESCHEDULE)
  addAction(app, options, REASSIGN)
  app.get('/bookings/:id/hosts', { schema: LIST_HOSTS }, (request) => listHosts(context, request))
  addAction(app, options, FOLLOW_CALENDAR)
  addAction(app, options, RESTORE_CALENDAR)
  addAction(app, options, ADD_LINK)
  addAction(app, options, NO_SHOW)
  app.delete('/bookings/:id/no-show', { schema: TAKE_NO_SHOW_BACK }, (request, reply) =>
    takeNoShowBack(context, request, reply),
  )
}

const tags = ['Bookings']

const LIST = {
  operationId: 'listBookings',
  summary: 'Bookings of you and your teams, by startTime',
  description:
    'Each request searches a limited number of bookings, so a page may have fewer items than asked for, even none. On the last page nextCursor is null.',
  tags,
  querystring: BookingListQuery,
  response: { 200: pageOf(ListedBookingView), ...problems(400, 401, 403, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const limit = readLimit(request.query)
  const query = pick(request.query, BookingListQuery)
  const { found, searchedTo } = await listBookings(context, principalOf(request), query, limit + 1)
  const page = toPage(found, limit, keyOf, toListedView)
  return { ...page, nextCursor: page.nextCursor ?? (searchedTo ? formatCursor(searchedTo) : null) }
}

const EXPORT_CSV = {
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
}

async function exportCsv(
  context: Context,
  request: RequestOf<typeof EXPORT_CSV>,
  reply: ReplyOf<typeof EXPORT_CSV>,
) {
  const query = pick(request.query, BookingFilterQuery)
  const chunks = await exportBookings(context, principalOf(request), query)
  return sendCsv(reply, 'bookings.csv', chunks)
}

const BOOK_FOR_GUEST = {
  operationId: 'bookForGuest',
  summary: 'Book for a guest',
  description:
    'For hosts of the event type and admins of its owner. Minimum notice, booking window, approval and CAPTCHA don’t apply; hours, other meetings and booking limits do. The guest is notified by email. A user may book 60 times an hour, and everyone together may cause 20 mails to one mailbox. The booking’s `source` is `Host`.',
  tags,
  body: BookForGuest,
  response: { 201: BookingView, ...problems(400, 401, 403, 404, 429, 503) },
}

async function bookForGuest(
  context: Context,
  limits: HostMailLimits,
  request: RequestOf<typeof BOOK_FOR_GUEST>,
  reply: ReplyOf<typeof BOOK_FOR_GUEST>,
) {
  const { eventTypeId, ...guest } = pick(request.body, BookForGuest)
  const reason = findUnstorable(guest)
  if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The request`))
  await countForUser(limits.bookings, principalOf(request).userId)
  await countRecipients(limits, [guest.inviteeEmail, ...(guest.guests ?? [])])
  const made = await bookAsHost(context, principalOf(request), eventTypeId, guest)
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const GET = {
  operationId: 'getBooking',
  summary: 'A booking, with all that the guest entered',
  tags,
  params: IdPath,
  response: { 200: BookingView, ...problems(401, 403, 404) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(reply, toView(await getBooking(context, principalOf(request), request.params.id)))
}

const LIST_HOSTS = {
  operationId: 'listSuccessors',
  summary: 'Hosts to whom a meeting can be handed over',
  description:
    'The hosts of the event type who take turns, without those who host the meeting now. Empty for event types whose hosts all attend.',
  tags,
  params: IdPath,
  querystring: SuccessorQuery,
  response: { 200: SuccessorsView, ...problems(400, 401, 403, 404, 409) },
}

async function listHosts(context: Context, request: RequestOf<typeof LIST_HOSTS>) {
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
}

const TAKE_NO_SHOW_BACK = {
  operationId: 'undoNoShow',
  summary: 'Undo a no-show',
  description:
    'The booking is `Confirmed` again, or `Completed` once it is over. Sends no email. Safe to repeat.',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409, 412) },
}

async function takeNoShowBack(
  context: Context,
  request: RequestOf<typeof TAKE_NO_SHOW_BACK>,
  reply: ReplyOf<typeof TAKE_NO_SHOW_BACK>,
) {
  await changeAsHost(context, principalOf(request), versionIn(request, toView), (author, seen) =>
    undoNoShow(context, author, seen),
  )
  return reply.code(204).send(null)
}
