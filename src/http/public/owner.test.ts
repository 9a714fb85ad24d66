import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addForm } from '../../../test/forms.ts'
import {
  addEventType,
  addTeam,
  addUser,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  stoppedClock,
} from '../../../test/kit.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { OwnerRule } from '../../domain/forms/owner.ts'
import type { RoutingForm } from '../../domain/forms/routing.ts'
import { DAY, HOUR } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { completeBookings } from '../../services/bookings/complete.ts'
import type { Context } from '../../services/context.ts'
import { explainHosts } from '../../services/forms/explain-hosts.ts'

const NINE = MONDAY_NOON + 21 * HOUR
const EMAIL = { id: 'mail', label: 'Your email', type: 'email', required: false, options: [] } as const

onEveryDatabase('a guest who returns', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let team: Scheduler
  let ann: Scheduler
  let ben: Scheduler
  let eve: Scheduler
  let own: Record<string, EventType>
  let call: EventType
  let guests = 0

  before(async () => {
    const made = await appOn(db(), { now: clock.now })
    app = made.app
    context = made.context
    team = await addTeam(db(), 'sales')
    ann = await addUser(db(), 'ann')
    ben = await addUser(db(), 'ben')
    eve = await addUser(db(), 'eve')
    own = {}
    for (const host of [ann, ben, eve]) own[host.slug] = await addEventType(db(), host, { slug: 'own' })
    call = await addCall('call')
  })

  const addCall = (slug: string, given: Partial<EventType> = {}) => {
    const hosts = [ann, ben, eve].map(({ id }) => ({ hostId: id, fixed: false }))
    return addEventType(db(), team, { slug, assignment: 'round-robin', ...given }, hosts)
  }
  const formTo = (owner: OwnerRule, eventTypeId = call.id) =>
    addForm(db(), team, { fields: [EMAIL], fallback: { action: 'routeToEvent', eventTypeId, owner } })
  const post = async (url: string, payload: object, status: number) => {
    const reply = await app.inject({ method: 'POST', url, payload, headers: fromSomeoneNew() })
    assert.equal(reply.statusCode, status, reply.body)
    return reply
  }
  /** A meeting with a host at one of their own event types. */
  const meet = async (host: Scheduler, email: string, at: number) => {
    const eventType = own[host.slug] as EventType
    const body = bookingOf(eventType, at, { inviteeEmail: email })
    return post(`/api/public/scheduling/${host.slug}/own/book`, body, 201)
  }
  /** Where a visitor is led, from what is stored. */
  const routeOf = async (form: RoutingForm, email: string, query = '') => {
    const answers = email === '' ? {} : { mail: email }
    await post(`/api/public/routing/sales/${form.slug}/evaluate${query}`, { answers }, 200)
    const row = await db()
      .selectFrom('routing_responses')
      .select('route')
      .where('form_id', '=', form.id)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row?.route ? JSON.parse(row.route) : null
  }
  const ownerOf = async (form: RoutingForm, email: string) => {
    const route = await routeOf(form, email)
    if (route === null) return null
    assert.equal(route.reason, 'owner')
    return [ann, ben, eve].find(({ id }) => id === route.hostIds[0])?.slug
  }
  const someone = (domain = 'acme.example') => `guest-${guests++}@${domain}`
  const later = async <T>(at: number, work: () => Promise<T>): Promise<T> => {
    clock.moveTo(at)
    try {
      return await work()
    } finally {
      clock.moveTo(MONDAY_NOON)
    }
  }

  it('goes to the host whom they met last, whose booking says so', async () => {
    const form = await formTo({ days: 30, by: 'email' })
    const guest = someone()
    await meet(ann, guest, NINE)
    await meet(ben, guest.toUpperCase(), NINE + DAY)
    await meet(eve, someone(), NINE + DAY)
    assert.equal(await ownerOf(form, guest), null, 'nothing has started yet')
    await later(NINE + 2 * DAY, async () => {
      assert.equal(await ownerOf(form, guest), 'ben')
      const tried = await explainHosts(context, form, form.fallback, { mail: guest })
      assert.deepEqual([tried?.leadsTo, tried?.reason], ['owner', 'Met this guest in the last 30 days.'])
      const stranger = await explainHosts(context, form, form.fallback, { mail: someone() })
      assert.equal(stranger?.leadsTo, 'all')
      const result = await post(
        `/api/public/routing/sales/${form.slug}/evaluate`,
        { answers: { mail: guest.replace('@', '+again@') } },
        200,
      )
      const url = `/api/public/scheduling/sales/call/book?routing=${result.json().routingToken}`
      const booked = await post(url, bookingOf(call, NINE + 3 * DAY), 201)
      const { assignment } = await db()
        .selectFrom('bookings')
        .select('assignment')
        .where('id', '=', booked.json().id)
        .executeTakeFirstOrThrow()
      const { hostId, reason, detail } = JSON.parse(assignment ?? '{}')
      assert.deepEqual([hostId, reason, detail], [ben.id, 'owner', 'Met this guest in the last 30 days.'])
      assert.equal(await ownerOf(form, someone()), null)
      assert.equal(await routeOf(form, ''), null)
    })
  })

  it('counts from when the meeting started, and only meetings that took place', async () => {
    const form = await formTo({ days: 2, by: 'email' })
    const guest = someone()
    const first = await meet(ann, guest, NINE + HOUR)
    await later(NINE + HOUR - 1, async () => assert.equal(await ownerOf(form, guest), null))
    await later(NINE + HOUR, async () => assert.equal(await ownerOf(form, guest), 'ann'))
    await later(NINE + HOUR + 2 * DAY - 1, async () => {
      await completeBookings(context)
      assert.equal(await ownerOf(form, guest), 'ann', 'completed')
    })
    await later(NINE + HOUR + 2 * DAY, async () => assert.equal(await ownerOf(form, guest), null))
    const { id } = first.json()
    for (const status of ['NoShow', 'Cancelled', 'Declined', 'PendingApproval']) {
      await db().updateTable('bookings').set({ status }).where('id', '=', id).execute()
      await later(NINE + DAY, async () => assert.equal(await ownerOf(form, guest), null, status))
    }
  })

  it('goes to whom their company met, but to their own host first', async () => {
    const form = await formTo({ days: 30, by: 'domain' })
    const exact = await formTo({ days: 30, by: 'email' })
    const [grace, tom] = [someone('corp.example'), someone('corp.example')]
    await meet(ann, grace, NINE + 2 * HOUR)
    await meet(ben, tom, NINE + 3 * HOUR)
    const [gina, gus] = [someone('gmail.com'), someone('gmail.com')]
    await meet(eve, gina, NINE + 3 * HOUR)
    for (const complete of [false, true]) {
      await later(NINE + 3 * HOUR + 10 * 60_000 + (complete ? DAY : 0), async () => {
        if (complete) await completeBookings(context)
        const other = someone('corp.example')
        assert.equal(await ownerOf(form, other), 'ben', 'the last whom they met')
        assert.equal(await ownerOf(exact, other), null)
        assert.equal(await ownerOf(form, grace), 'ann')
        assert.equal(await ownerOf(form, someone('mail.corp.example')), null)
        assert.equal(await ownerOf(form, someone('rp.example')), null)
        // Strangers share the domain, too.
        assert.equal(await ownerOf(form, gus), null)
        assert.equal(await ownerOf(form, gina), 'eve')
      })
    }
    assert.match(
      (await later(NINE + DAY, () => routeOf(form, someone('corp.example')))).detail,
      /^Met someone at corp\.example in/,
    )
  })

  it('goes to someone else once the host is not offered', async () => {
    const form = await formTo({ days: 30, by: 'email' })
    const guest = someone()
    await meet(ann, guest, NINE + 4 * HOUR)
    await meet(ben, guest, NINE + 5 * HOUR)
    await later(NINE + DAY, async () => {
      assert.equal(await ownerOf(form, guest), 'ben')
      // Not here: of another event type, of a collective one, and of one with seats.
      const alone = await addEventType(db(), team, { slug: 'alone' }, [{ hostId: ben.id, fixed: false }])
      const together = await addCall('together', { assignment: 'collective' })
      const others = await addEventType(db(), team, { slug: 'others', assignment: 'round-robin' }, [
        { hostId: ben.id, fixed: true },
        { hostId: eve.id, fixed: false },
        { hostId: ann.id, fixed: false },
      ])
      for (const [eventType, slug] of [
        [alone, null],
        [together, null],
        [others, 'ann'],
      ] as const) {
        assert.equal(await ownerOf(await formTo({ days: 30, by: 'email' }, eventType.id), guest), slug)
      }
      const off = { user_id: ben.id, starts_at: 0, ends_at: NINE + 90 * DAY, note: '' }
      await db()
        .insertInto('absences')
        .values({ id: '01a1e503-44d0-739d-99da-a7bed88c92b1', ...off })
        .execute()
      context.slots.settingsChanged([ben.id])
      assert.equal(await ownerOf(form, guest), 'ann', 'the one before: Ben has no start within 60 days')
      await db().updateTable('schedulers').set({ disabled_at: 1 }).where('id', '=', ann.id).execute()
      context.slots.settingsChanged([ann.id])
      assert.equal(await ownerOf(form, guest), null)
      await db().updateTable('schedulers').set({ disabled_at: null }).where('id', '=', ann.id).execute()
      context.slots.settingsChanged([ann.id])
    })
  })

  it('is found by a meeting that several hosts attended', async () => {
    const both = await addEventType(db(), team, { slug: 'both' }, [
      { hostId: eve.id, fixed: true },
      { hostId: ann.id, fixed: true },
    ])
    const pair = await addEventType(db(), team, { slug: 'pair', assignment: 'round-robin' }, [
      { hostId: ann.id, fixed: false },
      { hostId: ben.id, fixed: false },
    ])
    const guest = someone()
    const body = bookingOf(both, NINE + 6 * HOUR, { inviteeEmail: guest })
    await post('/api/public/scheduling/sales/both/book', body, 201)
    await later(NINE + 7 * HOUR, async () => {
      assert.equal(await ownerOf(await formTo({ days: 1, by: 'email' }, pair.id), guest), 'ann')
    })
  })
})
