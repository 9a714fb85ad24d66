import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
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
import { addPaymentAccount, PRICE, startPayments } from '../../../test/payments.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { formatInstant } from '../../domain/instant.ts'
import { HOUR } from '../../domain/interval.ts'
import { PAY_WITHIN } from '../../domain/payments/payment.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR

onEveryDatabase('a booking that costs something', ({ db }) => {
  let app: FastifyInstance
  let talk: EventType
  let outside: Awaited<ReturnType<typeof startPayments>>

  before(async () => {
    const clock = stoppedClock()
    outside = await startPayments(clock.now)
    const made = await appOn(db(), { now: clock.now, payments: outside.payments })
    app = made.app
    const ada = await addUser(db(), 'ada')
    await addPaymentAccount(made.context, ada, outside.stripe)
    talk = await addEventType(db(), ada, { slug: 'talk', price: PRICE })
  })
  after(async () => {
    await app.close()
    await outside.stripe.close()
  })

  const payBy = formatInstant(MONDAY_NOON + PAY_WITHIN)
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, headers: { ...fromSomeoneNew(), ...headers }, payload })

  it('tells its guest where and until when to pay, and what it costs', async () => {
    const booked = await post('/api/public/scheduling/ada/talk/book', bookingOf(talk, TUESDAY_TEN))
    assert.equal(booked.statusCode, 201, booked.body)
    const { status, payment, paymentUrl, payBy: until, amountDue } = booked.json()
    assert.deepEqual(
      { status, payment, until, amountDue },
      {
        status: 'PendingPayment',
        payment: { status: 'pending', amount: 4900, currency: 'EUR', refunded: 0 },
        until: payBy,
        amountDue: 4900,
      },
    )
    assert.ok(paymentUrl.startsWith(outside.stripe.url), paymentUrl)
    const { pathname, search } = new URL(String(booked.headers.location))
    const own = (await app.inject({ url: pathname + search })).json()
    assert.equal(own.paymentUrl, paymentUrl)
    assert.equal(own.payBy, payBy)
    assert.deepEqual([own.canCancel, own.canReschedule], [true, false])
    const ended = await post(`${pathname}/cancel${search}`, {})
    assert.equal(ended.json().status, 'Cancelled', ended.body)
    assert.equal(ended.json().paymentUrl, undefined)
  })

  it('tells agents over MCP', async () => {
    const answer = await post(
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'book',
          arguments: { userSlug: 'ada', eventSlug: 'talk', ...bookingOf(talk, TUESDAY_TEN + HOUR) },
        },
      },
      { accept: 'application/json, text/event-stream' },
    )
    assert.equal(answer.statusCode, 200, answer.body)
    assert.match(answer.body, /\/c\/pay\//)
    assert.ok(answer.body.includes(payBy), answer.body)
  })

  it('tells programs for Cal.com that it is pending, and where to pay', async () => {
    const booked = await post(
      '/v2/bookings',
      {
        start: formatInstant(TUESDAY_TEN + 2 * HOUR),
        username: 'ada',
        eventTypeSlug: 'talk',
        attendee: { name: 'Grace Guest', email: 'grace@guests.example', timeZone: 'UTC' },
      },
      { 'cal-api-version': '2024-08-13' },
    )
    assert.equal(booked.statusCode, 201, booked.body)
    const { status, paymentRequired, paymentUrl } = booked.json().data
    assert.deepEqual([status, paymentRequired], ['pending', true])
    assert.ok(paymentUrl.startsWith(outside.stripe.url))
  })
})
