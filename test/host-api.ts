import assert from 'node:assert/strict'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Mail } from '../src/outside/mail/mail.ts'
import { fromSomeoneNew } from './kit.ts'

type Answer = Promise<LightMyRequestResponse>

/** A signed-in host: sends requests under `/api/admin` with their access token. */
export interface Host {
  readonly token: string
  readonly user: { readonly id: string; readonly slug: string; readonly email: string; readonly name: string }
  /** The refresh cookie, as a browser would send it. */
  readonly cookie: string
  get(path: string, headers?: Record<string, string>): Answer
  post(path: string, body?: object, headers?: Record<string, string>): Answer
  patch(path: string, body: object, headers?: Record<string, string>): Answer
  put(path: string, body: object, headers?: Record<string, string>): Answer
  del(path: string, headers?: Record<string, string>): Answer
}

/** Signs in as a person does: asks for a link, takes it from the mail, and presses the button. */
export async function signIn(app: FastifyInstance, mailbox: readonly Mail[], email: string): Promise<Host> {
  const asked = await askForLink(app, email)
  assert.equal(asked.statusCode, 202, asked.body)
  const answer = await verify(app, linkToken(mailbox, email))
  assert.equal(answer.statusCode, 200, answer.body)
  const { accessToken, user } = answer.json()
  return { ...bearer(app, accessToken), user, cookie: cookieOf(answer) }
}

/** A host who uses an API token: it outlasts any move of a test's clock, and an access token lasts an hour. */
export async function signInWithToken(
  app: FastifyInstance,
  mailbox: readonly Mail[],
  email: string,
): Promise<Host> {
  const host = await signIn(app, mailbox, email)
  const { token } = (await host.post('/tokens', { name: 'Test', scopes: ['write'] })).json()
  return { ...host, ...bearer(app, token) }
}

export function askForLink(
  app: FastifyInstance,
  email: string,
  headers: Record<string, string> = {},
): Answer {
  return app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email },
    headers: { ...fromSomeoneNew(), ...headers },
  })
}

export function verify(app: FastifyInstance, token: string): Answer {
  return app.inject({
    method: 'POST',
    url: '/api/auth/verify',
    payload: { token },
    headers: fromSomeoneNew(),
  })
}

/** The token in the newest sign-in mail to this address. */
export function linkToken(mailbox: readonly Mail[], email: string): string {
  const mail = mailbox.findLast(({ to, text }) => to === email && text.includes('#token='))
  const token = /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  assert.ok(token, `no sign-in mail to ${email}`)
  return token
}

/** `name=value` of the cookie that an answer sets. */
export function cookieOf(answer: LightMyRequestResponse): string {
  return String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
}

/** Requests under `/api/admin` with this bearer token, of either kind. */
export function bearer(app: FastifyInstance, token: string): Omit<Host, 'user' | 'cookie'> {
  const send = (method: InjectOptions['method'], path: string, more: InjectOptions = {}) =>
    app.inject({
      method: method as 'GET',
      url: `/api/admin${path}`,
      ...more,
      headers: { authorization: `Bearer ${token}`, ...more.headers },
    })
  return {
    token,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { headers, ...(body && { payload: body }) }),
    patch: (path, body, headers = {}) => send('PATCH', path, { headers, payload: body }),
    put: (path, body, headers = {}) => send('PUT', path, { headers, payload: body }),
    del: (path, headers = {}) => send('DELETE', path, { headers }),
  }
}
