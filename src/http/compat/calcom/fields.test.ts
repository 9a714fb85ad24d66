import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Calcom, startCalcom } from '../../../../test/compat/calcom.ts'
import { CALCOM_FIELDS, type CalcomFields } from '../../../../test/compat/calcom-fields.ts'
import { onEveryDatabase } from '../../../../test/databases.ts'

const V = '2024-08-13'
const SLOTS = '2024-09-04'

const wordsIn = (text = '') => text.split(' ').filter((word) => word !== '')

/** Fails for every field that is missing or that the table does not know. */
function compare(name: keyof typeof CALCOM_FIELDS, answer: object): void {
  const { needed, possible, leftOut = {}, ours = {} }: CalcomFields = CALCOM_FIELDS[name]
  const keys = Object.keys(answer)
  const known = new Set([...wordsIn(needed), ...wordsIn(possible), ...Object.keys(ours)])
  const [missing, unknown, sent] = [
    wordsIn(needed).filter((key) => !keys.includes(key)),
    keys.filter((key) => !known.has(key)),
    Object.keys(leftOut).filter((key) => keys.includes(key)),
  ]
  assert.deepEqual({ missing, unknown, sent }, { missing: [], unknown: [], sent: [] }, name)
}

onEveryDatabase('answers have the fields that Cal.com’s document names', ({ db }) => {
  let calcom: Calcom
  before(async () => {
    calcom = await startCalcom(db())
  })
  after(() => calcom.close())

  const book = async (number: number, start: string, given: object = {}) => {
    const attendee = { name: 'Grace Guest', email: 'grace@guests.example', timeZone: 'Europe/Berlin' }
    const body = { eventTypeId: number, start, attendee, ...given }
    const { status, body: answer } = await calcom.call('/bookings', { version: V, body })
    assert.equal(status, 201, JSON.stringify(answer))
    return answer.data
  }

  it('for bookings of all kinds, in both shapes', async () => {
    const { call, host, offer } = calcom
    const { number } = await offer({ maxGuests: 2, series: { every: ['week'], most: 4 } })
    const one = await book(number, '2027-01-12T09:00:00Z', { guests: ['eve@guests.example'] })
    compare('booking', one)
    compare('bookingHost', one.hosts[0])
    compare('bookingEventType', one.eventType)
    for (const attendee of one.attendees) compare('bookingAttendee', attendee)
    const several = await book(number, '2027-01-12T10:00:00Z', { recurrenceCount: 2 })
    for (const repeated of several) compare('recurringBooking', repeated)

    const seated = await book((await offer({ seats: 3 })).number, '2027-01-12T11:00:00Z')
    compare('seatedBooking', seated)
    compare('seatedAttendee', seated.attendees[0])

    const older = (await call(`/bookings/${one.uid}`)).body.data
    compare('olderBooking', older)
    compare('olderUser', older.user)
    compare('olderBookingEventType', older.eventType)
    for (const attendee of older.attendees) compare('olderAttendee', attendee)
    const { data } = (await call('/bookings', { token: host.token })).body
    compare('olderList', data)
    compare('olderBooking', data.bookings[0])
  })

  it('for event types, people, schedules and webhooks', async () => {
    const { call, host, offer } = calcom
    const { number, slug } = await offer({ durations: [15, 30] })
    const as = { token: host.token, version: '2024-06-14' }
    const own = (await call(`/event-types/${number}`, as)).body.data
    compare('eventType', own)
    assert.deepEqual(own.lengthInMinutesOptions, [15, 30])
    const query = `username=${host.user.slug}&eventSlug=${slug}`
    const [shown] = (await call(`/event-types?${query}`, { version: '2024-06-14' })).body.data
    compare('eventType', shown)
    compare('me', (await call('/me', as)).body.data)
    const schedule = (await call('/schedules/default', as)).body.data
    compare('schedule', schedule)
    compare('availability', schedule.availability[0])
    const patched = await host.patch(`/schedules/${(await host.get('/schedules')).json().items[0].id}`, {
      overrides: { '2027-03-01': [] },
    })
    assert.equal(patched.statusCode, 200, patched.body)
    const [override] = (await call('/schedules', as)).body.data[0].overrides
    compare('override', override)
    const body = { subscriberUrl: 'http://127.0.0.1:5678/fields', triggers: ['BOOKING_CREATED'] }
    const made = (await call('/webhooks', { ...as, body })).body.data
    compare('madeWebhook', made)
    compare('webhook', (await call(`/webhooks/${made.id}`, as)).body.data)
    const at = `/event-types/${number}/webhooks`
    const ofOne = (await call(at, { ...as, body })).body.data
    compare('eventTypeWebhook', (await call(`${at}/${ofOne.id}`, as)).body.data)
  })

  it('for slots and reservations', async () => {
    const { call, host, offer } = calcom
    const [{ number }, seated] = [await offer(), await offer({ seats: 3 })]
    await book(seated.number, '2027-01-14T09:00:00Z')
    const day = '2027-01-14'
    const firstOf = async (id: number, more: string) => {
      const { body } = await call(`/slots?eventTypeId=${id}&start=${day}&end=${day}${more}`, {
        version: SLOTS,
      })
      return body.data[day][0]
    }
    compare('slot', await firstOf(number, ''))
    compare('rangeSlot', await firstOf(number, '&format=range'))
    const withSeats = await firstOf(seated.number, '')
    compare('seatedSlot', withSeats)
    assert.deepEqual(withSeats, {
      start: '2027-01-14T09:00:00.000Z',
      seatsBooked: 1,
      seatsRemaining: 2,
      seatsTotal: 3,
    })
    compare('seatedRangeSlot', await firstOf(seated.number, '&format=range'))
    const olderOf = async (id: number, more: string) => {
      const { body } = await call(`/slots/available?eventTypeId=${id}&startTime=${day}&endTime=${day}${more}`)
      return body.data.slots[day][0]
    }
    compare('olderSlot', await olderOf(number, ''))
    compare('olderSlot', await olderOf(seated.number, '&timeZone=UTC'))
    assert.equal((await olderOf(seated.number, '')).attendees, 1)
    compare('olderRangeSlot', await olderOf(number, '&slotFormat=range'))

    const body = { eventTypeId: number, slotStart: `${day}T13:00:00Z` }
    const held = await call('/slots/reservations', { version: SLOTS, token: host.token, body })
    compare('reservation', held.body.data)
    const uid = held.body.data.reservationUid
    const moved = await call(`/slots/reservations/${uid}`, {
      version: SLOTS,
      token: host.token,
      method: 'PATCH',
      body: { ...body, slotStart: `${day}T14:00:00Z` },
    })
    compare('reservation', moved.body.data)
    compare('shownReservation', (await call(`/slots/reservations/${uid}`, { version: SLOTS })).body.data)
  })
})
