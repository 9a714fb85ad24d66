import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import {
  appOn,
  bookingOf,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  stoppedClock,
} from '../../../../test/kit.ts'
import type { BookingStatus } from '../../../domain/bookings/booking.ts'
import type { LedgerKind, PaymentStatus } from '../../../domain/payments/payment.ts'
import { newId } from '../../../store/new-id.ts'

const HOUR = 3_600_000
const TUESDAY_NINE = MONDAY_NOON + 21 * HOUR

onEveryDatabase('/api/admin/payments', ({ db }) => {
  let app: FastifyInstance
  let ada: Host
  let bob: Host
  let team: string
  let intro: string
  const ids: Record<'own' | 'bobs' | 'adas' | 'unpaid' | 'expired', string> = {
    own: '',
    bobs: '',
    adas: '',
    unpaid: '',
    expired: '',
  }

  before(async () => {
    const { mailbox, ...made } = await appOn(db(), { signup: 'open', now: stoppedClock().now })
    app = made.app
    ada = await signIn(app, mailbox, 'ada@hosts.example')
    bob = await signIn(app, mailbox, 'bob@hosts.example')
    team = (await ada.post('/teams', { slug: 'crew', name: 'Crew' })).json().id
    const invited = await ada.post(`/teams/${team}/invitations`, { email: bob.user.email, role: 'member' })
    await bob.post(`/invitations/${invited.json().id}/accept`)
    intro = await addType({ slug: 'intro', name: 'Intro' })
    const bobs = { slug: 'bobs', name: 'Bob’s', teamId: team, hosts: [{ userId: bob.user.id, fixed: true }] }
    await addType(bobs)
    await addType({ ...bobs, slug: 'adas', hosts: [{ userId: ada.user.id, fixed: true }] })
    ids.own = await book('ada/intro', 0)
    ids.bobs = await book('crew/bobs', 0)
    ids.adas = await book('crew/adas', 1)
    ids.unpaid = await book('ada/intro', 2)
    ids.expired = await book('ada/intro', 3)
    await settle(ids.own, 'Confirmed', 'paid', 900)
    await settle(ids.unpaid, 'PendingPayment', 'pending')
    await settle(ids.expired, 'Expired', 'failed')
    await enter('paid', ids.own, ada.user.id, 0, 4900)
    await enter('refunded', ids.own, ada.user.id, HOUR, 900)
    await enter('authorised', ids.bobs, team, 2 * HOUR, 3000)
    await enter('captured', ids.bobs, team, 3 * HOUR, 3000)
    await enter('paid', ids.adas, team, 4 * HOUR, 700, 'JPY')
    await enter('expired', ids.expired, ada.user.id, 5 * HOUR, 4900)
  })

  async function addType(more: object): Promise<string> {
    const answer = await ada.post('/event-types', { durationMinutes: 30, noticeMinutes: 0, ...more })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  async function book(path: string, hours: number): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/public/scheduling/${path}/book`,
      payload: bookingOf(plainEventType(), TUESDAY_NINE + hours * HOUR),
      headers: fromSomeoneNew(),
    })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }

  /** What paying, or not paying, leaves behind. */
  async function settle(id: string, status: BookingStatus, payment: PaymentStatus, refunded = 0) {
    const paid = { checkoutId: newId(), status: payment, amount: 4900, currency: 'EUR', refunded }
    await db()
      .updateTable('bookings')
      .set({ status, payment: JSON.stringify(paid) })
      .where('id', '=', id)
      .execute()
    if (status === 'Expired') await db().deleteFrom('claims').where('meeting_id', '=', id).execute()
  }

  async function enter(
    kind: LedgerKind,
    bookingId: string,
    ownerId: string,
    after: number,
    amount: number,
    currency = 'EUR',
  ) {
    const { event_type_id } = await db()
      .selectFrom('bookings')
      .select('event_type_id')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const line = { booking_id: bookingId, checkout_id: newId(), scheduler_id: ownerId, event_type_id }
    await db()
      .insertInto('payments')
      .values({
        ...line,
        id: newId(),
        kind,
        amount,
        currency,
        at: MONDAY_NOON + after,
        reference: `=${kind}`,
      })
      .execute()
  }

  const list = async (query: string, host = ada) => {
    const answer = await host.get(`/payments?${query}`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const kinds = async (query: string, host = ada) =>
    (await list(query, host)).items.map(({ kind }: { kind: string }) => kind)

  it('lists what its reader may see, the latest first', async () => {
    const { items, nextCursor } = await list('')
    assert.equal(nextCursor, null)
    assert.deepEqual(
      items.map(({ kind, amount, currency }: Record<string, unknown>) => [kind, amount, currency]),
      [
        ['expired', 4900, 'EUR'],
        ['paid', 700, 'JPY'],
        ['captured', 3000, 'EUR'],
        ['authorised', 3000, 'EUR'],
        ['refunded', 900, 'EUR'],
        ['paid', 4900, 'EUR'],
      ],
    )
    assert.deepEqual(Object.keys(items[0]).toSorted(), [
      'amount',
      'at',
      'bookingId',
      'currency',
      'id',
      'kind',
    ])
    assert.deepEqual(await kinds('', bob), ['captured', 'authorised'], 'a member: what they host')
  })

  it('narrows and pages the list', async () => {
    assert.deepEqual(await kinds(`bookingId=${ids.own}`), ['refunded', 'paid'])
    assert.deepEqual(await kinds(`bookingId=${ids.own}`, bob), [])
    assert.deepEqual(await kinds('kind=paid,captured'), ['paid', 'captured', 'paid'])
    assert.deepEqual(await kinds(`eventTypeId=${intro}&kind=paid`), ['paid'])
    assert.deepEqual(await kinds(`ownerId=${team}`), ['paid', 'captured', 'authorised'])
    const span = `from=${new Date(MONDAY_NOON + HOUR).toISOString()}&to=${new Date(MONDAY_NOON + 3 * HOUR).toISOString()}`
    assert.deepEqual(await kinds(span), ['authorised', 'refunded'])
    const first = await list('limit=4')
    const second = await list(`limit=4&cursor=${first.nextCursor}`)
    assert.deepEqual([first.items.length, second.items.length, second.nextCursor], [4, 2, null])
    for (const wrong of ['kind=stolen', 'from=yesterday', 'cursor=x', 'limit=0'])
      assert.equal((await ada.get(`/payments?${wrong}`)).statusCode, 400, wrong)
    assert.equal((await bob.get(`/payments?eventTypeId=${intro}`)).statusCode, 404)
    assert.equal((await bob.get(`/payments?ownerId=${ada.user.id}`)).statusCode, 404)
  })

  it('writes the same as CSV, without formulas', async () => {
    const answer = await ada.get('/payments.csv?kind=refunded')
    assert.match(String(answer.headers['content-type']), /^text\/csv/)
    const [head, line] = answer.body.split('\r\n')
    assert.equal(head, 'at,kind,amount,currency,bookingId,eventType,reference,id')
    assert.ok(
      line?.startsWith(`2027-01-11T13:00:00Z,refunded,900,EUR,${ids.own},Intro,'=refunded,`),
      answer.body,
    )
    assert.equal((await bob.get('/payments.csv')).body.split('\r\n').length, 4)
  })

  it('sums up what came in and went out, in Insights', async () => {
    const totals = async (host: Host) =>
      (await host.get('/insights?from=2027-01-11&to=2027-01-17')).json().payments
    assert.deepEqual(await totals(ada), [
      { currency: 'EUR', paid: 7900, refunded: 900 },
      { currency: 'JPY', paid: 700, refunded: 0 },
    ])
    assert.deepEqual(await totals(bob), [{ currency: 'EUR', paid: 3000, refunded: 0 }])
  })

  it('shows bookings with their payment, and expired ones only to those who look for them', async () => {
    const bookings = async (query: string) =>
      (await ada.get(`/bookings?ownerId=${ada.user.id}&${query}`)).json().items
    const [own, unpaid, ...others] = await bookings('')
    assert.deepEqual([own.id, unpaid.id, others.length], [ids.own, ids.unpaid, 0])
    assert.deepEqual(own.payment, { status: 'paid', amount: 4900, currency: 'EUR', refunded: 900 })
    const [free] = (await ada.get(`/bookings?ownerId=${team}`)).json().items
    assert.equal(free.payment, null)
    const idsOf = async (query: string) => (await bookings(query)).map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsOf('status=Expired'), [ids.expired])
    assert.deepEqual(await idsOf('status=PendingPayment'), [ids.unpaid])
    assert.deepEqual(await idsOf(`id=${ids.expired}`), [ids.expired])
    const csv = (await ada.get(`/bookings.csv?ownerId=${ada.user.id}`)).body.split('\r\n')
    assert.match(csv[1] ?? '', /,paid,4900,EUR,900$/)
    const { byDay, totals } = (
      await ada.get(`/insights?from=2027-01-11&to=2027-01-17&ownerId=${ada.user.id}`)
    ).json()
    assert.deepEqual([totals.Confirmed, totals.PendingPayment, totals.Expired], [1, 1, 1])
    assert.equal(byDay[1].held, 1, 'what is not paid is not held')
    const found = (await ada.get('/search?q=guest')).json()
    assert.ok(!JSON.stringify(found).includes(ids.expired))
  })

  it('leaves those who are still paying out of calendars, and with their host', async () => {
    const { url } = (await ada.post('/me/calendar-feed')).json()
    const feed = await app.inject(new URL(url).pathname + new URL(url).search)
    assert.equal(feed.statusCode, 200, feed.body)
    assert.ok(feed.body.includes(ids.own) && !feed.body.includes(ids.unpaid))
    const hosts = [ada, bob].map(({ user }) => ({ userId: user.id, fixed: false }))
    await addType({ slug: 'turns', name: 'Turns', teamId: team, assignment: 'round-robin', hosts })
    const turn = await book('crew/turns', 5)
    await settle(turn, 'PendingPayment', 'pending')
    const answer = await ada.post(`/bookings/${turn}/reassign`, { automatic: true })
    assert.equal(answer.statusCode, 409, answer.body)
    assert.match(answer.body, /waits for its payment/)
    await settle(turn, 'Confirmed', 'paid')
    assert.equal((await ada.post(`/bookings/${turn}/reassign`, { automatic: true })).statusCode, 200)
    const file = (await ada.get('/me/export')).body
    assert.ok(file.includes('"payment":{"status":"paid"'), 'the account’s own copy says what was paid')
    const { payments } = JSON.parse(file)
    assert.deepEqual(
      payments.map(({ kind, amount }: Record<string, unknown>) => [kind, amount]),
      [
        ['expired', 4900],
        ['refunded', 900],
        ['paid', 4900],
      ],
    )
    assert.ok(!file.includes('PendingPayment'), 'another instance could not be paid for it')
  })
})
