import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type Authenticator, createAuthenticator, type Lies } from '../../../test/authenticator.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import { askForLink, bearer, cookieOf, type Host, linkToken, signIn, verify } from '../../../test/host-api.ts'
import { type AppUnderTest, appOn, fromSomeoneNew, stoppedClock } from '../../../test/kit.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { resetPasskeys } from '../../services/people/sign-in/passkeys.ts'
import { openSession } from '../../services/people/sign-in/sign-in.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Document } from '../docs/openapi.ts'

const MINUTE = 60_000

let addresses = 0
const newAddress = () => `keyed-${++addresses}@hosts.example`

const cookiesIn = (answer: LightMyRequestResponse) => [answer.headers['set-cookie'] ?? []].flat().map(String)

/** Adds a passkey, as the profile does. */
async function enrol(host: Pick<Host, 'post'>, key: Authenticator, lies: Lies = {}) {
  const options = await host.post('/me/passkeys/options')
  assert.equal(options.statusCode, 200, options.body)
  return host.post('/me/passkeys', { name: 'My key', ...key.create(options.json(), lies) })
}

/** Follows a mailed link, up to the question for a passkey. */
async function begin(app: FastifyInstance, mailbox: readonly Mail[], email: string) {
  assert.equal((await askForLink(app, email)).statusCode, 202)
  const answer = await verify(app, linkToken(mailbox, email))
  assert.equal(answer.statusCode, 202, answer.body)
  return { answer, options: answer.json().passkey, cookie: cookieOf(answer) }
}

const finish = (app: FastifyInstance, cookie: string, signed: object) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/passkey',
    payload: signed,
    headers: { ...fromSomeoneNew(), cookie },
  })

const recover = (app: FastifyInstance, cookie: string, code: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/passkey/recovery',
    payload: { code },
    headers: { ...fromSomeoneNew(), cookie },
  })

onEveryDatabase('passkeys', ({ db }) => {
  const clock = stoppedClock()
  let under: AppUnderTest
  let app: FastifyInstance
  let mailbox: Mail[]

  before(async () => {
    under = await appOn(db(), { signup: 'open', now: clock.now })
    ;({ app, mailbox } = under)
  })

  /** Someone who has a passkey. */
  const keyed = async (given: Parameters<typeof createAuthenticator>[0] = {}) => {
    const email = newAddress()
    const host = await signIn(app, mailbox, email)
    const key = createAuthenticator(given)
    const added = await enrol(host, key)
    assert.equal(added.statusCode, 201, added.body)
    return { email, host, key, added: added.json(), codes: added.json().recoveryCodes as string[] }
  }
  const auditOf = async (host: Pick<Host, 'get'>) =>
    (await host.get('/audit')).json().items.map(({ action, objectType }: Record<string, string>) => {
      return `${objectType} ${action}`
    })

  it('are asked for after the link, and nothing is given before', async () => {
    const { email, host, key } = await keyed()
    const { answer, options, cookie } = await begin(app, mailbox, email)
    assert.deepEqual(Object.keys(answer.json()), ['passkey'])
    assert.deepEqual(options.allowCredentials, [{ id: key.id, type: 'public-key', transports: ['internal'] }])
    assert.equal(options.rpId, 'book.example.com')
    const [set = '', ...others] = cookiesIn(answer)
    assert.deepEqual(others, [])
    assert.match(
      set,
      /^punctual_passkey=[\w-]{43}; Path=\/api\/auth\/passkey; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const signedIn = await finish(app, cookie, key.get(options))
    assert.equal(signedIn.statusCode, 200, signedIn.body)
    assert.equal(signedIn.json().user.id, host.user.id)
    assert.equal(signedIn.json().mustAddPasskey, false)
    const again = bearer(app, signedIn.json().accessToken)
    const { items } = (await again.get('/me/passkeys')).json()
    assert.equal(items[0].lastUsedAt, '2027-01-11T12:00:00Z')
    const sets = cookiesIn(signedIn)
    assert.match(sets[0] ?? '', /^punctual_refresh=\S/)
    assert.match(sets[1] ?? '', /^punctual_passkey=; .*Max-Age=0/)
  })

  it('end other sessions with the first, and leave API tokens', async () => {
    const email = newAddress()
    const elsewhere = await signIn(app, mailbox, email)
    const { token } = (await elsewhere.post('/tokens', { name: 'CI', scopes: ['read'] })).json()
    const here = await signIn(app, mailbox, email)
    assert.equal((await enrol(here, createAuthenticator())).statusCode, 201)
    assert.equal((await elsewhere.get('/me')).statusCode, 401)
    assert.equal((await here.get('/me')).statusCode, 200)
    assert.equal((await bearer(app, token).get('/me')).statusCode, 200)
    assert.match(mailbox.findLast(({ to }) => to === email)?.text ?? '', /“My key”/)
    const third = await signInWith(email, await enrolled(here))
    assert.equal((await here.get('/me')).statusCode, 200, 'a second one ends nothing')
    assert.equal((await third.get('/me')).statusCode, 200)
  })
  const enrolled = async (host: Host) => {
    const key = createAuthenticator()
    const added = await enrol(host, key)
    assert.deepEqual([added.statusCode, added.json().recoveryCodes], [201, []], 'codes come with the first')
    return key
  }
  const signInWith = async (email: string, key: Authenticator) => {
    const { options, cookie } = await begin(app, mailbox, email)
    const answer = await finish(app, cookie, key.get(options))
    assert.equal(answer.statusCode, 200, answer.body)
    return bearer(app, answer.json().accessToken)
  }

  it('of two sessions that add the first at once, one stays', async () => {
    const email = newAddress()
    const hosts = [await signIn(app, mailbox, email), await signIn(app, mailbox, email)]
    const bodies: object[] = []
    for (const host of hosts) {
      const options = (await host.post('/me/passkeys/options')).json()
      bodies.push({ name: 'First', ...createAuthenticator().create(options) })
    }
    const answers = await Promise.all(hosts.map((host, i) => host.post('/me/passkeys', bodies[i])))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 401])
    const alive = await Promise.all(hosts.map((host) => host.get('/me')))
    assert.deepEqual(alive.map(({ statusCode }) => statusCode).sort(), [200, 401])
  })

  const wrongNew: Record<string, Lies> = {
    'of another origin': { origin: 'https://evil.example' },
    'of another domain': { rpId: 'evil.example' },
    'for another challenge': { challenge: 'of-another-one' },
    'that is an assertion': { type: 'webauthn.get' },
    'of an unknown algorithm': { algorithm: -65535 },
    'made without a person': { flags: 0x40 },
  }
  for (const [what, lies] of Object.entries(wrongNew)) {
    it(`refuses a new passkey ${what}`, async () => {
      const host = await signIn(app, mailbox, newAddress())
      const answer = await enrol(host, createAuthenticator(), lies)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.deepEqual((await host.get('/me/passkeys')).json().items, [])
    })
  }

  it('can be added once, with a challenge that is used once', async () => {
    const { key, host } = await keyed()
    const options = (await host.post('/me/passkeys/options')).json()
    assert.deepEqual(
      options.excludeCredentials.map(({ id }: { id: string }) => id),
      [key.id],
    )
    const body = { name: 'Again', ...key.create(options) }
    const twice = await host.post('/me/passkeys', body)
    assert.deepEqual([twice.statusCode, twice.json().error], [409, 'This passkey was added before.'])
    const other = { name: 'Other', ...createAuthenticator().create(options) }
    assert.equal((await host.post('/me/passkeys', other)).statusCode, 400, 'the challenge is used up')
    const stranger = await keyed()
    assert.equal((await enrol(stranger.host, key)).statusCode, 409, 'nor by someone else')
    const late = (await host.post('/me/passkeys/options')).json()
    clock.moveTo(clock.now() + 10 * MINUTE)
    const expired = await host.post('/me/passkeys', {
      name: 'Late',
      ...createAuthenticator().create(late),
    })
    assert.equal(expired.statusCode, 400, expired.body)
  })

  it('are at most 20', async () => {
    const { host } = await keyed()
    for (let i = 1; i < 20; i++) assert.equal((await enrol(host, createAuthenticator())).statusCode, 201)
    assert.equal((await host.post('/me/passkeys/options')).statusCode, 409)
  })

  const wrong: Record<string, Lies> = {
    'of another origin': { origin: 'https://evil.example' },
    'of another domain': { rpId: 'evil.example' },
    'for another challenge': { challenge: 'of-another-one' },
    'that is a registration': { type: 'webauthn.create' },
    'made without a person': { flags: 0 },
    'whose counter goes back': { counter: 1 },
  }
  for (const [what, lies] of Object.entries(wrong)) {
    it(`refuses a signature ${what}, and lets the person try again`, async () => {
      const { email, key } = await keyed()
      await signInWith(email, key)
      const { options, cookie } = await begin(app, mailbox, email)
      const refused = await finish(app, cookie, key.get(options, lies))
      assert.equal(refused.statusCode, 403, refused.body)
      assert.deepEqual(cookiesIn(refused), [])
      assert.equal((await finish(app, cookie, key.get(options))).statusCode, 200)
    })
  }

  it('refuses another key that calls itself by the right name', async () => {
    const { email, key } = await keyed()
    const { options, cookie } = await begin(app, mailbox, email)
    const forged = createAuthenticator().get(options, { id: key.id, counter: 9 })
    assert.equal((await finish(app, cookie, forged)).statusCode, 403)
  })

  it('refuses the passkey of someone else', async () => {
    const [victim, mallory] = [await keyed(), await keyed()]
    const { options, cookie } = await begin(app, mailbox, victim.email)
    assert.equal((await finish(app, cookie, mallory.key.get(options))).statusCode, 403)
  })

  it('refuses what was signed for another sign-in, and a replay', async () => {
    const { email, key } = await keyed()
    const [one, two] = [await begin(app, mailbox, email), await begin(app, mailbox, email)]
    const signed = key.get(one.options)
    assert.equal((await finish(app, two.cookie, signed)).statusCode, 403, 'the cookie of another sign-in')
    assert.equal((await finish(app, '', signed)).statusCode, 400, 'no cookie')
    assert.equal((await finish(app, 'punctual_passkey=guessed', signed)).statusCode, 400)
    assert.equal((await finish(app, one.cookie, signed)).statusCode, 200)
    assert.equal((await finish(app, one.cookie, signed)).statusCode, 400, 'a replay')
  })

  it('lets one of two requests with the same signature in', async () => {
    const { email, key } = await keyed({ counts: false })
    const { options, cookie } = await begin(app, mailbox, email)
    const signed = key.get(options)
    const answers = await Promise.all([1, 2, 3].map(() => finish(app, cookie, signed)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
  })

  it('refuses a counter that someone else has just used', async () => {
    const { email, key } = await keyed()
    const begun = [await begin(app, mailbox, email), await begin(app, mailbox, email)]
    const answers = await Promise.all(
      begun.map(({ cookie, options }) => finish(app, cookie, key.get(options, { counter: 5 }))),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 403])
  })

  it('must follow within ten minutes, in ten attempts, of someone who may sign in', async () => {
    const { email, key, host } = await keyed()
    const late = await begin(app, mailbox, email)
    clock.moveTo(clock.now() + 10 * MINUTE)
    const expired = await finish(app, late.cookie, key.get(late.options))
    assert.deepEqual(
      [expired.statusCode, expired.json().error],
      [400, 'This sign-in has ended. Ask for a new link.'],
    )
    const often = await begin(app, mailbox, email)
    for (let i = 0; i < 10; i++) {
      const refused = await finish(app, often.cookie, key.get(often.options, { rpId: 'evil.example' }))
      assert.equal(refused.statusCode, 403)
    }
    assert.equal((await finish(app, often.cookie, key.get(often.options))).statusCode, 400)
    const disabled = await begin(app, mailbox, email)
    await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', host.user.id).execute()
    assert.equal((await finish(app, disabled.cookie, key.get(disabled.options))).statusCode, 400)
  })

  it('are not for other sites to ask for', async () => {
    const { email, key, codes } = await keyed()
    const { options, cookie } = await begin(app, mailbox, email)
    for (const [url, payload] of [
      ['/api/auth/passkey', key.get(options)],
      ['/api/auth/passkey/recovery', { code: codes[0] }],
    ] as const) {
      const headers = { ...fromSomeoneNew(), cookie, origin: 'https://evil.example' }
      assert.equal((await app.inject({ method: 'POST', url, payload, headers })).statusCode, 403)
    }
  })

  it('are renamed, removed, and in the audit', async () => {
    const { host, added } = await keyed()
    const renamed = await host.patch(`/me/passkeys/${added.id}`, { name: ' Blue key ' })
    assert.deepEqual([renamed.statusCode, renamed.json().name], [200, 'Blue key'])
    assert.equal((await host.patch(`/me/passkeys/${added.id}`, { name: ' ' })).statusCode, 400)
    const stranger = await keyed()
    assert.equal((await stranger.host.patch(`/me/passkeys/${added.id}`, { name: 'Mine' })).statusCode, 404)
    assert.equal((await stranger.host.del(`/me/passkeys/${added.id}`)).statusCode, 404)
    assert.equal((await host.del(`/me/passkeys/${added.id}`)).statusCode, 204)
    const { items, recoveryCodes } = (await host.get('/me/passkeys')).json()
    assert.deepEqual([items, recoveryCodes], [[], 0], 'codes end with the last passkey')
    assert.deepEqual((await auditOf(host)).slice(0, 3), [
      'passkey deleted',
      'passkey updated',
      'passkey created',
    ])
    const again = await signIn(app, mailbox, host.user.email)
    assert.equal((await again.post('/me/recovery-codes')).statusCode, 409, 'no codes without a passkey')
  })

  it('are not changed long after signing in, nor with an API token', async () => {
    const { host, added } = await keyed()
    const { token } = (await host.post('/tokens', { name: 'CI', scopes: ['write'] })).json()
    assert.equal((await host.get('/me/passkeys')).json().signInAgain, false)
    clock.moveTo(clock.now() + 30 * MINUTE)
    assert.equal((await host.get('/me/passkeys')).json().signInAgain, true)
    for (const sender of [host, bearer(app, token)]) {
      const answers = [
        await sender.post('/me/passkeys/options'),
        await sender.del(`/me/passkeys/${added.id}`),
        await sender.post('/me/recovery-codes'),
      ]
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [403, 403, 403],
      )
    }
    assert.equal((await bearer(app, token).get('/me/passkeys')).statusCode, 403)
    assert.equal((await bearer(app, token).patch(`/me/passkeys/${added.id}`, { name: 'X' })).statusCode, 403)
    assert.equal((await host.get('/me/passkeys')).json().items.length, 1)
  })

  it('are replaced by a recovery code, once, which is told', async () => {
    const { email, codes } = await keyed()
    assert.equal(new Set(codes).size, 10)
    const stored = await db().selectFrom('recovery_codes').select('code_hash').execute()
    assert.ok(stored.every(({ code_hash }) => !codes.includes(code_hash)))
    const [code = ''] = codes
    const first = await begin(app, mailbox, email)
    assert.equal((await recover(app, first.cookie, '0000-0000-0000-0000')).statusCode, 403)
    const signedIn = await recover(app, first.cookie, code.toLowerCase().replaceAll('-', ' '))
    assert.equal(signedIn.statusCode, 200, signedIn.body)
    const host = bearer(app, signedIn.json().accessToken)
    assert.equal((await host.get('/me/passkeys')).json().recoveryCodes, 9)
    assert.match(mailbox.findLast(({ to }) => to === email)?.text ?? '', /You have 9 codes left/)
    assert.equal((await auditOf(host))[0], 'recovery-code used')
    const second = await begin(app, mailbox, email)
    assert.equal((await recover(app, second.cookie, code)).statusCode, 403, 'used before')
    const replaced = await host.post('/me/recovery-codes')
    assert.equal(replaced.statusCode, 201, replaced.body)
    assert.equal((await recover(app, second.cookie, codes[1] ?? '')).statusCode, 403, 'replaced')
    assert.equal((await recover(app, second.cookie, replaced.json().recoveryCodes[3])).statusCode, 200)
  })

  it('lets one of many requests with the same recovery code in', async () => {
    const { email, codes } = await keyed()
    const begun = []
    for (let i = 0; i < 4; i++) begun.push(await begin(app, mailbox, email))
    const answers = await Promise.all(begun.map(({ cookie }) => recover(app, cookie, codes[0] ?? '')))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 403, 403, 403])
    const stranger = await keyed()
    const { cookie } = await begin(app, mailbox, email)
    assert.equal((await recover(app, cookie, stranger.codes[0] ?? '')).statusCode, 403, 'of someone else')
  })

  it('counts guesses of recovery codes for each person', async () => {
    const { email, codes } = await keyed()
    for (let i = 0; i < 2; i++) {
      const { cookie } = await begin(app, mailbox, email)
      for (let j = 0; j < 10; j++) assert.equal((await recover(app, cookie, `guess ${j}`)).statusCode, 403)
    }
    const { cookie } = await begin(app, mailbox, email)
    const refused = await recover(app, cookie, codes[0] ?? '')
    assert.equal(refused.statusCode, 429)
    assert.match(refused.headers['ratelimit-policy']?.toString() ?? '', /recovery-codes/)
  })

  it('are removed by an admin or the command line, with the sessions', async () => {
    const { host, email } = await keyed()
    await db().updateTable('schedulers').set({ admin: 1 }).where('id', '=', host.user.id).execute()
    const lost = await keyed()
    const { token } = (await host.post('/tokens', { name: 'CI', scopes: ['write'] })).json()
    assert.equal((await bearer(app, token).del(`/people/${lost.host.user.id}/passkeys`)).statusCode, 403)
    assert.equal((await lost.host.del(`/people/${host.user.id}/passkeys`)).statusCode, 403)
    assert.equal((await host.del(`/people/${host.user.id}/passkeys`)).statusCode, 400, 'not one’s own')
    const pending = await begin(app, mailbox, lost.email)
    assert.equal((await host.get(`/people/${lost.host.user.id}`)).json().passkeys, 1)
    assert.equal((await host.del(`/people/${lost.host.user.id}/passkeys`)).statusCode, 204)
    assert.equal((await host.get(`/people/${lost.host.user.id}`)).json().passkeys, 0)
    assert.equal((await lost.host.get('/me')).statusCode, 401)
    assert.equal((await recover(app, pending.cookie, lost.codes[0] ?? '')).statusCode, 400)
    assert.match(mailbox.findLast(({ to }) => to === lost.email)?.text ?? '', /were removed/)
    const back = await signIn(app, mailbox, lost.email)
    assert.equal((await auditOf(back))[0], 'user passkeys removed')
    assert.equal(await resetPasskeys(under.context, { userId: null, email: 'command line' }, email), 1)
    assert.equal((await host.get('/me')).statusCode, 401)
    await signIn(app, mailbox, email)
  })

  it('are in the account’s export, without what they prove with', async () => {
    const { host, key } = await keyed()
    const file = await host.get('/me/export')
    assert.deepEqual(
      file.json().passkeys.map(({ name, lastUsedTime }: Record<string, string>) => [name, lastUsedTime]),
      [['My key', null]],
    )
    assert.doesNotMatch(file.body, new RegExp(key.id))
  })

  it('are not asked for at an identity provider', async () => {
    const { email } = await keyed()
    const user = await findUserByEmail(db(), email)
    assert.ok(user)
    const { accessToken } = await openSession(under.context, db(), user, {
      userAgent: '',
      idToken: 'id-token',
    })
    assert.equal((await bearer(app, accessToken).get('/me')).statusCode, 200)
  })

  it('need an address that browsers make them for', async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'open', publicUrl: 'http://192.0.2.1' })
    const host = await signIn(app, mailbox, newAddress())
    const refused = await host.post('/me/passkeys/options')
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /https and a domain/)
  })
})

onEveryDatabase('required passkeys', ({ db }) => {
  let app: FastifyInstance
  let mailbox: Mail[]
  let under: AppUnderTest
  before(async () => {
    under = await appOn(db(), { signup: 'open', requirePasskey: true })
    ;({ app, mailbox } = under)
  })

  it('are added before anything else', async () => {
    const host = await signIn(app, mailbox, newAddress())
    const { paths } = (await app.inject('/openapi-admin.json')).json() as Document
    const open: string[] = []
    for (const [path, operations] of Object.entries(paths)) {
      if (!path.startsWith('/api/admin/')) continue
      for (const [method, { operationId }] of Object.entries(operations)) {
        const url = path.replaceAll(/\{\w+\}/g, host.user.id)
        const headers = { authorization: `Bearer ${host.token}` }
        const answer = await app.inject({ method: method.toUpperCase() as 'GET', url, headers })
        if (answer.statusCode !== 403) open.push(operationId)
        else assert.match(answer.json().error, /^This service requires a passkey/, operationId)
      }
    }
    assert.deepEqual(open.sort(), ['addPasskey', 'beginPasskey', 'getMe', 'listPasskeys'])
    assert.equal((await enrol(host, createAuthenticator())).statusCode, 201)
    assert.equal((await host.get('/event-types')).statusCode, 200)
  })

  it('are told by the session, and by the one that is renewed', async () => {
    const email = newAddress()
    const refresh = (cookie: string) =>
      app.inject({ method: 'POST', url: '/api/auth/refresh', headers: { ...fromSomeoneNew(), cookie } })
    const host = await signIn(app, mailbox, email)
    const before = await refresh(host.cookie)
    assert.equal(before.json().mustAddPasskey, true)
    assert.equal((await enrol(bearer(app, before.json().accessToken), createAuthenticator())).statusCode, 201)
    assert.equal((await refresh(cookieOf(before))).json().mustAddPasskey, false)
  })

  it('can be left by signing out everywhere', async () => {
    const host = await signIn(app, mailbox, newAddress())
    const url = '/api/auth/logout-everywhere'
    const headers = { authorization: `Bearer ${host.token}` }
    assert.equal((await app.inject({ method: 'POST', url, headers })).statusCode, 204)
  })

  it('keep the last one', async () => {
    const host = await signIn(app, mailbox, newAddress())
    const first = (await enrol(host, createAuthenticator())).json()
    const refused = await host.del(`/me/passkeys/${first.id}`)
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /your only one/)
    assert.equal((await enrol(host, createAuthenticator())).statusCode, 201)
    assert.equal((await host.del(`/me/passkeys/${first.id}`)).statusCode, 204)
    assert.equal((await host.get('/me/passkeys')).json().recoveryCodes, 10)
  })

  it('do not concern API tokens and identity providers', async () => {
    const relaxed = await appOn(db(), { signup: 'open' })
    const host = await signIn(relaxed.app, relaxed.mailbox, newAddress())
    const { token } = (await host.post('/tokens', { name: 'CI', scopes: ['read'] })).json()
    assert.equal((await bearer(app, host.token).get('/event-types')).statusCode, 403)
    assert.equal((await bearer(app, token).get('/event-types')).statusCode, 200)
    const user = await findUserByEmail(db(), host.user.email)
    assert.ok(user)
    const { accessToken, mustAddPasskey } = await openSession(under.context, db(), user, {
      userAgent: '',
      idToken: 'id-token',
    })
    assert.equal(mustAddPasskey, false)
    assert.equal((await bearer(app, accessToken).get('/event-types')).statusCode, 200)
  })
})
