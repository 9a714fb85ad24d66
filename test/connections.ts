import assert from 'node:assert/strict'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { ProviderName } from '../src/domain/calendars/connection.ts'
import { cookieOf, type Host } from './host-api.ts'
import type { OAuthSide } from './outside/oauth.ts'

/** What a browser holds between the dashboard and the provider's page. */
export interface Underway {
  readonly authorizationUrl: string
  readonly cookie: string
}

type Poster = Pick<Host, 'post'>

/** Presses "Connect" in the dashboard. */
export async function beginConnecting(host: Poster, provider: ProviderName): Promise<Underway> {
  const answer = await host.post('/connections', { provider })
  assert.equal(answer.statusCode, 201, answer.body)
  return { authorizationUrl: answer.json().authorizationUrl, cookie: cookieOf(answer) }
}

/** Gives or denies access on the provider's page. Returns the path at which the browser comes back to us. */
export async function passProvider({
  authorizationUrl,
}: Pick<Underway, 'authorizationUrl'>): Promise<string> {
  const page = await fetch(authorizationUrl, { redirect: 'manual' })
  assert.equal(page.status, 302, await page.text())
  const { pathname, search } = new URL(page.headers.get('location') ?? '')
  return pathname + search
}

/** Comes back to us with this cookie. */
export function comeBack(
  app: FastifyInstance,
  path: string,
  cookie: string,
): Promise<LightMyRequestResponse> {
  return app.inject({ url: path, headers: { cookie } })
}

/** How it ended, as the dashboard is told. */
export const outcomeOf = (answer: LightMyRequestResponse) =>
  new URL(String(answer.headers.location), 'https://book.example.com').searchParams.get('connection')

/** Connects the account of the stand-in's visitor, as a person would. Returns the connection's id. */
export async function connect(
  app: FastifyInstance,
  host: Pick<Host, 'post' | 'get'>,
  provider: ProviderName,
  { oauth }: { readonly oauth: OAuthSide },
): Promise<string> {
  const underway = await beginConnecting(host, provider)
  const { searchParams } = new URL(underway.authorizationUrl)
  oauth.redirectUris.add(searchParams.get('redirect_uri') ?? '')
  const answer = await comeBack(app, await passProvider(underway), underway.cookie)
  assert.equal(outcomeOf(answer), 'connected')
  const { items } = (await host.get('/connections')).json()
  const { address } = oauth.visitor.account
  return items.find((one: { account: string }) => one.account === address).id
}
