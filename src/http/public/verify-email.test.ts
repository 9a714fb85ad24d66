import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { HOUR, MINUTE } from '../../domain/interval.ts'
import type { Mail } from '../../outside/mail/mail.ts'

const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR

/** Solves a challenge, as the page does. */
async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

onEveryDatabase('confirmed addresses', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let mailbox: Mail[]
  let people = 0

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { now: clock.now }))
  })

  async function add(given: Partial<EventType> = {}) {
    const host = await addUser(db(), `host-${people++}`)
    const talk = await addEventType(db(), host, { confirmEmail: true, ...given })
    const base = `/api/public/scheduling/${host.slug}/${talk.slug}`
    const post = (path: string, payload: object, headers: Record<string, string> = fromSomeoneNew()) =>
      app.inject({ method: 'POST', url: `${base}${path}`, headers, payload })
    return {
      base,
      host,
      ask: (email: string, more: object = {}, headers?: Record<string, string>) =>
        post('/verify-email', { email, ...more }, headers),
      book: (inviteeEmail: string, emailCode: string | undefined, at = TUESDAY_NINE, headers = {}) =>
        post(
          '/book',
          { ...bookingOf(talk, at), inviteeEmail, ...(emailCode !== undefined && { emailCode }) },
          { ...fromSomeoneNew(), ...headers },
        ),
    }
  }
  let guests = 0
  const someone = () => `guest-${guests++}@guests.example`
  const mailsTo = (email: string) => mailbox.filter(({ to }) => to === email)
  const codeFor = (email: string) => {
    const code = /\b\d{6}\b/.exec(mailsTo(email).at(-1)?.subject ?? '')?.[0]
    assert.ok(code, `no code for ${email}`)
    return code
  }
  const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  it('need the code that was mailed, which works once', async () => {
    const { ask, book, base } = await add()
    assert.equal((await app.inject(`${base}/abuse-config`)).json().confirmEmail, true)
    const email = someone()
    const without = await book(email, undefined)
    assert.equal(without.statusCode, 400)
    assert.match(without.json().error, /^Please confirm your email address/)
    const asked = await ask(email, { locale: 'de-AT' })
    assert.equal(asked.statusCode, 202, asked.body)
    assert.deepEqual(asked.json(), { expiresAt: '2027-01-11T12:10:00Z' })
    const [mail] = mailsTo(email)
    assert.match(mail?.subject ?? '', /^\d{6} ist Ihr Bestätigungscode$/)
    assert.match(mail?.text ?? '', new RegExp(codeFor(email)))
    const rows = await db().selectFrom('email_codes').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(codeFor(email)), 'stored as a hash')
    assert.ok(!JSON.stringify(rows).includes(email), 'without the address')

    const code = codeFor(email)
    assert.equal((await book(someone(), code)).statusCode, 400, 'another address')
    const booked = await book(email, `${code.slice(0, 3)} ${code.slice(3)}`)
    assert.equal(booked.statusCode, 201, booked.body)
    const again = await book(email, code, TUESDAY_NINE + HOUR)
    assert.equal(again.json().error, 'This code no longer works. Please request a new one.')
  })

  it('keep the code when the time is taken, and answer a repeated request again', async () => {
    const { ask, book } = await add()
    const [first, email] = [someone(), someone()]
    await ask(first)
    assert.equal((await book(first, codeFor(first))).statusCode, 201)
    await ask(email)
    assert.equal((await book(email, codeFor(email))).statusCode, 400)
    assert.equal((await book(email, codeFor(email), TUESDAY_NINE + HOUR)).statusCode, 201)
  })

  it('end a code with a newer one, and after ten minutes', async () => {
    const { ask, book } = await add()
    const email = someone()
    await ask(email)
    const old = codeFor(email)
    await ask(email)
    if (old !== codeFor(email)) assert.equal((await book(email, old)).statusCode, 400)
    clock.moveTo(MONDAY_NOON + 10 * MINUTE)
    assert.equal((await book(email, codeFor(email))).statusCode, 400)
    await ask(email)
    assert.equal((await book(email, codeFor(email))).statusCode, 201)
    clock.moveTo(MONDAY_NOON)
  })

  it('cannot be guessed: five tries, and five codes an hour', async () => {
    const { ask, book } = await add()
    const email = someone()
    const client = fromSomeoneNew()
    for (let codes = 1; codes <= 5; codes++) {
      assert.equal((await ask(email, {}, client)).statusCode, 202)
      const code = codeFor(email)
      const guesses = Array.from({ length: 12 }, () => book(email, otherThan(code)))
      for (const guess of await Promise.all(guesses)) assert.equal(guess.statusCode, 400)
      assert.equal((await book(email, code)).statusCode, 400, 'the right one comes too late')
    }
    const refused = await ask(email, {}, client)
    assert.equal(refused.statusCode, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal(mailsTo(email).length, 5)
    const [row] = await db().selectFrom('email_codes').select('tries').where('tries', '>', 4).execute()
    assert.ok(row)
    // Their owner, who is elsewhere, still gets theirs; all together, there is an end.
    for (let codes = 6; codes <= 20; codes++) assert.equal((await ask(email)).statusCode, 202)
    assert.equal((await ask(email)).statusCode, 429)
    assert.equal(mailsTo(email).length, 20)
  })

  it('say how many tries are left, in the language of the request', async () => {
    const { ask, book } = await add()
    const email = someone()
    await ask(email)
    const told: string[] = []
    for (let tries = 1; tries <= 6; tries++) {
      const wrong = await book(email, otherThan(codeFor(email)))
      assert.equal(wrong.headers['error-code'], 'email_unconfirmed')
      told.push(wrong.json().error)
    }
    const over = 'This code no longer works. Please request a new one.'
    assert.deepEqual(told, [
      ...[4, 3, 2, 1].map((left) => `This code is wrong. Tries left: ${left}.`),
      over,
      over,
    ])
    await ask(email)
    const german = await book(email, otherThan(codeFor(email)), TUESDAY_NINE, { 'accept-language': 'de' })
    assert.equal(german.json().error, 'Dieser Code ist falsch. Verbleibende Versuche: 4.')
  })

  it('let exactly one of many bookings use a code', async () => {
    const { ask, book } = await add()
    const email = someone()
    await ask(email)
    const code = codeFor(email)
    const starts = Array.from({ length: 12 }, (_, i) => TUESDAY_NINE + i * 30 * MINUTE)
    const replies = await Promise.all(starts.map((at) => book(email, code, at)))
    assert.equal(replies.filter(({ statusCode }) => statusCode === 201).length, 1)
  })

  it('mail no stranger more than five times an hour, with tags or without, and bookings count', async () => {
    const { ask } = await add()
    const other = await add({ confirmEmail: false })
    const email = `stranger-${guests++}@guests.example`
    const [name, domain] = email.split('@')
    const client = fromSomeoneNew()
    for (let i = 0; i < 3; i++) {
      assert.equal((await other.book(email, undefined, TUESDAY_NINE + i * HOUR, client)).statusCode, 201)
    }
    assert.equal((await ask(`${name}+one@${domain}`, {}, client)).statusCode, 202)
    assert.equal((await ask(email, {}, client)).statusCode, 202)
    assert.equal((await ask(`${name}+two@${domain}`, {}, client)).statusCode, 429)
    const booked = await other.book(email, undefined, TUESDAY_NINE + 4 * HOUR, client)
    assert.equal(booked.statusCode, 429, 'codes count for bookings')
    assert.equal((await ask(email)).statusCode, 202, 'from another client')
  })

  it('keep one client from using up the codes of an address', async () => {
    const { ask, book } = await add()
    const email = someone()
    await ask(email)
    assert.equal((await book(email, codeFor(email))).statusCode, 201)
    const stranger = fromSomeoneNew()
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await ask(email, {}, stranger)).statusCode)
    assert.deepEqual(statuses.slice(8), [202, 202, 429, 429])
    assert.equal((await ask(email)).statusCode, 202)
  })

  it('are exactly those that the code was mailed to', async () => {
    const { ask, book } = await add()
    const [email, tagged] = ['exact@guests.example', 'exact+tag@guests.example']
    await ask(tagged)
    const code = codeFor(tagged)
    assert.equal((await book(email, code)).statusCode, 400)
    assert.equal((await book('exact+other@guests.example', code)).statusCode, 400)
    assert.equal((await book('Exact+Tag@Guests.example', code)).statusCode, 201)
  })

  it('need a solved CAPTCHA where booking does, and another one to book', async () => {
    const abuse = { ...plainEventType().abuse, captcha: 'altcha' as const }
    const { ask, book, base } = await add({ abuse })
    const email = someone()
    const without = await ask(email)
    assert.equal(without.statusCode, 400)
    assert.equal(without.json().error, 'Please complete the CAPTCHA challenge (captchaToken).')
    assert.equal((await ask(email, { captchaToken: 'bm90IHNvbHZlZA==' })).statusCode, 400)
    assert.deepEqual(mailsTo(email), [])
    const challenge = async () => (await app.inject(`${base}/challenge`)).json()
    const captchaToken = await solve(await challenge())
    assert.equal((await ask(email, { captchaToken })).statusCode, 202)
    assert.equal((await ask(email, { captchaToken })).statusCode, 400, 'once')
    assert.equal(mailsTo(email).length, 1)
    const booked = await book(email, codeFor(email))
    assert.equal(booked.json().error, 'Please complete the CAPTCHA challenge (captchaToken).')
  })

  it('let an address that has used a code get more', async () => {
    const { ask, book } = await add()
    const email = someone()
    for (let i = 0; i < 8; i++) {
      assert.equal((await ask(email)).statusCode, 202)
      const at = TUESDAY_NINE + (i % 8) * HOUR
      assert.equal((await book(email, codeFor(email), at)).statusCode, 201, String(i))
    }
    for (let i = 0; i < 12; i++) assert.equal((await ask(email)).statusCode, 202)
    assert.equal((await ask(email)).statusCode, 429, 'but not for ever')
  })

  it('say nothing of a blocklist, and mail no one on it', async () => {
    const abuse = { ...plainEventType().abuse, blocklist: ['blocked.example'] }
    const { ask, book } = await add({ abuse })
    const email = 'someone@blocked.example'
    assert.equal((await ask(email)).statusCode, 202)
    assert.deepEqual(mailsTo(email), [])
    assert.equal((await book(email, '123456')).json().error, 'This booking could not be accepted.')
  })

  it('count with bookings, and are 404 where they are off', async () => {
    const { ask } = await add()
    const client = fromSomeoneNew()
    for (let i = 0; i < 15; i++) assert.equal((await ask(someone(), {}, client)).statusCode, 202)
    assert.equal((await ask(someone(), {}, client)).statusCode, 429)
    assert.equal((await ask('no address')).statusCode, 400)
    const off = await add({ confirmEmail: false })
    assert.equal((await off.ask(someone())).statusCode, 404)
    assert.equal((await app.inject(`${off.base}/abuse-config`)).json().confirmEmail, undefined)
    assert.equal((await off.book(someone(), '000000')).statusCode, 201, 'nobody asks for it')
  })
})
