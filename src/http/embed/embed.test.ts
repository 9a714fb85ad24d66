import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addEventType, addTeam, addUser, appOn, plainEventType } from '../../../test/kit.ts'
import type { Question } from '../../domain/event-types/questions.ts'
import { FORM_DEFAULTS, type RoutingForm } from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'

const QUESTIONS: Question[] = [
  { key: 'topic', label: 'Topic', type: 'select', required: true, options: ['Tea', 'Coffee'] },
  { key: 'site', label: 'Site', type: 'url', required: false, options: [] },
]

onEveryDatabase('GET /api/embed', ({ db }) => {
  let app: FastifyInstance
  let ada: Scheduler
  let form: RoutingForm
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/embed/${path}`, headers })
  const look = () => ({ branding: ada.branding, theme: 'dark', locale: 'de' })

  before(async () => {
    app = (await appOn(db())).app
    ada = await addUser(db(), 'ada')
    await db()
      .updateTable('schedulers')
      .set({ theme: 'dark', locale: 'de' })
      .where('id', '=', ada.id)
      .execute()
    await addEventType(db(), ada, {
      slug: 'talk',
      name: 'A talk',
      description: 'Half an hour.',
      requiresApproval: true,
      seats: 3,
      location: { type: 'InPerson', value: 'Behind the third door' },
      questions: QUESTIONS,
      allowedOrigins: ['https://www.example.com'],
      returnUrl: 'https://www.example.com/thanks',
      abuse: { ...plainEventType().abuse, honeypot: true, captcha: 'altcha', blocklist: ['spam.example'] },
    })
    await addEventType(db(), ada, { slug: 'secret', hidden: true, position: 1 })
    form = {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'name', label: 'Name', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'redirect', url: 'https://secret.example/' },
    }
    await insertForm(db(), form)
  })

  it('tells the widget of a profile what it needs, and nothing else', async () => {
    const reply = await get('ada')
    assert.equal(reply.statusCode, 200)
    assert.deepEqual(reply.json(), {
      kind: 'profile',
      name: ada.name,
      url: 'https://book.example.com/ada',
      ...look(),
      eventTypes: [
        {
          slug: 'talk',
          name: 'A talk',
          durationMinutes: 30,
          durations: [],
          url: 'https://book.example.com/ada/talk',
        },
      ],
    })
  })

  it('tells the widget of an event type what it needs, and nothing else', async () => {
    const reply = await get('ada/talk')
    assert.equal(reply.statusCode, 200)
    const abuseConfig = await app.inject({ url: '/api/public/scheduling/ada/talk/abuse-config' })
    assert.deepEqual(reply.json(), {
      kind: 'event',
      name: 'A talk',
      url: 'https://book.example.com/ada/talk',
      ...look(),
      description: 'Half an hour.',
      durationMinutes: 30,
      durations: [],
      locations: [],
      maxGuests: 0,
      series: null,
      price: null,
      location: { type: 'InPerson' },
      requiresApproval: true,
      seats: 3,
      questions: QUESTIONS,
      abuseConfig: abuseConfig.json(),
      slotsUrl: 'https://book.example.com/api/public/scheduling/ada/talk/slots',
      bookUrl: 'https://book.example.com/api/public/scheduling/ada/talk/book',
      allowedOrigins: ['https://www.example.com'],
      returnUrl: 'https://www.example.com/thanks',
    })
  })

  it('tells the widget of a form what it needs, and nothing of where it leads', async () => {
    const reply = await get('routing/ada/contact')
    assert.equal(reply.statusCode, 200)
    const published = await app.inject({ url: '/api/public/routing/ada/contact' })
    assert.deepEqual(reply.json(), {
      kind: 'form',
      name: 'Contact',
      url: 'https://book.example.com/ada/forms/contact',
      ...look(),
      form: published.json(),
      abuseConfig: (await app.inject({ url: '/api/public/routing/ada/contact/abuse-config' })).json(),
      evaluateUrl: 'https://book.example.com/api/public/routing/ada/contact/evaluate',
    })
    assert.doesNotMatch(reply.body, /secret\.example/)
  })

  it('gives addresses that lead somewhere', async () => {
    const { slotsUrl, abuseConfig } = (await get('ada/talk')).json()
    const query = '?dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'
    for (const address of [`${slotsUrl}${query}`, abuseConfig.captchaChallengeUrl]) {
      const { pathname, search } = new URL(address)
      assert.equal((await app.inject({ url: pathname + search })).statusCode, 200, address)
    }
    const { evaluateUrl } = (await get('routing/ada/contact')).json()
    const { pathname } = new URL(evaluateUrl)
    const evaluated = await app.inject({
      method: 'POST',
      url: pathname,
      payload: { answers: { name: 'Grace' } },
    })
    assert.equal(evaluated.statusCode, 200)
  })

  it('serves a team, and a hidden event type to those who know its address', async () => {
    await addTeam(db(), 'crew')
    assert.equal((await get('crew')).json().kind, 'profile')
    assert.equal((await get('ada/secret')).json().kind, 'event')
  })

  it('builds no address from what the request claims to be for', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' }
    for (const path of ['ada', 'ada/talk', 'routing/ada/contact']) {
      assert.doesNotMatch((await get(path, headers)).body, /evil\.example|ftp:/)
    }
  })

  it('answers 404 for unknown addresses', async () => {
    for (const path of [
      'nobody',
      'nobody/talk',
      'ada/nothing',
      'routing/ada/nothing',
      'routing/nobody/contact',
      'routing/ada',
      'ada/contact',
      'Ada',
      '%00',
    ]) {
      const reply = await get(path)
      assert.equal(reply.statusCode, 404, path)
      assert.deepEqual(Object.keys(reply.json()), ['error'])
    }
  })
})
