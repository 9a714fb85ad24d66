import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Instance, startInstance } from '../../test/command-line.ts'
import { type Host, signIn } from '../../test/host-api.ts'
import { runDueJobs } from '../../test/jobs.ts'
import { appOn, bookingOf, fromSomeoneNew, plainEventType } from '../../test/kit.ts'
import { type StripeStandIn, startStripe } from '../../test/outside/stripe.ts'
import { stripeProvider } from '../outside/payments/stripe/stripe.ts'
import type { Context } from '../services/context.ts'
import { comparePaymentsDaily } from '../services/payments/compare.ts'
import { newId } from '../store/new-id.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A Monday at ten, at least two days ahead. */
function mondayTen(): number {
  const day = Math.floor(Date.now() / DAY) + 2
  const untilMonday = (8 - new Date(day * DAY).getUTCDay()) % 7
  return (day + untilMonday) * DAY + 10 * HOUR
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`payments check on ${engine}`, () => {
    let here: Instance
    let stripe: StripeStandIn
    let app: FastifyInstance
    let context: Context
    let ada: Host
    let price: object
    let hours = 0

    before(async () => {
      stripe = await startStripe({
        deliver: async (url, body, headers) => {
          const answer = await app.inject({ method: 'POST', url: new URL(url).pathname, body, headers })
          return { status: answer.statusCode }
        },
      })
      here = await startInstance(engine, { STRIPE_API_URL: stripe.url })
      await here.do('migrate')
      const payments = stripeProvider({ apiUrl: stripe.url })
      const made = await appOn(here.db(), { signup: 'open', payments })
      app = made.app
      context = made.context
      ada = await signIn(app, made.mailbox, 'ada@hosts.example')
      const connected = await ada.post('/connections', { provider: 'stripe', secretKey: stripe.key })
      assert.equal(connected.statusCode, 201, connected.body)
      price = { amount: 4900, currency: 'EUR', refund: { fullUntilMinutes: 0, laterPercent: 0 } }
      for (const [slug, requiresApproval] of [
        ['paid', false],
        ['asked', true],
      ] as const) {
        const plain = { slug, name: slug, durationMinutes: 30, noticeMinutes: 0, requiresApproval, price }
        const added = await ada.post('/event-types', plain)
        assert.equal(added.statusCode, 201, added.body)
      }
    })
    after(async () => {
      await app?.close()
      await here?.end()
      await stripe?.close()
    })

    async function book(
      slug = 'paid',
      more: Record<string, unknown> = {},
    ): Promise<{ readonly id: string; readonly sessionId: string }> {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/public/scheduling/ada/${slug}/book`,
        payload: bookingOf(plainEventType(), mondayTen() + (hours++ * HOUR) / 2, more),
        headers: fromSomeoneNew(),
      })
      assert.equal(answer.statusCode, 201, answer.body)
      assert.equal(answer.json().status, 'PendingPayment')
      const { id } = answer.json()
      const sessionId = stripe.sessions.at(-1)?.id as string
      return { id, sessionId }
    }
    const settle = async () => {
      await stripe.settled()
      await runDueJobs(context)
      await stripe.settled()
      await runDueJobs(context)
    }
    const attention = async (): Promise<string[][]> => {
      const items: { kind: string; sentence: string; url: string }[] = (await ada.get('/attention')).json()
        .items
      return items
        .filter(({ kind }) => kind.includes('payment') || kind.includes('refund'))
        .map(({ kind, sentence, url }) => [kind, sentence, url])
    }

    it('finds nothing while ledger and provider agree', async () => {
      assert.equal(await here.do('payments', 'check'), '')
      const paid = await book()
      await stripe.pay(paid.sessionId)
      const asked = await book('asked')
      await stripe.pay(asked.sessionId)
      const open = await book()
      await settle()
      assert.equal((await ada.post(`/bookings/${paid.id}/cancel`, {})).statusCode, 200)
      await settle()
      assert.equal((await ada.get(`/bookings/${paid.id}`)).json().payment.status, 'refunded')
      assert.equal((await ada.get(`/bookings/${asked.id}`)).json().payment.status, 'authorised')
      assert.equal((await ada.get(`/bookings/${open.id}`)).json().status, 'PendingPayment')
      assert.equal(await here.do('payments', 'check'), '')
      const kinds = (await ada.get('/payments')).json().items.map(({ kind }: { kind: string }) => kind)
      assert.deepEqual(kinds.toSorted(), ['authorised', 'paid', 'refunded'])
    })

    it('names what differs, and shows it to whoever can look into it', async () => {
      const lost = await book()
      stripe.notices.hold()
      await stripe.pay(lost.sessionId)
      const { code, stdout, stderr } = await here.run('payments', 'check')
      assert.deepEqual([code, stderr], [2, ''])
      const what = 'The provider has received 49.00 EUR, and the ledger says 0.00 EUR.'
      assert.equal(stdout, `${stripe.account.id}\t${lost.id}\t${what}\n`)
      assert.deepEqual(await attention(), [['payment-differs', what, `/app/bookings/${lost.id}`]])

      await stripe.notices.release()
      await settle()
      assert.equal(await here.do('payments', 'check'), '')
      assert.deepEqual(await attention(), [])

      stripe.notices.hold()
      const intent = stripe.intents.at(-1)?.id as string
      await stripe.refundByHand(intent, 900)
      const [, , refunded] = (await here.run('payments', 'check')).stdout.trim().split('\t')
      assert.equal(refunded, 'The provider has refunded 9.00 EUR, and the ledger says 0.00 EUR.')

      const { db } = context
      const { payment } = await db
        .selectFrom('bookings')
        .select('payment')
        .where('id', '=', lost.id)
        .executeTakeFirstOrThrow()
      const { checkoutId } = JSON.parse(payment ?? '')
      await db.updateTable('checkouts').set({ id: lost.id }).where('id', '=', checkoutId).execute()
      await db
        .updateTable('payments')
        .set({ checkout_id: lost.id })
        .where('checkout_id', '=', checkoutId)
        .execute()
      const lines = (await here.run('payments', 'check')).stdout.trim().split('\n')
      assert.deepEqual(
        lines.map((line) => line.split('\t').slice(1)),
        [
          ['-', 'The provider has a payment of 49.00 EUR for a booking that is not here.'],
          [lost.id, 'The ledger has a payment of 49.00 EUR that the provider doesn’t know.'],
        ],
      )
      await db.updateTable('checkouts').set({ id: checkoutId }).where('id', '=', lost.id).execute()
      await db
        .updateTable('payments')
        .set({ checkout_id: checkoutId })
        .where('checkout_id', '=', lost.id)
        .execute()
      await stripe.notices.release()
      await settle()
      assert.equal(await here.do('payments', 'check'), '')
    })

    it('compares once a day in the service, without what is still on its way', async () => {
      const late = await book()
      stripe.notices.hold()
      await stripe.pay(late.sessionId)
      await comparePaymentsDaily(context)
      assert.deepEqual(await attention(), [], 'its notice may still come')
      await stripe.notices.release()
      await settle()
      const entries = () => context.db.deleteFrom('payments').where('booking_id', '=', late.id).execute()
      await entries()
      await comparePaymentsDaily(context)
      assert.deepEqual(await attention(), [], 'it was compared a moment ago')
      await context.db.updateTable('leases').set({ done_at: 0 }).where('name', '=', 'payments').execute()
      await comparePaymentsDaily(context)
      assert.equal((await attention())[0]?.[0], 'payment-differs')
      await context.db.deleteFrom('payment_differences').execute()
    })

    it('shows refunds that failed and payments that are disputed', async () => {
      const { sessionId, id } = await book()
      const { id: intent } = await stripe.pay(sessionId)
      await settle()
      await stripe.dispute(intent)
      await settle()
      stripe.refundsAre = 'pending'
      assert.equal((await ada.post(`/bookings/${id}/cancel`, {})).statusCode, 200)
      await settle()
      await stripe.finishRefund(stripe.refunds.at(-1)?.id as string, 'failed')
      await settle()
      const shown = await attention()
      assert.deepEqual(
        shown.map(([kind]) => kind),
        ['refund-failed', 'payment-disputed'],
      )
      assert.match(shown[0]?.[1] ?? '', /^A refund of €49\.00 has failed\./)
      assert.equal(shown[1]?.[2], `/app/bookings/${id}`)
    })

    it('stays equal when a guest is erased: the person goes, and so does the money that was kept for them', async () => {
      const email = 'erased@guests.example'
      const { id, sessionId } = await book('paid', { inviteeEmail: email })
      await stripe.pay(sessionId)
      await settle()
      const open = await book('paid', { inviteeEmail: email })
      stripe.refundsAre = 'succeeded'
      const erased = await ada.post('/erasures', { email })
      assert.equal(erased.statusCode, 200, erased.body)
      const stored = async () =>
        JSON.stringify([
          await context.db.selectFrom('checkouts').selectAll().execute(),
          await context.db.selectFrom('payments').selectAll().execute(),
          await context.db.selectFrom('bookings').selectAll().execute(),
        ])
      assert.ok(!(await stored()).includes(email), 'at once, also of a page that is still open')
      await settle()
      const kinds = async (of: string) =>
        (await ada.get(`/payments?bookingId=${of}`)).json().items.map(({ kind }: { kind: string }) => kind)
      assert.deepEqual(await kinds(id), ['refunded', 'paid'])
      assert.deepEqual(await kinds(open.id), ['expired'])
      const [closed] = stripe.sessions.filter(({ id: one }) => one === open.sessionId)
      assert.equal(closed?.status, 'expired', 'nobody can pay for it any more')
    })

    it('compares disputes, if the key may read them', async () => {
      const { id, sessionId } = await book()
      const { id: intent } = await stripe.pay(sessionId)
      await settle()
      const differences = async () => {
        const { stdout, stderr } = await here.run('payments', 'check')
        const lines = stdout.split('\n').map((line) => line.split('\t'))
        return { stderr, found: lines.filter((line) => line[1] === id).map((line) => line[2]) }
      }
      assert.deepEqual(await differences(), { stderr: '', found: [] })
      stripe.notices.lose()
      await stripe.dispute(intent)
      stripe.notices.lose(false)
      assert.deepEqual((await differences()).found, [
        'The provider has disputes about 49.00 EUR, and the ledger says 0.00 EUR.',
      ])

      const permissions = ['checkout_session', 'payment_intent', 'charge', 'webhook']
      const lesser = stripe.restrictedKey(permissions.map((one) => `rak_${one}_write`))
      const connect = (secretKey: string) => ada.post('/connections', { provider: 'stripe', secretKey })
      assert.equal((await connect(lesser)).statusCode, 201)
      const { stderr, found } = await differences()
      assert.deepEqual(found, [])
      assert.match(stderr, /Disputes were not compared\. .*Disputes: Read/)
      assert.equal((await ada.get('/connections')).json().items[0].status, 'ok')
      assert.equal((await connect(stripe.key)).statusCode, 201)
      await settle()

      const told = stripe.notices.all.findLast(({ type }) => type === 'charge.dispute.created')
      const url = stripe.endpoints[0]?.url ?? ''
      const secret = stripe.endpoints[0]?.secret ?? ''
      assert.ok(told)
      assert.equal(await stripe.notices.send({ ...told, url, secret }), 200)
      await settle()
      assert.deepEqual(await differences(), { stderr: '', found: [] })
      const { db } = context
      const ours = db.selectFrom('payments').selectAll().where('booking_id', '=', id)
      const line = await ours.where('kind', '=', 'disputed').executeTakeFirstOrThrow()
      await db
        .insertInto('payments')
        .values({ ...line, id: newId(), reference: 'du_elsewhere', amount: 900 })
        .execute()
      assert.deepEqual((await differences()).found, [
        'The provider has disputes about 49.00 EUR, and the ledger says 58.00 EUR.',
      ])
      await db.deleteFrom('payments').where('reference', '=', 'du_elsewhere').execute()
    })

    it('says so if an account can’t be compared, or what is asked for is wrong', async () => {
      stripe.outage(true)
      const { code, stderr } = await here.run('payments', 'check')
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(stripe.account.id))
      stripe.outage(false)
      assert.match(await here.refused('payments', 'check', '--days', '0'), /--days must be/)
    })
  })
}
