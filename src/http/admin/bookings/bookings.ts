import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatCursor } from '../../../domain/cursor.ts'
import { formatInstant } from '../../../domain/instant.ts'
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
import { writeNotes } from '../../../services/bookings/host/write-notes.ts'
import { exportBookings } from '../../../services/bookings/reports/export-csv.ts'
import { listHistory } from '../../../services/bookings/reports/history.ts'
import { getBooking, listBookings } from '../../../services/bookings/reports/list.ts'
import type { Context } from '../../../services/context.ts'
import { answerIn } from '../../language.ts'
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
  ChangeBooking,
  HistoryView,
  ListedBookingView,
  SuccessorQuery,
  SuccessorsView,
} from './schemas.ts'
import { toListedView, toView } from './views.ts'

/** Bookings of the user and their teams. */
export const bookingRoutes: FastifyPluginAsyncTypebox<HostMailOptions> = async (app, options) => {
  const { context, mailLimits } = options
  app.get('/bookings', { schema: LIST }, (request) => list(context, request))
  app.get('/bookings.csv', { schema: EXPORT_CSV }, (request, reply) => exportCsv(context, request, reply))
  app.post('/bookings', { schema: BOOK_FOR_GUEST }, (request, reply) =>
    bookForGuest(context, mailLimits, request, reply),
  )
  app.get('/bookings/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/bookings/:id', { schema: CHANGE }, (request, reply) => change(context, request, reply))
  app.get('/bookings/:id/history', { schema: HISTORY }, (request) => history(context, request))
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
  summary: 'Bookings of you and your teams, by startTime unless sorted otherwise',
  description:
    'Each request searches a limited number of bookings, so a page may have fewer items than asked for, even none. On the last page nextCursor is null.',
  tags,
  querystring: BookingListQuery,
  response: { 200: pageOf(ListedBookingView), ...problems(400, 401, 403, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const limit = readLimit(request.query)
  const query = pick(request.query, BookingListQuery)
  const { found, searchedTo, placeOf } = await listBookings(context, principalOf(request), query, limit + 1)
  const page = toPage(found, limit, (one) => formatCursor(placeOf(one)), toListedView)
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

const CHANGE = {
  operationId: 'changeBooking',
  summary: 'Change what hosts note about a booking',
  description:
    '`hostNotes` are seen by those who see the booking here: never by guests, and not in emails, calendars or webhooks. They are erased with the guest.',
  tags,
  params: IdPath,
  body: ChangeBooking,
  response: { 200: BookingView, ...problems(400, 401, 403, 404, 412) },
}

async function change(context: Context, request: RequestOf<typeof CHANGE>, reply: ReplyOf<typeof CHANGE>) {
  const { hostNotes } = request.body
  const changed = await changeAsHost(
    context,
    principalOf(request),
    versionIn(request, toView),
    async (author, seen) => (hostNotes === undefined ? seen : writeNotes(context, author, seen, hostNotes)),
  )
  return sendVersioned(reply, toView(changed))
}

const HISTORY = {
  operationId: 'getBookingHistory',
  summary: 'What has happened to a booking, oldest first',
  description:
    'Who changed it, and the emails, webhooks, calendar entries and links that followed. Kept as long as the audit log; deliveries of webhooks for 30 days.',
  tags,
  params: IdPath,
  response: { 200: HistoryView, ...problems(401, 403, 404) },
}

async function history(context: Context, request: RequestOf<typeof HISTORY>) {
  const items = await listHistory(context, principalOf(request), request.params.id)
  return {
    items: items.map(({ at, what, ...item }) => ({
      at: formatInstant(at),
      ...item,
      what: answerIn(request, what).text,
    })),
  }
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
