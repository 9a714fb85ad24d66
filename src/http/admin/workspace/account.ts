import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { JSON_TYPE, sendEncoded } from '../../encoded.ts'
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
      const { exportAccount } = await import('../../../services/workspace/document/export-account.ts')
      const { slug, chunks } = await exportAccount(context, principalOf(request))
      // A slug is safe in a file name and in a header.
      reply.header('content-disposition', `attachment; filename="${slug}-account.json"`)
      return sendEncoded(reply, JSON_TYPE, Readable.from(chunks))
    },
  )

  app.delete(
    '/me',
    {
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete your account',
        description:
          'Signs you out everywhere, closes your page and takes you out of your teams at once; what is yours is deleted in the moments after, when guests whose meetings were cancelled have been told. Refused if you are the only admin while there are other users, the only owner of a team, or (without `cancel`) the host of upcoming meetings. Past meetings of teams stay, without your name. Cannot be undone. Not for API tokens.',
        tags,
        querystring: Type.Object({
          cancel: Type.Optional(
            Type.String({
              description: '`true`: cancel the upcoming meetings that you host, and tell the guests.',
            }),
          ),
        }),
        body: DeleteAccount,
        response: { 202: Accepted, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { deleteOwnAccount } = await import('../../../services/workspace/erasure/delete-account.ts')
      const meetings = request.query.cancel === 'true' ? 'cancel' : 'refuse'
      await deleteOwnAccount(context, principalOf(request), request.body.email, meetings)
      return reply.code(202).send({ message: 'Your account is being deleted.' })
    },
  )
}

const DeleteAccount = Type.Object({
  email: Type.String({ maxLength: 254, description: 'Your own email address, to confirm.' }),
})

const Accepted = Type.Object({ message: Type.String() })
