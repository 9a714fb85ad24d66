import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '../../format/type.ts'
import { readFeed } from '../../services/calendars/feed.ts'
import type { Context } from '../../services/context.ts'
import { etagOf } from '../etag.ts'

/** The private feed of a host's bookings. Its URL has a token, since calendar programs send no bearer token. */
export const calendarFeedRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.get(
    '/:userSlug/calendar.ics',
    {
      schema: {
        hide: true,
        params: Type.Object({ userSlug: Type.String() }),
        querystring: Type.Object({ token: Type.Optional(Type.String({ maxLength: 200 })) }),
      },
    },
    async (request, reply) => {
      // The URL is secret: it must not be cached, nor sent to other sites in a Referer.
      reply.header('cache-control', 'private, no-cache').header('referrer-policy', 'no-referrer')
      const text = await readFeed(context, request.params.userSlug, request.query.token ?? '')
      const etag = etagOf(text)
      reply.header('etag', etag)
      const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
      if (known?.includes(etag)) return reply.code(304).send()
      return reply.type('text/calendar; charset=utf-8').send(text)
    },
  )
}
