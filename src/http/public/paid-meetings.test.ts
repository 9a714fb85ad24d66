import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import { type Host, signInWithToken } from '../../../test/host-api.ts'
import { runDueJobs } from '../../../test/jobs.ts'
import {
  type AppUnderTest,
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../test/kit.ts'
import { type StripeStandIn, startStripe } from '../../../test/outside/stripe.ts'
import { PRICE } from '../../../test/payments.ts'
import { DAY, HOUR, MINUTE } from '../../domain/interval.ts'
import { PAY_WITHIN } from '../../domain/payments/payment.ts'
import { stripeProvider } from '../../outside/payments/stripe/stripe.ts'

const TUESDAY_TEN = MONDAY_NOON + 22 * HOUR
const WEDNESDAY_TEN = TUESDAY_TEN + DAY
const OFFICE = [{ opens: '09:00', closes: '17:00' }]

interface Meeting {
  readonly id: string
  /** Where its guest changes it. */
  readonly path: (action: string) => string
}

interface Bought extends Meeting {
  readonly sessionId: string
  readonly series: readonly Meeting[]
}

onEveryDatabase('what guests pay for', ({ db }) => {
  const clock = stoppedClock()
  let stripe: StripeStandIn
  let under: AppUnderTest
  let app: FastifyInstance
  let host: Host
  let people = 0

  before(async () => {
    stripe = await startStripe({
      now: clock.now,
      deliver: async (url, payload, headers) => {
        const answer = await app.inject({ method: 'POST', url: new URL(url).pathname, payload, headers })
        return { status: answer.statusCode }
      },
    })
    const payments = stripeProvider({ apiUrl: stripe.url })
    under = await appOn(db(), { now: clock.now, signup: 'open', payments })
    app = under.app
  })
  after(async () => {
    await app.close()
    await stripe.close()
  })
  beforeEach(async () => {
    clock.moveTo(MONDAY_NOON)
    people += 1
    host = await signInWithToken(app, under.mailbox, `host-${people}@hosts.example`)
    const [hours] = (await host.get('/schedules')).json().items
    const weekly = { 1: OFFICE, 2: OFFICE, 3: OFFICE, 4: OFFICE, 5: OFFICE }
    await done(host.patch(`/schedules/${hours.id}`, { timezone: 'UTC', weekly }))
    const { key } = stripe.addAccount(`Account ${people}`)
    await done(host.post('/connections', { provider: 'stripe', secretKey: key }), 201)
  })

  const done = async (asked: ReturnType<Host['get']>, status = 200) => {
    const answer = await asked
    assert.equal(answer.statusCode, status, answer.body)
    return answer.json()
  }
  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url, headers: fromSomeoneNew(), payload })

  /** An event type at /talk, which costs 49 euros and takes an hour, unless told otherwise. */
  const offer = (more: object = {}) =>
    done(
      host.post('/event-types', {
        ...{ slug: 'talk', name: 'Talk', durationMinutes: 60, noticeMinutes: 0, price: PRICE },
        window: { kind: 'unlimited' },
        ...more,
      }),
      201,
    )
  const ask = (startsAt: number, { minutes = 60, link = '', ...more }: Record<string, unknown> = {}) =>
    post(
      `/api/public/scheduling/${host.user.slug}/talk/book${link === '' ? '' : `?link=${link}`}`,
      bookingOf(plainEventType({ durationMinutes: Number(minutes) }), startsAt, more),
    )
  const meetingAt = (id: string, manageUrl: string): Meeting => {
    const { search } = new URL(manageUrl)
    return { id, path: (action) => `/api/public/bookings/${id}/${action}${search}` }
  }
  const book = async (startsAt: number, given?: Record<string, unknown>): Promise<Bought> => {
    const answer = await ask(startsAt, given)
    assert.equal(answer.statusCode, 201, answer.body)
    const { id, status, paymentUrl, series = [] } = answer.json()
    assert.equal(status, 'PendingPayment')
    return {
      ...meetingAt(id, String(answer.headers.location)),
      sessionId: paymentUrl.split('/').at(-1),
      series: series.map((one: { id: string; manageUrl: string }) => meetingAt(one.id, one.manageUrl)),
    }
  }
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      await stripe.settled()
      await runDueJobs(under.context)
    }
  }
  const pay = async ({ sessionId }: Bought, by: 'card' | 'bank' = 'card') => {
    const intent = await stripe.pay(sessionId, { by })
    await settle()
    return intent
  }
  const cancel = async (meeting: Meeting) => {
    await done(post(meeting.path('cancel'), {}))
    await settle()
  }
  const move = (meeting: Meeting, startsAt: number) =>
    post(meeting.path('reschedule'), { startTime: new Date(startsAt).toISOString() })
  const sessionOf = ({ sessionId }: Bought) => stripe.sessions.find(({ id }) => id === sessionId)
  const see = async ({ id }: Pick<Meeting, 'id'>) => {
    const { status, payment } = await done(host.get(`/bookings/${id}`))
    return [status, payment?.status, payment?.amount, payment?.refunded]
  }
  const ledger = async ({ id }: Pick<Meeting, 'id'>): Promise<string[]> =>
    (await done(host.get(`/payments?bookingId=${id}`))).items
      .map(({ kind, amount, currency }: Record<string, unknown>) => `${kind} ${amount} ${currency}`)
      .toReversed()

  it('keeps its payment when it moves, and is refunded by its new start', async () => {
    await offer()
    const [later, sooner] = [await book(TUESDAY_TEN), await book(WEDNESDAY_TEN)]
    for (const one of [later, sooner]) await pay(one)
    const opened = stripe.sessions.length
    await done(move(later, WEDNESDAY_TEN + HOUR))
    await done(move(sooner, TUESDAY_TEN + HOUR))
    for (const one of [later, sooner]) assert.deepEqual(await see(one), ['Confirmed', 'paid', 4900, 0])
    for (const one of [later, sooner]) await cancel(one)
    assert.deepEqual(await see(later), ['Cancelled', 'refunded', 4900, 4900])
    assert.deepEqual(await see(sooner), ['Cancelled', 'paid', 4900, 2450])
    assert.equal(stripe.sessions.length, opened)
  })

  it('costs what its length costs, and gives parts back rounded up', async () => {
    const refund = { fullUntilMinutes: 10_000, laterPercent: 33 }
    const price = { ...PRICE, byDuration: { '30': 4901, '60': 8999 }, refund }
    await offer({ durations: [30, 60], price })
    for (const [minutes, amount, back] of [
      [30, 4901, 1618],
      [60, 8999, 2970],
    ] as const) {
      const one = await book(TUESDAY_TEN + minutes * MINUTE, { minutes })
      assert.equal(sessionOf(one)?.amount, amount)
      await pay(one)
      await cancel(one)
      assert.deepEqual(await ledger(one), [`paid ${amount} EUR`, `refunded ${back} EUR`])
      assert.equal(stripe.refunds.at(-1)?.amount, back)
    }
  })

  it('counts the guests who are brought along', async () => {
    await offer({ seats: 5, maxGuests: 3 })
    const one = await book(TUESDAY_TEN, { guests: ['tom@guests.example', 'ann@guests.example'] })
    assert.deepEqual(sessionOf(one)?.lines, [{ name: 'Talk', unitAmount: 4900, quantity: 3 }])
    await pay(one)
    assert.deepEqual(await see(one), ['Confirmed', 'paid', 14_700, 0])
    await cancel(one)
    assert.deepEqual(await ledger(one), ['paid 14700 EUR', 'refunded 7350 EUR'])
  })

  it('is one purchase for a series, of which one meeting is given back', async () => {
    await offer({ series: { every: ['week'], most: 4 } })
    const opened = stripe.sessions.length
    const first = await book(WEDNESDAY_TEN, { repeat: { every: 'week', count: 3 } })
    assert.deepEqual([stripe.sessions.length, sessionOf(first)?.amount], [opened + 1, 14_700])
    await pay(first)
    const [, second, third] = first.series as [Meeting, Meeting, Meeting]
    await cancel(second)
    assert.deepEqual(await see(first), ['Confirmed', 'paid', 4900, 0])
    assert.deepEqual(await see(second), ['Cancelled', 'refunded', 4900, 4900])
    assert.deepEqual(await ledger(second), ['paid 4900 EUR', 'refunded 4900 EUR'])
    assert.deepEqual(await ledger(third), ['paid 4900 EUR'])
  })

  it('is counted in whole yen', async () => {
    await offer({ price: { ...PRICE, amount: 4901, currency: 'JPY' } })
    const one = await book(TUESDAY_TEN)
    assert.deepEqual([sessionOf(one)?.amount, sessionOf(one)?.currency], [4901, 'jpy'])
    await pay(one)
    await cancel(one)
    assert.deepEqual(await ledger(one), ['paid 4901 JPY', 'refunded 2451 JPY'])
  })

  it('is free if the host books it', async () => {
    const { id: eventTypeId } = await offer()
    const [opened, given] = [stripe.sessions.length, stripe.refunds.length]
    const body = { ...bookingOf(plainEventType({ durationMinutes: 60 }), TUESDAY_TEN), eventTypeId }
    const made = await done(host.post('/bookings', body), 201)
    assert.deepEqual([made.status, made.payment], ['Confirmed', null])
    await done(host.post(`/bookings/${made.id}/cancel`, {}))
    await settle()
    assert.deepEqual(await ledger(made), [])
    assert.deepEqual([stripe.sessions.length, stripe.refunds.length], [opened, given])
  })

  it('can be neither moved nor approved until it is paid', async () => {
    await offer({ requiresApproval: true })
    const one = await book(TUESDAY_TEN)
    const startTime = new Date(WEDNESDAY_TEN).toISOString()
    for (const refused of [
      await move(one, WEDNESDAY_TEN),
      await host.post(`/bookings/${one.id}/reschedule`, { startTime }),
      await host.post(`/bookings/${one.id}/approve`),
    ]) {
      assert.equal(refused.statusCode, 409, refused.body)
      assert.match(refused.json().error, /waits for its payment/)
    }
    await pay(one)
    assert.deepEqual(await see(one), ['PendingApproval', 'authorised', 4900, 0])
    await done(host.post(`/bookings/${one.id}/approve`))
    await settle()
    assert.deepEqual(await ledger(one), ['authorised 4900 EUR', 'captured 4900 EUR'])
  })

  it('is given back if the money is heard of only after the meeting', async () => {
    await offer({ durationMinutes: 15 })
    const over = await book(MONDAY_NOON + 15 * MINUTE, { minutes: 15 })
    stripe.notices.hold()
    await stripe.pay(over.sessionId)
    clock.moveTo(MONDAY_NOON + 30 * MINUTE)
    await stripe.notices.release()
    await settle()
    assert.deepEqual(await see(over), ['Expired', 'refunded', 4900, 4900])
    assert.deepEqual(await ledger(over), ['paid 4900 EUR', 'refunded 4900 EUR'])
  })

  it('is booked if the money is heard of while the meeting runs, but a request ends with its start', async () => {
    const { id } = await offer({ durationMinutes: 30 })
    const runs = await book(MONDAY_NOON + 30 * MINUTE, { minutes: 30 })
    await done(host.patch(`/event-types/${id}`, { requiresApproval: true }))
    const asked = await book(MONDAY_NOON + 60 * MINUTE, { minutes: 30 })
    clock.moveTo(MONDAY_NOON + 32 * MINUTE)
    await pay(runs)
    assert.deepEqual(await see(runs), ['Confirmed', 'paid', 4900, 0])
    stripe.notices.lose()
    await stripe.pay(asked.sessionId)
    stripe.outage(true)
    clock.moveTo(MONDAY_NOON + 61 * MINUTE)
    await settle()
    assert.deepEqual((await see(asked))[0], 'PendingPayment')
    stripe.outage(false)
    stripe.notices.lose(false)
    clock.moveTo(MONDAY_NOON + 70 * MINUTE)
    await settle()
    assert.deepEqual(await see(asked), ['Expired', 'failed', 4900, 0])
    assert.deepEqual(await ledger(asked), ['authorised 4900 EUR', 'released 4900 EUR'])
    assert.equal(stripe.intents.at(-1)?.status, 'canceled')
  })

  it('takes only what is approved, from those meetings that stand', async () => {
    await offer({ requiresApproval: true, series: { every: ['week'], most: 4 } })
    const first = await book(WEDNESDAY_TEN, { repeat: { every: 'week', count: 3 } })
    const { id } = await pay(first)
    const [, second, third] = first.series as [Meeting, Meeting, Meeting]
    await cancel(first)
    assert.equal(stripe.intents.find((one) => one.id === id)?.status, 'requires_capture')
    await done(host.post(`/bookings/${second.id}/approve`))
    await settle()
    assert.equal(stripe.intents.find((one) => one.id === id)?.received, 9800)
    assert.deepEqual(await see(first), ['Cancelled', 'failed', 4900, 0])
    assert.deepEqual(await ledger(first), ['authorised 4900 EUR', 'released 4900 EUR'])
    for (const one of [second, third]) {
      assert.deepEqual(await see(one), ['Confirmed', 'paid', 4900, 0])
      assert.deepEqual(await ledger(one), ['authorised 4900 EUR', 'captured 4900 EUR'])
    }
  })

  const addLink = async (eventTypeId: string, uses: number) => {
    const { id, token } = await done(host.post(`/event-types/${eventTypeId}/links`, { uses }), 201)
    const used = async () => {
      const { items } = await done(host.get(`/event-types/${eventTypeId}/links`))
      return items.find((one: { id: string }) => one.id === id).used
    }
    return { link: token as string, used }
  }

  it('gives the use of a private link back if nobody pays, once for a series', async () => {
    const { id } = await offer({ series: { every: ['week'], most: 4 } })
    const { link, used } = await addLink(id, 1)
    await book(WEDNESDAY_TEN, { link, repeat: { every: 'week', count: 3 } })
    assert.equal((await ask(WEDNESDAY_TEN + HOUR, { link })).statusCode, 404)
    clock.moveTo(MONDAY_NOON + PAY_WITHIN)
    await settle()
    assert.equal(await used(), 0)

    const ended = await book(WEDNESDAY_TEN, { link })
    await cancel(ended)
    assert.equal(await used(), 0)
    stripe.outage(true)
    assert.equal((await ask(WEDNESDAY_TEN, { link })).statusCode, 503)
    stripe.outage(false)
    assert.equal(await used(), 0)

    const paid = await book(WEDNESDAY_TEN, { link })
    await pay(paid)
    await cancel(paid)
    assert.equal(await used(), 1, 'cancelling gives none back')
    assert.equal((await ask(WEDNESDAY_TEN + HOUR, { link })).statusCode, 404)
  })

  it('uses a private link again for late money, unless its uses are gone by then', async () => {
    const { id } = await offer()
    const { link, used } = await addLink(id, 1)
    const slow = await book(WEDNESDAY_TEN, { link })
    await pay(slow, 'bank')
    clock.moveTo(MONDAY_NOON + PAY_WITHIN)
    await settle()
    assert.equal(await used(), 0)
    const slower = await book(WEDNESDAY_TEN + HOUR, { link })
    await pay(slower, 'bank')
    clock.moveTo(MONDAY_NOON + 2 * PAY_WITHIN)
    await settle()
    for (const one of [slow, slower]) await stripe.finishBank(one.sessionId, true)
    await settle()
    assert.equal(await used(), 1)
    const after = [await see(slow), await see(slower)]
    assert.deepEqual(after, [
      ['Confirmed', 'paid', 4900, 0],
      ['Expired', 'refunded', 4900, 4900],
    ])
  })

  it('never spends a private link more often than it may, whoever is first', async () => {
    const { id } = await offer()
    const { link, used } = await addLink(id, 4)
    const first = await Promise.all([0, 1, 2, 3].map((hour) => book(WEDNESDAY_TEN + hour * HOUR, { link })))
    for (const one of first.slice(2)) await pay(one, 'bank')
    clock.moveTo(MONDAY_NOON + PAY_WITHIN)
    const late = first.slice(2).map(({ sessionId }) => stripe.finishBank(sessionId, true))
    const others = Array.from({ length: 6 }, (_, hour) => ask(WEDNESDAY_TEN + DAY + hour * HOUR, { link }))
    await Promise.all([...late, settle(), settle(), ...others])
    await settle()
    const rows = await db()
      .selectFrom('bookings')
      .select('status')
      .where('event_type_id', '=', id)
      .where('status', 'in', ['PendingPayment', 'Confirmed'])
      .execute()
    assert.equal(await used(), rows.length)
    assert.ok(rows.length <= 4)
    clock.moveTo(MONDAY_NOON + 3 * PAY_WITHIN)
    await settle()
    const standing = rows.filter(({ status }) => status === 'Confirmed').length
    assert.equal(await used(), standing)
  })
})
