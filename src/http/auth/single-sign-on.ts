import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { dashboardPath } from '../../domain/people/single-sign-on.ts'
import { Type } from '../../format/type.ts'
import type { Context } from '../../services/context.ts'
import {
  beginSignIn,
  type FailedSignIn,
  finishSignIn,
  SIGN_IN_LASTS,
} from '../../services/people/sign-in/single-sign-on.ts'
import { countRequest, type RateLimits } from '../gate.ts'
import { nothingThere } from '../problems.ts'
import { cookieOf, SIGN_IN_COOKIE, setReturnCookie } from '../return-cookie.ts'
import { setRefreshCookie, signingInWith } from './refresh-cookie.ts'

/** Signing in at the operator's identity provider. The browser goes there and comes back. */
export const singleSignOnRoutes: FastifyPluginAsyncTypebox<{
  context: Context
  rateLimits: RateLimits
}> = async (app, { context, rateLimits }) => {
  const perClient = rateLimits('single-sign-on', 30, 60)
  const base = new URL(context.publicUrl).pathname.replace(/\/$/, '')
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => countRequest(perClient, request, reply)

  app.get(
    '/auth/oidc/start',
    {
      schema: { hide: true, querystring: Type.Object({ returnTo: Type.Optional(Type.String()) }) },
      onRequest,
    },
    async (request, reply) => {
      const { singleSignOn } = context
      if (singleSignOn === undefined) throw nothingThere()
      reply.header('cache-control', 'no-store')
      const begun = await beginSignIn(context, singleSignOn, dashboardPath(request.query.returnTo ?? ''))
      if (begun.outcome !== 'begun') return showOutcome(request, reply, begun)
      setCookie(reply, begun.verifier, SIGN_IN_LASTS / 1000)
      return reply.redirect(begun.authorizationUrl)
    },
  )

  app.get('/auth/oidc/callback', { schema: { hide: true }, onRequest }, async (request, reply) => {
    const { singleSignOn } = context
    if (singleSignOn === undefined) throw nothingThere()
    // The address holds a code, which must not be cached, nor sent to other sites in a Referer.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    const query = request.url.split('?')[1] ?? ''
    const ended = await finishSignIn(context, singleSignOn, {
      ...signingInWith(request),
      query,
      verifier: cookieOf(request, SIGN_IN_COOKIE.name),
    })
    if (ended.outcome !== 'signed-in') return showOutcome(request, reply, ended)
    setCookie(reply, '', 0)
    setRefreshCookie(reply, context, ended.signedIn)
    return reply.redirect(`${base}${ended.returnTo}`)
  })

  /** The sign-in page says it in a sentence, and the log says why. */
  function showOutcome(request: FastifyRequest, reply: FastifyReply, { outcome, reason }: FailedSignIn) {
    request.log.warn({ outcome, reason }, 'a sign-in at the identity provider failed')
    // A stranger's address must not end what this browser has begun.
    if (outcome !== 'expired') setCookie(reply, '', 0)
    return reply.redirect(`${base}/app/sign-in?outcome=${outcome}`)
  }

  function setCookie(reply: FastifyReply, secret: string, seconds: number): void {
    setReturnCookie(reply, context.publicUrl, SIGN_IN_COOKIE, { secret, seconds })
  }
}
