import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../services/context.ts'
import { getImage } from '../../services/people/images.ts'

/** Pictures that hosts uploaded. Pages, mails and other sites show them. */
export const imageRoutes: FastifyPluginAsync<{ readonly context: Context }> = async (app, { context }) => {
  app.get<{ Params: { id: string } }>('/images/:id', { schema: { hide: true } }, async (request, reply) => {
    const { type, bytes } = await getImage(context, request.params.id)
    return reply
      .headers({
        // A new picture has a new address.
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(type)
      .send(bytes)
  })
}
