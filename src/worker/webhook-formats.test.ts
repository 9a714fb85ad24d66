import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../test/databases.ts'
import { type Host, signInWithToken } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../test/kit.ts'
import { alwaysOpen } from '../../test/server-process.ts'
import {
  type ReceivedMessage,
  says,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../test/webhook-receiver.ts'
import { calendlyUris } from '../domain/bookings/calendly-uris.ts'
import type { EventType } from '../domain/event-types/event-type.ts'
import { createWebhookSender, type WebhookSender } from '../outside/webhooks/webhook.ts'
import { completeBookings } from '../services/bookings/complete.ts'
import { manageUrl } from '../services/bookings/guest/manage-link.ts'
import type { Context } from '../services/context.ts'
import { idOf } from '../store/numbers.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SECRET = 'the secret of a receiver, with spaces'

/** As Cal.com's documentation checks a message: the hex HMAC of the body. */
function checkedByCalcom({ headers, body }: ReceivedMessage) {
  const expected = createHmac('sha256', SECRET).update(body).digest('hex')
  assert.equal(headers['x-cal-signature-256'], expected)
  assert.equal(headers['x-cal-webhook-version'], '2021-10-20')
  return JSON.parse(body)
}

/** As Calendly's documentation checks one: the parts of the header, the age, and the HMAC of both. */
function checkedByCalendly({ headers, body }: ReceivedMessage, now: number) {
  const parts = (headers['calendly-webhook-signature'] ?? '').split(',').map((part) => part.split('='))
  const { t = '', v1 = '' } = Object.fromEntries(parts)
  const expected = createHmac('sha256', SECRET).update(`${t}.${body}`, 'utf8').digest()
  assert.ok(timingSafeEqual(Buffer.from(v1, 'hex'), expected))
  assert.ok(Number(t) * 1000 >= now - 3 * 60_000)
  return JSON.parse(body)
}

onEveryDatabase('webhooks in other formats', ({ db }) => {
  const clock = stoppedClock()
  let receiver: WebhookReceiver
  let sender: WebhookSender
  let app: FastifyInstance
  let context: Context
  let host: Host
  let talk: EventType
  let asked: EventType
  let start = 0
  let seen = 0

  before(async () => {
    receiver = await startWebhookReceiver()
    sender = createWebhookSender({ allowPrivate: true })
    const under = await appOn(db(), { now: clock.now, webhooks: sender })
    ;({ app, context } = under)
    host = await signInWithToken(app, under.mailbox, 'ada@example.org')
    await host.patch('/me', { slug: 'ada', name: 'Ada Host' })
    const { items } = (await host.get('/schedules')).json()
    await host.patch(`/schedules/${items[0].id}`, { weekly: alwaysOpen.weekly, timezone: 'UTC' })
    const plain = { reminderMinutes: [], location: { type: 'InPerson', value: 'Room 1' } } as const
    talk = await addEventType(db(), { id: host.user.id }, { ...plain, slug: 'talk', name: 'Talk' })
    asked = await addEventType(
      db(),
      { id: host.user.id },
      { ...plain, slug: 'asked', name: 'Asked', requiresApproval: true },
    )
    start = clock.now() + 3 * DAY
  })
  after(async () => {
    sender.close()
    await app.close()
    await receiver.close()
  })
  beforeEach(async () => {
    receiver.answer(says(204))
    await db().deleteFrom('webhooks').execute()
    start += HOUR
    seen = receiver.received.length
  })

  const hook = async (format: string, given: object = {}) => {
    const made = await host.post('/webhooks', { url: receiver.url, format, secret: SECRET, ...given })
    assert.equal(made.statusCode, 201, made.body)
    return made.json()
  }
  const book = async (eventType = talk, startsAt = start) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/ada/${eventType.slug}/book`,
      headers: fromSomeoneNew(),
      payload: bookingOf(eventType, startsAt, { inviteeEmail: 'grace@guests.example' }),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id as string
  }
  const act = async (id: string, what: string, payload: object = {}) => {
    const answer = await host.post(`/bookings/${id}/${what}`, payload)
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const arrived = async (): Promise<readonly ReceivedMessage[]> => {
    await runDueJobs(context)
    const news = receiver.received.slice(seen)
    seen = receiver.received.length
    return news
  }

  it('tells a receiver of Cal.com of each step, signed with its own secret', async () => {
    await hook('calcom')
    const heard = async () => (await arrived()).map(checkedByCalcom)
    const id = await book()
    const [created] = await heard()
    assert.equal(created.triggerEvent, 'BOOKING_CREATED')
    const { payload } = created
    assert.equal(await idOf(db(), 'booking', payload.bookingId), id)
    assert.equal(await idOf(db(), 'event-type', payload.eventTypeId), talk.id)
    assert.equal(await idOf(db(), 'user', payload.organizer.id), host.user.id)
    assert.equal(payload.uid, `${id}_${new URL(manageUrl(context, id)).searchParams.get('token')}`)
    const later = start + 100 * HOUR
    await act(id, 'reschedule', { startTime: new Date(later).toISOString() })
    const [moved] = await heard()
    assert.equal(moved.triggerEvent, 'BOOKING_RESCHEDULED')
    assert.equal(Date.parse(moved.payload.rescheduleStartTime), start)
    assert.equal(Date.parse(moved.payload.startTime), later)
    assert.equal(moved.payload.bookingId, payload.bookingId)
    await act(id, 'cancel', { reason: 'Ill' })
    const [cancelled] = await heard()
    assert.deepEqual(
      [cancelled.triggerEvent, cancelled.payload.cancellationReason, cancelled.payload.cancelledBy],
      ['BOOKING_CANCELLED', 'Ill', 'ada@example.org'],
    )
    const requests = [await book(asked), await book(asked, start + HOUR)]
    await act(requests[0] as string, 'approve')
    await act(requests[1] as string, 'decline', { reason: 'Full' })
    const told = (await heard()).map((one) => [one.triggerEvent, one.payload.status])
    assert.deepEqual(told.sort(), [
      ['BOOKING_CREATED', 'ACCEPTED'],
      ['BOOKING_REJECTED', 'REJECTED'],
      ['BOOKING_REQUESTED', 'PENDING'],
      ['BOOKING_REQUESTED', 'PENDING'],
    ])
    const missed = await book(talk, start + 3 * HOUR)
    clock.moveTo(start + 4 * HOUR)
    await act(missed, 'no-show')
    await completeBookings(context)
    const ended = (await heard()).map((one) => one.triggerEvent)
    assert.deepEqual(ended.sort(), ['BOOKING_CREATED', 'BOOKING_NO_SHOW_UPDATED', 'MEETING_ENDED'])
    start = clock.now() + DAY
  })

  it('tells a receiver of Cal.com who took over a meeting, and where it has moved', async () => {
    const crew = await addTeam(db(), 'crew')
    const [bob, cyd] = [await addUser(db(), 'bob'), await addUser(db(), 'cyd')]
    await db()
      .insertInto('team_members')
      .values(
        [host.user.id, bob.id, cyd.id].map((user_id) => ({
          team_id: crew.id,
          user_id,
          role: 'admin' as const,
          created_at: 0,
        })),
      )
      .execute()
    const shared = await addEventType(
      db(),
      crew,
      { slug: 'shared', name: 'Shared', assignment: 'round-robin', location: { type: 'Video', value: '' } },
      [bob, cyd].map(({ id }) => ({ hostId: id, fixed: false })),
    )
    const made = await host.post('/webhooks', {
      teamId: crew.id,
      url: receiver.url,
      format: 'calcom',
      secret: SECRET,
      events: ['BOOKING_REASSIGNED', 'BOOKING_LOCATION_UPDATED'],
    })
    assert.equal(made.statusCode, 201, made.body)
    const heard = async () => (await arrived()).map(checkedByCalcom)
    const wednesday = MONDAY_NOON + 46 * HOUR + Math.ceil((clock.now() - MONDAY_NOON) / (7 * DAY)) * 7 * DAY
    const booked = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/crew/shared/book',
      headers: fromSomeoneNew(),
      payload: bookingOf(shared, wednesday),
    })
    assert.equal(booked.statusCode, 201, booked.body)
    const { id } = booked.json()
    const before = (await host.get(`/bookings/${id}`)).json().hostId
    const next = before === bob.id ? cyd : bob
    await act(id, 'reassign', { hostId: next.id })
    const [reassigned, ...others] = await heard()
    assert.deepEqual(others, [])
    const usersOf = (numbers: readonly number[]) =>
      Promise.all(numbers.map((number) => idOf(db(), 'user', number)))
    assert.equal(reassigned.triggerEvent, 'BOOKING_REASSIGNED')
    assert.deepEqual(await usersOf(reassigned.payload.addedHostUserIds), [next.id])
    assert.deepEqual(await usersOf(reassigned.payload.removedHostUserIds), [before])
    assert.equal(reassigned.payload.organizer.username, next.slug)

    for (const [link, previous] of [
      ['https://meet.example/first', ''],
      ['https://meet.example/second', 'https://meet.example/first'],
    ]) {
      await act(id, 'link', { link })
      const [updated] = await heard()
      assert.equal(updated.triggerEvent, 'BOOKING_LOCATION_UPDATED')
      assert.deepEqual([updated.payload.location, updated.payload.previousLocation], [link, previous])
      assert.equal(updated.payload.metadata.videoCallUrl, link)
    }
  })

  it('tells a receiver of Calendly of a move in two messages, in order, also when the first has to wait', async () => {
    const { id: webhookId } = await hook('calendly')
    const heard = async () => (await arrived()).map((one) => checkedByCalendly(one, clock.now()))
    const id = await book()
    const [created] = await heard()
    assert.equal(created.event, 'invitee.created')
    assert.equal(created.payload.uri, calendlyUris(context.publicUrl, { id, startsAt: start }).invitee)
    assert.equal(created.payload.cancel_url, manageUrl(context, id))
    receiver.answer(says(503))
    const later = start + 100 * HOUR
    await act(id, 'reschedule', { startTime: new Date(later).toISOString() })
    assert.deepEqual(
      (await heard()).map(({ event }) => event),
      ['invitee.canceled'],
    )
    receiver.answer(says(204))
    const { items } = (await host.get(`/webhooks/${webhookId}/deliveries?status=pending`)).json()
    assert.deepEqual(items.map(({ event }: { event: string }) => event).sort(), [
      'invitee.canceled',
      'invitee.created',
    ])
    await host.post(`/webhooks/${webhookId}/deliveries/${items[0].id}/replay`)
    const [old, next] = await heard()
    assert.deepEqual([old.event, next.event], ['invitee.canceled', 'invitee.created'])
    assert.deepEqual([old.payload.rescheduled, old.payload.uri], [true, created.payload.uri])
    assert.deepEqual([old.payload.new_invitee, next.payload.old_invitee], [next.payload.uri, old.payload.uri])
    const request = await book(asked)
    assert.deepEqual(await heard(), [])
    await act(request, 'approve')
    assert.deepEqual(
      (await heard()).map(({ event }) => event),
      ['invitee.created'],
    )
    await act(request, 'cancel', { reason: 'Ill' })
    const [off] = await heard()
    assert.deepEqual(
      [off.event, off.payload.rescheduled, off.payload.cancellation.reason],
      ['invitee.canceled', false, 'Ill'],
    )
  })

  it('sends only the events that were chosen, by either name', async () => {
    await hook('calcom', { events: ['BOOKING_CREATED'] })
    await hook('calendly', { events: ['booking.rescheduled'] })
    const id = await book()
    await book(asked, start + HOUR)
    await act(id, 'reschedule', { startTime: new Date(start + 50 * HOUR).toISOString() })
    const told = (await arrived()).map(({ body }) => JSON.parse(body))
    assert.deepEqual(told.map(({ triggerEvent, event }) => triggerEvent ?? event).sort(), [
      'BOOKING_CREATED',
      'invitee.canceled',
      'invitee.created',
    ])
  })

  it('tells of the answers to a form', async () => {
    await hook('calcom')
    await hook('calendly')
    const made = await host.post('/routing-forms', {
      slug: `contact-${start}`,
      name: 'Contact',
      fields: [{ id: 'mail', label: 'Email', type: 'email', required: false, options: [] }],
      rules: [],
      fallback: { action: 'message', message: 'Thanks' },
    })
    assert.equal(made.statusCode, 201, made.body)
    const { slug } = made.json()
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/routing/ada/${slug}/evaluate`,
      headers: fromSomeoneNew(),
      payload: { answers: { mail: 'grace@guests.example' } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const told = (await arrived()).map(({ body }) => JSON.parse(body))
    const calcom = told.find(({ triggerEvent }) => triggerEvent === 'FORM_SUBMITTED')
    assert.equal(calcom.payload.responses.mail.value, 'grace@guests.example')
    const calendly = told.find(({ event }) => event === 'routing_form_submission.created')
    assert.equal(calendly.payload.questions_and_answers[0].answer, 'grace@guests.example')
  })

  it('sends tests in the format, and refuses events that it does not have', async () => {
    const { id } = await hook('calendly', { events: ['booking.reassigned'] })
    const test = (query = '') => host.post(`/webhooks/${id}/test${query}`)
    assert.equal((await test()).json().event, 'invitee.created')
    assert.equal((await test('?event=invitee_no_show.created')).json().event, 'invitee_no_show.created')
    const sent = await test('?event=booking.rescheduled')
    const news = (await arrived()).map((one) => checkedByCalendly(one, clock.now()))
    assert.deepEqual(
      news.map(({ event, payload }) => [event, payload.test]),
      ['invitee.created', 'invitee_no_show.created', 'invitee.canceled', 'invitee.created'].map((event) => [
        event,
        true,
      ]),
    )
    assert.equal(sent.json().request.body, receiver.received.at(-1)?.body)
    const refused = await test('?event=message.failed')
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /no such event/)
  })

  it('keeps no manage token at rest, and shows deliveries as they were sent', async () => {
    const { id: webhookId } = await hook('calcom')
    const id = await book()
    const [message] = await arrived()
    const token = new URL(manageUrl(context, id)).searchParams.get('token') ?? assert.fail()
    assert.ok(message)
    assert.ok(message.body.includes(token))
    const rows = await db().selectFrom('webhook_deliveries').select('body').execute()
    assert.ok(rows.length > 0 && rows.every(({ body }) => !body.includes(token)))
    const { items } = (await host.get(`/webhooks/${webhookId}/deliveries`)).json()
    const shown = await host.get(`/webhooks/${webhookId}/deliveries/${items[0].id}`)
    assert.equal(shown.json().request.body, message.body)
  })

  it('takes a secret of the client’s own where the format does, and never shows it again', async () => {
    const refused = async (given: object, reason: RegExp, field: string) => {
      const answer = await host.post('/webhooks', { url: receiver.url, ...given })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().error, reason)
      assert.equal(answer.headers['error-field'], field)
    }
    await refused({ secret: SECRET }, /Only the formats/, 'secret')
    await refused({ format: 'calcom', secret: '' }, /empty|at least/, 'secret')
    await refused({ format: 'calcom', secret: 'x'.repeat(257) }, /at most/, 'secret')
    await refused({ format: 'calcom', payloadTemplate: '{"a":1}' }, /templates/, 'payloadTemplate')
    await refused({ format: 'zoom' }, /one of/, 'format')
    await refused({ events: ['BOOKING_CREATED'] }, /one of/, 'events.0')
    const made = await hook('calcom', { payloadTemplate: '' })
    assert.deepEqual([made.secret, made.format], [SECRET, 'calcom'])
    const path = `/webhooks/${made.id}`
    const changed = await host.patch(path, { secret: 'another' })
    assert.equal(changed.statusCode, 200, changed.body)
    for (const where of [path, '/webhooks', '/audit', '/me/export']) {
      const { body } = await host.get(where)
      assert.ok(!body.includes(SECRET) && !body.includes('another'), where)
    }
    const back = await host.patch(path, { format: 'standard' })
    assert.equal(back.statusCode, 400)
    assert.match(back.json().error, /Create a new secret first/)
    const rotated = (await host.post(`${path}/rotate-secret`)).json()
    assert.match(rotated.secret, /^whsec_/)
    assert.equal(rotated.previousSecretUntil, null)
    assert.equal((await host.patch(path, { format: 'standard' })).statusCode, 200)
    await host.post(`${path}/test`)
    const { headers } = receiver.received.at(-1) ?? assert.fail()
    assert.ok(headers['webhook-signature'] && !headers['x-cal-signature-256'])
    const { items } = (await host.get('/audit')).json()
    const audited = items.filter((one: { objectId: string }) => one.objectId === made.id)
    assert.ok(audited.some((one: { changes: string[] }) => one.changes.includes('format')))
    assert.ok(audited.some((one: { changes: string[] }) => one.changes.includes('secret')))
  })
})
