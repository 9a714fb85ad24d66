import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse as Reply } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { addForm, tokenFor } from '../../../test/forms.ts'
import { type Host, signIn } from '../../../test/host-api.ts'
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
import { untilSomeoneWaits } from '../../../test/standstill.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import type { RoutingForm } from '../../domain/forms/routing.ts'
import { HOUR } from '../../domain/interval.ts'
import { bookingLane } from '../../domain/job.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { bookingPayload } from '../../domain/webhooks/webhook.ts'
import { getBookingChange } from '../../services/bookings/load-change.ts'
import type { Context } from '../../services/context.ts'
import { newId } from '../../store/new-id.ts'
import { insertTeamMember } from '../../store/people/members.ts'

const WEEK = 'dateFrom=2027-01-12&dateTo=2027-01-18&timezone=UTC'
const TUESDAY_NINE = Date.UTC(2027, 0, 12, 9)
const SENTENCE = { error: 'Please start again from the form.' }

onEveryDatabase('routing tokens', ({ db, engine }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let context: Context
  let admin: Host
  let team: Scheduler
  let ann: Scheduler
  let ben: Scheduler
  let eve: Scheduler
  let slugs = 0

  before(async () => {
    const made = await appOn(db(), { now: clock.now, signup: 'open' })
    app = made.app
    context = made.context
    admin = await signIn(app, made.mailbox, 'admin@hosts.example')
    team = await addTeam(db(), 'sales')
    await insertTeamMember(db(), { teamId: team.id, userId: admin.user.id, role: 'admin' }, 0)
    ann = await addUser(db(), 'ann')
    ben = await addUser(db(), 'ben')
    eve = await addUser(db(), 'eve')
  })

  const get = (url: string, headers = {}) => app.inject({ url, headers })
  const post = (url: string, payload: object, headers = {}) =>
    app.inject({ method: 'POST', url, headers: { ...fromSomeoneNew(), ...headers }, payload })

  /** A round robin of Ann, Ben and Eve, with a form that leads there. */
  async function addRoundRobin(given: Partial<EventType> = {}) {
    const hosts = [ann, ben, eve].map(({ id }) => ({ hostId: id, fixed: false }))
    const slug = `call-${slugs++}`
    const call = await addEventType(db(), team, { slug, assignment: 'round-robin', ...given }, hosts)
    const form = await addForm(db(), team, { fallback: { action: 'routeToEvent', eventTypeId: call.id } })
    const base = `/api/public/scheduling/sales/${slug}`
    const through = (token: string | undefined) => (token === undefined ? '' : `routing=${token}`)
    return {
      call,
      form,
      base,
      page: `/sales/${slug}`,
      list: (token?: string) => get(`${base}/slots?${WEEK}&${through(token)}`),
      book: (token: string | undefined, at: number, given: object = {}, headers = {}) =>
        post(`${base}/book?${through(token)}`, { ...bookingOf(call, at), ...given }, headers),
      to: (...hostIds: string[]) =>
        tokenFor(context, form, call.id, { hostIds, reason: 'filter', detail: 'Region is EMEA.' }),
    }
  }
  const evaluate = (form: RoutingForm, query = '') =>
    post(`/api/public/routing/sales/${form.slug}/evaluate${query}`, { answers: {} })
  const booked = (reply: Reply): string => {
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json().id
  }
  const refused = (reply: Reply) => {
    assert.deepEqual([reply.statusCode, reply.json()], [400, SENTENCE])
  }
  const adminView = async (id: string) => (await admin.get(`/bookings/${id}`)).json()
  const responseTo = async (form: RoutingForm, responseId: string) => {
    const { items } = (await admin.get(`/routing-forms/${form.id}/responses`)).json()
    return items.find(({ id }: { id: string }) => id === responseId)
  }
  const countBookings = async ({ id }: EventType) =>
    (await db().selectFrom('bookings').select('id').where('event_type_id', '=', id).execute()).length

  it('come with answers that lead to an event type, and with no others', async () => {
    const { form, page } = await addRoundRobin()
    const keys = ['action', 'eventTypeSlug', 'eventTypeName', 'redirectUrl', 'message']
    const result = (await evaluate(form)).json()
    assert.deepEqual(Object.keys(result), [...keys, 'routingToken', 'bookingUrl'])
    assert.equal(result.bookingUrl, `https://book.example.com${page}?routing=${result.routingToken}`)
    assert.deepEqual(Object.keys((await evaluate(form, '?dryRun=true')).json()), keys)
    assert.deepEqual(Object.keys((await evaluate(await addForm(db(), team))).json()), keys)
  })

  it('link the response and the booking, for hosts, in files and in webhooks', async () => {
    const { form, book } = await addRoundRobin()
    const { routingToken } = (await evaluate(form)).json()
    const { items } = (await admin.get(`/routing-forms/${form.id}/responses`)).json()
    assert.equal(items[0].bookingId, null)
    const id = booked(await book(routingToken, TUESDAY_NINE))
    const routing = { formId: form.id, responseId: items[0].id }
    assert.deepEqual((await adminView(id)).routing, routing)
    assert.equal((await responseTo(form, items[0].id)).bookingId, id)
    assert.match((await admin.get(`/routing-forms/${form.id}/responses.csv`)).body, new RegExp(`,${id}\r\n$`))
    const csv = (await admin.get(`/bookings.csv?eventTypeId=${(await adminView(id)).eventTypeId}`)).body
    assert.match(csv, new RegExp(`${id},${form.id},${items[0].id}`))
    const row = db().selectFrom('outbox').select('data').where('lane', '=', bookingLane(id))
    const record = JSON.parse((await row.executeTakeFirstOrThrow()).data)
    assert.deepEqual(bookingPayload(await getBookingChange(db(), record)).data.routing, routing)
    // Other bookings have none.
    assert.equal((await adminView(booked(await book(undefined, TUESDAY_NINE)))).routing, null)
  })

  it('narrow what is listed, held and booked to the hosts of the route', async () => {
    const { call, base, list, book, to } = await addRoundRobin({ holds: true })
    const at = TUESDAY_NINE + HOUR
    const first = await to(ben.id)
    const id = booked(await book(first.token, at))
    assert.equal((await adminView(id)).hostId, ben.id)
    assert.deepEqual((await adminView(id)).assignment, {
      hostId: ben.id,
      reason: 'filter',
      detail: 'Region is EMEA.',
    })
    const startTime = new Date(at).toISOString().replace('.000', '')
    const second = await to(ben.id)
    assert.doesNotMatch((await list(second.token)).body, new RegExp(`"startTime":"${startTime}"`))
    assert.match((await list()).body, new RegExp(`"startTime":"${startTime}"`), 'the others are free')
    const taken = await book(second.token, at)
    assert.equal(taken.statusCode, 400)
    assert.match(taken.json().error, /no longer available/)
    const { startTime: _, ...times } = bookingOf(call, at)
    const hold = await post(`${base}/hold?routing=${second.token}`, { ...times, startTime })
    assert.equal(hold.statusCode, 400)
    assert.equal((await post(`${base}/hold`, { ...times, startTime })).statusCode, 201)
    // A time that was taken has spent nothing.
    booked(await book(second.token, at + HOUR))
  })

  it('leave the round robin to choose among several hosts, and say so', async () => {
    const { book, to } = await addRoundRobin()
    const hosts: string[] = []
    for (let n = 0; n < 4; n++) {
      const { token } = await to(ann.id, eve.id)
      const at = Date.UTC(2027, 0, 20, 9 + n)
      const { hostId, assignment } = await adminView(booked(await book(token, at)))
      hosts.push(hostId)
      assert.equal(assignment.reason, 'filter')
      assert.equal(assignment.detail, 'Region is EMEA. Next of 2 free hosts.')
    }
    assert.deepEqual(hosts.toSorted(), [ann.id, ann.id, eve.id, eve.id].sort())
  })

  it('keep a booking with those hosts when it moves', async () => {
    const { book, to } = await addRoundRobin()
    const at = Date.UTC(2027, 0, 13, 9)
    const one = await book((await to(ben.id)).token, at)
    booked(one)
    booked(await book((await to(ben.id)).token, at + HOUR))
    const { pathname, search } = new URL(String(one.headers.location))
    const listed = await get(`${pathname}/slots${search}&dateFrom=2027-01-13&dateTo=2027-01-13&timezone=UTC`)
    assert.doesNotMatch(listed.body, /"startTime":"2027-01-13T10:00:00Z"/)
    const move = (startTime: string) => post(`${pathname}/reschedule${search}`, { startTime })
    assert.equal(
      (await move('2027-01-13T10:00:00Z')).statusCode,
      400,
      'Ben is taken, although others are free',
    )
    assert.equal((await move('2027-01-13T11:00:00Z')).statusCode, 200)
  })

  it('let a meeting be handed over, and then move with its new host', async () => {
    const { call, form, book, to } = await addRoundRobin()
    const at = Date.UTC(2027, 0, 21, 9)
    const handOver = async (id: string, body: object) => {
      const reply = await admin.post(`/bookings/${id}/reassign`, body)
      assert.equal(reply.statusCode, 200, reply.body)
      return (await adminView(id)).hostId
    }
    // A filter still holds for the next host; a host who was chosen for this guest can be replaced by any.
    const filtered = booked(await book((await to(ben.id, eve.id)).token, at))
    const [first] = [(await adminView(filtered)).hostId]
    assert.equal(await handOver(filtered, { automatic: true }), first === ben.id ? eve.id : ben.id)
    const owner = { hostIds: [ben.id], reason: 'owner', detail: 'Met this guest.' } as const
    const { token } = await tokenFor(context, form, call.id, owner)
    const owned = await book(token, at + HOUR)
    assert.notEqual(await handOver(booked(owned), { automatic: true }), ben.id)

    assert.equal(await handOver(booked(owned), { hostId: ann.id }), ann.id)
    // It stays with Ann, although Ben is free.
    const { pathname, search } = new URL(String(owned.headers.location))
    const move = (startsAt: number) =>
      post(`${pathname}/reschedule${search}`, { startTime: new Date(startsAt).toISOString() })
    assert.equal((await move(at + 3 * HOUR)).statusCode, 200)
    assert.equal((await adminView(booked(owned))).hostId, ann.id)
  })

  it('open event types that only links open', async () => {
    const { form, base, page, list, book } = await addRoundRobin({ linkOnly: true })
    assert.equal((await list()).statusCode, 404)
    assert.equal((await book(undefined, TUESDAY_NINE)).statusCode, 404)
    const { routingToken } = (await evaluate(form)).json()
    assert.equal((await list(routingToken)).statusCode, 200)
    assert.equal((await get(`${base}/abuse-config?routing=${routingToken}`)).statusCode, 200)
    const widget = (await get(`/api/embed${page}?routing=${routingToken}`)).json()
    assert.equal(new URL(widget.bookUrl).search, `?routing=${routingToken}`)
    assert.match(
      (await get(`${page}.md?routing=${routingToken}`)).body,
      new RegExp(`/book\\?routing=${routingToken}`),
    )
    booked(await book(routingToken, Date.UTC(2027, 0, 14, 9)))
  })

  it('are refused for another event type, of another form, forged, and too late: nothing changes', async () => {
    const { call, form, base, page, list, book, to } = await addRoundRobin()
    const other = await addRoundRobin()
    const { token } = await to(ben.id)
    const [id = '', signature = ''] = [token.slice(0, 36), token.slice(36)]
    const elsewhere = await other.to(ben.id)
    const bad = [
      // Of another form, and for another event type.
      elsewhere.token,
      // The response of one form with the signature of another.
      elsewhere.responseId + signature,
      id + elsewhere.token.slice(36),
      `${token}x`,
      token.slice(0, -1),
      id,
      '',
      'nonsense',
      `${id}_${'A'.repeat(43)}`,
      `${token}&routing=${token}`,
    ]
    const before = await countBookings(call)
    for (const one of bad) {
      refused(await list(one))
      refused(await book(one, TUESDAY_NINE + 3 * HOUR))
      for (const path of ['abuse-config', 'challenge']) refused(await get(`${base}/${path}?routing=${one}`))
      refused(await post(`${base}/hold?routing=${one}`, bookingOf(call, TUESDAY_NINE + 3 * HOUR)))
      refused(await get(`${page}.json?routing=${one}`))
    }
    const shown = await get(`${page}?routing=nonsense&lang=de`, { accept: 'text/html' })
    assert.equal(shown.statusCode, 400)
    assert.match(shown.body, /Bitte beginnen Sie noch einmal mit dem Formular/)

    clock.moveTo(MONDAY_NOON + 24 * HOUR - 1)
    assert.equal((await list(token)).statusCode, 200)
    clock.moveTo(MONDAY_NOON + 24 * HOUR)
    refused(await list(token))
    refused(await book(token, TUESDAY_NINE + 30 * HOUR))
    clock.moveTo(MONDAY_NOON)
    assert.equal(await countBookings(call), before)
    assert.equal((await responseTo(form, id)).bookingId, null)
    // A form that is gone takes its tokens with it.
    assert.equal((await admin.del(`/routing-forms/${form.id}?force=true`)).statusCode, 204)
    refused(await book(token, TUESDAY_NINE + 3 * HOUR))
  })

  it('book once, and cancelling gives nothing back', async () => {
    const { call, form, list, book, to } = await addRoundRobin()
    const { token, responseId } = await to(eve.id)
    const at = Date.UTC(2027, 0, 15, 9)
    const key = { 'idempotency-key': 'the-same' }
    const body = bookingOf(call, at)
    const first = await book(token, at, body, key)
    const id = booked(first)
    assert.deepEqual((await book(token, at, body, key)).json(), first.json(), 'a repeat gets its answer')
    refused(await book(token, at + HOUR))
    refused(await book(token, at + HOUR, {}, { 'idempotency-key': 'another' }))
    refused(await list(token))
    const { pathname, search } = new URL(String(first.headers.location))
    assert.equal((await post(`${pathname}/cancel${search}`, {})).statusCode, 200)
    refused(await book(token, at + HOUR))
    assert.equal((await responseTo(form, responseId)).bookingId, id)
    assert.equal(await countBookings(call), 1)
  })

  it('book once, however many try at the same time', async () => {
    const { call, book, to } = await addRoundRobin()
    // Warms the connections, so that they do run at the same time.
    await Promise.all(Array.from({ length: 6 }, () => book('nonsense', TUESDAY_NINE)))
    const { token } = await to(ann.id, ben.id, eve.id)
    const at = Date.UTC(2027, 0, 18, 9)
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => book(token, at + n * HOUR)))
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [201, 400, 400, 400, 400, 400])
    for (const reply of replies.filter(({ statusCode }) => statusCode === 400)) refused(reply)
    assert.equal(await countBookings(call), 1)
  })

  if (engine === 'postgres') {
    it('wait for another instance that is using them', async () => {
      const { book, to } = await addRoundRobin()
      const { token, responseId } = await to(ann.id)
      const other = await db().startTransaction().execute()
      const spent = other.updateTable('routing_responses').set({ booking_id: newId() })
      await spent.where('id', '=', responseId).execute()
      const attempt = book(token, Date.UTC(2027, 0, 22, 9))
      await untilSomeoneWaits(db(), attempt)
      await other.commit().execute()
      refused(await attempt)
    })
  }

  it('book a whole series at once', async () => {
    const series = { every: ['week'], most: 3 } as const
    const { form, book, to } = await addRoundRobin({ series, window: { kind: 'unlimited' } })
    const { token, responseId } = await to(ben.id)
    const at = Date.UTC(2027, 2, 2, 9)
    const reply = await book(token, at, { repeat: { every: 'week', count: 3 } })
    const id = booked(reply)
    for (const meeting of reply.json().series) {
      const { hostId, routing, assignment } = await adminView(meeting.id)
      assert.deepEqual(
        [hostId, routing, assignment.reason],
        [ben.id, { formId: form.id, responseId }, 'filter'],
      )
    }
    assert.equal((await responseTo(form, responseId)).bookingId, id)
    refused(await book(token, at + HOUR))
  })

  it('do not choose among guests who share a slot, nor record a choice that was none', async () => {
    const { book, to, call } = await addRoundRobin({ assignment: 'collective', seats: 3 })
    const view = await adminView(booked(await book((await to(ben.id)).token, Date.UTC(2027, 0, 19, 9))))
    assert.equal(view.assignment, null)
    assert.equal(view.hostIds.length, 3)
    assert.equal(await countBookings(call), 1)
    // Ann attends every meeting, so a route to her leaves nobody who takes turns.
    const hosts = [ann, ben, eve].map(({ id }) => ({ hostId: id, fixed: id === ann.id }))
    const pair = await addEventType(db(), team, { slug: 'pair', assignment: 'round-robin' }, hosts)
    const route = { hostIds: [ann.id], reason: 'filter', detail: 'Ann.' } as const
    const { token } = await tokenFor(context, await addForm(db(), team), pair.id, route)
    const at = Date.UTC(2027, 0, 22, 10)
    const alone = await post(`/api/public/scheduling/sales/pair/book?routing=${token}`, bookingOf(pair, at))
    assert.equal((await adminView(booked(alone))).assignment, null)
  })
})
