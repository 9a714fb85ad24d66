import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../services/context.ts'
import type { SignedIn, SigningIn } from '../../services/people/sign-in/sign-in.ts'
import { languageOf } from '../language.ts'
import { cookieOf, whereSent } from '../return-cookie.ts'

const COOKIE = 'punctual_refresh'

/** Gives the browser what renews its session. Scripts can't read it. */
export function setRefreshCookie(
  reply: FastifyReply,
  context: Context,
  { refreshToken, refreshExpiresAt }: Pick<SignedIn, 'refreshToken' | 'refreshExpiresAt'>,
): void {
  const seconds = Math.floor((refreshExpiresAt - context.now()) / 1000)
  setCookie(reply, context, refreshToken, seconds)
}

export const forgetRefreshCookie = (reply: FastifyReply, context: Context) => setCookie(reply, context, '', 0)

/** What this browser says about itself. */
export const signingInWith = (request: FastifyRequest): SigningIn => ({
  locale: languageOf(request),
  userAgent: request.headers['user-agent'] ?? '',
})

export const refreshCookieOf = (request: FastifyRequest) => cookieOf(request, COOKIE)

function setCookie(reply: FastifyReply, { publicUrl }: Context, value: string, seconds: number): void {
  const attributes = `${whereSent(publicUrl, '/api/auth')}; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
  reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`)
}
