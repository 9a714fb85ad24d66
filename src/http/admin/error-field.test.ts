import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { askForLink, type Host, signIn } from '../../../test/host-api.ts'
import { appOn, fromSomeoneNew, plainEventType } from '../../../test/kit.ts'
import type { Document, Schema } from '../docs/openapi.ts'
import { FIELD_NAMES } from '../field-names.ts'

onEveryDatabase('the Error-Field header', ({ db }) => {
  let app: FastifyInstance
  let ada: Host

  before(async () => {
    const made = await appOn(db(), { signup: 'open' })
    app = made.app
    ada = await signIn(app, made.mailbox, 'ada@hosts.example')
  })

  const talk = { slug: 'talk', name: 'Talk', durationMinutes: 30 }
  const assertField = (reply: LightMyRequestResponse, field: string | undefined, status = 400) => {
    assert.equal(reply.statusCode, status, reply.body)
    assert.equal(reply.headers['error-field'], field, reply.body)
    assert.deepEqual(Object.keys(reply.json()), ['error'])
  }

  it('names the field that has the wrong shape', async () => {
    assertField(await ada.post('/event-types', { ...talk, durationMinutes: 'long' }), 'durationMinutes')
    assertField(await ada.post('/event-types', { slug: 'talk', name: 'Talk' }), 'durationMinutes')
    const question = { key: 'topic', label: 'Topic', type: 'text', required: true, options: [] }
    const { label: _, ...unlabelled } = question
    assertField(
      await ada.post('/event-types', { ...talk, questions: [question, unlabelled] }),
      'questions.1.label',
    )
    assertField(await ada.get('/event-types?limit=0'), 'limit')
  })

  it('names the field whose value is refused', async () => {
    const question = { key: 'topic', label: 'Topic', type: 'text', required: true, options: [] }
    const hours = { name: 'Hours', timezone: 'UTC' }
    const me = ada.user.id
    const refused: [string, object, string, string | RegExp][] = [
      [
        '/event-types',
        { ...talk, durationMinutes: 0 },
        'durationMinutes',
        'The duration must be a whole number of minutes from 1 to 1440.',
      ],
      ['/event-types', { ...talk, name: ' ' }, 'name', 'The name must not be empty.'],
      ['/event-types', { ...talk, slug: 'A talk' }, 'slug', /^The booking link must be 1 to 64 lower-case/],
      [
        '/event-types',
        { ...talk, limits: { day: 10_001, week: null, month: null } },
        'limits.day',
        /^The limit per day/,
      ],
      [
        '/event-types',
        { ...talk, limitMinutes: { day: null, week: null, month: null, year: 600_000 } },
        'limitMinutes.year',
        /^The limit of minutes per year must be a whole number of minutes/,
      ],
      [
        '/event-types',
        { ...talk, window: { kind: 'rolling', days: 4000 } },
        'window.days',
        /whole number of days/,
      ],
      [
        '/event-types',
        { ...talk, window: { kind: 'fixed', from: '2030-01-01', to: 'soon' } },
        'window.to',
        /two dates/,
      ],
      [
        '/event-types',
        { ...talk, location: { type: 'Link', value: 'room' } },
        'location.value',
        /^The location must be/,
      ],
      ['/event-types', { ...talk, seats: 2, assignment: 'round-robin' }, 'seats', /round robin/],
      ['/event-types', { ...talk, reminderMinutes: [60, 1] }, 'reminderMinutes.1', /^Reminder 2 must be/],
      ['/event-types', { ...talk, allowedOrigins: ['example.com'] }, 'allowedOrigins.0', /not a site/],
      [
        '/event-types',
        { ...talk, questions: [question, { ...question, key: 'b', label: '' }] },
        'questions.1.label',
        'The label of question 2 must not be empty.',
      ],
      [
        '/event-types',
        { ...talk, questions: [{ ...question, type: 'select' }] },
        'questions.0.options',
        /at least one option/,
      ],
      [
        '/event-types',
        { ...talk, hosts: [{ userId: me, fixed: true, weight: 0 }] },
        'hosts.0.weight',
        /^The weight of host 1/,
      ],
      [
        '/event-types',
        {
          ...talk,
          hosts: [
            { userId: me, fixed: true },
            { userId: me, fixed: true },
          ],
        },
        'hosts.1.userId',
        /only once/,
      ],
      ['/event-types', { ...talk, scheduleId: me }, 'scheduleId', /^The schedule must belong/],
      [
        '/event-types',
        { ...talk, writeToCalendarId: me },
        'writeToCalendarId',
        /^The calendar for bookings must belong/,
      ],
      ['/schedules', { ...hours, timezone: 'Mars/Olympus' }, 'timezone', /time zone/],
      [
        '/schedules',
        {
          ...hours,
          weekly: {
            1: [
              { opens: '09:00', closes: '12:00' },
              { opens: '11:00', closes: '13:00' },
            ],
          },
        },
        'weekly.1.1',
        'Hours on Monday overlap.',
      ],
      ['/schedules', { ...hours, overrides: { '2030-02-30': [] } }, 'overrides.2030-02-30', /not a date/],
      ['/blocklist', { entry: 'someone' }, 'entry', /^The entry must be an email address, or a domain/],
      [
        '/teams',
        { slug: 'crew', name: 'Crew', branding: { primaryColor: 'red' } },
        'branding.primaryColor',
        /^The colour must be/,
      ],
      ['/teams', { slug: 'api', name: 'Crew' }, 'slug', /reserved/],
      ['/tokens', { name: 'a\nb', scopes: ['read'] }, 'name', 'The name must be one line of text.'],
      [
        '/instance-invitations',
        { email: 'nobody' },
        'email',
        'The email address must look like name@example.com.',
      ],
    ]
    for (const [path, body, field, sentence] of refused) {
      const reply = await ada.post(path, body)
      assertField(reply, field)
      if (typeof sentence === 'string') assert.equal(reply.json().error, sentence)
      else assert.match(reply.json().error, sentence)
    }
    assertField(await ada.get('/bookings?from=now'), 'from')
    assertField(await ada.get('/bookings?cursor=nowhere'), 'cursor')
    assertField(await ada.get('/insights?from=2030-01-02&to=2030-01-01'), 'to')
  })

  it('names the field whose value is taken', async () => {
    await ada.post('/event-types', { ...talk, slug: 'twice' })
    assertField(await ada.post('/event-types', { ...talk, slug: 'twice' }), 'slug', 409)
    await ada.post('/blocklist', { entry: 'spam.example' })
    assertField(await ada.post('/blocklist', { entry: '*.spam.example' }), 'entry', 409)
    assertField(await ada.post('/instance-invitations', { email: ada.user.email }), 'email', 409)
  })

  it('names the field with text that cannot be stored', async () => {
    const reply = await ada.post('/event-types', { ...talk, name: 'a\u0000b' })
    assertField(reply, 'name')
    assert.equal(reply.json().error, 'The name contains a NUL character.')
    const question = { key: 'topic', label: '\ud800', type: 'text', required: true, options: [] }
    assertField(await ada.post('/event-types', { ...talk, questions: [question] }), 'questions')
    assertField(await ada.post('/event-types', { ...talk, '\u0000': 1 }), undefined)
  })

  it('comes with a sentence that lists all choices', async () => {
    const choices: [object, string, string][] = [
      [
        { location: { type: 'Pub', value: '' } },
        'location.type',
        'The type of location must be one of InPerson, Phone, Video, Link.',
      ],
      [
        { window: { kind: 'endless' } },
        'window.kind',
        'The kind of booking window must be one of rolling, fixed, unlimited.',
      ],
      [{ window: {} }, 'window.kind', 'The kind of booking window is required.'],
      [
        { window: { kind: 'fixed', from: '2030-01-01' } },
        'window.to',
        'The last date of the booking window is required.',
      ],
      [{ abuse: { honeypot: true, captcha: 'riddle' } }, 'abuse.blocklist', 'The blocklist is required.'],
      [
        {
          abuse: {
            honeypot: true,
            captcha: 'riddle',
            blocklist: [],
            detectDuplicates: true,
            rateLimit: null,
          },
        },
        'abuse.captcha',
        'The CAPTCHA must be one of altcha, turnstile, hcaptcha, recaptcha, or empty.',
      ],
      [
        { abuse: { ...plainEventType().abuse, captcha: 'hcaptcha' } },
        'abuse.captcha',
        'The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.',
      ],
    ]
    for (const [given, field, sentence] of choices) {
      const reply = await ada.post('/event-types', { ...talk, ...given })
      assertField(reply, field)
      assert.equal(reply.json().error, sentence)
    }
  })

  it('is absent when the refusal is about no single field', async () => {
    assertField(await ada.post('/event-types', ['not', 'an', 'object']), undefined)
    assertField(await ada.get('/event-types/nothing'), undefined, 404)
  })

  it('stays ASCII and short, whatever keys a client sends', async () => {
    const weekly = (key: string) => ({ name: 'Hours', timezone: 'UTC', weekly: { [key]: 'always' } })
    assertField(await ada.post('/schedules', weekly('Mo/tag~ü !')), 'weekly.Mo/tag~%C3%BC%20!')
    const long = await ada.post('/schedules', weekly('x'.repeat(10_000)))
    assert.equal(String(long.headers['error-field']).length, 200)
  })

  it('is sent where people sign in', async () => {
    assertField(await askForLink(app, 7 as never), 'email')
  })

  it('is not part of the public interface', async () => {
    assert.equal((await ada.post('/event-types', talk)).statusCode, 201)
    const url = `/api/public/scheduling/${ada.user.slug}/talk/slots?dateFrom=2030-01-01&dateTo=2030-01-02`
    const slots = await app.inject({ url, headers: fromSomeoneNew() })
    assertField(slots, undefined)
    assert.match(slots.json().error, /^timezone is required/)
    const open = await app.inject('/openapi.json')
    assert.doesNotMatch(open.body, /Error-Field/)
  })

  it('is described wherever the host API refuses a field', async () => {
    const document: Document = (await app.inject('/openapi-admin.json')).json()
    assert.ok(document.components.headers['Error-Field'])
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { responses } of Object.values(methods)) {
        assert.ok(responses['400']?.headers?.['Error-Field'], path)
      }
    }
  })

  it('has a name in words for every field that can be sent', async () => {
    const document: Document = (await app.inject('/openapi-admin.json')).json()
    const sent = new Set<string>()
    const add = (path: string, schema: Schema & { patternProperties?: Record<string, Schema> }): void => {
      if (path !== '') sent.add(path)
      for (const branch of schema.anyOf ?? []) add(path, branch)
      if (schema.items !== undefined) add(path === '' ? '*' : `${path}.*`, schema.items)
      for (const [key, part] of Object.entries(schema.properties ?? {}))
        add(path === '' ? key : `${path}.${key}`, part)
      for (const part of Object.values(schema.patternProperties ?? {})) add(`${path}.*`, part)
    }
    for (const methods of Object.values(document.paths)) {
      for (const { parameters = [], requestBody } of Object.values(methods)) {
        for (const { name, in: place, schema } of parameters) if (place === 'query') add(name, schema)
        add('', requestBody?.content['application/json']?.schema ?? {})
      }
    }
    assert.ok(sent.size > 100)
    assert.deepEqual(
      [...sent].filter((path) => FIELD_NAMES[path] === undefined),
      [],
    )
  })
})
