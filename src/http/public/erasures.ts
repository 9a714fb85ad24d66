import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../domain/instant.ts'
import { Type } from '../../format/type.ts'
import {
  eraseAsGuest,
  erasureLimits,
  sendErasureCode,
} from '../../services/workspace/erasure/erase-as-guest.ts'
import { clientAddress, countRequest } from '../gate.ts'
import { problems } from '../problems.ts'
import type { PublicOptions } from './scheduling.ts'
import { Instant } from './schemas.ts'

const TRIES_PER_MINUTE = 15

const EraseGuest = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'The guest’s own email address.' }),
    code: Type.Optional(
      Type.String({ maxLength: 20, description: 'The six digits from the email. Left out: one is sent.' }),
    ),
    locale: Type.Optional(
      Type.String({ maxLength: 35, description: 'The language of the email, such as en.' }),
    ),
  },
  { title: 'ErasureRequest' },
)

const ErasureView = Type.Object(
  {
    expiresAt: Type.Optional(Instant),
    bookings: Type.Optional(
      Type.Integer({ description: 'Erased bookings: made by the guest, or by others who brought them.' }),
    ),
    responses: Type.Optional(Type.Integer({ description: 'Erased responses to routing forms.' })),
  },
  { title: 'Erasure' },
)

/** Guests erase their data themselves. */
export const ownErasureRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const perClient = rateLimits('erase', TRIES_PER_MINUTE, 60)
  const limits = erasureLimits(context)

  app.post(
    '/',
    {
      schema: {
        operationId: 'eraseMyData',
        summary: 'Erase a guest’s own data',
        description:
          'In two steps. Without `code`, six digits are emailed to the address (202); the answer is the same for every address, known or not. With `code`, everything that is stored about the address is erased, upcoming bookings are cancelled, and the answer comes when that is done (200). A code works once, for ten minutes; a client can have three an hour sent to an address, and try ten. Bookings stay as “Erased guest”, so that hosts’ counts do.',
        tags: ['Your booking'],
        body: EraseGuest,
        response: { 200: ErasureView, 202: ErasureView, ...problems(400, 429, 503) },
      },
      onRequest: async (request, reply) => {
        await countRequest(perClient, request, reply)
      },
    },
    async (request, reply) => {
      const { email, code, locale } = request.body
      const from = { email, clientAddress: clientAddress(request) }
      if (code !== undefined) {
        return reply.code(200).send(await eraseAsGuest(context, { ...from, code }, limits))
      }
      const given = { ...from, ...(locale !== undefined && { locale }) }
      const { expiresAt } = await sendErasureCode(context, given, limits)
      return reply.code(202).send({ expiresAt: formatInstant(expiresAt) })
    },
  )
}
