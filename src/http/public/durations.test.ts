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

const [MINUTE, HOUR] = [60_000, 3_600_000]
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const TUESDAY = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'

onEveryDatabase('event types with several durations', ({ db }) => {
  let app: FastifyInstance
  let people = 0

  before(async () => {
    ;({ app } = await appOn(db(), { now: stoppedClock().now }))
  })

  async function add(given: Partial<EventType> = {}) {
    const host = await addUser(db(), `host-${people++}`)
    const talk = await addEventType(db(), host, {
      slug: 'talk',
      durationMinutes: 30,
      durations: [15, 30, 60],
      ...given,
    })
    const base = `/api/public/scheduling/${host.slug}/talk`
    return {
      talk,
      base,
      host,
      list: (duration = '') =>
        startsIn(`${base}/slots?${TUESDAY}${duration === '' ? '' : `&duration=${duration}`}`),
      book: (startsAt: number, durationMinutes: number) =>
        post(`${base}/book`, bookingOf({ ...talk, durationMinutes }, startsAt)),
    }
  }
  const get = (url: string) => app.inject({ url })
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, headers: fromSomeoneNew(), payload })
  /** Starts and ends, such as `09:00-10:00`. */
  const startsIn = async (url: string): Promise<string[]> => {
    const reply = await get(url)
    assert.equal(reply.statusCode, 200, reply.body)
    const days: { slots: { startTime: string; endTime: string }[] }[] = reply.json()
    return days.flatMap(({ slots }) =>
      slots.map(({ startTime, endTime }) => `${startTime.slice(11, 16)}-${endTime.slice(11, 16)}`),
    )
  }

  it('list each length on its own grid, the default without being asked', async () => {
    const { list, book } = await add()
    assert.equal((await list()).length, 16)
    assert.deepEqual(await list(), await list('30'))
    assert.equal((await list('15')).length, 32)
    assert.equal((await list('60')).length, 8)
    assert.equal((await list('60'))[0], '09:00-10:00')
    assert.equal((await book(TUESDAY_NINE + 15 * MINUTE, 15)).statusCode, 201)
    assert.equal((await list('60'))[0], '10:00-11:00')
    assert.equal((await list('30'))[0], '09:30-10:00')
    assert.deepEqual((await list('15')).slice(0, 2), ['09:00-09:15', '09:30-09:45'])
    const every20 = await add({ intervalMinutes: 20 })
    assert.deepEqual((await every20.list('60')).slice(0, 2), ['09:00-10:00', '09:20-10:20'])
  })

  it('refuse a length that is not offered, in listing and booking', async () => {
    const { base, book } = await add()
    for (const duration of ['45', '0', '', '1e1', 'long', '-15', '15.0']) {
      const reply = await get(`${base}/slots?${TUESDAY}&duration=${duration}`)
      assert.equal(reply.statusCode, 400, duration)
      assert.equal(reply.json().error, 'duration must be 15 or 30 or 60, in minutes.')
    }
    const refused = await book(TUESDAY_NINE, 45)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /^endTime must be 15 or 30 or 60 minutes after startTime/)
    const booked = await book(TUESDAY_NINE, 60)
    assert.equal(booked.statusCode, 201)
    assert.equal(booked.json().endTime, '2027-01-12T10:00:00Z')
    const plain = await add({ durations: [] })
    assert.equal((await plain.book(TUESDAY_NINE, 60)).statusCode, 400)
    assert.equal((await get(`${plain.base}/slots?${TUESDAY}&duration=60`)).statusCode, 400)
    assert.equal((await get(`${base}x/slots?${TUESDAY}&duration=45`)).statusCode, 404)
  })

  it('let guests join a seated meeting at its own length only', async () => {
    const { list, book, base } = await add({ seats: 3 })
    assert.equal((await book(TUESDAY_NINE, 60)).statusCode, 201)
    assert.equal((await list('60'))[0], '09:00-10:00')
    assert.equal((await list('30'))[0], '10:00-10:30')
    assert.equal((await book(TUESDAY_NINE, 30)).statusCode, 400)
    assert.equal((await book(TUESDAY_NINE, 60)).statusCode, 201)
    const [day] = (await get(`${base}/slots?${TUESDAY}&duration=60`)).json()
    assert.equal(day.slots[0].seatsLeft, 1)
  })

  it('are told in the profile and to the widget', async () => {
    const { host } = await add()
    const profile = (await get(`/api/public/scheduling/${host.slug}`)).json()
    assert.deepEqual(profile.eventTypes[0].durations, [15, 30, 60])
    assert.deepEqual((await get(`/api/embed/${host.slug}`)).json().eventTypes[0].durations, [15, 30, 60])
    assert.deepEqual((await get(`/api/embed/${host.slug}/talk`)).json().durations, [15, 30, 60])
    assert.match((await get(`/${host.slug}/talk.md`)).body, /another length: 15, 30, 60 minutes/)
  })

  it('keep the length of a booking that moves', async () => {
    const { book } = await add()
    const { pathname, search } = new URL(String((await book(TUESDAY_NINE, 60)).headers.location))
    const moved = await post(`${pathname}/reschedule${search}`, { startTime: '2027-01-12T11:00:00Z' })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.equal(moved.json().endTime, '2027-01-12T12:00:00Z')
    const between = await post(`${pathname}/reschedule${search}`, { startTime: '2027-01-12T11:30:00Z' })
    assert.equal(between.statusCode, 400, 'between two starts of that length')
  })

  it('list where a booking may move: its own time and count are not in its way', async () => {
    const { book, list } = await add({
      limits: { day: 1, week: null, month: null },
      intervalMinutes: 15,
    })
    const { pathname, search } = new URL(String((await book(TUESDAY_NINE, 60)).headers.location))
    assert.deepEqual(await list('60'), [], 'others have reached the limit')
    const moves = await startsIn(`${pathname}/slots${search}&${TUESDAY}`)
    assert.deepEqual(moves.slice(0, 2), ['09:15-10:15', '09:30-10:30'], 'not where it is')
    assert.equal(moves.length, 28)
    const moved = await post(`${pathname}/reschedule${search}`, { startTime: '2027-01-12T09:15:00Z' })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.equal((await get(`${pathname}/slots?token=wrong&${TUESDAY}`)).statusCode, 404)
    assert.equal((await get(`${pathname}/slots${search}`)).statusCode, 400)
    assert.equal((await post(`${pathname}/cancel${search}`, {})).statusCode, 200)
    assert.equal((await get(`${pathname}/slots${search}&${TUESDAY}`)).statusCode, 409)
  })

  it('leave a seated meeting to its other guests when one of them may move', async () => {
    const { book } = await add({ seats: 2, limits: { day: 1, week: null, month: null } })
    const { pathname, search } = new URL(String((await book(TUESDAY_NINE, 30)).headers.location))
    assert.equal((await startsIn(`${pathname}/slots${search}&${TUESDAY}`)).length, 15)
    assert.equal((await book(TUESDAY_NINE, 30)).statusCode, 201)
    assert.deepEqual(await startsIn(`${pathname}/slots${search}&${TUESDAY}`), [])
  })
})
