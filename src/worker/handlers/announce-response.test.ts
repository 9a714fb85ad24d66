import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { addEventType, addUser, appOn, fromSomeoneNew } from '../../../test/kit.ts'
import { addWebhook } from '../../../test/webhooks.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { FORM_DEFAULTS } from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Context } from '../../services/context.ts'
import type { DeliveryRecord } from '../../services/webhooks/queue-deliveries.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { announceResponse } from './announce-response.ts'

onEveryDatabase('announcing a response', ({ db }) => {
  let app: FastifyInstance
  let context: Context
  let user: Scheduler
  let eventType: EventType
  let formId: string
  before(async () => {
    ;({ app, context } = await appOn(db()))
    user = await addUser(db(), 'ada')
    eventType = await addEventType(db(), user, { slug: 'intro', name: 'Intro' })
    formId = newId()
    await insertForm(db(), {
      ...FORM_DEFAULTS,
      id: formId,
      schedulerId: user.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'note', label: 'Your note', type: 'textarea', required: false, options: [] }],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: eventType.id },
    })
  })
  after(() => app.close())

  const answer = async (answers: object, query = '') => {
    const sent = await app.inject({
      method: 'POST',
      url: `/api/public/routing/ada/contact/evaluate${query}`,
      payload: { answers },
      headers: fromSomeoneNew(),
    })
    assert.equal(sent.statusCode, 200, sent.body)
  }

  it('tells webhooks that want it, once, however often it is done', async () => {
    const wanting = await addWebhook(db(), user, {
      events: ['form.submitted'],
      eventTypeIds: [newId()],
    })
    await addWebhook(db(), user, { events: ['booking.created'] })
    const note = 'Line one\n"two" \u2028 \\ </script>'
    await answer({ note, unasked: [1, null] })
    const [job, ...others] = await jobsOf(db(), 'announce-response')
    assert.ok(job)
    assert.deepEqual(others, [])
    await announceResponse(context, job)
    await announceResponse(context, job)

    const [sending, ...more] = await jobsOf(db(), 'webhook')
    assert.ok(sending)
    assert.deepEqual(more, [])
    const delivery = await findDelivery(db(), (sending.data as DeliveryRecord).deliveryId)
    assert.deepEqual(
      [delivery?.webhookId, delivery?.event, delivery?.bookingId],
      [wanting.id, 'form.submitted', null],
    )
    const { type, data } = JSON.parse(delivery?.body ?? '')
    assert.equal(type, 'form.submitted')
    assert.deepEqual([data.formId, data.formSlug, data.userSlug], [formId, 'contact', 'ada'])
    assert.deepEqual(data.answers, [
      { fieldId: 'note', label: 'Your note', value: note, optionLabel: null },
      { fieldId: 'unasked', label: null, value: [1, null], optionLabel: null },
    ])
    assert.deepEqual(
      [data.result.action, data.result.eventTypeId, data.result.eventTypeSlug],
      ['routeToEvent', eventType.id, 'intro'],
    )
  })

  it('announces neither dry runs nor refusals', async () => {
    const before = (await jobsOf(db(), 'announce-response')).length
    await answer({}, '?dryRun=true')
    await app.inject({
      method: 'POST',
      url: '/api/public/routing/ada/contact/evaluate',
      payload: { answers: { note: 5 } },
      headers: fromSomeoneNew(),
    })
    assert.equal((await jobsOf(db(), 'announce-response')).length, before)
  })

  it('announces nothing if the response was deleted in between', async () => {
    await answer({ note: 'forget me' })
    const job = (await jobsOf(db(), 'announce-response')).at(-1) ?? assert.fail()
    await db().deleteFrom('routing_responses').execute()
    const before = (await jobsOf(db(), 'webhook')).length
    await announceResponse(context, job)
    assert.equal((await jobsOf(db(), 'webhook')).length, before)
  })
})
