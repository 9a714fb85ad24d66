import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import { type Host, signIn } from '../../test/host-api.ts'
import { addEventType, addUser, appOn, bookingOf, fromSomeoneNew, plainEventType } from '../../test/kit.ts'
import { LANGUAGES } from '../domain/languages.ts'
import type { Mail } from '../outside/mail/mail.ts'

onEveryDatabase('the language of a refusal', ({ db }) => {
  let app: FastifyInstance
  let host: Host
  let mailbox: readonly Mail[]
  const eventType = plainEventType({ questions: [] })
  const book = '/api/public/scheduling/ada/talk/book'

  before(async () => {
    const made = await appOn(db(), { signup: 'open' })
    app = made.app
    mailbox = made.mailbox
    host = await signIn(app, made.mailbox, 'grace@hosts.example')
    await addEventType(db(), await addUser(db(), 'ada'), { ...eventType, slug: 'talk' })
  })

  const ask = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { ...fromSomeoneNew(), ...headers } })
  const post = (payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: book, headers: { ...fromSomeoneNew(), ...headers }, payload })
  const seen = (reply: Reply) => [
    reply.json().error,
    reply.headers['content-language'],
    String(reply.headers.vary).includes('accept-language'),
  ]

  it('is English without a header, and otherwise what the header asks for', async () => {
    const english = ['There is nothing at this address.', 'en', true]
    assert.deepEqual(seen(await ask('/api/public/nothing')), english)
    assert.deepEqual(seen(await ask('/api/public/nothing', { 'accept-language': 'xx, *' })), english)
    const expected = {
      de: 'Unter dieser Adresse gibt es nichts.',
      es: 'No hay nada en esta dirección.',
      fr: 'Il n’y a rien à cette adresse.',
      pt: 'Não há nada neste endereço.',
      ja: 'このアドレスには何もありません。',
    }
    for (const [language, text] of Object.entries(expected)) {
      const reply = await ask('/api/public/nothing', {
        'accept-language': `xx, ${language}-XY;q=0.9, en;q=0.1`,
      })
      assert.deepEqual(seen(reply), [text, language, true])
    }
  })

  it('is not all that an answer depends on', async () => {
    const { vary } = (await ask('/nothing/at/all', { accept: 'text/html' })).headers
    assert.equal(vary, 'accept, accept-language, accept-encoding')
  })

  it('covers what the framework and the server refuse', async () => {
    const german = { 'accept-language': 'de' }
    assert.deepEqual(seen(await ask('/api/public/%zz', german)), ['Die Adresse ist ungültig.', 'de', true])
    const json = { ...german, 'content-type': 'application/json' }
    const broken = await app.inject({
      method: 'POST',
      url: book,
      headers: { ...fromSomeoneNew(), ...json },
      payload: '{',
    })
    assert.deepEqual(seen(broken), ['Der Inhalt der Anfrage ist kein gültiges JSON.', 'de', true])
    const slots = await ask('/api/public/scheduling/ada/talk/slots', german)
    assert.deepEqual(seen(slots), ['„dateFrom“ ist erforderlich.', 'de', true])
    const late = '/api/public/scheduling/ada/talk/slots?dateFrom=2027-01-12&dateTo=2027-01-11&timezone=UTC'
    assert.deepEqual(seen(await ask(late, german)), ['„dateTo“ darf nicht vor dateFrom liegen.', 'de', true])
  })

  it('names fields in words for hosts, and as on the wire for programs', async () => {
    const made = (language = '') =>
      host.post(
        '/event-types',
        { slug: 'talk', name: 'Talk', durationMinutes: 0 },
        { 'accept-language': language },
      )
    assert.equal(
      (await made()).json().error,
      'The duration must be a whole number of minutes from 1 to 1440.',
    )
    const german = await made('de')
    assert.equal(german.json().error, '„Dauer“ muss eine ganze Zahl von Minuten von 1 bis 1440 sein.')
    assert.equal(german.headers['error-field'], 'durationMinutes')
    const wire = await post(
      { ...bookingOf(eventType, 0), inviteeEmail: 'nobody' },
      { 'accept-language': 'fr' },
    )
    assert.match(wire.json().error, /«\sinviteeEmail\s» doit être une adresse e-mail/)
  })

  it('is that of each request when an answer is repeated', async () => {
    const past = bookingOf(eventType, Date.UTC(2020, 0, 6, 10))
    const key = { 'idempotency-key': 'past' }
    const english = 'This time is no longer available. Please choose another slot.'
    assert.deepEqual(seen(await post(past, key)), [english, 'en', true])
    const again = await post(past, { ...key, 'accept-language': 'ja' })
    assert.deepEqual(seen(again), [
      'この時間は予約できなくなりました。別の時間を選んでください。',
      'ja',
      true,
    ])
  })

  it('leaves pages a code where they do more than show the sentence, and nowhere else', async () => {
    const owner = await addUser(db(), 'proven')
    await addEventType(db(), owner, { slug: 'talk', confirmEmail: true })
    const unproven = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/proven/talk/book',
      headers: { ...fromSomeoneNew(), 'accept-language': 'de' },
      payload: bookingOf(eventType, Date.UTC(2027, 0, 12, 10)),
    })
    assert.deepEqual([unproven.statusCode, unproven.headers['error-code']], [400, 'email_unconfirmed'])
    assert.equal((await ask('/api/public/nothing')).headers['error-code'], undefined)
  })

  it('is that of the account in mails, and that of the request for someone without one', async () => {
    const linkFor = async (email: string, language: string) => {
      const asked = await app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { ...fromSomeoneNew(), 'accept-language': language },
        payload: { email },
      })
      assert.equal(asked.statusCode, 202, asked.body)
      return mailbox.findLast(({ to }) => to === email)?.subject
    }
    assert.equal((await host.patch('/me', { locale: 'ja' })).statusCode, 200)
    assert.equal(await linkFor('grace@hosts.example', 'de'), 'サインイン用リンク')
    assert.equal(await linkFor('newcomer@hosts.example', 'de'), 'Link zum Anmelden')
    assert.equal(await linkFor('stranger@hosts.example', 'xx'), 'Your sign-in link')
  })

  it('does not touch answers that are no refusals', async () => {
    const reply = await ask('/api/public/scheduling/ada', { 'accept-language': 'de' })
    assert.deepEqual([reply.statusCode, reply.headers['content-language']], [200, undefined])
  })

  it('never breaks an answer, whatever the header says', async () => {
    const value = fc.stringMatching(/^[\t\x20-\x7e]*$/)
    const likely = fc.array(
      fc.constantFrom(...LANGUAGES, 'de-', '-', ';q=', ';q=1e9', ',', '*', '__proto__', 'x-a'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          value,
          likely.map((parts) => parts.join('')),
          likely.map(String),
        ),
        async (header) => {
          const reply = await ask('/api/public/nothing', { 'accept-language': header })
          assert.equal(reply.statusCode, 404)
          assert.match(reply.json().error, /\S/)
          assert.ok(LANGUAGES.some((language) => language === reply.headers['content-language']))
        },
      ),
    )
  })
})
