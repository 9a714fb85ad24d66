import type { AddressInfo } from 'node:net'
import { createWebhookSender } from '../../src/outside/webhooks/webhook.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { bearer, signIn } from '../host-api.ts'
import { appOn, fromSomeoneNew, stoppedClock } from '../kit.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what programs read is up to them.
  readonly body: any
}

interface Call {
  readonly version?: string
  readonly token?: string
  readonly body?: unknown
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** A running service with a host, and a client that speaks Cal.com's API v2 to it over a socket. */
export async function startCalcom(db: Db) {
  const clock = stoppedClock()
  const { app, context, mailbox } = await appOn(db, {
    now: clock.now,
    signup: 'open',
    webhooks: createWebhookSender({ allowPrivate: true }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v2`
  const session = await signIn(app, mailbox, 'ada@hosts.example')
  const tokenTo = async (scope: 'read' | 'write'): Promise<string> =>
    (await session.post('/tokens', { name: scope, scopes: [scope] })).json().token
  const host = { ...session, ...bearer(app, await tokenTo('write')) }

  async function call(path: string, { version, token, body, method, headers }: Call = {}): Promise<Answer> {
    const answer = await fetch(`${base}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...fromSomeoneNew(),
        ...(version !== undefined && { 'cal-api-version': version }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }

  /** An event type of the host, by its number. */
  async function offer(
    given: object = {},
  ): Promise<{ readonly id: string; readonly number: number; readonly slug: string }> {
    const slug = `event-${++offers}`
    const made = await host.post('/event-types', { slug, name: 'Intro', durationMinutes: 30, ...given })
    const { id } = made.json()
    if (made.statusCode !== 201) throw new Error(made.body)
    return { id, slug, number: await context.numbers.of('event-type', id) }
  }
  let offers = 0

  return { app, context, mailbox, clock, host, session, call, offer, tokenTo, close: () => app.close() }
}

export type Calcom = Awaited<ReturnType<typeof startCalcom>>
