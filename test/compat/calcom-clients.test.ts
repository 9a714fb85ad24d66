import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEveryDatabase } from '../databases.ts'
import { runDueJobs } from '../jobs.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'
import { type Calcom, startCalcom } from './calcom.ts'

/** Learned from what these clients send; only the address of the service differs. */
onEveryDatabase('programs written for Cal.com', ({ db }) => {
  let calcom: Calcom
  before(async () => {
    calcom = await startCalcom(db())
  })
  after(() => calcom.close())

  it('let an agent of agno find a time, book it, list it, move it and cancel it', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer()
    const as = { token: host.token, version: '2024-08-13' }

    const query = new URLSearchParams({
      startTime: '2027-01-12T00:00:00Z',
      endTime: '2027-01-13T23:59:59Z',
      eventTypeId: String(number),
    })
    const slots = await call(`/slots/available?${query}`, as)
    assert.equal(slots.status, 200)
    const times = Object.values<{ time: string }[]>(slots.body.data.slots).flat()
    assert.equal(times[0]?.time, '2027-01-12T09:00:00.000Z')

    const attendee = { name: 'Grace Guest', email: 'grace@guests.example', timeZone: 'America/New_York' }
    const created = await call('/bookings', {
      ...as,
      body: { start: '2027-01-12T09:00:00+00:00', eventTypeId: number, attendee },
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { uid, start } = created.body.data
    assert.equal(start, '2027-01-12T09:00:00.000Z')

    const upcoming = await call('/bookings?status=upcoming&attendeeEmail=grace%40guests.example', as)
    assert.deepEqual(
      upcoming.body.data.map((one: Record<string, unknown>) => [one.uid, one.title, one.status]),
      [[uid, 'Intro between ada and Grace Guest', 'accepted']],
    )

    const moved = await call(`/bookings/${uid}/reschedule`, {
      ...as,
      body: { start: '2027-01-13T10:00:00+00:00', reschedulingReason: 'later' },
    })
    assert.equal(moved.status, 201, JSON.stringify(moved.body))
    assert.equal(moved.body.data.start, '2027-01-13T10:00:00.000Z')

    const cancelled = await call(`/bookings/${moved.body.data.uid}/cancel`, {
      ...as,
      body: { cancellationReason: 'ill' },
    })
    assert.equal(cancelled.status, 200)
    assert.equal(cancelled.body.data.status, 'cancelled')
    const again = await call(`/bookings/${uid}/cancel`, { ...as, body: { cancellationReason: 'ill' } })
    assert.equal(again.status, 400)
  })

  it('let n8n make its webhook, look for it, hear of bookings and delete it, and list event types', async () => {
    const { call, context, host, offer } = calcom
    await using receiver = await startReceiver()
    // What happened before is told to webhooks that were there, of which there are none.
    await runDueJobs(context)
    const { number } = await offer({ name: 'Demo' })
    const as = { token: host.token, version: '2024-08-13' }
    const events = ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED', 'MEETING_ENDED']

    const types = await call('/event-types', { token: host.token, version: '2024-06-14' })
    assert.ok(
      types.body.data.some((one: Record<string, unknown>) => one.id === number && one.title === 'Demo'),
    )

    assert.deepEqual((await call('/webhooks', as)).body.data, [])
    const made = await call('/webhooks', {
      ...as,
      body: { subscriberUrl: receiver.url, triggers: events, active: true, secret: 'n8n and its secret' },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const [found] = (await call('/webhooks', as)).body.data
    assert.equal(found.id, made.body.data.id)
    assert.equal(found.subscriberUrl, receiver.url)
    assert.deepEqual(found.triggers, events)

    const attendee = { name: 'Grace Guest', email: 'grace@guests.example', timeZone: 'Europe/Berlin' }
    const booked = await call('/bookings', {
      version: '2024-08-13',
      body: { eventTypeId: number, start: '2027-01-15T09:00:00Z', attendee, metadata: { order: '4711' } },
    })
    const { uid, id } = booked.body.data
    await call(`/bookings/${uid}/reschedule`, { ...as, body: { start: '2027-01-15T10:00:00Z' } })
    await call(`/bookings/${uid}/cancel`, { ...as, body: { cancellationReason: 'ill' } })
    await runDueJobs(context)
    const heard = receiver.received.map(({ headers, body }) => {
      const expected = createHmac('sha256', 'n8n and its secret').update(body).digest('hex')
      assert.equal(headers['x-cal-signature-256'], expected)
      return JSON.parse(body)
    })
    assert.deepEqual(
      heard.map(({ triggerEvent, payload }) => [
        triggerEvent,
        payload.uid,
        payload.bookingId,
        payload.eventTypeId,
        payload.startTime,
        payload.metadata.order,
      ]),
      [
        ['BOOKING_CREATED', uid, id, number, '2027-01-15T09:00:00Z', '4711'],
        ['BOOKING_RESCHEDULED', uid, id, number, '2027-01-15T10:00:00Z', '4711'],
        ['BOOKING_CANCELLED', uid, id, number, '2027-01-15T10:00:00Z', '4711'],
      ],
    )

    assert.equal((await call(`/webhooks/${found.id}`, { ...as, method: 'DELETE' })).status, 200)
    assert.deepEqual((await call('/webhooks', as)).body.data, [])
  })

  it('let a voice agent check availability, reserve a time and book it without anyone in between', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer()
    const agent = { token: host.token }
    const query = `eventTypeId=${number}&start=2027-01-14&end=2027-01-14&timeZone=Europe%2FBerlin`
    const slots = await call(`/slots?${query}`, { ...agent, version: '2024-09-04' })
    const [first] = slots.body.data['2027-01-14']
    assert.equal(first.start, '2027-01-14T10:00:00.000+01:00')

    const reserved = await call('/slots/reservations', {
      ...agent,
      version: '2024-09-04',
      body: { eventTypeId: number, slotStart: first.start, reservationDuration: 10 },
    })
    assert.equal(reserved.status, 201, JSON.stringify(reserved.body))
    const attendee = {
      name: 'Caller',
      email: 'caller@guests.example',
      timeZone: 'Europe/Berlin',
      language: 'de',
    }
    const body = { eventTypeId: number, start: first.start, attendee }
    const other = await call('/bookings', { version: '2024-08-13', body })
    assert.equal(other.status, 400, 'someone else took the reserved time')
    const booked = await call('/bookings', { ...agent, version: '2024-08-13', body })
    assert.equal(booked.status, 201, JSON.stringify(booked.body))
    const shown = await call(`/bookings/${booked.body.data.uid}`, { version: '2024-08-13' })
    assert.deepEqual(shown.body.data, booked.body.data)
  })
})

async function startReceiver() {
  const receiver = await startWebhookReceiver()
  return { ...receiver, [Symbol.asyncDispose]: () => receiver.close() }
}
