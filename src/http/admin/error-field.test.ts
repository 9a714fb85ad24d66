import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { askForLink, type Host, signIn } from '../../../test/desk.ts'
import { appOn, fromSomeoneNew } from '../../../test/kit.ts'
import type { Document } from '../docs/openapi.ts'

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
    assertField(await ada.post('/event-types', { ...talk, durationMinutes: 0 }), 'durationMinutes')
    assertField(
      await ada.post('/event-types', { ...talk, limits: { day: 0, week: null, month: null } }),
      'limits.day',
    )
  })

  it('is absent when the refusal is about no single field', async () => {
    assertField(await ada.post('/event-types', ['not', 'an', 'object']), undefined)
    assertField(await ada.get('/event-types/nothing'), undefined, 404)
  })

  it('stays ASCII, and short, whatever a client calls a key', async () => {
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
})
