import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import {
  type CaptchaVerifier,
  passes,
  refuses,
  say,
  startCaptchaVerifier,
} from '../../../test/captcha-verifier.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import type { AbusePrevention, EventType } from '../../domain/event-types/event-type.ts'
import { noteAnswer } from '../../services/bookings/guest/mail-cap.ts'
import { mailedToken } from '../../services/bookings/guest/manage-link.ts'
import type { Context } from '../../services/context.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SERVICES = ['turnstile', 'hcaptcha', 'recaptcha'] as const

const ALWAYS = {
  timeZone: 'UTC',
  weekly: Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((day) => [day, [{ opens: '00:00', closes: '24:00' }]]),
  ),
  overrides: {},
}

const tokenOf = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')

onEveryDatabase('abuse prevention', ({ db }) => {
  // Proofs of work expire by the real clock as well, so this one stands near it.
  const began = Math.ceil(Date.now() / HOUR) * HOUR
  const clock = stoppedClock(began)
  let app: FastifyInstance
  let secondInstance: FastifyInstance
  let context: Context
  let verifier: CaptchaVerifier
  let hosts = 0

  interface Offered {
    readonly eventType: EventType
    readonly path: string
    readonly slot: (number: number) => number
  }

  /** An event type that is open around the clock, with this protection. */
  const offer = async (abuse: Partial<AbusePrevention>, given: Partial<EventType> = {}): Promise<Offered> => {
    const host = await addUser(db(), `host-${++hosts}`, ALWAYS)
    const eventType = await addEventType(db(), host, {
      slug: 'talk',
      ...given,
      abuse: { ...plainEventType().abuse, ...abuse },
    })
    const slot = (number: number) => began + HOUR + number * 30 * MINUTE
    return { eventType, slot, path: `/api/public/scheduling/${host.slug}/talk` }
  }
  const post = (
    { path }: Offered,
    payload: object,
    { headers = {}, of = app }: { headers?: Record<string, string>; of?: FastifyInstance } = {},
  ): Promise<Reply> =>
    of.inject({ method: 'POST', url: `${path}/book`, headers: { ...fromSomeoneNew(), ...headers }, payload })
  const book = (offered: Offered, number: number, given: Record<string, unknown> = {}, headers = {}) =>
    post(offered, bookingOf(offered.eventType, offered.slot(number), given), { headers })
  const bookingsOf = async ({ eventType }: Offered) =>
    (await db().selectFrom('bookings').select('id').where('event_type_id', '=', eventType.id).execute())
      .length
  const assertBooked = (reply: Reply) => assert.equal(reply.statusCode, 201, reply.body)
  const assertRefused = (reply: Reply, says: RegExp) => {
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, says)
  }

  before(async () => {
    verifier = await startCaptchaVerifier()
    const service = { siteKey: 'site', secret: 'the-secret', verifyUrl: verifier.url }
    const given = {
      now: clock.now,
      captcha: {
        altchaSecret: 'altcha-secret-of-the-tests',
        services: { turnstile: service, hcaptcha: service, recaptcha: service },
      },
    }
    ;({ app, context } = await appOn(db(), given))
    secondInstance = (await appOn(db(), given)).app
  })
  after(() => verifier.close())

  // Honeypot

  it('refuses a booking that fills in the honeypot', async () => {
    const offered = await offer({ honeypot: true })
    for (const honeypotValue of ['x', ' ', 'https://spam.example', 'a'.repeat(10_000)]) {
      assertRefused(await book(offered, 0, { honeypotValue }), /hidden field|automated/i)
    }
    assert.equal(await bookingsOf(offered), 0)
    assertBooked(await book(offered, 0, { honeypotValue: '' }))
    assertBooked(await book(offered, 1))
  })

  it('does not look at the field where there is no honeypot', async () => {
    assertBooked(await book(await offer({}), 0, { honeypotValue: 'autofilled' }))
  })

  // ALTCHA

  /** Gets a challenge and solves it, as the widget does. */
  const challengeOf = async (offered: Offered): Promise<Challenge> => {
    const config = (await app.inject({ url: `${offered.path}/abuse-config` })).json()
    const reply = await app.inject({ url: new URL(config.captchaChallengeUrl).pathname })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const solve = async (challenge: Challenge) => {
    const solution = await solveChallenge({ challenge, deriveKey })
    assert.ok(solution !== null)
    return { challenge, solution }
  }
  const solutionFor = async (offered: Offered) => tokenOf(await solve(await challengeOf(offered)))
  const usedSolutions = async () => (await db().selectFrom('used_solutions').select('id').execute()).length

  it('books with a solved challenge, once, whichever instance is asked', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const solved = await solve(await challengeOf(offered))
    const captchaToken = tokenOf(solved)
    const used = await usedSolutions()
    const first = bookingOf(offered.eventType, offered.slot(0), { captchaToken })
    assertBooked(await post(offered, first, { of: secondInstance }))
    assert.equal(await usedSolutions(), used + 1)

    const disguised = tokenOf({
      took: 1,
      solution: { ...solved.solution, time: 1 },
      challenge: solved.challenge,
    })
    for (const again of [
      captchaToken,
      ` ${captchaToken}`,
      `${captchaToken}\n`,
      disguised,
      captchaToken.replace(/=*$/, ''),
    ]) {
      assertRefused(await book(offered, 1, { captchaToken: again }), /captcha/i)
    }
    assert.equal(await bookingsOf(offered), 1)
    assert.equal(await usedSolutions(), used + 1)
  })

  it('books once with one solution, even when it is used ten times at once', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const captchaToken = await solutionFor(offered)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => book(offered, i, { captchaToken })),
    )
    const statuses = replies.map((reply) => reply.statusCode).sort()
    assert.deepEqual(statuses, [201, ...Array(9).fill(400)])
    assert.equal(await bookingsOf(offered), 1)
  })

  it('answers repeats of one request alike, even when they overtake each other', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: await solutionFor(offered) })
    const headers = { 'idempotency-key': 'solved-once' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(offered, body, { headers })))
    replies.push(await post(offered, body, { headers }))
    for (const reply of replies) assertBooked(reply)
    assert.equal(new Set(replies.map((reply) => reply.json().id)).size, 1)
    assert.equal(await bookingsOf(offered), 1)
  })

  it('lets two instances repeat one request without losing its solution and its booking', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: await solutionFor(offered) })
    const headers = { 'idempotency-key': 'asked-twice' }
    const instances = [app, secondInstance, app, secondInstance]
    const replies = await Promise.all(instances.map((of) => post(offered, body, { headers, of })))
    assert.ok(
      replies.some((reply) => reply.statusCode === 201),
      replies.map((reply) => reply.body).join('\n'),
    )
    assert.equal(await bookingsOf(offered), 1)
    for (const each of [app, secondInstance]) assertBooked(await post(offered, body, { headers, of: each }))
    assert.equal(await bookingsOf(offered), 1)
  })

  it('takes a solution until its challenge expires, after 20 minutes', async (t) => {
    t.after(() => clock.moveTo(began))
    const offered = await offer({ captcha: 'altcha' })
    const captchaToken = await solutionFor(offered)
    const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken })
    clock.moveTo(began + 20 * MINUTE + 1000)
    assertRefused(await post(offered, body), /captcha/i)
    assert.equal(await bookingsOf(offered), 0)
    clock.moveTo(began + 20 * MINUTE - 1000)
    assertBooked(await post(offered, body))
  })

  it('takes a solution only for the event type it was asked for', async () => {
    const [asked, other] = [await offer({ captcha: 'altcha' }), await offer({ captcha: 'altcha' })]
    const captchaToken = await solutionFor(asked)
    assertRefused(await book(other, 0, { captchaToken }), /captcha/i)
    assert.equal(await bookingsOf(other), 0)
    assertBooked(await book(asked, 0, { captchaToken }))
  })

  it('refuses a challenge that someone made up, however cheap it was to solve', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const { parameters } = await challengeOf(offered)
    const forge = async (secret: string, cost: number) =>
      tokenOf(
        await solve(
          await createChallenge({
            algorithm: parameters.algorithm,
            cost,
            counter: 1,
            deriveKey,
            data: { subject: offered.eventType.id },
            expiresAt: Math.floor(clock.now() / 1000) + 600,
            hmacSignatureSecret: secret,
            hmacKeySignatureSecret: secret,
          }),
        ),
      )
    for (const cost of [1, parameters.cost]) {
      assertRefused(await book(offered, 0, { captchaToken: await forge('not our secret', cost) }), /captcha/i)
    }
    assert.equal(await bookingsOf(offered), 0)
  })

  it('refuses a challenge that was not solved', async () => {
    const offered = await offer({ captcha: 'altcha' })
    const challenge = await challengeOf(offered)
    const { keyPrefix } = challenge.parameters
    const used = await usedSolutions()
    for (const solution of [
      undefined,
      null,
      {},
      { counter: 0, derivedKey: '' },
      { counter: 500, derivedKey: keyPrefix },
      { counter: 500, derivedKey: keyPrefix.padEnd(64, '0') },
    ]) {
      assertRefused(await book(offered, 0, { captchaToken: tokenOf({ challenge, solution }) }), /captcha/i)
    }
    assert.deepEqual([await bookingsOf(offered), await usedSolutions()], [0, used])
  })

  it('refuses a missing token and one that is garbage', async () => {
    const offered = await offer({ captcha: 'altcha' })
    assertRefused(await book(offered, 0), /captchaToken/)
    const garbage = [
      '',
      'x',
      '{}',
      '%',
      tokenOf(null),
      tokenOf([]),
      tokenOf({ challenge: null, solution: {} }),
      'A'.repeat(20_000),
    ]
    for (const captchaToken of garbage) {
      assertRefused(await book(offered, 0, { captchaToken }), /captcha/i)
    }
    assert.equal(await bookingsOf(offered), 0)
  })

  it('does not look at the token where there is no CAPTCHA', async () => {
    assertBooked(await book(await offer({}), 0, { captchaToken: 'left over' }))
  })

  // Turnstile, hCaptcha, reCAPTCHA

  for (const captcha of SERVICES) {
    it(`asks ${captcha} about the token, and believes the answer`, async () => {
      const offered = await offer({ captcha })
      verifier.answer(passes)
      const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: 'good token+/=' })
      assertBooked(await post(offered, body, { headers: { 'x-forwarded-for': '203.0.113.9' } }))
      assert.deepEqual(verifier.asked.at(-1), {
        secret: 'the-secret',
        response: 'good token+/=',
        remoteip: '203.0.113.9',
      })
      verifier.answer(refuses)
      assertRefused(await book(offered, 1, { captchaToken: 'bad token' }), /captcha/i)
      assert.equal(await bookingsOf(offered), 1)
    })

    it(`bothers ${captcha} only with requests that bring a token and are otherwise in order`, async () => {
      const offered = await offer({ captcha, honeypot: true })
      verifier.answer(passes)
      const asked = verifier.asked.length
      assertRefused(await book(offered, 0), /captchaToken/)
      assertRefused(await book(offered, 0, { captchaToken: '' }), /captchaToken/)
      assertRefused(await book(offered, 0, { captchaToken: 'token', inviteeEmail: 'nobody' }), /inviteeEmail/)
      assertRefused(
        await book(offered, 0, { captchaToken: 'token', honeypotValue: 'x' }),
        /hidden|automated/i,
      )
      assert.equal(verifier.asked.length, asked)
      assert.equal(await bookingsOf(offered), 0)
    })

    it(`books nothing while ${captcha} fails to answer properly`, async () => {
      const offered = await offer({ captcha })
      const failures = [
        say('', 500),
        say('{"success":true}', 503),
        say('not JSON'),
        say(''),
        say('null'),
        say('{"success":"true"}'),
      ]
      for (const failure of [...failures, (response: { destroy(): void }) => void response.destroy()]) {
        verifier.answer(failure)
        const reply = await book(offered, 0, { captchaToken: 'token' })
        assertRefused(reply, /captcha/i)
        assert.doesNotMatch(reply.body, /127\.0\.0\.1|the-secret|fetch|JSON|500|503/)
      }
      assert.equal(await bookingsOf(offered), 0)
    })
  }

  it('books nothing if the service hangs, and says so', async (t) => {
    const offered = await offer({ captcha: 'turnstile' })
    // The types have not heard of this one yet.
    t.mock.timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] })
    verifier.answer(() => {})
    const asked = verifier.nextAsked()
    const reply = book(offered, 0, { captchaToken: 'token' })
    await Promise.race([asked, reply])
    t.mock.timers.tick(MINUTE)
    assertRefused(await reply, /captcha/i)
    assert.equal(await bookingsOf(offered), 0)
  })

  it('books nothing while the service is away or was never set up', async () => {
    // Not a port that was given back: a test beside this one may get it.
    const turnstile = { siteKey: 'site', secret: 'secret', verifyUrl: 'http://127.0.0.1:2/' }
    const captcha = { altchaSecret: 'altcha-secret-of-the-tests', services: { turnstile } }
    const { app: cutOff } = await appOn(db(), { now: clock.now, captcha })
    for (const provider of ['turnstile', 'hcaptcha'] as const) {
      const offered = await offer({ captcha: provider })
      const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: 'token' })
      assertRefused(await post(offered, body, { of: cutOff }), /captcha/i)
      assert.equal(await bookingsOf(offered), 0)
    }
  })

  it('remembers no refusal under a key when only the service was to blame', async () => {
    const offered = await offer({ captcha: 'hcaptcha' })
    const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: 'token' })
    const headers = { 'idempotency-key': 'patient' }
    verifier.answer(say('', 502))
    assertRefused(await post(offered, body, { headers }), /captcha/i)
    verifier.answer(passes)
    assertBooked(await post(offered, body, { headers }))
  })

  it('asks the service once about a request that is repeated under its key', async () => {
    const offered = await offer({ captcha: 'recaptcha' })
    const body = bookingOf(offered.eventType, offered.slot(0), { captchaToken: 'token' })
    const headers = { 'idempotency-key': 'once' }
    verifier.answer(passes)
    const asked = verifier.asked.length
    for (let i = 0; i < 3; i++) assertBooked(await post(offered, body, { headers }))
    assert.equal(verifier.asked.length, asked + 1)
  })

  // Blocklist

  const BLOCKLIST = ['spam.example', 'blocked@example.com', '@at.example', 'MÜNCHEN.example']

  it('refuses everyone on the blocklist, in any spelling, in words that reveal nothing', async () => {
    const offered = await offer({ blocklist: BLOCKLIST })
    const sentences = new Set<string>()
    for (const inviteeEmail of [
      'a@spam.example',
      'A@SPAM.Example',
      'a+b@mail.spam.example',
      'a@very.deep.spam.example',
      'blocked@example.com',
      'Blocked@EXAMPLE.com',
      ' blocked@example.com ',
      'blocked+again@example.com',
      'x@at.example',
      'x@münchen.example',
      'x@xn--mnchen-3ya.example',
      'x@mu\u0308nchen.example',
      'x@ｓｐａｍ.example',
    ]) {
      const reply = await book(offered, 0, { inviteeEmail })
      assertRefused(reply, /\S/)
      assert.doesNotMatch(reply.body, /block|list|spam|ban|domain|e-?mail|address|@/i)
      sentences.add(reply.body)
    }
    assert.equal(sentences.size, 1)
    assert.equal(await bookingsOf(offered), 0)
  })

  it('lets everyone pass who only looks like someone on the blocklist', async () => {
    const offered = await offer({ blocklist: BLOCKLIST })
    for (const [i, inviteeEmail] of [
      'a@notspam.example',
      'a@spam.example.org',
      'a@spam-example.org',
      'spam.example@guests.example',
      'unblocked@example.com',
      'blocked@sub.example.com',
      'blocked@example.org',
      'a@munchen.example',
      'a@example.com',
    ].entries()) {
      assertBooked(await book(offered, i, { inviteeEmail }))
    }
  })

  it('keeps the blocklist of an event type to that event type', async () => {
    assertBooked(await book(await offer({}), 0, { inviteeEmail: 'a@spam.example' }))
  })

  // Duplicates

  it('mails an address that never answered five times an hour, whatever its tag', async () => {
    const offered = [await offer({}), await offer({})]
    const stranger = (n: number) => ({
      inviteeEmail: n % 2 === 0 ? 'S.tranger@guests.example' : `s.tranger+${n}@guests.example`,
    })
    const client = fromSomeoneNew()
    const bookAs = (n: number, given = stranger(n)) => book(offered[n % 2] as Offered, n, given, client)
    // What is refused causes no mail, and does not count.
    assert.equal((await book(offered[0] as Offered, 0)).statusCode, 201)
    for (let n = 0; n < 8; n++)
      assert.equal((await book(offered[0] as Offered, 0, stranger(n))).statusCode, 400)
    const booked: Reply[] = []
    for (let n = 1; n <= 5; n++) booked.push(await bookAs(n))
    assert.deepEqual(
      booked.map(({ statusCode }) => statusCode),
      [201, 201, 201, 201, 201],
    )
    const refused = await bookAs(6)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) > 60)
    assert.equal((await bookAs(6, { inviteeEmail: 'someone.else@guests.example' })).statusCode, 201)

    // Whoever books gets a link, too: it proves nothing. The mailed one does.
    const [first] = booked as [Reply]
    const own = new URL(String(first.headers.location))
    assert.equal((await app.inject(own.pathname + own.search)).statusCode, 200)
    assert.equal((await bookAs(7)).statusCode, 429)
    const id = first.json().id as string
    assert.notEqual(own.searchParams.get('token'), mailedToken(context, id))
    const read = await app.inject(`/api/public/bookings/${id}?token=${mailedToken(context, id)}`)
    assert.equal(read.statusCode, 200)
    for (let n = 7; n <= 9; n++) assert.equal((await bookAs(n)).statusCode, 201)
  })

  it('mails a host of this service as often as they book', async () => {
    const offered = await offer({})
    for (let n = 0; n < 7; n++) {
      const { statusCode } = await book(offered, n, { inviteeEmail: `host-${hosts}@hosts.example` })
      assert.equal(statusCode, 201)
    }
  })

  it('keeps nobody from booking because a stranger books in their name', async () => {
    const offered = await offer({})
    const [attacker, owner] = [fromSomeoneNew(), fromSomeoneNew()]
    const own = { inviteeEmail: 'named@guests.example' }
    for (let n = 0; n < 5; n++) assertBooked(await book(offered, n, own, attacker))
    assert.equal((await book(offered, 5, own, attacker)).statusCode, 429)
    for (let n = 5; n < 10; n++) {
      assertBooked(await book(await offer({}), n, own, owner))
    }
    assert.equal((await book(await offer({}), 10, own, owner)).statusCode, 429)
    // One site of IPv6 is one client, however many addresses it has.
    const site = (n: number) => ({ 'x-forwarded-for': `2001:db8:7:${n}::1` })
    for (let n = 0; n < 5; n++) assertBooked(await book(await offer({}), n, own, site(n)))
    assert.equal((await book(await offer({}), 5, own, site(5))).statusCode, 429)
    // All clients together have an end.
    for (let n = 0; n < 5; n++) assertBooked(await book(await offer({}), n, own))
    const refused = await book(await offer({}), 0, own)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) > 60)
    // Nothing that is stored tells which clients those were.
    const rows = await db()
      .selectFrom('bookings')
      .select('client')
      .where('guest', '=', own.inviteeEmail)
      .execute()
    assert.equal(new Set(rows.map(({ client }) => client)).size, 8)
    for (const { client } of rows) assert.match(client ?? '', /^[\w-]{8}$/)
  })

  it('counts mails that are caused at the same moment', async () => {
    const offered = await offer({})
    const client = fromSomeoneNew()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        book(offered, n, { inviteeEmail: 'at.once@guests.example' }, client),
      ),
    )
    assert.equal(replies.filter(({ statusCode }) => statusCode === 201).length, 5)
    assert.equal(replies.filter(({ statusCode }) => statusCode === 429).length, 7)
  })

  it('lets a guest have ten bookings of an event type ahead of them, whatever the tag', async () => {
    const offered = await offer({})
    // Strangers are stopped by the mails that they would get.
    await noteAnswer(context, 'olga@guests.example')
    const bookAs = (n: number, inviteeEmail = `Olga+${n}@guests.example`) =>
      book(offered, n, { inviteeEmail })
    const booked: Reply[] = []
    for (let n = 0; n < 10; n++) booked.push(await bookAs(n))
    for (const reply of booked) assertBooked(reply)
    assertRefused(await bookAs(10), /^This email address already has 10 upcoming bookings here\./)
    assertRefused(await bookAs(10, 'olga@guests.example'), /10 upcoming/)
    assertBooked(await bookAs(10, 'o.lga@guests.example'))
    assertBooked(await book(await offer({}), 0, { inviteeEmail: 'olga@guests.example' }))

    // Rescheduling adds none, and cancelling makes room for one.
    const own = (index: number) => new URL(String(booked[index]?.headers.location))
    const act = (index: number, action: string, payload: object) => {
      const { pathname, search } = own(index)
      const headers = fromSomeoneNew()
      return app.inject({ method: 'POST', url: `${pathname}/${action}${search}`, payload, headers })
    }
    const startTime = new Date(offered.slot(11)).toISOString()
    assert.equal((await act(0, 'reschedule', { startTime })).statusCode, 200)
    assert.equal((await act(1, 'cancel', {})).statusCode, 200)
    assertBooked(await bookAs(12))
    assertRefused(await bookAs(13), /10 upcoming/)
    const [past] = booked.slice(2) as [Reply]
    await db()
      .updateTable('bookings')
      .set({ starts_at: clock.now() - HOUR, ends_at: clock.now() - 30 * MINUTE })
      .where('id', '=', past.json().id)
      .execute()
    assertBooked(await bookAs(13))
  })

  it('lets a host of this service have more than ten', async () => {
    const offered = await offer({})
    for (let n = 0; n < 12; n++) {
      assertBooked(await book(offered, n, { inviteeEmail: `host-${hosts}@hosts.example` }))
    }
  })

  it('counts bookings that are made at the same moment', async () => {
    const offered = await offer({})
    await noteAnswer(context, 'all.at.once@guests.example')
    const replies = await Promise.all(
      Array.from({ length: 13 }, (_, n) => book(offered, n, { inviteeEmail: 'all.at.once@guests.example' })),
    )
    assert.equal(replies.filter(({ statusCode }) => statusCode === 201).length, 10)
    assert.equal(replies.filter(({ statusCode }) => statusCode === 400).length, 3)
  })

  it('lets one address have a slot once, in any spelling', async () => {
    const offered = await offer({}, { seats: 5 })
    assertBooked(await book(offered, 0, { inviteeEmail: 'Grace@guests.example' }))
    for (const inviteeEmail of ['Grace@guests.example', 'grace@GUESTS.example', ' grace@guests.example ']) {
      assertRefused(await book(offered, 0, { inviteeEmail }), /no longer available/i)
    }
    assert.equal(await bookingsOf(offered), 1)
    assertBooked(await book(offered, 0, { inviteeEmail: 'grace+two@guests.example' }))
    assertBooked(await book(offered, 1, { inviteeEmail: 'grace@guests.example' }))
    const elsewhere = await offer({}, { seats: 5 })
    assertBooked(await book(elsewhere, 0, { inviteeEmail: 'grace@guests.example' }))
  })

  it('does not tell strangers whose booking is in the way', async () => {
    const offered = await offer({})
    assertBooked(await book(offered, 0, { inviteeEmail: 'ines@guests.example' }))
    assertRefused(await book(offered, 0, { inviteeEmail: 'INES@guests.example' }), /no longer available/i)
    assertRefused(await book(offered, 0, { inviteeEmail: 'heidi@guests.example' }), /no longer available/i)
  })

  it('seats one address once, even when it asks ten times at once', async () => {
    const offered = await offer({}, { seats: 10 })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => book(offered, 0, { inviteeEmail: 'joan@guests.example' })),
    )
    assert.deepEqual(replies.map((reply) => reply.statusCode).sort(), [201, ...Array(9).fill(400)])
    for (const reply of replies) if (reply.statusCode === 400) assertRefused(reply, /no longer available/i)
    assert.equal(await bookingsOf(offered), 1)
  })

  it('lets an address have as many seats as it likes where the host does not mind', async () => {
    const offered = await offer({ detectDuplicates: false }, { seats: 2 })
    for (let i = 0; i < 2; i++) assertBooked(await book(offered, 0, { inviteeEmail: 'kate@guests.example' }))
    assertRefused(await book(offered, 0, { inviteeEmail: 'kate@guests.example' }), /no longer available/i)
    assert.equal(await bookingsOf(offered), 2)
  })
})
