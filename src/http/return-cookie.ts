import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'punctual_connection'

/** Gives the browser the secret without which it can't finish connecting an account; an empty one takes it away. */
export function setConnectionCookie(
  reply: FastifyReply,
  publicUrl: string,
  secret: string,
  seconds: number,
): void {
  const { pathname, protocol } = new URL(publicUrl)
  const path = `${pathname.replace(/\/$/, '')}/connections`
  // Lax, not Strict: the browser comes back from the provider's site.
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  reply.header('set-cookie', `${NAME}=${secret}; ${attributes}${protocol === 'https:' ? '; Secure' : ''}`)
}

/** The browser's secret; empty without one. */
export function connectionCookieOf(request: FastifyRequest): string {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === NAME && value !== undefined) return value
  }
  return ''
}
