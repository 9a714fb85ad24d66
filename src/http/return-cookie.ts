import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie with the secret that a browser must still hold when it comes back from another site. */
interface ReturnCookie {
  readonly name: string
  /** The only paths to which it is sent. */
  readonly path: string
}

/** For connecting an account. */
export const CONNECTION_COOKIE: ReturnCookie = { name: 'punctual_connection', path: '/connections' }
/** For signing in at the identity provider. */
export const SIGN_IN_COOKIE: ReturnCookie = { name: 'punctual_sign_in', path: '/auth/oidc' }

/** For a sign-in that waits for a passkey. */
export const PASSKEY_COOKIE: ReturnCookie = { name: 'punctual_passkey', path: '/api/auth/passkey' }

/** Gives the browser the secret; an empty one takes it away. */
export function setReturnCookie(
  reply: FastifyReply,
  publicUrl: string,
  { name, path }: ReturnCookie,
  { secret, seconds }: { readonly secret: string; readonly seconds: number },
): void {
  // Lax, not Strict: the browser comes back from the other site.
  const attributes = `${whereSent(publicUrl, path)}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  reply.header('set-cookie', `${name}=${secret}; ${attributes}`)
}

/** The attributes that send a cookie to a path of ours alone, also where the service is under a path itself. */
export function whereSent(publicUrl: string, path: string): string {
  const { pathname, protocol } = new URL(publicUrl)
  return `Path=${pathname.replace(/\/$/, '')}${path}${protocol === 'https:' ? '; Secure' : ''}`
}

/** The value of a cookie; empty without it. */
export function cookieOf(request: FastifyRequest, cookie: string): string {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === cookie && value !== undefined) return value
  }
  return ''
}
