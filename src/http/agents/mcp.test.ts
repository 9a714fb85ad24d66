import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
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
import { FORM_DEFAULTS } from '../../domain/forms/routing.ts'
import { HOUR } from '../../domain/interval.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { insertForm } from '../../store/forms/forms.ts'

const WEEK = { dateFrom: '2027-01-12', dateTo: '2027-01-15', timezone: 'UTC' }
const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

onEveryDatabase('the MCP endpoint', ({ db }) => {
  let app: FastifyInstance
  let mailbox: readonly Mail[]
  let url: URL
  let ada: Scheduler
  let talk: EventType
  const clients: Client[] = []

  before(async () => {
    ;({ app, mailbox } = await appOn(db(), { now: stoppedClock().now }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = new URL(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`)
    ada = await addUser(db(), 'ada')
    talk = await addEventType(db(), ada, { slug: 'talk', name: 'A talk' })
    await addEventType(db(), ada, { slug: 'secret', hidden: true })
    await addEventType(db(), ada, {
      slug: 'asking',
      questions: [{ key: 'topic', label: 'Topic', type: 'text', required: true, options: [] }],
    })
    await insertForm(db(), {
      ...FORM_DEFAULTS,
      id: '01980a5e-5c00-7000-8000-0000000000f1',
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'why', label: 'Why?', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'routeToEvent', eventTypeId: talk.id },
    })
  })
  after(() => app.close())
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
  })

  /** An agent, with its own IP address unless another is given. */
  async function connect(headers: Record<string, string> = fromSomeoneNew(), era: Era = 'auto') {
    const client = new Client({ name: 'a-test', version: '1.0.0' }, { versionNegotiation: { mode: era } })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    clients.push(client)
    const call = async (name: string, given: Record<string, unknown>) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
      const texts = (content as { text: string }[]).map(({ text }) => text)
      // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
      return { isError: isError === true, texts, result: structuredContent as any }
    }
    return { client, call }
  }

  const guest = (startsAt: number, given: Record<string, unknown> = {}) => ({
    userSlug: 'ada',
    eventSlug: 'talk',
    ...bookingOf(talk, startsAt),
    ...given,
  })

  for (const era of ['auto', 'legacy'] as const) {
    const day = era === 'auto' ? TUESDAY_TEN : TUESDAY_TEN + 24 * HOUR

    describe(`to a client that speaks its ${era === 'auto' ? 'newest' : 'older'} revisions`, () => {
      it('lists, finds, books, reschedules and cancels', async () => {
        const { client, call } = await connect(fromSomeoneNew(), era)
        assert.equal(client.getProtocolEra(), era === 'auto' ? 'modern' : 'legacy')

        const listed = await call('list_event_types', { userSlug: 'ada' })
        assert.equal(listed.result.host.name, ada.name)
        const slugs = listed.result.eventTypes.map(({ slug }: { slug: string }) => slug)
        assert.deepEqual(slugs.toSorted(), ['asking', 'talk'])

        const found = await call('find_slots', { userSlug: 'ada', eventSlug: 'talk', ...WEEK })
        const starts = found.result.dates.flatMap(({ slots }: { slots: { startTime: string }[] }) =>
          slots.map(({ startTime }) => Date.parse(startTime)),
        )
        assert.ok(starts.includes(day))
        assert.deepEqual(JSON.parse(found.texts[0] as string), found.result)

        const booked = await call('book', guest(day, { inviteeEmail: 'grace@guests.example' }))
        assert.equal(booked.result.status, 'Confirmed')
        const own = { id: booked.result.id, token: booked.result.token }
        const page = await app.inject({ url: booked.result.manageUrl })
        assert.deepEqual([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
        const seen = await call('get_booking', own)
        assert.equal(seen.result.invitee.email, 'grace@guests.example')
        assert.equal(seen.result.canReschedule, true)

        const startTime = new Date(day + HOUR).toISOString()
        const moved = await call('reschedule_booking', { ...own, startTime })
        assert.equal(Date.parse(moved.result.startTime), day + HOUR)
        const cancelled = await call('cancel_booking', { ...own, reason: 'Rain.' })
        assert.deepEqual([cancelled.result.status, cancelled.result.reason], ['Cancelled', 'Rain.'])

        const again = await call('find_slots', { userSlug: 'ada', eventSlug: 'talk', ...WEEK })
        assert.deepEqual(again.result, found.result, 'its slots are free again')
      })

      it('leads on by a form', async () => {
        const { call } = await connect(fromSomeoneNew(), era)
        const form = await call('get_routing_form', { userSlug: 'ada', formSlug: 'contact' })
        assert.equal(form.result.fields[0].id, 'why')
        const led = await call('evaluate_routing_form', {
          userSlug: 'ada',
          formSlug: 'contact',
          answers: { why: 'To talk.' },
        })
        assert.equal(led.result.eventTypeSlug, 'talk')
        const routing = led.result.routingToken
        const path = { userSlug: 'ada', eventSlug: 'talk', routing }
        assert.equal((await call('list_event_types', path)).result.eventTypes[0].slug, 'talk')
        const week = { dateFrom: '2027-01-25', dateTo: '2027-01-29', timezone: 'UTC' }
        const [day] = (await call('find_slots', { ...path, ...week })).result.dates
        const { startTime } = day.slots[0]
        const booked = await call('book', { ...guest(Date.parse(startTime)), ...path })
        assert.equal(booked.result.startTime, startTime)
        const again = await call('find_slots', { ...path, ...week })
        assert.deepEqual([again.isError, again.texts[0]], [true, 'Please start again from the form.'])
        const { count } = await db()
          .selectFrom('routing_responses')
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        assert.ok(Number(count) > 0, 'the host has the answers')
      })
    })
  }

  it('shows what each tool takes and does', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), [
      'book',
      'cancel_booking',
      'evaluate_routing_form',
      'find_slots',
      'get_booking',
      'get_routing_form',
      'list_event_types',
      'reschedule_booking',
      'verify_email',
    ])
    const hints = (hint: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
    assert.deepEqual(hints('readOnlyHint'), [
      'list_event_types',
      'find_slots',
      'get_routing_form',
      'get_booking',
    ])
    assert.deepEqual(hints('destructiveHint'), ['reschedule_booking', 'cancel_booking'])
    const book = tools.find(({ name }) => name === 'book')
    const required = ['userSlug', 'eventSlug', 'startTime', 'endTime', 'inviteeName', 'inviteeEmail']
    assert.deepEqual(book?.inputSchema.required?.toSorted(), [...required, 'inviteeTimezone'].toSorted())
    assert.ok(Object.keys(book?.inputSchema.properties ?? {}).includes('idempotencyKey'))
    for (const { outputSchema, description } of tools) {
      assert.equal(outputSchema?.type, 'object')
      assert.ok(description)
    }
  })

  it('books a series at a chosen place with others, for a guest who proves their address', async () => {
    const rich = await addEventType(db(), ada, {
      slug: 'rich',
      locations: [
        { id: 'here', type: 'InPerson', value: '1 Main St', provider: '', label: '' },
        { id: 'call', type: 'Phone', value: '', provider: '', label: 'We call' },
      ],
      maxGuests: 2,
      series: { every: ['week'], most: 4 },
      confirmEmail: true,
    })
    const { call } = await connect()
    const to = { userSlug: 'ada', eventSlug: 'rich' }
    const booking = guest(TUESDAY_TEN + 54 * HOUR, {
      ...to,
      inviteeEmail: 'rich@guests.example',
      inviteePhone: '+1 202 555 0123',
      locationId: 'call',
      guests: ['friend@guests.example'],
      repeat: { every: 'week', count: 3 },
    })
    assert.equal((await call('book', booking)).isError, true, 'without a code')
    assert.equal((await call('verify_email', { ...to, email: 'rich@guests.example' })).isError, false)
    const mail = mailbox.findLast((one) => one.to === 'rich@guests.example')
    const [emailCode] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? []
    const booked = await call('book', { ...booking, emailCode })
    assert.equal(booked.isError, false, booked.texts.join())
    assert.equal(booked.result.location.value, '+1 202 555 0123')
    assert.equal(booked.result.series.length, 3)
    const rows = await db()
      .selectFrom('bookings')
      .select('guests')
      .where('event_type_id', '=', rich.id)
      .execute()
    assert.deepEqual(
      rows.map(({ guests }) => guests),
      Array(3).fill('["friend@guests.example"]'),
    )
  })

  it('finds a hidden event type by its slug', async () => {
    const { call } = await connect()
    const { result } = await call('list_event_types', { userSlug: 'ada', eventSlug: 'secret' })
    assert.deepEqual(
      result.eventTypes.map(({ slug }: { slug: string }) => slug),
      ['secret'],
    )
  })

  it('answers a wrong call with the sentence of the HTTP interface', async () => {
    const { call } = await connect()
    const path = { userSlug: 'ada', eventSlug: 'asking' }
    const body = bookingOf(talk, TUESDAY_TEN)
    const cases: [string, Record<string, unknown>, string | RegExp][] = [
      ['list_event_types', {}, 'userSlug is required.'],
      ['list_event_types', { userSlug: 'nobody' }, 'There is no booking page at this address.'],
      ['list_event_types', { userSlug: '..' }, 'There is no booking page at this address.'],
      ['find_slots', { ...path, ...WEEK, dateTo: 'soon' }, 'dateTo must be a date such as 2030-01-31.'],
      ['find_slots', { ...path, dateFrom: '2027-01-12' }, 'dateTo is required.'],
      ['find_slots', { ...path, eventSlug: '../../..', ...WEEK }, /^There is no such event type/],
      ['book', { ...path, ...body, inviteeName: undefined }, 'inviteeName is required.'],
      ['book', { ...path, ...body, inviteeName: 5 }, 'inviteeName must be text.'],
      ['book', { ...path, ...body }, '"Topic" is required.'],
      ['book', guest(TUESDAY_TEN - 24 * HOUR), /^This time is no longer available/],
      ['book', guest(TUESDAY_TEN, { idempotencyKey: 'a key' }), /^Idempotency-Key must be/],
      ['get_routing_form', { userSlug: 'ada', formSlug: 'none' }, /^There is no such form/],
      ['evaluate_routing_form', { userSlug: 'ada', formSlug: 'contact', answers: {} }, '"Why?" is required.'],
      ['get_booking', { id: talk.id, token: 'guessed' }, /^There is no such booking/],
      ['cancel_booking', { id: talk.id }, /^There is no such booking/],
    ]
    for (const [name, given, sentence] of cases) {
      const { isError, texts } = await call(name, given)
      assert.ok(isError, name)
      if (typeof sentence === 'string') assert.equal(texts[0], sentence)
      else assert.match(texts[0] as string, sentence)
    }
  })

  it('changes no booking without its token', async () => {
    const { call } = await connect()
    const { result } = await call('book', guest(TUESDAY_TEN + 2 * HOUR))
    const wrong = { id: result.id, token: `${result.token.slice(0, -1)}_` }
    for (const name of ['get_booking', 'cancel_booking']) assert.ok((await call(name, wrong)).isError)
    assert.equal(
      (await call('get_booking', { id: result.id, token: result.token })).result.status,
      'Confirmed',
    )
  })

  it('books once for a key, over MCP and HTTP together', async () => {
    const { call } = await connect()
    const asked = guest(TUESDAY_TEN + 3 * HOUR)
    const { userSlug: _, eventSlug: __, ...payload } = asked
    const first = await call('book', { ...asked, idempotencyKey: 'one-and-the-same' })
    const second = await call('book', { ...asked, idempotencyKey: 'one-and-the-same' })
    assert.equal(second.result.id, first.result.id)
    const other = await call('book', { ...asked, inviteeName: 'Else', idempotencyKey: 'one-and-the-same' })
    assert.match(other.texts[0] as string, /^This Idempotency-Key was used before/)
    const third = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/ada/talk/book',
      headers: { ...fromSomeoneNew(), 'idempotency-key': 'one-and-the-same' },
      payload,
    })
    assert.equal(third.json().id, first.result.id)
  })

  it('counts requests to book together with those over HTTP, by the address of who asks', async () => {
    const address = fromSomeoneNew()
    const { call } = await connect(address)
    const viaHttp = () =>
      app.inject({
        method: 'POST',
        url: '/api/public/scheduling/ada/talk/book',
        headers: address,
        payload: {},
      })
    for (let turn = 0; turn < 7; turn++) {
      assert.equal((await viaHttp()).statusCode, 400)
      assert.match((await call('book', guest(MONDAY_NOON - HOUR))).texts[0] as string, /no longer available/)
    }
    assert.equal((await viaHttp()).statusCode, 400)
    assert.match((await call('book', guest(MONDAY_NOON - HOUR))).texts[0] as string, /^Too many requests/)
    assert.equal((await viaHttp()).statusCode, 429)
    const someoneElse = await connect()
    assert.match(
      (await someoneElse.call('book', guest(MONDAY_NOON - HOUR))).texts[0] as string,
      /no longer available/,
    )
  })

  it('offers no subscription to lists that never change', async () => {
    const { client } = await connect()
    await assert.rejects(client.listen({ toolsListChanged: true }), /limit/i)
  })

  it('refuses to book while it shuts down', async () => {
    const { app: stopping } = await appOn(db(), { now: stoppedClock().now })
    const closing = Promise.withResolvers<void>()
    stopping.addHook('preClose', async () => closing.resolve())
    await stopping.listen({ port: 0, host: '127.0.0.1' })
    const params = { name: 'book', arguments: guest(TUESDAY_TEN + 4 * HOUR) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = httpRequest({
      port: (stopping.server.address() as AddressInfo).port,
      path: '/mcp',
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      },
    })
    request.write(body.slice(0, 10))
    await once(stopping.server, 'request')
    const closed = stopping.close()
    await closing.promise
    request.end(body.slice(10))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    assert.match(Buffer.concat(await response.toArray()).toString(), /shutting down/)
    await closed
    const { call } = await connect()
    assert.equal((await call('book', params.arguments)).isError, false, 'the slot is still free')
  })

  describe('as HTTP', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const accept = 'application/json, text/event-stream'
    const post = (payload: unknown, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: '/mcp',
        headers: { accept, 'content-type': 'application/json', ...headers },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      })

    it('has no sessions to listen to or to end', async () => {
      for (const method of ['GET', 'DELETE'] as const) {
        const { statusCode, headers } = await app.inject({ method, url: '/mcp', headers: { accept } })
        assert.deepEqual([statusCode, headers.allow], [405, 'POST'])
      }
      const { statusCode, headers } = await post(message)
      assert.equal(statusCode, 200)
      assert.equal(headers['mcp-session-id'], undefined)
    })

    it('refuses pages of other origins, and no program', async () => {
      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:3000', '']) {
        assert.equal((await post(message, { origin })).statusCode, 403, origin)
      }
      assert.equal((await post(message, { origin: 'https://book.example.com' })).statusCode, 200)
    })

    it('takes one JSON message at a time, of limited size', async () => {
      const book = {
        ...message,
        method: 'tools/call',
        params: { name: 'book', arguments: guest(TUESDAY_TEN) },
      }
      assert.equal((await post([book, book])).statusCode, 400)
      assert.equal((await post('{')).statusCode, 400)
      assert.equal((await post('')).statusCode, 400)
      assert.equal((await post('"text"')).statusCode, 400)
      assert.equal((await post({ ...message, pad: 'x'.repeat(70_000) })).statusCode, 413)
      assert.equal((await post(message, { 'content-type': 'text/plain' })).statusCode, 415)
    })
  })
})

type Era = 'auto' | 'legacy'
