import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { LANGUAGES } from '../../../domain/languages.ts'
import {
  MESSAGE_DEFAULTS,
  type Message,
  type MessageContent,
  type MessageTexts,
} from '../../../domain/messages/message.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeMessage,
  createMessage,
  getMessage,
  getOwnMessage,
  listMessages,
  type MessageInput,
  removeMessage,
} from '../../../services/messages/messages.ts'
import { previewMessage, testLimit, testMessage } from '../../../services/messages/preview.ts'
import { listBookingMessages } from '../../../services/messages/records.ts'
import { getTimeline } from '../../../services/messages/timeline.ts'
import { countRequest } from '../../gate.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import {
  BookingMessagesView,
  ChangeMessage,
  CreateMessage,
  MessageView,
  PreviewRequest,
  PreviewView,
  TimelineQuery,
  TimelineView,
} from './schemas.ts'

/** Messages of the user and their teams, and what guests and hosts get. */
export const messageRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const limit = testLimit(context)
  app.get('/messages', { schema: LIST }, (request) => list(context, request))
  app.post('/messages', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.post('/messages/preview', { schema: PREVIEW }, (request) => preview(context, request))
  app.get('/messages/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/messages/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.delete('/messages/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
  app.post('/messages/:id/test', { schema: TEST }, async (request, reply) => {
    // Others' messages are not there, however often someone asks.
    await getOwnMessage(context.db, principalOf(request), request.params.id)
    await countRequest(limit, request, reply, { key: principalOf(request).userId })
    const note = await testMessage(context, principalOf(request), request.params.id)
    if (note === undefined) return reply.code(204).send(null)
    return reply.code(200).send({ by: 'email', note: answerIn(request, note).text })
  })
  app.get('/event-types/:id/timeline', { schema: TIMELINE }, (request) => timeline(context, request))
  app.get('/bookings/:id/messages', { schema: OF_BOOKING }, (request) => ofBooking(context, request))
}

const tags = ['Messages']
const refused = { ...problems(401, 403, 404) }

const LIST = {
  operationId: 'listMessages',
  summary: 'Messages of you and your teams',
  tags,
  querystring: OwnedPageQuery,
  response: { 200: pageOf(MessageView), ...problems(400), ...refused },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listMessages(context, principalOf(request), request.query.ownerId, page),
    ({ id }) => id,
    toView,
  )
}

const CREATE = {
  operationId: 'createMessage',
  summary: 'Add a message',
  description:
    'It applies to bookings that there are, too, as far as it is still ahead of them. Errors in its texts name line and column.',
  tags,
  body: CreateMessage,
  response: { 201: MessageView, ...problems(400), ...refused, ...problems(409) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, ...input } = pick(request.body, CreateMessage)
  const made = await createMessage(context, principal, teamId, readInput(input))
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const PREVIEW = {
  operationId: 'previewMessage',
  summary: 'How a message reads; nothing is saved or sent',
  tags,
  body: PreviewRequest,
  response: { 200: PreviewView, ...problems(400), ...refused },
}

async function preview(context: Context, request: RequestOf<typeof PREVIEW>) {
  const principal = principalOf(request)
  const { message, bookingId, language } = request.body
  const { teamId = principal.userId, ...input } = pick(message, CreateMessage)
  const content: MessageContent = { ...MESSAGE_DEFAULTS, ...readInput(input) }
  const shown = await previewMessage(context, principal, teamId, { content, bookingId, language })
  return { ...shown, warnings: [...shown.warnings] }
}

const GET = {
  operationId: 'getMessage',
  summary: 'A message',
  tags,
  params: IdPath,
  response: { 200: MessageView, ...refused },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(reply, toView(await getMessage(context.db, principalOf(request), request.params.id)))
}

const UPDATE = {
  operationId: 'updateMessage',
  summary: 'Change a message, or turn it on or off',
  description: 'What is still planned changes with it. What was sent stays as it was.',
  tags,
  params: IdPath,
  body: ChangeMessage,
  response: { 200: MessageView, ...problems(400), ...refused, ...problems(409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const { texts, ...input } = pick(request.body, ChangeMessage)
  const changes = { ...input, ...(texts && { texts: readTexts(texts) }) }
  const changed = await changeMessage(context, principalOf(request), versionIn(request, toView), changes)
  return sendVersioned(reply, toView(changed))
}

const REMOVE = {
  operationId: 'deleteMessage',
  summary: 'Delete a message; what is still planned of it is not sent',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...refused, ...problems(412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removeMessage(context, principalOf(request), versionIn(request, toView))
  return reply.code(204).send(null)
}

const TEST = {
  operationId: 'testMessage',
  summary: 'Email a message to yourself, with an example booking',
  description:
    'Works for messages that are turned off, too. At most 20 an hour. Nobody is texted without their consent, so the text of an SMS comes as an email, and the answer says so (200).',
  tags,
  params: IdPath,
  response: {
    200: Type.Object({
      by: oneOf(['email']),
      note: Type.String({ description: 'Why a text message came as an email.' }),
    }),
    204: Type.Null(),
    ...problems(400),
    ...refused,
    ...problems(429),
  },
}

const TIMELINE = {
  operationId: 'getTimeline',
  summary: 'All that guest and hosts of an event type will get, in order',
  tags,
  params: IdPath,
  querystring: TimelineQuery,
  response: { 200: TimelineView, ...problems(400), ...refused },
}

async function timeline(context: Context, request: RequestOf<typeof TIMELINE>) {
  const entries = await getTimeline(context, principalOf(request), request.params.id, request.query)
  return entries.map(({ at, when, to, by, subject, text, message, standard }) => ({
    at: formatInstant(at),
    when: answerIn(request, when).text,
    to,
    by,
    subject,
    text,
    ...(message === undefined ? { standard: standard ?? '' } : { messageId: message.id }),
  }))
}

const OF_BOOKING = {
  operationId: 'listBookingMessages',
  summary: 'The messages of a booking: sent, skipped, failed and still planned',
  tags,
  params: IdPath,
  response: { 200: BookingMessagesView, ...refused },
}

async function ofBooking(context: Context, request: RequestOf<typeof OF_BOOKING>) {
  const found = await listBookingMessages(context, principalOf(request), request.params.id)
  return found.map(({ messageId, to, by, state, at, reason }) => ({
    messageId,
    to,
    by,
    state,
    at: formatInstant(at),
    reason: answerIn(request, reason).text,
  }))
}

type GivenTexts = NonNullable<ChangeMessage['texts']>

/** A text for phones has no subject, and may leave it out. */
function readTexts(given: GivenTexts): MessageTexts {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = given[language]
      return text === undefined ? [] : [[language, { subject: text.subject ?? '', body: text.body }]]
    }),
  )
}

const readInput = ({ texts, ...input }: Omit<CreateMessage, 'teamId'>): MessageInput => ({
  ...input,
  texts: readTexts(texts),
})

function toView({ schedulerId, createdAt, ...message }: Message): MessageView {
  const { id, name, on, minutes, to, by, eventTypeIds, formIds, enabled, replaces, texts } = message
  return {
    id,
    ownerId: schedulerId,
    name,
    on,
    minutes,
    to,
    by,
    eventTypeIds,
    formIds,
    enabled,
    replaces,
    texts,
    createdAt: formatInstant(createdAt),
  }
}
