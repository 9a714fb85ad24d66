import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { HOUR, MINUTE } from '../../domain/interval.ts'
import { deleteExpired } from '../../store/expiry.ts'

const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR
const TUESDAY = 'dateFrom=2027-01-12&dateTo=2027-01-12&timezone=UTC'

onEveryDatabase('holds', ({ db }) => {
  let app: FastifyInstance
  let people = 0

  before(async () => {
    ;({ app } = await appOn(db(), { now: stoppedClock().now }))
  })

  async function add(given: Partial<EventType> = {}) {
    const host = await addUser(db(), `host-${people++}`)
    return { host, ...offerOf(host.slug, await addEventType(db(), host, { holds: true, ...given })) }
  }
  function offerOf(owner: string, eventType: EventType) {
    const base = `/api/public/scheduling/${owner}/${eventType.slug}`
    const post = (path: string, payload: object, headers = fromSomeoneNew()) =>
      app.inject({ method: 'POST', url: `${base}${path}`, headers, payload })
    return {
      eventType,
      base,
      hold: (at: number, headers = fromSomeoneNew()) => {
        const { startTime, endTime } = bookingOf(eventType, at)
        return post('/hold', { startTime, endTime }, headers)
      },
      book: (at: number, given: object = {}) => post('/book', { ...bookingOf(eventType, at), ...given }),
      release: (id: string) => app.inject({ method: 'DELETE', url: `${base}/hold/${id}` }),
      starts: async (): Promise<number[]> => {
        const days: { slots: { startTime: string }[] }[] = (
          await app.inject(`${base}/slots?${TUESDAY}`)
        ).json()
        return days.flatMap(({ slots }) => slots.map(({ startTime }) => Date.parse(startTime)))
      },
    }
  }
  /** Lets all holds end, as five minutes would. */
  const endHolds = (host: { id: string }) =>
    db()
      .updateTable('claims')
      .set({ expires_at: 1 })
      .where('host_id', '=', host.id)
      .where('expires_at', 'is not', null)
      .execute()

  it('keep a time for who has them, and for nobody else', async () => {
    const { hold, book, starts } = await add()
    assert.ok((await starts()).includes(TUESDAY_NINE))
    const held = await hold(TUESDAY_NINE)
    assert.equal(held.statusCode, 201, held.body)
    const { holdId, expiresAt } = held.json()
    const left = Date.parse(expiresAt) - Date.now()
    assert.ok(left > 4 * MINUTE && left <= 5 * MINUTE + 1000, expiresAt)
    assert.ok(!(await starts()).includes(TUESDAY_NINE), 'not listed')
    assert.equal((await hold(TUESDAY_NINE)).statusCode, 400)
    const refused = await book(TUESDAY_NINE)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /no longer available/)
    assert.equal((await book(TUESDAY_NINE, { holdId: randomUUID() })).statusCode, 400)
    const booked = await book(TUESDAY_NINE, { holdId })
    assert.equal(booked.statusCode, 201, booked.body)
    assert.equal((await book(TUESDAY_NINE, { holdId })).statusCode, 400, 'good for one booking')
  })

  it('are given back', async () => {
    const { hold, release, starts, base } = await add()
    const { holdId } = (await hold(TUESDAY_NINE)).json()
    const other = await add()
    assert.equal((await other.release(holdId)).statusCode, 204)
    assert.ok(!(await starts()).includes(TUESDAY_NINE), 'not by way of another event type')
    const released = await release(holdId)
    assert.deepEqual([released.statusCode, released.body], [204, ''])
    assert.ok((await starts()).includes(TUESDAY_NINE))
    assert.equal((await release(holdId)).statusCode, 204)
    assert.equal((await release('nothing')).statusCode, 404)
    assert.equal((await app.inject({ method: 'DELETE', url: `${base}x/hold/${holdId}` })).statusCode, 404)
  })

  it('never free a booking, whatever is said to be a hold', async () => {
    const { book, release } = await add()
    const { id } = (await book(TUESDAY_NINE)).json()
    assert.equal((await book(TUESDAY_NINE, { holdId: id })).statusCode, 400)
    assert.equal((await release(id)).statusCode, 204)
    assert.equal((await book(TUESDAY_NINE)).statusCode, 400)
  })

  it('end, and are then in nobody’s way', async () => {
    const { host, hold, book, starts } = await add()
    const [nine, ten] = [TUESDAY_NINE, TUESDAY_NINE + HOUR]
    const { holdId } = (await hold(nine)).json()
    const late = (await hold(ten)).json()
    await endHolds(host)
    // Behind the service's back, so what it has cached counts for 0.8 s; another host's listing is read anew.
    const again = offerOf(host.slug, await addEventType(db(), host, { holds: true, durationMinutes: 60 }))
    assert.equal((await hold(nine)).statusCode, 201, 'another hold')
    await endHolds(host)
    assert.equal((await again.book(nine)).statusCode, 201, 'a booking of another event type')
    assert.equal((await book(nine, { holdId })).statusCode, 400, 'gone for its first holder')
    assert.equal(
      (await book(ten, { holdId: late.holdId })).statusCode,
      201,
      'still free for its first holder',
    )
    assert.ok(!(await starts()).includes(nine))
    assert.equal((await hold(nine + 3 * HOUR)).statusCode, 201)
    await endHolds(host)
    await deleteExpired(db(), Date.now(), { auditDays: 0, deadJobsDays: 0, responsesDays: 0 })
    const left = await db().selectFrom('claims').selectAll().where('host_id', '=', host.id).execute()
    assert.deepEqual([left.length, left.filter((claim) => claim.expires_at !== null).length], [2, 0])
  })

  it('leave a listing within a second of their end', async () => {
    const { host, hold, starts } = await add()
    await hold(TUESDAY_NINE)
    assert.ok(!(await starts()).includes(TUESDAY_NINE))
    await endHolds(host)
    // A service of its own, which has cached nothing: what the first has cached lasts 0.8 s.
    const fresh = await appOn(db(), { now: stoppedClock().now })
    const url = `/api/public/scheduling/${host.slug}/${(await slugOf(host.id)) ?? ''}/slots?${TUESDAY}`
    const [day] = (await fresh.app.inject(url)).json()
    assert.equal(Date.parse(day.slots[0].startTime), TUESDAY_NINE)
    await fresh.app.close()
  })
  const slugOf = async (hostId: string) =>
    (
      await db()
        .selectFrom('event_types')
        .select('slug')
        .where('scheduler_id', '=', hostId)
        .executeTakeFirst()
    )?.slug

  it('do not count for limits', async () => {
    const { hold, book, starts } = await add({ limits: { day: 1, week: null, month: null } })
    const all = (await starts()).length
    const { holdId } = (await hold(TUESDAY_NINE)).json()
    assert.equal((await starts()).length, all - 1)
    assert.equal((await book(TUESDAY_NINE, { holdId })).statusCode, 201)
    assert.deepEqual(await starts(), [])
    assert.equal((await book(TUESDAY_NINE + HOUR)).statusCode, 400)
  })

  it('leave most of a host’s time open, whoever holds it', async () => {
    const { hold, starts } = await add({ window: { kind: 'rolling', days: 2 } })
    const all = (await starts()).length
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await hold(TUESDAY_NINE + i * 30 * MINUTE)).statusCode)
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429])
    assert.equal((await starts()).length, all - 5)
    const site = (network: number) => ({ 'x-forwarded-for': `2001:db8:7:${network.toString(16)}::1` })
    const other = await add()
    for (let i = 1; i <= 6; i++) await other.hold(TUESDAY_NINE + i * 30 * MINUTE, site(i))
    assert.equal((await other.starts()).length, all - 3)
  })

  it('need a CAPTCHA where booking does', async () => {
    const { abuse } = plainEventType()
    const { hold } = await add({ abuse: { ...abuse, captcha: 'altcha' } })
    const refused = await hold(TUESDAY_NINE)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error, /CAPTCHA/)
  })

  it('are counted by the event type’s own limit', async () => {
    const { abuse } = plainEventType()
    const { hold } = await add({ abuse: { ...abuse, rateLimit: 2 } })
    const client = fromSomeoneNew()
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await hold(TUESDAY_NINE + i * HOUR, client)).statusCode)
    assert.deepEqual(statuses, [201, 201, 429])
  })

  it('cannot block a calendar: three for a client, and a further one replaces the oldest', async () => {
    const { hold, starts, book } = await add()
    const all = (await starts()).length
    const attacker = fromSomeoneNew()
    const ids: string[] = []
    for (let i = 0; i < 15; i++) {
      const held = await hold(TUESDAY_NINE + i * 30 * MINUTE, attacker)
      assert.equal(held.statusCode, 201, held.body)
      ids.push(held.json().holdId)
      assert.equal((await starts()).length, all - Math.min(i + 1, 3))
    }
    const beyond = await hold(TUESDAY_NINE + 7.5 * HOUR, attacker)
    assert.equal(beyond.statusCode, 429, 'counted with bookings')
    assert.equal((await book(TUESDAY_NINE)).statusCode, 201, 'the first one was replaced')
    const taken = [12, 13, 14].map((i) => TUESDAY_NINE + i * 30 * MINUTE)
    assert.ok(!(await starts()).some((start) => taken.includes(start)))
    // Many addresses of one network are one client.
    const network = (host: number) => ({ 'x-forwarded-for': `2001:db8:0:1::${host.toString(16)}` })
    const other = await add()
    for (let i = 1; i <= 6; i++) await other.hold(TUESDAY_NINE + i * 30 * MINUTE, network(i))
    assert.equal((await other.starts()).length, all - 3)
  })

  it('are 404 where they are off, and refused with seats when saved', async () => {
    const { hold, release } = await add({ holds: false })
    assert.equal((await hold(TUESDAY_NINE)).statusCode, 404)
    assert.equal((await release(randomUUID())).statusCode, 404)
  })

  it('refuse what is no slot', async () => {
    const { base, eventType } = await add()
    const post = (payload: object) =>
      app.inject({ method: 'POST', url: `${base}/hold`, headers: fromSomeoneNew(), payload })
    const { startTime } = bookingOf(eventType, TUESDAY_NINE)
    assert.equal((await post({ startTime })).statusCode, 400)
    assert.equal((await post({ startTime, endTime: startTime })).statusCode, 400)
    const odd = bookingOf(eventType, TUESDAY_NINE + 7 * MINUTE)
    assert.equal((await post({ startTime: odd.startTime, endTime: odd.endTime })).statusCode, 400)
  })

  it('take one host of a round robin, and all of a collective meeting', async () => {
    const team = await addTeam(db(), `team-${people++}`)
    const hosts = [await addUser(db(), `host-${people++}`), await addUser(db(), `host-${people++}`)]
    const seats = (fixed: boolean) => hosts.map(({ id }) => ({ hostId: id, fixed }))
    const robin = await addEventType(db(), team, { holds: true, assignment: 'round-robin' }, seats(false))
    const both = await addEventType(db(), team, { holds: true }, seats(true))
    const [turns, together] = [offerOf(team.slug, robin), offerOf(team.slug, both)]
    const first = (await turns.hold(TUESDAY_NINE)).json()
    assert.equal((await turns.hold(TUESDAY_NINE)).statusCode, 201, 'the other host')
    assert.equal((await turns.hold(TUESDAY_NINE)).statusCode, 400)
    assert.equal((await together.hold(TUESDAY_NINE)).statusCode, 400)
    assert.equal((await turns.book(TUESDAY_NINE, { holdId: first.holdId })).statusCode, 201)
    const all = (await together.hold(TUESDAY_NINE + HOUR)).json()
    assert.equal((await turns.hold(TUESDAY_NINE + HOUR)).statusCode, 400)
    assert.equal((await together.book(TUESDAY_NINE + HOUR, { holdId: all.holdId })).statusCode, 201)
    const { rows } = await sql<{ count: number }>`select count(*) as count from claims
      where meeting_id = ${all.holdId}`.execute(db())
    assert.equal(Number(rows[0]?.count), 0)
  })
})
