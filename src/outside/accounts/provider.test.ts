import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ADA, type GoogleStandIn, RATE_LIMITED, startGoogle } from '../../../test/outside/google.ts'
import { type Fault, startStandIn } from '../../../test/outside/stand-in.ts'
import { googleProvider } from '../calendars/google/google.ts'
import { microsoftProvider } from '../calendars/microsoft/microsoft.ts'
import { zoomProvider } from '../links/zoom/zoom.ts'
import { hasScopes } from './oauth.ts'
import { type AccountProvider, askProvider, type FailureCode, ProviderFailure } from './provider.ts'

const LIST = /calendarList/

describe('asking a provider', () => {
  let google: GoogleStandIn
  before(async () => {
    google = await startGoogle()
  })
  after(() => google.close())

  const ask = (timeout = 5000) =>
    askProvider({
      title: 'Google',
      url: `${google.url}/calendar/v3/users/me/calendarList`,
      access: { token: 'the-token' },
      timeout,
    })

  const failure = async (fault: Fault, timeout?: number): Promise<ProviderFailure> => {
    google.misbehave(LIST, fault)
    const error = await ask(timeout).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof ProviderFailure, String(error))
    return error
  }

  it('tells every failure by one of five codes', async () => {
    const said = (status: number, body?: unknown): Fault => ({ status, body })
    const expected: [Fault, FailureCode][] = [
      [said(401), 'unauthorized'],
      [said(410), 'gone'],
      [said(429), 'rate-limited'],
      [RATE_LIMITED, 'rate-limited'],
      [said(403, { error: { errors: [{ reason: 'userRateLimitExceeded' }] } }), 'rate-limited'],
      [said(403, { error: { errors: [{ reason: 'forbidden' }] } }), 'refused'],
      [said(404), 'refused'],
      [said(409), 'refused'],
      [said(500), 'unavailable'],
      [said(503), 'unavailable'],
      ['truncated', 'unauthorized'],
      ['reset', 'unavailable'],
      [{ status: 302, headers: { location: 'https://elsewhere.example' } }, 'unavailable'],
    ]
    for (const [fault, code] of expected) {
      assert.equal((await failure(fault)).code, code, JSON.stringify(fault))
    }
  })

  it('takes an answer that ends too soon for none', async () => {
    const half = await startStandIn({
      routes: () => [
        { method: 'GET', path: /./, answer: () => ({ status: 200, body: { items: [1, 2, 3] } }) },
      ],
      refuse: (status) => ({ status }),
    })
    half.misbehave(/./, 'truncated')
    await assert.rejects(askProvider({ title: 'Google', url: half.url }), { code: 'unavailable' })
    assert.deepEqual(await askProvider({ title: 'Google', url: half.url }), { items: [1, 2, 3] })
    await half.close()
  })

  it('gives up on one that does not answer', async () => {
    const { code, message } = await failure('silent', 50)
    assert.deepEqual([code, message], ['unavailable', 'Google did not answer in time.'])
    google.release()
  })

  it('knows how long to wait, in seconds or until a date, and an hour at most', async () => {
    const wait = async (value: string) =>
      (await failure({ status: 429, headers: { 'retry-after': value } })).retryAfter
    assert.equal(await wait('7'), 7000)
    assert.equal(await wait('999999'), 3_600_000)
    assert.equal(await wait('nonsense'), undefined)
    const until = (await wait(new Date(Date.now() + 60_000).toUTCString())) ?? 0
    assert.ok(until > 50_000 && until <= 60_000, String(until))
  })

  it('repeats the reason in one line, without anything that looks like a secret', async () => {
    const message = `Bad token ${'a1B2'.repeat(12)}\nfor this`
    const said = await failure({ status: 400, body: { error: { code: 400, message } } })
    assert.equal(said.message, 'Google refused this: Bad token … for this')
  })

  it('lists calendars over several pages', async () => {
    google.calendars.set(
      ADA.subject,
      Array.from({ length: 501 }, (_, n) => ({
        id: `c${n}`,
        summary: `Calendar ${n}`,
        accessRole: 'reader',
      })),
    )
    const { oauth, findCalendars } = googleProvider(google.settings)
    google.oauth.redirectUris.add('https://here.example/')
    const token = await tokenFrom(google, oauth.scopes)
    const found = await findCalendars({ token })
    assert.equal(found.length, 501)
    assert.deepEqual(found.at(-1), {
      externalId: 'c500',
      name: 'Calendar 500',
      primary: false,
      writable: false,
    })
  })

  it('knows whether the scopes are enough, whatever a provider calls them', () => {
    const settings = {
      clientId: 'id',
      clientSecret: 'secret',
      tenant: 'common',
      oauthUrl: 'https://zoom.example',
    }
    const microsoft = microsoftProvider({
      ...settings,
      loginUrl: 'https://a.example',
      graphUrl: 'https://b.example',
    })
    const zoom = zoomProvider({ ...settings, apiUrl: 'https://c.example' })
    const grant = (scope: string) => ({
      accessToken: '',
      expiresIn: 0,
      refreshToken: '',
      idToken: '',
      scopes: scope.split(' '),
    })
    const isEnough = ({ oauth }: AccountProvider, scope: string) => hasScopes(oauth, grant(scope))
    assert.ok(isEnough(microsoft, 'User.Read calendars.readwrite openid'))
    assert.ok(
      isEnough(
        microsoft,
        'https://graph.microsoft.com/User.Read https://graph.microsoft.com/Calendars.ReadWrite',
      ),
    )
    assert.ok(!isEnough(microsoft, 'User.Read Calendars.Read'))
    const writing = 'meeting:write:meeting meeting:update:meeting meeting:delete:meeting'
    assert.ok(isEnough(zoom, `${writing} meeting:read:list_meetings`))
    assert.ok(!isEnough(zoom, writing))
    assert.ok(isEnough(zoom, 'meeting:write meeting:read user:read'))
    assert.ok(!isEnough(zoom, 'meeting:write:meeting meeting:update:meeting'))
    assert.ok(
      hasScopes(zoom.oauth, { ...grant(''), scopes: undefined }),
      'a provider that says nothing gave what was asked',
    )
  })

  it('never follows a link to another server with a token', async () => {
    const graph = await startStandIn({
      routes: () => [
        {
          method: 'GET',
          path: /calendars$/,
          query: ['$select', '$top'],
          answer: () => ({ status: 200, body: { value: [], '@odata.nextLink': `${google.url}/stolen` } }),
        },
      ],
      refuse: (status) => ({ status }),
    })
    const { findCalendars } = microsoftProvider({
      clientId: 'id',
      clientSecret: 'secret',
      tenant: 'common',
      loginUrl: graph.url,
      graphUrl: graph.url,
    })
    await assert.rejects(findCalendars({ token: 'the-token' }), { code: 'unavailable' })
    assert.ok(!google.asked.includes('GET /stolen'))
    await graph.close()
  })
})

/** An access token, got as a browser and a client would. */
async function tokenFrom({ settings }: GoogleStandIn, scopes: readonly string[]): Promise<string> {
  const { authorizationUrl, exchangeCode } = await import('./oauth.ts')
  const { oauth } = googleProvider(settings)
  const redirectUri = 'https://here.example/'
  const verifier = 'v'.repeat(43)
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString(
    'base64url',
  )
  const page = authorizationUrl({ ...oauth, scopes }, { redirectUri, state: 's', challenge })
  const back = (await fetch(page, { redirect: 'manual' })).headers.get('location') ?? ''
  const code = new URL(back).searchParams.get('code') ?? ''
  return (await exchangeCode(oauth, { code, verifier, redirectUri })).accessToken
}
