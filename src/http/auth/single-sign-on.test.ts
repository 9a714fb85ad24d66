import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { onEveryDatabase } from '../../../test/databases.ts'
import { askForLink, bearer, cookieOf, linkToken, signIn, verify } from '../../../test/host-api.ts'
import { type AppUnderTest, appOn, fromSomeoneNew } from '../../../test/kit.ts'
import {
  CLIENT,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../../test/outside/identity-provider.ts'
import { formOf, type StandIn, startStandIn } from '../../../test/outside/stand-in.ts'
import type { SignInOutcome } from '../../domain/people/single-sign-on.ts'
import type { SignupMode } from '../../domain/people/user.ts'
import { identityProvider } from '../../outside/sign-on/oidc.ts'
import { createLink } from '../../services/people/sign-in/sign-in.ts'
import type { Db } from '../../store/engine/database.ts'

const REDIRECT_URI = 'https://book.example.com/auth/oidc/callback'
const SIGNED_OUT_URI = 'https://book.example.com/app/sign-in'

interface Given {
  readonly signup?: SignupMode
  readonly only?: boolean
  readonly adminGroup?: string
}

/** The service with single sign-on at this issuer. */
const appWith = (db: Db, issuer: string, { signup = 'open', only = false, adminGroup = '' }: Given = {}) =>
  appOn(db, {
    signup,
    singleSignOn: {
      provider: identityProvider({ ...CLIENT, issuer, scopes: 'openid email profile' }),
      name: 'Example ID',
      only,
      adminGroup,
    },
  })

/** What our pages set in the browser, as it sends it back. */
const cookiesIn = (answer: { headers: Record<string, unknown> }): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')

async function begin(app: FastifyInstance, returnTo = '/app') {
  const url = `/auth/oidc/start?${new URLSearchParams({ returnTo })}`
  const started = await app.inject({ url, headers: fromSomeoneNew() })
  assert.equal(started.statusCode, 302, started.body)
  return {
    location: new URL(String(started.headers.location), 'https://book.example.com'),
    cookie: cookiesIn(started),
  }
}

const comeBack = (app: FastifyInstance, location: URL, cookie: string, headers = {}) =>
  app.inject({
    url: `/auth/oidc/callback${location.search}`,
    headers: { ...fromSomeoneNew(), ...headers, cookie },
  })

/** Follows the provider's own redirects, as a browser does, until it leads back to us. */
async function visit(start: URL): Promise<URL> {
  const jar = new Map<string, string>()
  let address = start
  for (let i = 0; i < 10; i++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const next = response.headers.get('location')
    assert.ok(next, `${response.status} ${await response.text()}`)
    address = new URL(next, address)
    if (address.href.startsWith('https://book.example.com/')) return address
  }
  throw new Error('The provider goes round in circles.')
}

async function signInAt(app: FastifyInstance, returnTo?: string) {
  const { location, cookie } = await begin(app, returnTo)
  return comeBack(app, await visit(location), cookie)
}

/** The signed-in user's own view, found as the dashboard finds it: with the refresh cookie. */
async function meOf(app: FastifyInstance, ended: Awaited<ReturnType<typeof comeBack>>) {
  const renewed = await app.inject({
    method: 'POST',
    url: '/api/auth/refresh',
    headers: { cookie: cookiesIn(ended), ...fromSomeoneNew() },
  })
  assert.equal(renewed.statusCode, 200, renewed.body)
  const host = bearer(app, renewed.json().accessToken)
  return { host, me: (await host.get('/me')).json(), cookie: cookieOf(renewed) }
}

function assertFailed(
  answer: { statusCode: number; headers: Record<string, unknown> },
  outcome: SignInOutcome,
) {
  assert.equal(answer.statusCode, 302)
  assert.equal(answer.headers.location, `/app/sign-in?outcome=${outcome}`)
  assert.doesNotMatch(cookiesIn(answer), /punctual_refresh=[^;]/)
}

onEveryDatabase('single sign-on', ({ db }) => {
  let provider: TestIdentityProvider
  before(async () => {
    provider = await startIdentityProvider({ redirectUri: REDIRECT_URI, signedOutUri: SIGNED_OUT_URI })
  })
  after(() => provider.close())

  it('signs a new person in, and the same one again under a new address', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '1', email: 'Ada@Hosts.example', email_verified: true, name: 'Ada Lovelace' }
    const first = await signInAt(app, '/app/bookings?view=week')
    assert.equal(first.headers.location, '/app/bookings?view=week')
    const { me } = await meOf(app, first)
    assert.deepEqual([me.email, me.name], ['ada@hosts.example', 'Ada Lovelace'])
    provider.person = { sub: '1', email: 'new@hosts.example', email_verified: false }
    const again = await meOf(app, await signInAt(app))
    assert.deepEqual([again.me.id, again.me.email], [me.id, 'ada@hosts.example'])
  })

  it('speaks the language of a new person’s browser with them', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: 'de', email: 'neu@hosts.example', email_verified: true }
    const { location, cookie } = await begin(app)
    const german = { 'accept-language': 'de-AT, en;q=0.5' }
    const { me } = await meOf(app, await comeBack(app, await visit(location), cookie, german))
    assert.equal(me.locale, 'de')
    const again = await begin(app)
    const french = { 'accept-language': 'fr' }
    const later = await meOf(app, await comeBack(app, await visit(again.location), again.cookie, french))
    assert.equal(later.me.locale, 'de', 'who is known has chosen')
  })

  it('links an existing account by a verified address alone', async () => {
    const { app, mailbox } = await appWith(db(), provider.issuer)
    const { user } = await signIn(app, mailbox, 'linked@hosts.example')
    provider.person = { sub: '2', email: 'linked@hosts.example', email_verified: false }
    assertFailed(await signInAt(app), 'unverified')
    provider.person = { sub: '2', email: 'linked@hosts.example', email_verified: true }
    assert.equal((await meOf(app, await signInAt(app))).me.id, user.id)
    provider.person = { sub: '2-b' }
    assertFailed(await signInAt(app), 'no-email')
  })

  it('lets nobody new in where signing up is closed, nor anyone who is disabled', async () => {
    const { app, context, mailbox } = await appWith(db(), provider.issuer, { signup: 'closed' })
    provider.person = { sub: '3', email: 'closed@hosts.example', email_verified: true }
    assertFailed(await signInAt(app), 'closed')
    const open = await appWith(db(), provider.issuer)
    const { user } = await signIn(open.app, open.mailbox, 'closed@hosts.example')
    assert.equal((await meOf(app, await signInAt(app))).me.id, user.id)
    await context.db.updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', user.id).execute()
    assertFailed(await signInAt(app), 'disabled')
    assert.deepEqual(mailbox, [])
  })

  it('makes members of a group admins, and never takes the role from the last', async () => {
    await db().updateTable('schedulers').set({ admin: 0 }).execute()
    const { app } = await appWith(db(), provider.issuer, { adminGroup: 'ops' })
    const ada = { sub: '4', email: 'four@hosts.example', email_verified: true }
    const bob = { sub: '5', email: 'five@hosts.example', email_verified: true }
    const isAdmin = async (person: TestIdentityProvider['person']) => {
      provider.person = person
      return (await meOf(app, await signInAt(app))).me.admin
    }
    assert.equal(await isAdmin({ ...ada, groups: ['staff', 'ops'] }), true)
    assert.equal(await isAdmin({ ...bob, groups: ['ops'] }), true)
    assert.equal(await isAdmin({ ...ada, groups: ['staff'] }), false)
    assert.equal(await isAdmin({ ...bob, groups: [] }), true)
  })

  it('ends the provider’s session with ours', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '6', email: 'six@hosts.example', email_verified: true }
    const { cookie } = await meOf(app, await signInAt(app))
    const headers = { cookie, ...fromSomeoneNew() }
    const out = await app.inject({ method: 'POST', url: '/api/auth/logout', headers })
    assert.equal(out.statusCode, 200, out.body)
    const url = new URL(out.json().signOutUrl)
    assert.equal(url.origin, provider.issuer)
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), SIGNED_OUT_URI)
    // The provider accepts the hint and the address: it asks whether to sign out.
    const page = await fetch(url)
    assert.equal(page.status, 200, await page.text())
    const again = await app.inject({ method: 'POST', url: '/api/auth/refresh', headers })
    assert.equal(again.statusCode, 401)
  })

  it('goes on when the provider replaces its keys', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '7', email: 'seven@hosts.example', email_verified: true }
    await meOf(app, await signInAt(app))
    await provider.rotateKeys()
    await meOf(app, await signInAt(app))
  })

  it('reads from userinfo what the ID token leaves out', async () => {
    const other = await startIdentityProvider({
      redirectUri: REDIRECT_URI,
      signedOutUri: SIGNED_OUT_URI,
      claimsInToken: false,
    })
    try {
      const { app } = await appWith(db(), other.issuer, { adminGroup: 'ops' })
      other.person = {
        sub: '8',
        email: 'eight@hosts.example',
        email_verified: true,
        name: 'Eight',
        groups: ['ops'],
      }
      const { me } = await meOf(app, await signInAt(app))
      assert.deepEqual([me.email, me.name, me.admin], ['eight@hosts.example', 'Eight', true])
    } finally {
      await other.close()
    }
  })

  it('is bound to the browser that began it, and works once', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '9', email: 'nine@hosts.example', email_verified: true }
    const mine = await begin(app)
    const back = await visit(mine.location)
    const strangers = await begin(app)
    assertFailed(await comeBack(app, back, ''), 'expired')
    assertFailed(await comeBack(app, back, strangers.cookie), 'expired')
    assert.equal((await comeBack(app, back, mine.cookie)).headers.location, '/app')
    assertFailed(await comeBack(app, back, mine.cookie), 'expired')
  })

  it('refuses a code that was meant for another sign-in', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '10', email: 'ten@hosts.example', email_verified: true }
    const theirs = await visit((await begin(app)).location)
    const mine = await begin(app)
    const back = new URL(mine.location)
    back.search = `?${new URLSearchParams({
      code: theirs.searchParams.get('code') ?? '',
      state: mine.location.searchParams.get('state') ?? '',
      iss: provider.issuer,
    })}`
    assertFailed(await comeBack(app, back, mine.cookie), 'refused')
  })

  it('tells when the user or the provider said no', async () => {
    const { app } = await appWith(db(), provider.issuer)
    const { location, cookie } = await begin(app)
    const state = location.searchParams.get('state') ?? ''
    const back = new URL(
      `?${new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })}`,
      location,
    )
    assertFailed(await comeBack(app, back, cookie), 'denied')
  })

  it('leads to pages of the dashboard alone', async () => {
    const { app } = await appWith(db(), provider.issuer)
    provider.person = { sub: '11', email: 'eleven@hosts.example', email_verified: true }
    for (const returnTo of [
      'https://evil.example/app',
      '//evil.example',
      '/app//evil.example',
      '/app\\evil',
      '/demo',
    ]) {
      assert.equal((await signInAt(app, returnTo)).headers.location, '/app', returnTo)
    }
  })

  it('can be the only way in', async () => {
    const { app, context } = await appWith(db(), provider.issuer, { only: true })
    const payload = { email: 'twelve@hosts.example' }
    const asked = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload,
      headers: fromSomeoneNew(),
    })
    assert.equal(asked.statusCode, 403)
    assert.match(asked.json().error, /Example ID/)
    assert.deepEqual(await context.db.selectFrom('login_links').selectAll().execute(), [])
  })

  it('takes no link that was mailed before it became the only way in, but an operator’s', async () => {
    const before = await appWith(db(), provider.issuer)
    const admin = await signIn(before.app, before.mailbox, 'known@hosts.example')
    await before.context.db
      .updateTable('schedulers')
      .set({ admin: 1 })
      .where('id', '=', admin.user.id)
      .execute()
    await askForLink(before.app, 'known@hosts.example')
    const { id: teamId } = (await admin.post('/teams', { name: 'Late', slug: 'late-team' })).json()
    await admin.post('/instance-invitations', { email: 'new@hosts.example' })
    await admin.post(`/teams/${teamId}/invitations`, { email: 'member@hosts.example', role: 'member' })

    const { app, context } = await appWith(db(), provider.issuer, { only: true })
    for (const email of ['known@hosts.example', 'new@hosts.example', 'member@hosts.example']) {
      const refused = await verify(app, linkToken(before.mailbox, email))
      assert.equal(refused.statusCode, 403, email)
      assert.equal(refused.json().error, 'Nobody signs in by email here. Please use Example ID.')
    }
    const [, token = ''] = (await createLink(context, 'known@hosts.example')).split('#token=')
    assert.equal((await verify(app, token)).statusCode, 200)
  })

  it('is not there without an issuer', async () => {
    const { app } = await appOn(db())
    for (const path of ['start', 'callback'])
      assert.equal((await app.inject(`/auth/oidc/${path}`)).statusCode, 404)
  })
})

/** An identity provider that answers whatever a test says. */
async function startLiar() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const liar = {
    /** What discovery says beyond what is true. */
    metadata: {},
    idToken: async (_claims: JWTPayload): Promise<string> => '',
    userInfo: {},
    sign: (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey),
    nonce: '',
    standIn: undefined as unknown as StandIn,
  }
  liar.standIn = await startStandIn({
    routes: (url) => [
      {
        method: 'GET',
        path: /^\/\.well-known\/openid-configuration$/,
        answer: () => ({
          status: 200,
          body: {
            issuer: url,
            authorization_endpoint: `${url}/authorize`,
            token_endpoint: `${url}/token`,
            userinfo_endpoint: `${url}/me`,
            jwks_uri: `${url}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256', 'none'],
            ...liar.metadata,
          },
        }),
      },
      { method: 'GET', path: /^\/keys$/, answer: () => ({ status: 200, body: { keys: [key] } }) },
      { method: 'GET', path: /^\/me$/, answer: () => ({ status: 200, body: liar.userInfo }) },
      {
        method: 'POST',
        path: /^\/token$/,
        answer: async (asked) => {
          assert.equal(formOf(asked).get('redirect_uri'), REDIRECT_URI)
          const now = Math.floor(Date.now() / 1000)
          const claims = {
            iss: url,
            sub: 'liar',
            aud: CLIENT.clientId,
            iat: now,
            exp: now + 60,
            nonce: liar.nonce,
            email: 'believed@hosts.example',
            email_verified: true,
            groups: [],
          }
          const id_token = await liar.idToken(claims)
          return { status: 200, body: { access_token: 'x', token_type: 'Bearer', id_token } }
        },
      },
    ],
    refuse: (reason) => ({ status: 400, body: { error: reason } }),
  })
  return liar
}

onEveryDatabase('single sign-on at a provider that lies', ({ db }) => {
  let liar: Awaited<ReturnType<typeof startLiar>>
  let app: AppUnderTest['app']
  before(async () => {
    liar = await startLiar()
    ;({ app } = await appWith(db(), liar.standIn.url))
  })
  after(() => liar.standIn.close())

  const signInWith = async (idToken: (claims: JWTPayload) => Promise<string>, parameters: object = {}) => {
    const { location, cookie } = await begin(app)
    liar.nonce = location.searchParams.get('nonce') ?? ''
    liar.idToken = idToken
    const state = location.searchParams.get('state') ?? ''
    const back = new URL(`?${new URLSearchParams({ code: 'x', state, ...parameters })}`, location)
    return comeBack(app, back, cookie)
  }
  const now = () => Math.floor(Date.now() / 1000)

  it('believes it while it tells the truth', async () => {
    const ended = await signInWith(liar.sign)
    assert.equal((await meOf(app, ended)).me.email, 'believed@hosts.example')
  })

  const lies: Record<string, (claims: JWTPayload) => Promise<string>> = {
    'another issuer': (claims) => liar.sign({ ...claims, iss: 'https://other.example' }),
    'another audience': (claims) => liar.sign({ ...claims, aud: 'someone-else' }),
    'the nonce of another sign-in': (claims) => liar.sign({ ...claims, nonce: 'of-another-sign-in' }),
    'no nonce': ({ nonce: _, ...claims }) => liar.sign(claims),
    'an expired token': (claims) => liar.sign({ ...claims, iat: now() - 600, exp: now() - 300 }),
    'an unsigned token': async (claims) => new UnsecuredJWT(claims).encode(),
    'a token that someone else signed': async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
    },
    'a token signed with the client’s secret': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.clientSecret)),
    'no token': async () => '',
  }
  for (const [what, idToken] of Object.entries(lies)) {
    it(`refuses ${what}`, async () => assertFailed(await signInWith(idToken), 'refused'))
  }

  it('refuses an answer that names another issuer', async () => {
    assertFailed(await signInWith(liar.sign, { iss: 'https://other.example' }), 'refused')
  })

  it('refuses userinfo about someone else', async () => {
    liar.userInfo = { sub: 'someone-else', email: 'victim@hosts.example', email_verified: true }
    assertFailed(await signInWith(({ email: _, ...claims }) => liar.sign(claims)), 'refused')
  })

  it('does not take an address from one source and its verification from the other', async () => {
    liar.userInfo = { sub: 'two-sources', email: 'mine@hosts.example', email_verified: true }
    const ended = await signInWith(({ email_verified: _, ...claims }) =>
      liar.sign({ ...claims, sub: 'two-sources', email: 'victim@hosts.example' }),
    )
    assert.equal((await meOf(app, ended)).me.email, 'mine@hosts.example')
  })
})

onEveryDatabase('an identity provider that is not set up', ({ db }) => {
  it('is a sentence on the sign-in page, and can be asked again', async () => {
    const liar = await startLiar()
    try {
      const { app } = await appWith(db(), liar.standIn.url)
      const outcome = async () => {
        const { location } = await begin(app)
        return location.searchParams.get('outcome')
      }
      liar.metadata = { issuer: 'https://other.example' }
      assert.equal(await outcome(), 'misconfigured')
      liar.metadata = {}
      liar.standIn.misbehave(/openid-configuration/, { status: 404 }, { status: 503 }, 'truncated', 'reset')
      assert.equal(await outcome(), 'misconfigured')
      assert.equal(await outcome(), 'unavailable')
      assert.equal(await outcome(), 'misconfigured')
      assert.equal(await outcome(), 'unavailable')
      assert.equal(await outcome(), null)
      assert.equal((await app.inject('/healthz')).statusCode, 200)
    } finally {
      await liar.standIn.close()
    }
  })
})
