import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import { blockGuest, listBlockedGuests, unblockGuest } from '../../../services/bookings/host/blocklist.ts'
import type { Context } from '../../../services/context.ts'
import type { BlockedGuest } from '../../../store/bookings/guests/blocked-guests.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { BlockedGuestView, BlockGuest } from './schemas.ts'

/** Guests who cannot book the user or their teams. Event types have blocklists of their own besides. */
export const blocklistRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/blocklist', { schema: LIST }, (request) => list(context, request))
  app.post('/blocklist', { schema: BLOCK }, (request, reply) => block(context, request, reply))
  app.delete('/blocklist/:id', { schema: UNBLOCK }, (request, reply) => unblock(context, request, reply))
}

const tags = ['Blocklist']

const LIST = {
  operationId: 'listBlockedGuests',
  summary: 'Blocked guests of you and your teams',
  tags,
  querystring: OwnedPageQuery,
  response: { 200: pageOf(BlockedGuestView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listBlockedGuests(context, principalOf(request), request.query.ownerId, page),
    ({ id }) => id,
    toView,
  )
}

const BLOCK = {
  operationId: 'blockGuest',
  summary: 'Block an address or a domain',
  tags,
  body: BlockGuest,
  response: { 201: BlockedGuestView, ...problems(400, 401, 403, 404, 409) },
}

async function block(context: Context, request: RequestOf<typeof BLOCK>, reply: ReplyOf<typeof BLOCK>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, entry } = pick(request.body, BlockGuest)
  const made = await blockGuest(context, principal, teamId, entry)
  return reply.code(201).send(sendVersioned(reply, toView(made)))
}

const UNBLOCK = {
  operationId: 'unblockGuest',
  summary: 'Remove an entry from the blocklist',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 412) },
}

async function unblock(context: Context, request: RequestOf<typeof UNBLOCK>, reply: ReplyOf<typeof UNBLOCK>) {
  await unblockGuest(context, principalOf(request), versionIn(request, toView))
  return reply.code(204).send(null)
}

function toView({ id, schedulerId, entry, createdAt }: BlockedGuest): BlockedGuestView {
  return { id, ownerId: schedulerId, entry, createdAt: formatInstant(createdAt) }
}
