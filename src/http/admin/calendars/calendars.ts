import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import {
  type ConnectedCalendar,
  changeCalendar,
  changesAccess,
  createCalendar,
  discover,
  getCalendar,
  listCalendars,
  refreshNow,
  removeCalendar,
} from '../../../services/calendars/calendars.ts'
import { closeFeed, hasFeed, rotateFeed } from '../../../services/calendars/feed.ts'
import type { Context } from '../../../services/context.ts'
import { etagOf } from '../../etag.ts'
import { type Asking, answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, PageQuery, pageOf } from '../paging.ts'
import { type OutsideOptions, principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { versionIn } from '../versions.ts'
import {
  CalendarView,
  ChangeCalendar,
  CreateCalendar,
  DiscoverCalendars,
  FeedStateView,
  FeedView,
  FoundCalendarsView,
} from './schemas.ts'

/** The user's calendars at other services, and the feed of their own bookings. */
export const calendarRoutes: FastifyPluginAsyncTypebox<OutsideOptions> = async (
  app,
  { context, countOutside },
) => {
  app.get('/calendars', { schema: LIST }, (request) => list(context, request))
  app.post('/calendars/discover', { schema: DISCOVER_ALL, preHandler: countOutside }, (request) =>
    discoverAll(context, request),
  )
  app.post('/calendars', { schema: CREATE, preHandler: countOutside }, (request, reply) =>
    create(context, request, reply),
  )
  app.get('/calendars/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch(
    '/calendars/:id',
    {
      schema: UPDATE,
      preHandler: async (request, reply) => {
        const input = pick(request.body, ChangeCalendar)
        if (changesAccess(input) || input.writeTo === true) await countOutside(request, reply)
      },
    },
    (request, reply) => update(context, request, reply),
  )
  app.delete('/calendars/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
  app.post('/calendars/:id/refresh', { schema: REFRESH, preHandler: countOutside }, (request, reply) =>
    refresh(context, request, reply),
  )
  app.get('/me/calendar-feed', { schema: GET_FEED }, (request) => getFeed(context, request))
  app.post('/me/calendar-feed', { schema: ROTATE_FEED_LINK }, (request, reply) =>
    rotateFeedLink(context, request, reply),
  )
  app.delete('/me/calendar-feed', { schema: REVOKE_FEED_LINK }, (request, reply) =>
    revokeFeedLink(context, request, reply),
  )
}

const tags = ['Calendars']
const seen = { 200: CalendarView, ...problems(401, 404) }

const LIST = {
  operationId: 'listCalendars',
  summary: 'Your connected calendars, with the result of the last refresh',
  tags,
  querystring: PageQuery,
  response: { 200: pageOf(CalendarView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listCalendars(context, principalOf(request), page),
    ({ calendar }) => calendar.id,
    (found) => toView(found, request),
  )
}

const DISCOVER_ALL = {
  operationId: 'discoverCalendars',
  summary: 'Find the calendars of an account on a calendar server',
  tags,
  body: DiscoverCalendars,
  response: { 200: FoundCalendarsView, ...problems(400, 401, 429, 503) },
}

async function discoverAll(context: Context, request: RequestOf<typeof DISCOVER_ALL>) {
  return {
    calendars: await discover(context, principalOf(request), pick(request.body, DiscoverCalendars)),
  }
}

const CREATE = {
  operationId: 'createCalendar',
  summary: 'Connect a calendar: an iCalendar feed, one on a calendar server, or one of a connected account',
  tags,
  body: CreateCalendar,
  response: { 201: CalendarView, ...problems(400, 401, 404, 409, 429, 503) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const input = pick(request.body, CreateCalendar)
  const made = await createCalendar(context, principalOf(request), input)
  reply.header('etag', versionOf(made))
  return reply.code(201).send(toView(made, request))
}

const GET = {
  operationId: 'getCalendar',
  summary: 'One of your connected calendars',
  tags,
  params: IdPath,
  response: seen,
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  const found = await getCalendar(context.db, principalOf(request), request.params.id)
  reply.header('etag', versionOf(found))
  return toView(found, request)
}

const UPDATE = {
  operationId: 'updateCalendar',
  summary: 'Change a connected calendar',
  tags,
  params: IdPath,
  body: ChangeCalendar,
  response: { ...seen, ...problems(400, 409, 412, 429, 503) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const input = pick(request.body, ChangeCalendar)
  const changed = await changeCalendar(context, principalOf(request), versionIn(request, settingsOf), input)
  reply.header('etag', versionOf(changed))
  return toView(changed, request)
}

const REMOVE = {
  operationId: 'deleteCalendar',
  summary: 'Disconnect a calendar; bookings added to it stay there',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 404, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeCalendar(context, principalOf(request), versionIn(request, settingsOf))
  return reply.code(204).send(null)
}

const REFRESH = {
  operationId: 'refreshCalendar',
  summary: 'Refresh a connected calendar now; lastError says why it failed',
  tags,
  params: IdPath,
  response: { ...seen, ...problems(400, 429, 503) },
}

async function refresh(context: Context, request: RequestOf<typeof REFRESH>, reply: ReplyOf<typeof REFRESH>) {
  const read = await refreshNow(context, principalOf(request), request.params.id)
  reply.header('etag', versionOf(read))
  return toView(read, request)
}

const GET_FEED = {
  operationId: 'getCalendarFeed',
  summary: 'Whether there is a secret link to your bookings',
  tags,
  response: { 200: FeedStateView, ...problems(401) },
}

async function getFeed(context: Context, request: RequestOf<typeof GET_FEED>) {
  return { active: await hasFeed(context, principalOf(request)) }
}

const ROTATE_FEED_LINK = {
  operationId: 'rotateCalendarFeed',
  summary: 'Create a secret link to your bookings, shown only once; earlier links stop working',
  tags,
  response: { 201: FeedView, ...problems(401) },
}

async function rotateFeedLink(
  context: Context,
  request: RequestOf<typeof ROTATE_FEED_LINK>,
  reply: ReplyOf<typeof ROTATE_FEED_LINK>,
) {
  return reply.code(201).send({ url: await rotateFeed(context, principalOf(request)) })
}

const REVOKE_FEED_LINK = {
  operationId: 'closeCalendarFeed',
  summary: 'Revoke the secret link to your bookings',
  tags,
  response: { 204: Type.Null(), ...problems(401) },
}

async function revokeFeedLink(
  context: Context,
  request: RequestOf<typeof REVOKE_FEED_LINK>,
  reply: ReplyOf<typeof REVOKE_FEED_LINK>,
) {
  await closeFeed(context, principalOf(request))
  return reply.code(204).send(null)
}

function toView({ calendar, busyTimes }: ConnectedCalendar, request: Asking): CalendarView {
  const { id, kind, name, url, username, busy, tentative, writeTo, writable, refreshedAt } = calendar
  return {
    id,
    kind,
    connectionId: calendar.connectionId,
    externalId: calendar.externalId,
    name,
    url,
    username,
    busy,
    tentative,
    writeTo,
    writable,
    hasPassword: calendar.sealedPassword !== '',
    busyTimes,
    refreshedAt: refreshedAt === null ? null : formatInstant(refreshedAt),
    nextRefreshAt: formatInstant(calendar.nextRefreshAt),
    failures: calendar.failures,
    lastError: answerIn(request, calendar.lastError).text,
    skippedEvents: calendar.skipped,
  }
}

/** What the host can change. Only this has a version, so that a background refresh does not change it. */
function settingsOf({ calendar }: ConnectedCalendar) {
  const { id, name, url, username, sealedPassword, busy, tentative, writeTo } = calendar
  return { id, name, url, username, sealedPassword, busy, tentative, writeTo }
}

const versionOf = (found: ConnectedCalendar) => etagOf(settingsOf(found))
