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
import type { EventType } from '../../domain/event-types/event-type.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const TUESDAY = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'

onEveryDatabase('those whom a guest brings', ({ db }) => {
  let apps: [FastifyInstance, FastifyInstance]
  let people = 0
  const clock = stoppedClock()

  before(async () => {
    const [one, other] = [await appOn(db(), { now: clock.now }), await appOn(db(), { now: clock.now })]
    apps = [one.app, other.app]
  })

  async function add(given: Partial<EventType> = {}) {
    const host = await addUser(db(), `party-${people++}`)
    const talk = await addEventType(db(), host, { slug: 'talk', durationMinutes: 30, maxGuests: 3, ...given })
    const base = `/api/public/scheduling/${host.slug}/talk`
    return {
      host,
      base,
      book: (
        hour: number,
        guests: readonly string[] | undefined,
        more: object = {},
        { app = apps[0], headers = fromSomeoneNew() } = {},
      ) =>
        app.inject({
          method: 'POST',
          url: `${base}/book`,
          headers,
          payload: { ...bookingOf(talk, TUESDAY_NINE + hour * HOUR), ...(guests && { guests }), ...more },
        }),
    }
  }
  const stored = async (id: string) => {
    const row = await db().selectFrom('bookings').select('guests').where('id', '=', id).executeTakeFirst()
    return row?.guests
  }

  it('are kept with the booking, and nothing is stored without them', async () => {
    const { host, base, book } = await add()
    const own = { inviteeEmail: 'grace@guests.example' }
    const booked = await book(0, ['tom@guests.example', 'TOM@guests.example', 'Grace@guests.example'], own)
    assert.equal(booked.statusCode, 201, booked.body)
    assert.deepEqual(Object.keys(booked.json()).sort(), [
      'createdAt',
      'endTime',
      'eventTypeId',
      'id',
      'invitee',
      'location',
      'startTime',
      'status',
    ])
    assert.equal(await stored(booked.json().id), '["tom@guests.example"]')
    assert.equal(await stored((await book(1, undefined)).json().id), null)
    const profile = await apps[0].inject({ url: `/api/public/scheduling/${host.slug}` })
    assert.equal(profile.json().eventTypes[0].maxGuests, 3)
    assert.equal(
      (await apps[0].inject({ url: base.replace('public/scheduling', 'embed') })).json().maxGuests,
      3,
    )
  })

  it('are refused where there is no room for them, after the blocklist', async () => {
    const blocking = { honeypot: false, captcha: '', blocklist: ['spam.example'] } as const
    const abuse = { ...blocking, detectDuplicates: true, rateLimit: null }
    const { book } = await add({ abuse, maxGuests: 0 })
    const blocked = await book(0, ['a@spam.example'])
    assert.deepEqual([blocked.statusCode, blocked.json().error], [400, 'This booking could not be accepted.'])
    const refused = await book(0, ['a@guests.example'])
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /^guests must be left out/)
    assert.equal((await book(0, [])).statusCode, 201)
    const small = await add({ maxGuests: 1 })
    assert.equal((await small.book(0, ['a@guests.example', 'b@guests.example'])).statusCode, 400)
    assert.equal((await small.book(0, ['nobody'])).statusCode, 400)
  })

  it('take a seat each, and never more than there are, whichever instance is asked', async () => {
    const { base, book } = await add({ seats: 10 })
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const guests = [`g${n}@guests.example`, `h${n}@guests.example`].slice(0, n % 3)
        return book(0, guests, { inviteeEmail: `seat${n}@guests.example` }, { app: apps[n % 2] })
      }),
    )
    const seated = replies.flatMap(({ statusCode }, n) => (statusCode === 201 ? [1 + (n % 3)] : []))
    const sum = seated.reduce((total, party) => total + party, 0)
    assert.equal(sum, 10, 'the last seat goes to someone who comes alone')
    for (const { statusCode } of replies) assert.ok(statusCode === 201 || statusCode === 400)
    const left = async () => {
      const listing = await apps[0].inject({ url: `${base}/slots?${TUESDAY}` })
      const slots = listing
        .json()
        .flatMap((day: { slots: { startTime: string; seatsLeft: number }[] }) => day.slots)
      return slots.map(({ startTime, seatsLeft }: { startTime: string; seatsLeft: number }) => [
        startTime.slice(11, 16),
        seatsLeft,
      ])
    }
    assert.deepEqual((await left())[0], ['09:30', 10], 'nine is full')
    const noon = { inviteeEmail: 'eight@guests.example' }
    assert.equal((await book(3, ['a@g.example', 'b@g.example', 'c@g.example'], noon)).statusCode, 201)
    assert.deepEqual(
      (await left()).find(([time]: [string]) => time === '12:00'),
      ['12:00', 6],
    )
    const small = await add({ seats: 2 })
    assert.equal((await small.book(0, ['a@g.example', 'b@g.example'])).statusCode, 400)
    assert.equal((await small.book(0, ['a@g.example'])).statusCode, 201)
    assert.equal((await small.book(0, undefined)).statusCode, 400)
    const late = await small.book(1, undefined, { inviteeEmail: 'one@guests.example' })
    const pair = await small.book(2, ['two@guests.example'], { inviteeEmail: 'pair@guests.example' })
    assert.equal(late.statusCode, 201)
    const { pathname, search } = new URL(String(pair.headers.location))
    const moved = await apps[0].inject({
      method: 'POST',
      url: `${pathname}/reschedule${search}`,
      headers: fromSomeoneNew(),
      payload: { startTime: '2027-01-12T10:00:00Z' },
    })
    assert.equal(moved.statusCode, 400)
    assert.match(moved.json().error, /^Only 1 seat is left/)
  })

  it('cannot be mailed more often by moving or cancelling a booking', async () => {
    const { book } = await add()
    const victim = 'moved@strangers.example'
    const headers = fromSomeoneNew()
    const booked = await book(0, [victim], {}, { headers })
    const { pathname, search } = new URL(String(booked.headers.location))
    const change = (action: string, payload: object = {}, app = apps[1]) =>
      app.inject({
        method: 'POST',
        url: `${pathname}/${action}${search}`,
        headers,
        payload,
      })
    const move = (hour: number) => {
      const startTime = new Date(TUESDAY_NINE + hour * HOUR).toISOString()
      return change('reschedule', { startTime }, apps[hour % 2])
    }
    const statuses: number[] = []
    for (let hour = 1; hour <= 7; hour++) statuses.push((await move(hour)).statusCode)
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429, 429])
    const refused = await move(5)
    assert.ok(Number(refused.headers['retry-after']) > 3000, refused.body)
    assert.match(refused.json().error, /Too many emails/)
    assert.equal((await change('cancel')).statusCode, 200)
    const mails = await db().selectFrom('added_guests').select('guest').where('guest', '=', victim).execute()
    assert.equal(mails.length, 6)
    // What was counted ends with the hour.
    clock.moveTo(MONDAY_NOON + HOUR)
    assert.equal((await book(6, [victim])).statusCode, 201)
    clock.moveTo(MONDAY_NOON)
  })

  it('cannot be used to mail a stranger more than five times an hour', async () => {
    const offered = await Promise.all(Array.from({ length: 3 }, () => add({ maxGuests: 10 })))
    const headers = fromSomeoneNew()
    const book = (n: number, guests: readonly string[], more: object = {}, client = headers) => {
      const inviteeEmail = `attacker${people++}@guests.example`
      return offered[n % 3]?.book(Math.floor(n / 3), guests, { inviteeEmail, ...more }, { headers: client })
    }
    // One mailbox under several addresses.
    const tagged = Array.from({ length: 6 }, (_, n) => `victim+${n}@guests.example`)
    assert.equal((await book(0, tagged))?.statusCode, 429)
    for (let n = 0; n < 4; n++) assert.equal((await book(n, ['Victim@guests.example']))?.statusCode, 201)
    assert.equal((await book(4, tagged.slice(0, 2)))?.statusCode, 429)
    // The fifth as a guest of their own; then no more, in either way.
    assert.equal((await book(4, [], { inviteeEmail: 'victim@guests.example' }))?.statusCode, 201)
    assert.equal((await book(5, [], { inviteeEmail: 'victim@guests.example' }))?.statusCode, 429)
    const refused = await book(5, ['other@guests.example', 'victim@guests.example'])
    assert.equal(refused?.statusCode, 429)
    assert.ok(Number(refused?.headers['retry-after']) > 60)
    const mails = await db()
      .selectFrom('added_guests')
      .selectAll()
      .where('guest', 'like', '%victim%')
      .execute()
    assert.equal(mails.length, 4)
    // A host of this service may be brought as often as others like.
    for (let n = 5; n < 12; n++)
      assert.equal(
        (await book(n, ['party-0@hosts.example'], {}, fromSomeoneNew()))?.statusCode,
        201,
        String(n),
      )
  })
})
