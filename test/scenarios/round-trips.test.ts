import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { EventType } from '../../src/domain/event-types/event-type.ts'
import { DAY, HOUR } from '../../src/domain/interval.ts'
import type { Scheduler } from '../../src/domain/people/scheduler.ts'
import { issuePrivateLink } from '../../src/services/bookings/links/private-links.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { newId } from '../../src/store/new-id.ts'
import { type FreshDatabase, migratedDatabase, openPatiently } from '../databases.ts'
import { addForm, tokenFor } from '../forms.ts'
import { type AppUnderTest, addEventType, addTeam, addUser, appOn, bookingOf, MONDAY_NOON } from '../kit.ts'
import { type DistantDatabase, farAway } from '../round-trips.ts'

// Between two data centres a round trip takes milliseconds, and a host stays locked for as long, so each counts.

const NINE = MONDAY_NOON + 21 * HOUR
const MOST = 3

describe('over a line with latency', () => {
  let fresh: FreshDatabase
  let near: Db
  let distant: DistantDatabase
  let far: Db
  let app: AppUnderTest
  let ada: Scheduler
  let crew: Scheduler
  let hosts: { hostId: string; fixed: boolean }[]

  before(async () => {
    fresh = await migratedDatabase('postgres')
    near = openPatiently(fresh.url)
    ada = await addUser(near, 'ada')
    crew = await addTeam(near, 'crew')
    hosts = [ada, await addUser(near, 'ben'), await addUser(near, 'cleo')].map(({ id }) => {
      return { hostId: id, fixed: false }
    })
    distant = await farAway(fresh.url)
    far = openPatiently(distant.url)
    app = await appOn(far)
  })
  after(async () => {
    await app?.app.close()
    await far?.destroy()
    await distant?.[Symbol.asyncDispose]()
    await near?.destroy()
    await fresh?.drop()
  })

  let slot = 0
  /** A start that nothing else has asked for. */
  const nextStart = () => {
    const day = [0, 1, 2, 3, 6, 7, 8, 9, 10][Math.floor(slot / 8)] as number
    return NINE + day * DAY + (slot++ % 8) * HOUR
  }

  let clients = 0
  const post = async (url: string, payload: object, headers = {}) => {
    const client = { 'x-forwarded-for': `2001:db8:${(++clients).toString(16)}::1` }
    const reply = await app.app.inject({ method: 'POST', url, payload, headers: { ...client, ...headers } })
    assert.ok(reply.statusCode < 300, reply.body)
    return reply
  }
  const bookUrl = (owner: Scheduler, eventType: EventType) =>
    `/api/public/scheduling/${owner.slug}/${eventType.slug}/book`
  /** Books once, so that connections are open and statements prepared; then again, and counts. */
  const tripsOfBooking = async (
    owner: Scheduler,
    eventType: EventType,
    headers = () => ({}) as Record<string, string>,
  ) => {
    const once = () => post(bookUrl(owner, eventType), bookingOf(eventType, nextStart()), headers())
    await Promise.all([once(), once(), once()])
    return distant.count(once)
  }
  const hourly = { durationMinutes: 30, intervalMinutes: 60 }

  it('books one host in three round trips at most', async () => {
    assert.ok((await tripsOfBooking(ada, await addEventType(near, ada, hourly))) <= MOST)
  })

  it('books with limits, seats and an idempotency key in as many', async () => {
    const limits = { day: 50, week: 100, month: 200 }
    assert.ok((await tripsOfBooking(ada, await addEventType(near, ada, { ...hourly, limits }))) <= MOST)
    assert.ok((await tripsOfBooking(ada, await addEventType(near, ada, { ...hourly, seats: 5 }))) <= MOST)
    const key = () => ({ 'idempotency-key': newId() })
    assert.ok((await tripsOfBooking(ada, await addEventType(near, ada, hourly), key)) <= MOST)
  })

  it('books through a private link in as many', async () => {
    const dora = await addUser(near, 'dora')
    const eventType = await addEventType(near, dora, hourly)
    const actor = { userId: null, email: 'test' }
    const { token } = await issuePrivateLink(app.context, actor, eventType, { uses: 50 })
    let hour = 0
    const once = () =>
      post(`${bookUrl(dora, eventType)}?link=${token}`, bookingOf(eventType, NINE + hour++ * HOUR))
    await Promise.all([once(), once(), once()])
    assert.ok((await distant.count(once)) <= MOST)
  })

  it('books with answers to a form in as many', async () => {
    const hal = await addUser(near, 'hal')
    const eventType = await addEventType(near, hal, hourly)
    const form = await addForm(near, hal)
    let hour = 0
    const prepare = () => tokenFor(app.context, form, eventType.id)
    const once = ({ token }: { readonly token: string }) =>
      post(`${bookUrl(hal, eventType)}?routing=${token}`, bookingOf(eventType, NINE + hour++ * HOUR))
    await Promise.all([prepare().then(once), prepare().then(once), prepare().then(once)])
    const routed = await prepare()
    assert.ok((await distant.count(() => once(routed))) <= MOST)
  })

  it('books a series in as many', async () => {
    const fay = await addUser(near, 'fay')
    const series = { every: ['week'], most: 12 } as const
    const eventType = await addEventType(near, fay, { ...hourly, series, window: { kind: 'unlimited' } })
    let hour = 0
    const once = () =>
      post(bookUrl(fay, eventType), {
        ...bookingOf(eventType, NINE + hour++ * HOUR),
        repeat: { every: 'week', count: 12 },
      })
    await Promise.all([once(), once(), once()])
    assert.ok((await distant.count(once)) <= MOST)
  })

  it('holds a time, and books with a hold and a code, in as many', async () => {
    const elsa = await addUser(near, 'elsa')
    const eventType = await addEventType(near, elsa, { ...hourly, holds: true, confirmEmail: true })
    const url = bookUrl(elsa, eventType)
    let hour = 0
    const prepare = async () => {
      const body = bookingOf(eventType, NINE + hour++ * HOUR)
      await post(url.replace(/book$/, 'verify-email'), { email: body.inviteeEmail })
      const emailCode = /\d{6}/.exec(app.mailbox.at(-1)?.subject ?? '')?.[0]
      return { ...body, emailCode }
    }
    const hold = async (body: { startTime: string; endTime: string }) => {
      const { startTime, endTime } = body
      return (await post(url.replace(/book$/, 'hold'), { startTime, endTime })).json().holdId as string
    }
    for (let i = 0; i < 3; i++) {
      const body = await prepare()
      await post(url, { ...body, holdId: await hold(body) })
    }
    const body = await prepare()
    let holdId = ''
    const held = await distant.count(async () => {
      holdId = await hold(body)
    })
    const booked = await distant.count(() => post(url, { ...body, holdId }))
    assert.ok(Math.max(held, booked) <= MOST, `${held} and ${booked}`)
  })

  it('books teams in as many', async () => {
    const roundRobin = await addEventType(near, crew, { ...hourly, assignment: 'round-robin' }, hosts)
    assert.ok((await tripsOfBooking(crew, roundRobin)) <= MOST)
    const collective = await addEventType(near, crew, { ...hourly, assignment: 'collective' }, hosts)
    assert.ok((await tripsOfBooking(crew, collective)) <= MOST)
  })

  it('reschedules and cancels for a guest in as many', async () => {
    const eventType = await addEventType(near, ada, hourly)
    const bookings = await Promise.all(
      [1, 2, 3, 4].map(() => post(bookUrl(ada, eventType), bookingOf(eventType, nextStart()))),
    )
    const manage = bookings.map(({ headers }) => new URL(String(headers.location)))
    const act = (index: number, action: string, payload: object) => {
      const { pathname, search } = manage[index] as URL
      return post(`${pathname}/${action}${search}`, payload)
    }
    const move = () => ({ startTime: new Date(nextStart()).toISOString() })
    await Promise.all([act(0, 'reschedule', move()), act(1, 'reschedule', move())])
    assert.ok((await distant.count(() => act(2, 'reschedule', move()))) <= MOST)
    await Promise.all([act(0, 'cancel', {}), act(1, 'cancel', {})])
    assert.ok((await distant.count(() => act(2, 'cancel', {}))) <= MOST)
  })
})
