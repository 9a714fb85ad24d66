import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Calcom, startCalcom } from '../../../../test/compat/calcom.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { signInWithToken } from '../../../../test/host-api.ts'

const V = '2024-08-13'

onEveryDatabase('Cal.com’s API v2', ({ db }) => {
  let calcom: Calcom
  before(async () => {
    calcom = await startCalcom(db())
  })
  after(() => calcom.close())

  const attendee = (email: string) => ({ name: 'Grace Guest', email, timeZone: 'Europe/Berlin' })
  const book = (number: number, start: string, given: object = {}) =>
    calcom.call('/bookings', {
      version: V,
      body: {
        eventTypeId: number,
        start,
        attendee: attendee(`${start.slice(11, 13)}@guests.example`),
        ...given,
      },
    })

  it('answers with the fields of its document, and nothing else', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer()
    const { components } = (await call('/openapi.json')).body
    const same = (name: string, value: object) => {
      const { properties, required } = components.schemas[name]
      const keys = Object.keys(value)
      assert.deepEqual(
        keys.filter((key) => !(key in properties)),
        [],
        `${name} has more`,
      )
      assert.deepEqual(
        required.filter((key: string) => !keys.includes(key)),
        [],
        `${name} lacks some`,
      )
    }
    const as = { token: host.token, version: '2024-06-14' }
    const { data } = (await book(number, '2027-01-12T09:00:00Z', { metadata: { order: '7' } })).body
    same('Booking', data)
    assert.deepEqual(data.metadata, { order: '7' })
    same('OlderBooking', (await call(`/bookings/${data.uid}`)).body.data)
    same('EventType', (await call(`/event-types/${number}`, as)).body.data)
    same('Schedule', (await call('/schedules/default', as)).body.data)
    same('Me', (await call('/me', as)).body.data)
    const reservation = { eventTypeId: number, slotStart: '2027-01-12T10:00:00Z' }
    const held = await call('/slots/reservations', {
      token: host.token,
      version: '2024-09-04',
      body: reservation,
    })
    same('Reservation', held.body.data)
  })

  it('refuses in its envelope, to pages of any origin', async () => {
    const { call, offer } = calcom
    const { number } = await offer()
    const lost = await call('/teams', { headers: { origin: 'https://site.example' } })
    assert.equal(lost.status, 404)
    assert.equal(lost.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(lost.body, {
      status: 'error',
      timestamp: '2027-01-11T12:00:00.000Z',
      path: '/v2/teams',
      error: { code: 'NotFoundException', message: 'There is nothing at this address.' },
    })
    assert.equal((await call('/me')).body.error.code, 'UnauthorizedException')
    assert.equal((await call('/bookings', { version: V, token: 'cal_live_x' })).status, 401)
    const bad = await book(number, '2027-01-12T09:00:00Z', { attendee: attendee('nobody') })
    assert.equal(bad.body.error.message, 'attendee.email must be an email address.')
    const newer = {
      eventTypeId: number,
      start: '2027-01-12T09:00:00Z',
      attendee: attendee('a@guests.example'),
    }
    assert.equal((await call('/bookings', { body: newer })).status, 400, 'without a version')
    assert.equal((await call(`/slots?eventTypeId=${number}&start=2027-01-12&end=2027-01-12`)).status, 404)
    const body = { eventTypeId: number, slotStart: '2027-01-12T09:00:00Z', reservationDuration: 9 }
    assert.equal((await call('/slots/reservations', { version: '2024-09-04', body })).status, 401)
  })

  it('gives a whole uid only to those who may move the booking', async () => {
    const { call, host, offer, tokenTo } = calcom
    const { number } = await offer()
    const { uid } = (await book(number, '2027-01-13T09:00:00Z')).body.data
    const id = uid.slice(0, 36)
    assert.equal((await call(`/bookings/${id}`, { version: V })).status, 404)
    assert.equal((await call(`/bookings/${id}/cancel`, { version: V, body: {} })).status, 404)
    const token = await tokenTo('read')
    const listed = await call(`/bookings?eventTypeId=${number}`, { version: V, token })
    assert.equal(listed.status, 200, JSON.stringify(listed.body))
    const [read] = listed.body.data
    assert.equal(read.uid, id)
    const [written] = (await call(`/bookings?eventTypeId=${number}`, { version: V, token: host.token })).body
      .data
    assert.equal(written.uid, uid)
    assert.equal(
      (await call(`/bookings/${uid}/cancel`, { version: V, body: {} })).body.data.status,
      'cancelled',
    )
  })

  it('lets hosts confirm once, and says who did not come', async () => {
    const { call, clock, host, offer } = calcom
    const { number } = await offer({ requiresApproval: true })
    const as = { version: V, token: host.token }
    const { uid, status } = (await book(number, '2027-01-14T09:00:00Z')).body.data
    assert.equal(status, 'pending')
    assert.equal((await call(`/bookings/${uid}/confirm`, { version: V, body: {} })).status, 401)
    assert.equal((await call(`/bookings/${uid}/confirm`, { ...as, body: {} })).body.data.status, 'accepted')
    assert.equal((await call(`/bookings/${uid}/confirm`, { ...as, body: {} })).status, 400)
    clock.moveTo(Date.UTC(2027, 0, 14, 9, 10))
    for (const absent of [true, false]) {
      const attendees = [{ email: '09@guests.example', absent }]
      const marked = await call(`/bookings/${uid}/mark-absent`, { ...as, body: { attendees } })
      assert.equal(marked.status, 200, JSON.stringify(marked.body))
      assert.equal(marked.body.data.attendees[0].absent, absent)
      assert.equal(marked.body.data.status, 'accepted')
    }
  })

  it('keeps reserved times, shows them and gives them back', async () => {
    const { app, call, host, mailbox, offer } = calcom
    const { number } = await offer()
    const stranger = await signInWithToken(app, mailbox, 'bob@hosts.example')
    const slotStart = '2027-01-18T09:00:00Z'
    const reserve = (given: object, token?: string) =>
      call('/slots/reservations', {
        version: '2024-09-04',
        body: { eventTypeId: number, slotStart, ...given },
        ...(token !== undefined && { token }),
      })
    assert.equal((await reserve({})).status, 404, 'guests can’t where the host has not turned it on')
    assert.equal((await reserve({ reservationDuration: 9 })).status, 401)
    assert.equal((await reserve({ reservationDuration: 9 }, stranger.token)).status, 403)
    assert.equal((await reserve({ eventTypeId: 999_999 }, host.token)).status, 404)
    assert.equal((await reserve({ slotStart: 'soon' }, host.token)).status, 400)
    const held = await reserve({ reservationDuration: 9 }, host.token)
    assert.equal(held.status, 201, JSON.stringify(held.body))
    assert.equal(held.body.data.reservationDuration, 9)
    const again = await reserve({}, host.token)
    assert.equal(again.status, 422)
    assert.equal(again.body.error.code, 'UnprocessableEntityException')
    assert.equal((await reserve({ slotStart: '2027-01-17T09:00:00Z' }, host.token)).status, 422, 'a Sunday')

    const { reservationUid, reservationDuration: _, ...time } = held.body.data
    const at = (method: string, uid = reservationUid) =>
      call(`/slots/reservations/${uid}`, { version: '2024-09-04', method })
    assert.deepEqual((await at('GET')).body.data, { ...time, reservationUid })
    const starts = async () => {
      const { body } = await call(`/slots?eventTypeId=${number}&start=2027-01-18&end=2027-01-18`, {
        version: '2024-09-04',
      })
      return body.data['2027-01-18'].map(({ start }: { start: string }) => start)
    }
    assert.ok(!(await starts()).includes('2027-01-18T09:00:00.000Z'))
    assert.deepEqual((await at('DELETE')).body, { status: 'success' })
    assert.ok((await starts()).includes('2027-01-18T09:00:00.000Z'))
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await at(method)).status, 404)
      assert.equal((await at(method, 'nonsense')).status, 404)
    }
    const open = await offer({ holds: true })
    const start = '2027-01-18T12:00:00Z'
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const anyone = await call('/slots/reservations', {
      version: '2024-09-04',
      headers,
      body: { eventTypeId: open.number, slotStart: start },
    })
    assert.equal(anyone.body.data.reservationDuration, 5)
    const body = { eventTypeId: open.number, start, attendee: attendee('held@guests.example') }
    assert.equal((await call('/bookings', { version: V, body })).status, 400, 'from elsewhere')
    assert.equal((await call('/bookings', { version: V, headers, body })).status, 201)
  })

  it('moves reserved times, and makes them last longer', async () => {
    const { call, host, offer } = calcom
    const [{ number }, other] = [await offer(), await offer({ durationMinutes: 60 })]
    const as = { version: '2024-09-04', token: host.token }
    const at = (hour: string) => `2027-01-19T${hour}:00:00.000Z`
    const reserve = async (hour: string) =>
      (await call('/slots/reservations', { ...as, body: { eventTypeId: number, slotStart: at(hour) } })).body
        .data.reservationUid
    const move = (uid: string, given: object, token: string | undefined = host.token) =>
      call(`/slots/reservations/${uid}`, {
        version: '2024-09-04',
        method: 'PATCH',
        body: { eventTypeId: number, ...given },
        ...(token !== '' && { token }),
      })
    const free = async (id = number) => {
      const { body } = await call(`/slots?eventTypeId=${id}&start=2027-01-19&end=2027-01-19`, as)
      return (body.data['2027-01-19'] ?? []).map(({ start }: { start: string }) => start)
    }
    const [uid, taken] = [await reserve('09'), await reserve('11')]
    const moved = await move(uid, { slotStart: at('10'), reservationDuration: 9 })
    assert.equal(moved.status, 200, JSON.stringify(moved.body))
    const { reservationUntil, ...data } = moved.body.data
    assert.deepEqual(data, {
      eventTypeId: number,
      slotStart: at('10'),
      slotEnd: '2027-01-19T10:30:00.000Z',
      slotDuration: 30,
      reservationUid: uid,
      reservationDuration: 9,
    })
    const starts = await free()
    assert.ok(starts.includes(at('09')) && !starts.includes(at('10')) && !starts.includes(at('11')))

    // The same time for longer, and none that someone else has: then it stays.
    const longer = await move(uid, { slotStart: at('10'), reservationDuration: 60 })
    assert.ok(longer.body.data.reservationUntil > reservationUntil, JSON.stringify(longer.body))
    const refused = await move(uid, { slotStart: at('11') })
    assert.equal(refused.status, 422)
    const shown = await call(`/slots/reservations/${uid}`, as)
    assert.equal(shown.body.data.slotStart, at('10'))
    assert.equal((await move(uid, { slotStart: at('09'), reservationDuration: 9 }, '')).status, 401)
    assert.equal((await move(uid, { slotStart: at('09') }, '')).status, 404, 'guests can’t here')
    assert.equal((await move(uid, {})).status, 400)
    assert.ok(!(await free()).includes(at('10')))

    // To another event type, with its length.
    const across = await move(uid, { eventTypeId: other.number, slotStart: at('13') })
    assert.equal(across.body.data.slotEnd, at('14'), JSON.stringify(across.body))
    assert.ok((await free()).includes(at('10')))
    assert.ok(!(await free(other.number)).includes(at('13')))

    const body = { eventTypeId: other.number, start: at('13'), attendee: attendee('moved@guests.example') }
    assert.equal((await call('/bookings', { version: V, body })).status, 400, 'it is kept')
    assert.equal((await call('/bookings', { version: V, token: host.token, body })).status, 201)
    await call(`/slots/reservations/${taken}`, { ...as, method: 'DELETE' })
    for (const gone of [uid, taken, 'nonsense']) {
      assert.equal((await move(gone, { slotStart: at('15') })).status, 404)
    }
    assert.ok((await free()).includes(at('15')))
  })

  it('changes webhooks, each where it belongs', async () => {
    const { app, call, host, mailbox, offer } = calcom
    const { number } = await offer()
    const as = { token: host.token, version: V }
    const body = { subscriberUrl: 'http://127.0.0.1:5678/one', triggers: ['BOOKING_CREATED'], secret: 'mine' }
    const own = (await call('/webhooks', { ...as, body })).body.data
    const at = `/event-types/${number}/webhooks`
    const ofOne = (await call(at, { ...as, body })).body.data
    assert.equal(ofOne.eventTypeId, number)
    assert.equal(ofOne.secret, 'mine')
    const idsAt = async (path: string) => (await call(path, as)).body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsAt('/webhooks'), [own.id])
    assert.deepEqual(await idsAt(at), [ofOne.id])
    assert.equal((await call(`/webhooks/${ofOne.id}`, as)).status, 404)
    assert.equal((await call(`${at}/${own.id}`, as)).status, 404)

    const patch = (path: string, change: object, token = host.token) =>
      call(path, { version: V, token, method: 'PATCH', body: change })
    const changed = await patch(`${at}/${ofOne.id}`, {
      active: false,
      triggers: ['BOOKING_CANCELLED'],
      subscriberUrl: 'http://127.0.0.1:5678/two',
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    const { secret: _, ...shown } = ofOne
    assert.deepEqual(changed.body.data, {
      ...shown,
      active: false,
      triggers: ['BOOKING_CANCELLED'],
      subscriberUrl: 'http://127.0.0.1:5678/two',
    })
    assert.deepEqual((await call(`${at}/${ofOne.id}`, as)).body.data, changed.body.data)
    assert.equal((await patch(`${at}/${ofOne.id}`, { payloadTemplate: '{{title}}' })).status, 400)
    assert.equal((await patch(`${at}/${ofOne.id}`, { triggers: ['NEVER'] })).status, 400)
    assert.equal((await patch(`/webhooks/${ofOne.id}`, { active: true })).status, 404)
    const stranger = await signInWithToken(app, mailbox, 'carl@hosts.example')
    assert.equal((await patch(`/webhooks/${own.id}`, { active: false }, stranger.token)).status, 404)
    assert.equal((await call(at, { ...as, token: stranger.token })).status, 404)
    assert.equal((await call(`${at}/${ofOne.id}`, { ...as, method: 'DELETE' })).status, 200)
    assert.deepEqual(await idsAt(at), [])
  })
})
