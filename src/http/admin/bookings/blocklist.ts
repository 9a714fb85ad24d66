import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import { Type } from '../../../format/type.ts'
import { blockGuest, listBlockedGuests, unblockGuest } from '../../../services/bookings/host/blocklist.ts'
import type { Context } from '../../../services/context.ts'
import type { BlockedGuest } from '../../../store/bookings/guests/blocked-guests.ts'
import { problems } from '../../problems.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import { BlockedGuestView, BlockGuest } from './schemas.ts'

/** Guests who cannot book the user or their teams. Event types have blocklists of their own besides. */
export const blocklistRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Blocklist']

  app.get(
    '/blocklist',
    {
      schema: {
        operationId: 'listBlockedGuests',
        summary: 'Blocked guests of you and your teams',
        tags,
        querystring: OwnedPageQuery,
        response: { 200: pageOf(BlockedGuestView), ...problems(400, 401, 404) },
      },
    },
    async (request) =>
      answerPage(
        request.query,
        (page) => listBlockedGuests(context, principalOf(request), request.query.ownerId, page),
        ({ id }) => id,
        toView,
      ),
  )

  app.post(
    '/blocklist',
    {
      schema: {
        operationId: 'blockGuest',
        summary: 'Block an address or a domain',
        tags,
        body: BlockGuest,
        response: { 201: BlockedGuestView, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { teamId = principal.userId, entry } = pick(request.body, BlockGuest)
      const made = await blockGuest(context, principal, teamId, entry)
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.delete(
    '/blocklist/:id',
    {
      schema: {
        operationId: 'unblockGuest',
        summary: 'Remove an entry from the blocklist',
        tags,
        params: IdPath,
        response: { 204: Type.Null(), ...problems(401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      await unblockGuest(context, principalOf(request), versionIn(request, toView))
      return reply.code(204).send(null)
    },
  )
}

function toView({ id, schedulerId, entry, createdAt }: BlockedGuest): BlockedGuestView {
  return { id, ownerId: schedulerId, entry, createdAt: formatInstant(createdAt) }
}
