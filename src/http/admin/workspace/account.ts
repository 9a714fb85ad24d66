import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'

/** The signed-in user's account as a whole. */
export const accountRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Me']

  app.get(
    '/me/export',
    {
      schema: {
        operationId: 'exportAccount',
        summary: 'Everything that is yours, as one JSON file',
        description:
          'Your profile, schedules, time off, event types, bookings, routing forms and their responses, webhooks, calendars, connected accounts, teams and API tokens, without secrets. `workspace` has the format of `punctual export`, so another instance can import it. What a team owns is not part of it. Not for API tokens.',
        tags,
        response: {
          200: {
            description: 'A file to save.',
            content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
          },
          ...problems(400, 401, 403),
        },
      },
    },
    async (request, reply) => {
      // Loaded on demand: few requests need it.
      const { exportAccount } = await import('../../../services/workspace/export-account.ts')
      const { slug, chunks } = await exportAccount(context, principalOf(request))
      // A slug is safe in a file name and in a header.
      reply.header('content-disposition', `attachment; filename="${slug}-account.json"`)
      reply.type('application/json; charset=utf-8')
      return reply.send(Readable.from(chunks) as never)
    },
  )
}
