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
    // It takes its own webhook for another one, and makes a second, unless all of these fit.
    const [again] = (await call('/webhooks?take=250&skip=0', { token: host.token })).body.data
    assert.deepEqual([again.active, again.triggers.length, again.payloadTemplate ?? ''], [true, 4, ''])

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

  it('let the node of n8n find a slot, book, read, list, move and cancel', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer({ durations: [30, 60], maxGuests: 2 })
    const { token } = host
    const range = `eventTypeId=${number}&start=2027-01-20T00:00:00.000Z&end=2027-01-21T00:00:00.000Z`
    const slotsFor = async (more: string) => {
      const { body } = await call(`/slots?${range}${more}`, { token, version: '2024-09-04' })
      return Object.values<{ start: string }[]>(body.data).flat()
    }
    const [slot] = await slotsFor('&timeZone=Europe%2FBerlin&duration=60')
    assert.equal(slot?.start, '2027-01-20T10:00:00.000+01:00')
    const write = { token, version: '2026-02-25' }
    const attendee = {
      name: 'Jane Guest',
      timeZone: 'Europe/Berlin',
      email: 'jane@guests.example',
      phoneNumber: '+4915112345678',
      language: 'de',
    }
    const made = await call('/bookings', {
      ...write,
      body: {
        eventTypeId: number,
        start: slot.start,
        attendee,
        guests: ['john@guests.example', 'kim@guests.example'],
        lengthInMinutes: 60,
        instant: false,
        metadata: { source: 'n8n' },
      },
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { uid } = made.body.data
    const path = `/bookings/${encodeURIComponent(uid)}`
    assert.deepEqual((await call(path, write)).body.data, made.body.data)
    const own = await slotsFor(`&duration=60&bookingUidToReschedule=${encodeURIComponent(uid)}`)
    assert.equal(own[0]?.start, '2027-01-20T09:00:00.000Z', 'its own time is free for it')
    assert.notEqual((await slotsFor('&duration=60'))[0]?.start, own[0].start)

    const second = await call('/bookings', {
      ...write,
      body: { eventTypeId: number, start: '2027-01-20T13:00:00Z', attendee },
    })
    assert.equal(second.status, 201, JSON.stringify(second.body))
    const listed: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = `status=upcoming&attendeeEmail=jane%40guests.example&limit=1${cursor && `&cursor=${cursor}`}`
      const { body } = await call(`/bookings?${page}`, { token, version: '2026-05-01' })
      listed.push(...body.data.map((one: { uid: string }) => one.uid))
      cursor = body.pagination.nextCursor
    }
    assert.deepEqual(listed, [uid, second.body.data.uid])

    const moved = await call(`${path}/reschedule`, {
      ...write,
      body: {
        start: '2027-01-20T11:00:00Z',
        reschedulingReason: 'Conflict',
        rescheduleWithSameHost: true,
      },
    })
    assert.equal(moved.status, 201, JSON.stringify(moved.body))
    const cancelled = await call(`/bookings/${moved.body.data.uid}/cancel`, {
      ...write,
      body: { cancellationReason: 'Sick', cancelSubsequentBookings: true },
    })
    assert.equal(cancelled.body.data.status, 'cancelled', JSON.stringify(cancelled.body))
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
