import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { SignJWT, UnsecuredJWT } from 'jose'
import { type KyselyPlugin, sql } from 'kysely'
import type { SignupMode } from '../../src/domain/people/user.ts'
import { buildApp } from '../../src/http/app.ts'
import type { Mail } from '../../src/outside/mail/mail.ts'
import type { Context } from '../../src/services/context.ts'
import { addUser } from '../../src/services/people/users.ts'
import { type Db, isUnavailable } from '../../src/store/engine/database.ts'
import { updateUser } from '../../src/store/people/users.ts'
import { createRateLimit } from '../../src/store/rate-limits.ts'
import { onEveryDatabase } from '../databases.ts'
import { askForLink, bearer, cookieOf, type Host, linkToken, signIn, verify } from '../host-api.ts'
import { appOn, contextOn, fromSomeoneNew, MONDAY_NOON, stoppedClock } from '../kit.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let addresses = 0

/** An address that has not been used yet. */
const newAddress = () => `someone-${++addresses}@hosts.example`

onEveryDatabase('the first to sign in', ({ db }) => {
  let app: FastifyInstance
  let mailbox: Mail[]

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'first' }))
  })

  it('runs the instance from then on', async () => {
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const me = (await ada.get('/me')).json()
    assert.deepEqual([me.email, me.slug, me.admin], ['ada@hosts.example', 'ada', true])
  })

  it('finds working hours and a page, so that there is something to book', async () => {
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const { items } = (await ada.get('/schedules')).json()
    assert.deepEqual([items.length, items[0].isDefault], [1, true])
    assert.equal((await app.inject('/api/public/scheduling/ada')).statusCode, 200)
  })

  it('is the last to join without an invitation', async () => {
    assert.equal((await askForLink(app, 'bob@hosts.example')).statusCode, 202)
    assert.deepEqual(
      mailbox.filter(({ to }) => to === 'bob@hosts.example'),
      [],
    )
  })

  it('signs in again, as the same user, however the address is spelled', async () => {
    const once = await signIn(app, mailbox, 'ada@hosts.example')
    await askForLink(app, ' ADA@Hosts.Example ')
    const again = await verify(app, linkToken(mailbox, 'ada@hosts.example'))
    assert.equal(again.json().user.id, once.user.id)
  })
})

onEveryDatabase('two first users at once', ({ db }) => {
  it('cannot both become the first', async () => {
    const { app, mailbox } = await appOn(db(), { signup: 'first' })
    const both = ['one@hosts.example', 'two@hosts.example']
    for (const email of both) await askForLink(app, email)
    const tokens = both.map((email) => linkToken(mailbox, email))
    const answers = await Promise.all(tokens.map((token) => verify(app, token)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400])
  })
})

onEveryDatabase('the first user', ({ db }) => {
  it('is no stranger once the command line has added someone, who runs the instance', async () => {
    const { app, context, mailbox } = await appOn(db(), { signup: 'first' })
    const added = await addUser(context, { userId: null, email: 'operator' }, { email: 'cli@hosts.example' })
    assert.equal(added.admin, true)
    await askForLink(app, 'stranger@hosts.example')
    assert.deepEqual(mailbox, [])
    const next = await addUser(context, { userId: null, email: 'operator' }, { email: 'next@hosts.example' })
    assert.equal(next.admin, false)
  })
})

onEveryDatabase('who may sign up', ({ db }) => {
  const appFor = (signup: SignupMode) => appOn(db(), { signup })
  const mailsTo = (mailbox: readonly Mail[], email: string) => mailbox.filter(({ to }) => to === email)

  it('is no one without an invitation, when it is closed', async () => {
    const { app, mailbox } = await appFor('closed')
    const answer = await askForLink(app, 'first@hosts.example')
    assert.deepEqual([answer.statusCode, mailbox], [202, []])
  })

  it('is anyone, when it is open; only the first runs the instance', async () => {
    const { app, mailbox } = await appFor('open')
    const first = await signIn(app, mailbox, 'ada@hosts.example')
    const second = await signIn(app, mailbox, 'bob@hosts.example')
    assert.equal((await first.get('/me')).json().admin, true)
    assert.equal((await second.get('/me')).json().admin, false)
  })

  it('gets the language they sign up in, and keeps it whatever they sign in with', async () => {
    const { app, mailbox } = await appFor('open')
    const enter = async (language: string) => {
      await askForLink(app, 'grete@hosts.example')
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/verify',
        headers: { ...fromSomeoneNew(), 'accept-language': language },
        payload: { token: linkToken(mailbox, 'grete@hosts.example') },
      })
      const headers = { authorization: `Bearer ${answer.json().accessToken}` }
      const { locale } = (await app.inject({ url: '/api/admin/me', headers })).json()
      const [schedule] = (await app.inject({ url: '/api/admin/schedules', headers })).json().items
      return [locale, schedule.name]
    }
    assert.deepEqual(await enter('de-AT, en;q=0.5'), ['de', 'Arbeitszeiten'])
    assert.deepEqual(await enter('ja'), ['de', 'Arbeitszeiten'])
  })

  it('is anyone who was invited, even when it is closed', async () => {
    const { app, mailbox } = await appFor('closed')
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const invited = await ada.post('/instance-invitations', { email: 'Eve@Hosts.Example' })
    assert.equal(invited.statusCode, 201, invited.body)
    const [mail] = mailsTo(mailbox, 'eve@hosts.example')
    assert.match(mail?.text ?? '', /https:\/\/book\.example\.com\/app\/sign-in#token=[\w-]{43}\n/)
    const eve = await signIn(app, mailbox, 'eve@hosts.example')
    assert.equal((await eve.get('/me')).json().admin, false)
    assert.deepEqual((await ada.get('/instance-invitations')).json().items, [])
  })

  it('is no one whose invitation was withdrawn after their link was sent', async () => {
    const { app, mailbox } = await appFor('closed')
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const { id } = (await ada.post('/instance-invitations', { email: 'mallory@hosts.example' })).json()
    await askForLink(app, 'mallory@hosts.example')
    assert.equal((await ada.del(`/instance-invitations/${id}`)).statusCode, 204)
    const answer = await verify(app, linkToken(mailbox, 'mallory@hosts.example'))
    assert.equal(answer.statusCode, 400)
  })

  it('is no one whose invitation is two weeks old, even if they requested the link in time', async () => {
    const clock = stoppedClock()
    const { app, mailbox } = await appOn(db(), { signup: 'closed', now: clock.now })
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    for (const name of ['slow', 'late']) {
      await ada.post('/instance-invitations', { email: `${name}@hosts.example` })
    }
    clock.moveTo(MONDAY_NOON + 14 * DAY - MINUTE)
    await askForLink(app, 'slow@hosts.example')
    clock.moveTo(MONDAY_NOON + 14 * DAY)
    assert.equal((await verify(app, linkToken(mailbox, 'slow@hosts.example'))).statusCode, 400)
    mailbox.length = 0
    assert.equal((await askForLink(app, 'late@hosts.example')).statusCode, 202)
    assert.deepEqual(mailbox, [])
  })

  it('joins the team that invited them by signing up', async () => {
    const { app, mailbox } = await appFor('closed')
    const ada = await signIn(app, mailbox, 'ada@hosts.example')
    const team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json()
    await ada.post(`/teams/${team.id}/invitations`, { email: 'joe@hosts.example', role: 'admin' })
    const joe = await signIn(app, mailbox, 'joe@hosts.example')
    const { items } = (await joe.get('/teams')).json()
    assert.deepEqual(
      items.map(({ id, role }: { id: string; role: string }) => ({ id, role })),
      [{ id: team.id, role: 'admin' }],
    )
  })

  it('is no one who was disabled, and they are not told', async () => {
    const { app, mailbox, context } = await appFor('open')
    const dan = await signIn(app, mailbox, 'dan@hosts.example')
    await askForLink(app, 'dan@hosts.example')
    const link = linkToken(mailbox, 'dan@hosts.example')
    await updateUser(context.db, dan.user.id, { disabledAt: 1 })

    assert.equal((await dan.get('/me')).statusCode, 401)
    assert.equal((await verify(app, link)).statusCode, 400)
    const refreshed = await app.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      headers: { cookie: dan.cookie },
    })
    assert.equal(refreshed.statusCode, 401)
    mailbox.length = 0
    const asked = await askForLink(app, 'dan@hosts.example')
    const unknown = await askForLink(app, newAddress())
    assert.deepEqual([asked.statusCode, asked.body], [unknown.statusCode, unknown.body])
    assert.deepEqual(mailsTo(mailbox, 'dan@hosts.example'), [])
  })
})

onEveryDatabase('a link', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now }))
  })

  const linkFor = async (email: string) => {
    await askForLink(app, email)
    return linkToken(mailbox, email)
  }

  it('works once', async () => {
    const token = await linkFor(newAddress())
    assert.equal((await verify(app, token)).statusCode, 200)
    const again = await verify(app, token)
    assert.equal(again.statusCode, 400)
    assert.match(again.json().error, /Ask for a new one/)
  })

  it('works once, even if used several times at the same moment', async () => {
    const token = await linkFor(newAddress())
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(app, token)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array(7).fill(400)])
  })

  it('works until a quarter of an hour has passed', async () => {
    const [early, late] = [await linkFor(newAddress()), await linkFor(newAddress())]
    clock.moveTo(MONDAY_NOON + 15 * MINUTE - 1)
    assert.equal((await verify(app, early)).statusCode, 200)
    clock.moveTo(MONDAY_NOON + 15 * MINUTE)
    assert.equal((await verify(app, late)).statusCode, 400)
    clock.moveTo(MONDAY_NOON)
  })

  it('still works when someone has asked for another one', async () => {
    const email = newAddress()
    const older = await linkFor(email)
    const newer = await linkFor(email)
    assert.equal((await verify(app, older)).statusCode, 200)
    assert.equal((await verify(app, newer)).statusCode, 200)
  })

  it('leaves the links of others alone', async () => {
    const mine = await linkFor(newAddress())
    await linkFor(newAddress())
    assert.equal((await verify(app, mine)).statusCode, 200)
  })

  it('cannot be guessed: every wrong link gets the same answer', async () => {
    const dead = await linkFor(newAddress())
    await verify(app, dead)
    const refusal = (await verify(app, dead)).body
    for (const guess of ['', 'x', 'A'.repeat(43), '\u0000', "' or 1=1 --", 'ä'.repeat(50)]) {
      const answer = await verify(app, guess)
      assert.deepEqual([answer.statusCode, answer.body], [400, refusal], JSON.stringify(guess))
    }
  })

  it('leads to the public address, not to the host that the request names', async () => {
    const email = newAddress()
    await askForLink(app, email, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    })
    const mail = mailbox.findLast(({ to }) => to === email)
    assert.match(mail?.text ?? '', /\nhttps:\/\/book\.example\.com\/app\/sign-in#token=[\w-]{43}\n/)
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, /evil/)
  })

  it('does not sign in by being opened', async () => {
    const token = await linkFor(newAddress())
    const page = await app.inject('/app/sign-in')
    assert.deepEqual([page.statusCode, page.headers['set-cookie']], [200, undefined])
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    for (const url of [
      `/app/sign-in?token=${token}`,
      `/api/auth/verify?token=${token}`,
      `/api/auth/verify/${token}`,
      '/api/auth/refresh',
      '/api/auth/logout',
    ]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await app.inject({ method, url })
        assert.equal(answer.headers['set-cookie'], undefined, `${method} ${url}`)
      }
    }
    assert.equal((await verify(app, token)).statusCode, 200)
  })

  it('is stored only as a hash', async () => {
    const email = newAddress()
    const token = await linkFor(email)
    const row = await db()
      .selectFrom('login_links')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes(token))
  })
})

onEveryDatabase('a session', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { signup: 'open', now: clock.now }))
  })

  const post = (path: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: `/api/auth/${path}`, headers })
  const worksFor = async (token: string) => (await bearer(app, token).get('/me')).statusCode === 200

  it('is kept in a cookie that scripts and other sites cannot reach', async () => {
    const email = newAddress()
    await askForLink(app, email)
    const answer = await verify(app, linkToken(mailbox, email))
    const cookie = String(answer.headers['set-cookie'])
    assert.match(cookie, /^punctual_refresh=[\w.-]+; /)
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/api/auth', 'Max-Age=2592000']) {
      assert.ok(cookie.split('; ').includes(attribute), `${attribute} in ${cookie}`)
    }
    assert.ok(!answer.body.includes(cookieOf(answer).split('=')[1] as string))
    assert.equal(answer.headers['cache-control'], 'no-store')
  })

  it('is kept for the path at which the service is', async () => {
    const under = await appOn(db(), { signup: 'open', publicUrl: 'https://example.com/book' })
    const email = newAddress()
    await askForLink(under.app, email)
    const answer = await verify(under.app, linkToken(under.mailbox, email))
    assert.match(String(answer.headers['set-cookie']), /; Path=\/book\/api\/auth;/)
  })

  it('is renewed by its cookie, which changes every time', async () => {
    const { cookie, user } = await signIn(app, mailbox, newAddress())
    const answer = await post('refresh', { cookie })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().user.id, user.id)
    assert.notEqual(cookieOf(answer), cookie)
    assert.ok(await worksFor(answer.json().accessToken))
    assert.equal((await post('refresh', { cookie: cookieOf(answer) })).statusCode, 200)
  })

  it('ends for everyone who has it when a cookie is used twice', async () => {
    const { cookie, token } = await signIn(app, mailbox, newAddress())
    const renewed = await post('refresh', { cookie })
    const replayed = await post('refresh', { cookie })
    assert.equal(replayed.statusCode, 401)
    assert.match(String(replayed.headers['set-cookie']), /Max-Age=0/)
    assert.equal((await post('refresh', { cookie: cookieOf(renewed) })).statusCode, 401)
    assert.equal(await worksFor(token), false)
    assert.equal(await worksFor(renewed.json().accessToken), false)
  })

  it('ends when two renew it at the same moment', async () => {
    const { cookie, token } = await signIn(app, mailbox, newAddress())
    const answers = await Promise.all([post('refresh', { cookie }), post('refresh', { cookie })])
    const renewed = answers.filter(({ statusCode }) => statusCode === 200)
    assert.ok(renewed.length <= 1)
    for (const answer of renewed) assert.equal(await worksFor(answer.json().accessToken), false)
    assert.equal(await worksFor(token), false)
  })

  it('is not renewed by an invalid cookie', async () => {
    const { cookie } = await signIn(app, mailbox, newAddress())
    const [id] = cookie.slice('punctual_refresh='.length).split('.')
    const others = [
      '',
      'punctual_refresh=',
      'punctual_refresh=x.y',
      `other=${cookie}`,
      `punctual_refresh=${id}`,
    ]
    for (const other of others) {
      assert.equal((await post('refresh', { cookie: other })).statusCode, 401, other)
    }
  })

  it('lasts thirty days from its last renewal', async () => {
    const { cookie } = await signIn(app, mailbox, newAddress())
    clock.moveTo(MONDAY_NOON + 29 * DAY)
    const renewed = await post('refresh', { cookie })
    assert.equal(renewed.statusCode, 200)
    clock.moveTo(MONDAY_NOON + 59 * DAY)
    assert.equal((await post('refresh', { cookie: cookieOf(renewed) })).statusCode, 401)
    clock.moveTo(MONDAY_NOON)
  })

  it('has access tokens that last an hour', async () => {
    const { token } = await signIn(app, mailbox, newAddress())
    clock.moveTo(MONDAY_NOON + 60 * MINUTE - 1)
    assert.ok(await worksFor(token))
    clock.moveTo(MONDAY_NOON + 60 * MINUTE)
    assert.equal(await worksFor(token), false)
    clock.moveTo(MONDAY_NOON)
  })

  it('ends when its user signs out, on this device only', async () => {
    const email = newAddress()
    const [here, there] = [await signIn(app, mailbox, email), await signIn(app, mailbox, email)]
    const answer = await post('logout', { cookie: here.cookie })
    assert.equal(answer.statusCode, 204)
    assert.match(String(answer.headers['set-cookie']), /^punctual_refresh=; .*Max-Age=0/)
    assert.equal(await worksFor(here.token), false)
    assert.equal((await post('refresh', { cookie: here.cookie })).statusCode, 401)
    assert.ok(await worksFor(there.token))
  })

  it('ends on all devices when its user signs out everywhere', async () => {
    const email = newAddress()
    const [here, there] = [await signIn(app, mailbox, email), await signIn(app, mailbox, email)]
    const other = await signIn(app, mailbox, newAddress())
    const answer = await post('logout-everywhere', { authorization: `Bearer ${here.token}` })
    assert.equal(answer.statusCode, 204)
    for (const { token, cookie } of [here, there]) {
      assert.equal(await worksFor(token), false)
      assert.equal((await post('refresh', { cookie })).statusCode, 401)
    }
    assert.ok(await worksFor(other.token))
  })

  it('cannot be ended by an API token, which would keep its owner from revoking it', async () => {
    const ada = await signIn(app, mailbox, newAddress())
    const { token } = (await ada.post('/tokens', { name: 'robot', scopes: ['write'] })).json()
    const answer = await post('logout-everywhere', { authorization: `Bearer ${token}` })
    assert.equal(answer.statusCode, 403)
    assert.ok(await worksFor(ada.token))
  })

  const foreign: Record<string, Record<string, string>> = {
    'another site': { origin: 'https://evil.example' },
    'another site that names ours': { origin: 'https://book.example.com.evil.example' },
    'a sandboxed frame': { origin: 'null' },
    'another port': { origin: 'https://book.example.com:8443' },
    'a page that a browser calls cross-site': { 'sec-fetch-site': 'cross-site' },
    'a sibling of our domain': { 'sec-fetch-site': 'same-site' },
    'a page that lies about one of the two': {
      origin: 'https://book.example.com',
      'sec-fetch-site': 'cross-site',
    },
  }
  for (const [who, headers] of Object.entries(foreign)) {
    it(`is not to be used by ${who}`, async () => {
      const { cookie, token } = await signIn(app, mailbox, newAddress())
      for (const path of ['refresh', 'logout']) {
        const answer = await post(path, { cookie, ...headers })
        assert.equal(answer.statusCode, 403, path)
        assert.equal(answer.headers['set-cookie'], undefined, path)
      }
      assert.ok(await worksFor(token))
      assert.equal((await post('refresh', { cookie })).statusCode, 200)
    })
  }

  it('cannot be started by another site in a user’s name', async () => {
    const email = newAddress()
    await askForLink(app, email)
    const token = linkToken(mailbox, email)
    const send = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/verify',
        headers: { ...fromSomeoneNew(), ...headers },
        payload: JSON.stringify({ token }),
      })
    const json = { 'content-type': 'application/json' }
    assert.equal((await send({ ...json, origin: 'https://evil.example' })).statusCode, 403)
    assert.equal((await send({ 'content-type': 'text/plain' })).statusCode, 415)
    assert.equal((await send({ 'content-type': 'application/x-www-form-urlencoded' })).statusCode, 415)
    assert.equal((await send(json)).statusCode, 200)
  })

  const own: Record<string, Record<string, string>> = {
    'the page at the public address, behind a proxy that renames the host': {
      origin: 'https://book.example.com',
      host: 'internal:3000',
      'sec-fetch-site': 'same-origin',
    },
    'the page at the address that it was asked for at': {
      origin: 'http://127.0.0.1:3000',
      host: '127.0.0.1:3000',
    },
    'a program, which names no origin': {},
  }
  for (const [who, headers] of Object.entries(own)) {
    it(`is to be used by ${who}`, async () => {
      const { cookie } = await signIn(app, mailbox, newAddress())
      assert.equal((await post('refresh', { cookie, ...headers })).statusCode, 200)
    })
  }

  it('cannot be read by pages of other origins', async () => {
    const email = newAddress()
    await askForLink(app, email)
    const { cookie } = await signIn(app, mailbox, newAddress())
    const answers = [
      await verify(app, linkToken(mailbox, email)),
      await post('refresh', { cookie, origin: 'https://book.example.com' }),
      await askForLink(app, newAddress(), { origin: 'https://evil.example' }),
    ]
    for (const { headers } of answers) assert.equal(headers['access-control-allow-origin'], undefined)
  })
})

/** Notes the kind and table of every statement that is run through it. */
function noteStatements(db: Db): { readonly db: Db; readonly statements: string[] } {
  const statements: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(`${node.kind} ${/"name":"(\w+)"/.exec(JSON.stringify(node))?.[1]}`)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: db.withPlugin(plugin), statements }
}

onEveryDatabase('requesting a link', ({ db, engine }) => {
  let app: FastifyInstance
  let mailbox: Mail[]
  let context: Context
  let ada: Host

  before(async () => {
    ;({ app, mailbox, context } = await appOn(db(), { signup: 'first' }))
    ada = await signIn(app, mailbox, 'ada@hosts.example')
  })

  it('never reveals whether an address is known, by the answer or by the work', async () => {
    const { db: noted, statements } = noteStatements(db())
    const { app } = await appOn(noted, { signup: 'first' })
    // Signing in was counted, where instances share their counts.
    if (engine === 'postgres') await sql`delete from rate_limits`.execute(db())
    const ask = async (email: string) => {
      statements.length = 0
      const { statusCode, body, headers } = await askForLink(app, email)
      const { date, ...others } = headers
      return { statusCode, body, headers: others, work: [...statements] }
    }
    const known = await ask('ada@hosts.example')
    assert.deepEqual(await ask('ada@guess.example'), known)
    assert.ok(known.work.length >= 4, known.work.join())
  })

  it('gives the same answer for invited, disabled and unknown addresses', async () => {
    await ada.post('/instance-invitations', { email: 'invited@hosts.example' })
    const gone = await ada.post('/instance-invitations', { email: 'gone@hosts.example' })
    assert.equal(gone.statusCode, 201)
    const left = await signIn(app, mailbox, 'gone@hosts.example')
    await updateUser(context.db, left.user.id, { disabledAt: 1 })
    const bodies = new Set<string>()
    for (const name of ['invited', 'gone', 'stranger']) {
      const { statusCode, body } = await askForLink(app, `${name}@hosts.example`)
      bodies.add(`${statusCode} ${body}`)
    }
    assert.equal(bodies.size, 1)
  })

  it('is counted by the address it comes from', async () => {
    const headers = fromSomeoneNew()
    for (let i = 0; i < 20; i++) {
      assert.equal((await askForLink(app, newAddress(), headers)).statusCode, 202)
    }
    const refused = await askForLink(app, newAddress(), headers)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await askForLink(app, newAddress())).statusCode, 202)
  })

  it('is counted by the address it is for, known or not, however it is spelled', async () => {
    await ada.post('/instance-invitations', { email: 'counted@hosts.example' })
    mailbox.length = 0
    const headers = fromSomeoneNew()
    for (const email of ['counted@hosts.example', 'uncounted@hosts.example']) {
      for (const spelling of [email, email.toUpperCase(), ` ${email}`, email, email]) {
        assert.equal((await askForLink(app, spelling, headers)).statusCode, 202)
      }
      assert.equal((await askForLink(app, email, headers)).statusCode, 429)
    }
    assert.equal(mailbox.filter(({ to }) => to === 'counted@hosts.example').length, 5)
  })

  it('lets no stranger lock the owner of an address out, nor fill their mailbox', async () => {
    const email = 'wanted@hosts.example'
    await ada.post('/instance-invitations', { email })
    mailbox.length = 0
    for (let i = 0; i < 30; i++) assert.equal((await askForLink(app, email)).statusCode, 202)
    assert.equal((await askForLink(app, email)).statusCode, 202)
    const links = mailbox.filter(({ to }) => to === email)
    assert.equal(links.length, 20)
    assert.equal((await verify(app, linkToken(links.slice(0, 1), email))).statusCode, 200)
  })

  it('is counted before the link is used, too', async () => {
    const headers = fromSomeoneNew()
    const guess = () =>
      app.inject({ method: 'POST', url: '/api/auth/verify', headers, payload: { token: 'a guess' } })
    for (let i = 0; i < 30; i++) assert.equal((await guess()).statusCode, 400)
    assert.equal((await guess()).statusCode, 429)
  })

  it('takes an address of the maximum length', async () => {
    const domain = `${'d'.repeat(60)}.`.repeat(3)
    const longest = `${'l'.repeat(64)}@${domain}examp`
    assert.equal(longest.length, 64 + 1 + 183 + 5)
    assert.equal((await askForLink(app, longest)).statusCode, 202)
  })

  const addresses: Record<string, string> = {
    'a header after a line break': 'ada@hosts.example\r\nBcc: eve@evil.example',
    'a line feed alone': 'ada@hosts.example\nBcc:eve@evil.example',
    'a line break in front of the @': 'ada\r\n@hosts.example',
    'a second recipient': 'ada@hosts.example,eve@evil.example',
    'a second recipient in another notation': 'ada@hosts.example;eve@evil.example',
    'a name with an address': 'Ada <eve@evil.example>',
    'a group': 'friends:eve@evil.example;',
    'a comment': 'ada(eve@evil.example)@hosts.example',
    'a quoted line break': '"ada\r\n"@hosts.example',
    'a NUL': 'ada\u0000@hosts.example',
    'half a letter': 'ada\ud800@hosts.example',
    'a line separator': 'ada\u2028@hosts.example',
    'two at signs': 'ada@evil.example@hosts.example',
    nothing: '',
    'no domain': 'ada',
  }
  for (const [what, email] of Object.entries(addresses)) {
    it(`refuses an address with ${what}`, async () => {
      const before = mailbox.length
      const answer = await askForLink(app, email)
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [400, { error: 'The email address must look like name@example.com.' }],
      )
      assert.equal(mailbox.length, before)
    })
  }

  it('refuses what is not text, or far too long', async () => {
    for (const email of [null, 5, ['ada@hosts.example'], { $ne: '' }, `${'a'.repeat(300)}@hosts.example`]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: fromSomeoneNew(),
        payload: { email },
      })
      assert.equal(answer.statusCode, 400)
    }
  })

  it('emails the account’s own spelling, never a look-alike', async () => {
    // The Kelvin sign is small k when lowered: a domain of that spelling could be someone else's.
    await ada.post('/instance-invitations', { email: 'kim@hosts.example' })
    mailbox.length = 0
    await askForLink(app, '\u212aim@hosts.example')
    assert.deepEqual(
      mailbox.map(({ to }) => to),
      ['kim@hosts.example'],
    )
  })
})

onEveryDatabase('a bearer token', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let ada: Host
  let bob: Host
  let claims: Record<string, unknown>

  before(async () => {
    const made = await appOn(db(), { signup: 'open', now: clock.now })
    ;({ app, context } = made)
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
    bob = await signIn(app, made.mailbox, 'bob@hosts.example')
    claims = JSON.parse(Buffer.from(ada.token.split('.')[1] as string, 'base64url').toString())
  })

  const keyFrom = (secret: string) => createHmac('sha256', secret).update('access-tokens').digest()
  const seconds = MONDAY_NOON / 1000
  const sign = (payload: object, key: Uint8Array = keyFrom(context.jwtSecret), alg = 'HS256') =>
    new SignJWT({ ...claims, ...payload } as never).setProtectedHeader({ alg }).sign(key)
  const status = async (token: string) => (await bearer(app, token).get('/me')).statusCode

  it('is valid as we create it', async () => {
    // Shows that the forgeries below fail for their fault, and not for how they are made.
    assert.equal(await status(await sign({})), 200)
  })

  const forgeries: Record<string, () => Promise<string> | string> = {
    'signed with another secret': () => sign({}, keyFrom('another-secret-that-is-long-enough')),
    'signed with the secret itself': () => sign({}, Buffer.from(context.jwtSecret)),
    'signed with an empty secret': () => sign({}, keyFrom('')),
    'signed by another algorithm': () => sign({}, keyFrom(context.jwtSecret), 'HS512'),
    'not signed (alg: none)': () => new UnsecuredJWT(claims).encode(),
    'not signed, and says it is': async () => {
      const header = Buffer.from('{"alg":"HS256"}').toString('base64url')
      return `${header}.${new UnsecuredJWT(claims).encode().split('.')[1]}.`
    },
    'signed for someone else’s claims': async () => {
      const [header, , signature] = ada.token.split('.')
      const payload = Buffer.from(JSON.stringify({ ...claims, sub: bob.user.id })).toString('base64url')
      return `${header}.${payload}.${signature}`
    },
    expired: () => sign({ exp: seconds }),
    'without an end': () => sign({ exp: undefined }),
    'not yet valid': () => sign({ nbf: seconds + 60 }),
    'for another audience': () => sign({ aud: 'another-service' }),
    'for no audience': () => sign({ aud: undefined }),
    'for the other kind of audience': () => sign({ aud: 'punctual-api' }),
    'for several audiences': () => sign({ aud: ['punctual-session', 'punctual-api'] }),
    'of another issuer': () => sign({ iss: 'another-service' }),
    'of no issuer': () => sign({ iss: undefined }),
    'of no session': () => sign({ sid: undefined }),
    'of a session that is not there': () => sign({ sid: '01890a5d-ac96-774b-bcce-b302099a8057' }),
    'of someone else’s session': () => sign({ sub: bob.user.id }),
    'without a subject': () => sign({ sub: undefined }),
    'a session’s, shown as an API token’s': () => sign({ aud: 'punctual-api', jti: claims.sid }),
    empty: () => '',
    'not a token': () => 'not-a-token',
    enormous: () => `${'a'.repeat(6000)}.b.c`,
  }
  for (const [what, forge] of Object.entries(forgeries)) {
    it(`is refused when it is ${what}`, async () => {
      const answer = await bearer(app, await forge()).get('/me')
      assert.deepEqual(
        [answer.statusCode, answer.json()],
        [401, { error: 'Sign in first: this needs a valid bearer token.' }],
      )
    })
  }

  it('is read from its header only', async () => {
    const attempts = [
      { url: `/api/admin/me?access_token=${ada.token}` },
      { url: '/api/admin/me', headers: { cookie: `token=${ada.token}; ${ada.cookie}` } },
      { url: '/api/admin/me', headers: { authorization: `Basic ${ada.token}` } },
      { url: '/api/admin/me', headers: { authorization: ada.token } },
    ]
    for (const attempt of attempts) assert.equal((await app.inject(attempt)).statusCode, 401)
  })

  it('is required first, even at unknown addresses', async () => {
    for (const [method, url] of [
      ['GET', '/api/admin/nothing'],
      ['POST', '/api/admin/teams'],
      ['PATCH', '/api/admin/me'],
    ] as const) {
      assert.equal((await app.inject({ method, url })).statusCode, 401, `${method} ${url}`)
    }
  })
})

onEveryDatabase('the log', ({ db }) => {
  /** Refuses to store sessions, as a full disk would. */
  const noNewSessions: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('"sessions"')) {
        throw new Error('the disk is full')
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }

  /** The app with everything it would log. */
  async function loggingApp(given: (context: Context) => Partial<Context> = () => ({})) {
    const lines: string[] = []
    const { context, mailbox } = contextOn(db(), { signup: 'open' })
    const app = await buildApp({
      context: { ...context, ...given(context) },
      rateLimits: (name, limit, windowSeconds) => createRateLimit(db(), name, limit, windowSeconds),
      isUnavailable,
      trustProxy: ['127.0.0.1'],
      logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } },
    })
    return { app, mailbox, lines }
  }

  const assertNone = (lines: readonly string[], secrets: readonly string[]) => {
    const log = lines.join('')
    for (const secret of secrets) assert.ok(secret.length > 20 && !log.includes(secret), log)
  }

  it('never contains a token', async () => {
    const { app, mailbox, lines } = await loggingApp()
    const email = newAddress()
    const ada = await signIn(app, mailbox, email)
    const link = linkToken(mailbox, email)
    await verify(app, link)
    const api = (await ada.post('/tokens', { name: 'robot', scopes: ['read'] })).json().token
    await bearer(app, api).get('/me')
    await bearer(app, `${api}x`).get('/me')
    await ada.post('/teams', { slug: 'api' })
    await app.inject({ method: 'POST', url: '/api/auth/refresh', headers: { cookie: ada.cookie } })
    await app.inject({ method: 'POST', url: '/api/auth/refresh', headers: { cookie: ada.cookie } })
    assertNone(lines, [link, ada.token, api, ada.cookie.split('.')[1] as string])
  })

  it('reports a failure without the request’s token', async () => {
    const { app, mailbox, lines } = await loggingApp(({ db }) => ({ db: db.withPlugin(noNewSessions) }))
    const email = newAddress()
    await askForLink(app, email)
    const link = linkToken(mailbox, email)
    const answer = await verify(app, link)
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [500, { error: 'Something went wrong on our side.' }],
    )
    assert.match(lines.join(''), /the disk is full/)
    assertNone(lines, [link])
    assert.ok(!lines.join('').includes(email))
  })
})
