import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'

/** Erasing what is known about a guest. */
export const erasureRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/erasures',
    {
      schema: {
        operationId: 'eraseGuest',
        summary: 'Erase a guest’s data',
        description:
          'Removes name, address, phone number, answers and notes of the guest with this address from bookings, form responses, webhook deliveries, waiting emails and everything else that is stored, and answers when that is done. Bookings and responses stay as “Erased guest”, so that counts do. Upcoming bookings are cancelled first: hosts get the usual email, the guest gets none. Admins of the instance erase everywhere; others erase from what they own, and from teams where they are admin or owner. Cannot be undone, can be repeated. What is out of reach is listed in docs/privacy.md.',
        tags: ['Bookings'],
        body: EraseGuest,
        response: { 200: ErasureView, ...problems(400, 401, 403, 409, 503) },
      },
    },
    async (request) => {
      // Loaded on demand: few requests need it.
      const { eraseForHost } = await import('../../../services/workspace/erasure/erase.ts')
      return eraseForHost(context, principalOf(request), request.body.email)
    },
  )
}

const EraseGuest = Type.Object({
  email: Type.String({
    maxLength: 254,
    description: 'Matched as a whole, whatever its case: `ada+work@…` is another address than `ada@…`.',
  }),
})

/** How much was erased. */
export type ErasureView = Static<typeof ErasureView>
const ErasureView = Type.Object({
  bookings: Type.Integer({ description: 'Bookings that the guest made, or that someone brought them to.' }),
  responses: Type.Integer({ description: 'Responses to routing forms.' }),
})
