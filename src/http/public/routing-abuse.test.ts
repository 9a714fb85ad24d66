import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { type CaptchaVerifier, say, startCaptchaVerifier } from '../../../test/captcha-verifier.ts'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  fromSomeoneNew,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import { FORM_DEFAULTS, type FormAbusePrevention, type RoutingForm } from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { insertBlockedGuest } from '../../store/bookings/guests/blocked-guests.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'

onEveryDatabase('spam protection of forms', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let verifier: CaptchaVerifier
  let ada: Scheduler

  before(async () => {
    verifier = await startCaptchaVerifier()
    const service = { siteKey: 'site', secret: 'the-secret', verifyUrl: verifier.url }
    const captcha = { altchaSecret: 'altcha-secret-of-the-tests', services: { turnstile: service } }
    ;({ app } = await appOn(db(), { now: clock.now, captcha }))
    ada = await addUser(db(), 'ada')
  })
  after(() => verifier.close())

  const addForm = async (abuse: Partial<FormAbusePrevention>): Promise<RoutingForm> => {
    const form: RoutingForm = {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: `form-${newId()}`,
      name: 'Contact',
      fields: [
        { id: 'topic', label: 'Topic', type: 'text', required: true, options: [] },
        { id: 'mail', label: 'Your email', type: 'email', required: false, options: [] },
      ],
      fallback: { action: 'message', message: 'Thank you.' },
      abuse: { honeypot: false, captcha: '', blocklist: [], ...abuse },
    }
    await insertForm(db(), form)
    return form
  }
  const pathOf = ({ slug }: RoutingForm) => `/api/public/routing/ada/${slug}`
  const evaluate = (form: RoutingForm, given: object, query = ''): Promise<Reply> =>
    app.inject({
      method: 'POST',
      url: `${pathOf(form)}/evaluate${query}`,
      payload: { answers: { topic: 'Tea' }, ...given },
      headers: fromSomeoneNew(),
    })
  const responsesTo = async ({ id }: RoutingForm) =>
    (await db().selectFrom('routing_responses').select('id').where('form_id', '=', id).execute()).length
  const assertRouted = (reply: Reply) => assert.equal(reply.statusCode, 200, reply.body)
  const assertRefused = (reply: Reply, says: RegExp) => {
    assert.equal(reply.statusCode, 400, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
    assert.match(reply.json().error, says)
  }
  const solve = async (path: string) => {
    const challenge = (await app.inject({ url: `${path}/challenge` })).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const configOf = async (form: RoutingForm) =>
    (await app.inject({ url: `${pathOf(form)}/abuse-config` })).json()

  it('is told in the shape that event types have', async () => {
    const none = {
      enableHoneypot: false,
      enableCaptcha: false,
      captchaProvider: '',
      captchaSiteKey: '',
    }
    assert.deepEqual(await configOf(await addForm({})), none)
    const form = await addForm({ honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] })
    assert.deepEqual(await configOf(form), {
      enableHoneypot: true,
      enableCaptcha: true,
      captchaProvider: 'altcha',
      captchaSiteKey: '',
      captchaChallengeUrl: `https://book.example.com${pathOf(form)}/challenge`,
    })
    const turnstile = { enableCaptcha: true, captchaProvider: 'turnstile', captchaSiteKey: 'site' }
    assert.deepEqual(await configOf(await addForm({ captcha: 'turnstile' })), { ...none, ...turnstile })
    for (const path of ['ada/nothing/abuse-config', 'ada/nothing/challenge', 'nobody/form/abuse-config']) {
      assert.equal((await app.inject({ url: `/api/public/routing/${path}` })).statusCode, 404)
    }
    assert.equal((await app.inject({ url: `${pathOf(await addForm({}))}/challenge` })).statusCode, 404)
  })

  it('refuses answers that fill in the honeypot, where there is one', async () => {
    const form = await addForm({ honeypot: true })
    assertRefused(await evaluate(form, { honeypotValue: 'x' }), /hidden field/)
    assertRefused(await evaluate(form, { honeypotValue: 'x' }, '?dryRun=true'), /hidden field/)
    assert.equal(await responsesTo(form), 0)
    assertRouted(await evaluate(form, { honeypotValue: '' }))
    assertRouted(await evaluate(form, {}))
    assertRouted(await evaluate(await addForm({}), { honeypotValue: 'autofilled' }))
  })

  it('takes an ALTCHA solution of this form, once', async () => {
    const form = await addForm({ captcha: 'altcha' })
    assertRefused(await evaluate(form, {}), /captchaToken/)
    assertRefused(await evaluate(form, { captchaToken: 'made-up' }), /CAPTCHA/)
    assertRefused(await evaluate(form, {}, '?dryRun=true'), /captchaToken/)
    const captchaToken = await solve(pathOf(form))
    // A mistake in the answers does not use it up.
    assertRefused(await evaluate(form, { captchaToken, answers: {} }), /"Topic" is required/)
    assertRouted(await evaluate(form, { captchaToken }))
    assertRefused(await evaluate(form, { captchaToken }), /used before/)
    assert.equal(await responsesTo(form), 1)
  })

  it('takes no ALTCHA solution of another form or of an event type', async () => {
    const form = await addForm({ captcha: 'altcha' })
    const other = await solve(pathOf(await addForm({ captcha: 'altcha' })))
    assertRefused(await evaluate(form, { captchaToken: other }), /CAPTCHA/)
    const abuse = { ...plainEventType().abuse, captcha: 'altcha' as const }
    const { slug } = await addEventType(db(), ada, { abuse })
    const ofEventType = await solve(`/api/public/scheduling/ada/${slug}`)
    assertRefused(await evaluate(form, { captchaToken: ofEventType }), /CAPTCHA/)
  })

  it('takes no token of another service that was solved for a booking', async () => {
    const form = await addForm({ captcha: 'turnstile' })
    const answers = [
      { says: { success: true, hostname: 'book.example.com', action: 'route' }, status: 200 },
      { says: { success: true, hostname: 'book.example.com', action: 'book' }, status: 400 },
      { says: { success: true, hostname: 'elsewhere.example', action: 'route' }, status: 400 },
      { says: { success: false }, status: 400 },
    ]
    for (const { says, status } of answers) {
      verifier.answer(say(JSON.stringify(says)))
      assert.equal((await evaluate(form, { captchaToken: 'good' })).statusCode, status, JSON.stringify(says))
    }
  })

  it('accepts no blocked address, and does not say that it is blocked', async () => {
    const form = await addForm({ blocklist: ['spam.example'] })
    await db()
      .transaction()
      .execute((trx) =>
        insertBlockedGuest(trx, {
          id: newId(),
          schedulerId: ada.id,
          entry: 'grace@example.org',
          createdAt: 0,
        }),
      )
    for (const mail of ['a@spam.example', ' b@mail.Spam.example ', 'Grace+tag@example.org']) {
      const reply = await evaluate(form, { answers: { topic: 'Tea', mail } })
      assertRefused(reply, /^These answers could not be accepted\.$/)
    }
    assert.equal(await responsesTo(form), 0)
    assertRouted(await evaluate(form, { answers: { topic: 'Tea', mail: 'ada@example.org' } }))
    assertRouted(await evaluate(form, { answers: { topic: 'a@spam.example' } }))
  })
})
