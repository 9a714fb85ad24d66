import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { OfferedLocation } from '../../domain/event-types/location.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR

const LOCATIONS: readonly OfferedLocation[] = [
  { id: 'office', type: 'InPerson', value: '1 Example Street', provider: '', label: 'Berlin office' },
  { id: 'we-call', type: 'Phone', value: '', provider: '', label: '' },
  { id: 'you-call', type: 'Phone', value: '+1 212 555 0100', provider: '', label: '' },
  { id: 'secret', type: 'Link', value: 'https://meet.example/secret', provider: '', label: 'Online' },
]

onEveryDatabase('event types with several locations', ({ db }) => {
  let app: FastifyInstance
  let people = 0
  let hours = 0

  before(async () => {
    ;({ app } = await appOn(db(), { now: stoppedClock().now }))
  })

  async function add(locations = LOCATIONS) {
    const host = await addUser(db(), `places-${people++}`)
    const [first] = locations
    const talk = await addEventType(db(), host, {
      slug: 'talk',
      durationMinutes: 30,
      ...(first && { location: { type: first.type, value: first.value } }),
      locations,
    })
    const base = `/api/public/scheduling/${host.slug}/talk`
    hours = 0
    return {
      host,
      base,
      book: (more: object = {}) =>
        post(`${base}/book`, { ...bookingOf(talk, TUESDAY_NINE + HOUR * (hours++ % 7)), ...more }),
    }
  }
  const get = (url: string) => app.inject({ url })
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, headers: fromSomeoneNew(), payload })

  it('book at the location that the guest chooses, or at the first', async () => {
    const { book } = await add()
    const office = { type: 'InPerson', value: '1 Example Street' }
    assert.deepEqual((await book()).json().location, office)
    assert.deepEqual((await book({ locationId: 'office' })).json().location, office)
    assert.deepEqual((await book({ locationId: 'you-call' })).json().location, {
      type: 'Phone',
      value: '+1 212 555 0100',
    })
    const unknown = await book({ locationId: 'moon' })
    assert.equal(unknown.statusCode, 400)
    assert.match(unknown.json().error, /office, we-call, you-call, secret/)
    const plain = await add([])
    assert.equal((await plain.book()).statusCode, 201)
    assert.equal((await plain.book({ locationId: 'office' })).statusCode, 400)
  })

  it('ask for a number to call, which is then the location', async () => {
    const { book } = await add()
    const refused = await book({ locationId: 'we-call' })
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /^inviteePhone is required/)
    const booked = await book({ locationId: 'we-call', inviteePhone: '+49 30 901820' })
    assert.equal(booked.statusCode, 201)
    assert.deepEqual(booked.json().location, { type: 'Phone', value: '+49 30 901820' })
    const { pathname, search } = new URL(String(booked.headers.location))
    const { body } = await app.inject(`${pathname}/calendar.ics${search}`)
    assert.match(body, /LOCATION:Phone call: the host calls you \(\+49 30 901820\)/)
  })

  it('keep the location of a booking that moves', async () => {
    const { book } = await add()
    const booked = await book({ locationId: 'secret' })
    const { pathname, search } = new URL(String(booked.headers.location))
    const moved = await post(`${pathname}/reschedule${search}`, { startTime: '2027-01-12T15:00:00Z' })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.deepEqual(moved.json().location, { type: 'Link', value: 'https://meet.example/secret' })
  })

  it('are told in profile, widget and guide, with addresses but without numbers and links', async () => {
    const { host } = await add()
    const shown = [
      {
        id: 'office',
        type: 'InPerson',
        label: 'Berlin office',
        value: '1 Example Street',
        requiresPhone: false,
      },
      { id: 'we-call', type: 'Phone', label: '', value: '', requiresPhone: true },
      { id: 'you-call', type: 'Phone', label: '', value: '', requiresPhone: false },
      { id: 'secret', type: 'Link', label: 'Online', value: '', requiresPhone: false },
    ]
    const profile = await get(`/api/public/scheduling/${host.slug}`)
    assert.deepEqual(profile.json().eventTypes[0].locations, shown)
    const widget = await get(`/api/embed/${host.slug}/talk`)
    assert.deepEqual(widget.json().locations, shown)
    const guide = await get(`/${host.slug}/talk.md`)
    assert.match(guide.body, /Location `office`: Berlin office, in person, 1 Example Street/)
    assert.match(
      guide.body,
      /Location `we-call`: by phone\. The host calls the guest: `inviteePhone` is required/,
    )
    const page = await get(`/${host.slug}/talk`)
    for (const { body } of [profile, widget, guide, page]) {
      assert.doesNotMatch(body, /555 0100|meet\.example/)
    }
  })
})
