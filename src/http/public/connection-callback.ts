import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '../../format/type.ts'
import { finishConnection } from '../../services/calendars/connections.ts'
import type { Context } from '../../services/context.ts'
import { nothingThere } from '../problems.ts'
import { CONNECTION_COOKIE, cookieOf, setReturnCookie } from '../return-cookie.ts'

const value = Type.Optional(Type.String({ maxLength: 4096 }))

/** Where a provider sends the host's browser back to. The dashboard then says how it ended. */
export const connectionCallbackRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  const base = new URL(context.publicUrl).pathname.replace(/\/$/, '')
  app.get(
    '/connections/:provider/callback',
    {
      schema: {
        hide: true,
        params: Type.Object({ provider: Type.String() }),
        querystring: Type.Object({ state: value, code: value, error: value }),
      },
    },
    async (request, reply) => {
      const { provider } = request.params
      if (!context.kinds.names.accounts.includes(provider)) throw nothingThere()
      const { state = '', code = '', error = '' } = request.query
      const verifier = cookieOf(request, CONNECTION_COOKIE.name)
      const outcome = await finishConnection(context, provider, { state, code, error, verifier })
      // A stranger's address must not end what this browser has begun.
      if (outcome !== 'expired')
        setReturnCookie(reply, context.publicUrl, CONNECTION_COOKIE, { secret: '', seconds: 0 })
      // The address holds a code, which must not be cached, nor sent to other sites in a Referer.
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      const query = new URLSearchParams({ provider, connection: outcome })
      return reply.redirect(`${base}/app/calendars?${query}`, 303)
    },
  )
}
