import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../../test/databases.ts'
import { type Host, signIn } from '../../../../test/host-api.ts'
import { jobsOf, runDueJobs } from '../../../../test/jobs.ts'
import { type AppUnderTest, appOn, stoppedClock } from '../../../../test/kit.ts'
import { type StripeStandIn, startStripe } from '../../../../test/outside/stripe.ts'
import { TryAgainAt } from '../../../domain/job.ts'
import { PaymentRefused } from '../../../outside/payments/provider.ts'
import { stripeProvider } from '../../../outside/payments/stripe/stripe.ts'
import { createContext } from '../../../services/context.ts'
import { accountOf, keyOf, noteRefused } from '../../../services/payments/accounts.ts'
import { checkPayments } from '../../../services/workspace/checks/check-payments.ts'
import { reseal } from '../../../services/workspace/reseal.ts'
import { openDatabase } from '../../../store/engine/open-database.ts'
import { deleteExpired } from '../../../store/expiry.ts'
import { newId } from '../../../store/new-id.ts'
import { revokeConnection } from '../../../worker/handlers/revoke-connection.ts'
import { tellConnectionLost } from '../../../worker/handlers/tell-connection-lost.ts'
import { HANDLERS } from '../../../worker/handlers.ts'

const DAY = 86_400_000
const LESSON = {
  name: 'Lesson',
  slug: 'lesson',
  durationMinutes: 30,
}

onEveryDatabase('accounts for payments', ({ db, url }) => {
  const clock = stoppedClock()
  let stripe: StripeStandIn
  let under: AppUnderTest
  let app: FastifyInstance
  let host: Host
  let other: Host
  let team: string

  before(async () => {
    stripe = await startStripe({
      now: clock.now,
      deliver: async (url, payload, headers) => {
        const { statusCode } = await app.inject({
          method: 'POST',
          url: new URL(url).pathname,
          payload,
          headers,
        })
        return { status: statusCode }
      },
    })
    under = await appOn(db(), {
      now: clock.now,
      signup: 'open',
      payments: stripeProvider({ apiUrl: stripe.url }),
    })
    app = under.app
    host = await signIn(app, under.mailbox, 'host@hosts.example')
    other = await signIn(app, under.mailbox, 'other@hosts.example')
    team = (await host.post('/teams', { name: 'Tutors', slug: 'tutors' })).json().id
  })
  after(async () => {
    await app.close()
    await stripe.close()
  })

  const connect = (whose: Host, secretKey: string, more: object = {}) =>
    whose.post('/connections', { provider: 'stripe', secretKey, ...more })
  const listOf = async (whose: Host) => (await whose.get('/connections')).json().items
  const hookOf = (id: string) => stripe.endpoints.find(({ url }) => url.endsWith(id))
  const doRevocations = async () => {
    for (const job of await jobsOf(db(), 'connection-revoke')) {
      await revokeConnection(under.context, job as Parameters<typeof revokeConnection>[1])
    }
    await db().deleteFrom('outbox').where('kind', '=', 'connection-revoke').execute()
  }

  const someCheckout = (accountId: string, schedulerId: string) => ({
    ...{ id: newId(), account_id: accountId, scheduler_id: schedulerId, event_type_id: accountId },
    ...{ booking_ids: '[]', status: 'open' as const, amount: 1, currency: 'EUR', refund: '{}', manual: 0 },
    ...{ created_at: clock.now(), pay_by: clock.now(), wanted: '{}' },
  })

  it('are checked with Stripe, sealed, and told of payments at an address of their own', async () => {
    const answer = await connect(host, ` ${stripe.key}\n`)
    const { id } = answer.json()
    assert.equal(answer.statusCode, 201, answer.body)
    assert.deepEqual(answer.json(), { id, provider: 'stripe', account: stripe.account.id, status: 'ok' })
    const known = { id, provider: 'stripe', account: stripe.account.id, status: 'ok', lastError: '' }
    assert.deepEqual(await listOf(host), [{ ...known, name: stripe.account.name, teamId: null }])
    assert.deepEqual(await listOf(other), [])
    assert.equal(hookOf(id)?.url, `https://book.example.com/api/hooks/stripe/${id}`)
    const row = await db().selectFrom('payment_accounts').selectAll().executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes(stripe.key))
    assert.ok(!JSON.stringify(row).includes(hookOf(id)?.secret ?? '?'))
    const account = await accountOf(db(), row.scheduler_id)
    assert.ok(account)
    assert.equal(keyOf(under.context, account), stripe.key)
    const audit = (await host.get('/audit')).json().items[0]
    assert.deepEqual([audit.objectType, audit.action], ['connection', 'created'])
  })

  it('are refused with a wrong key, a missing permission, or while Stripe is away', async () => {
    const refusals: [string, number, RegExp][] = [
      ['sk_test_wrong', 400, /does not accept this key/],
      ['pk_test_1', 400, /for websites/],
      ['not a key', 400, /does not look like a key/],
      [
        stripe.restrictedKey(['rak_checkout_session_write', 'rak_payment_intent_write', 'rak_webhook_write']),
        400,
        /Charges and Refunds: Write/,
      ],
      [
        stripe.restrictedKey(['rak_checkout_session_write', 'rak_payment_intent_write', 'rak_charge_write']),
        400,
        /Webhook Endpoints: Write/,
      ],
    ]
    for (const [key, status, message] of refusals) {
      const answer = await connect(other, key)
      assert.equal(answer.statusCode, status, answer.body)
      assert.match(answer.json().error, message)
      assert.ok(!answer.body.includes(key))
    }
    stripe.outage(true)
    const away = await connect(other, stripe.key)
    stripe.outage(false)
    assert.equal(away.statusCode, 503)
    assert.equal((await other.post('/connections', { provider: 'stripe' })).statusCode, 400)
    assert.equal((await other.post('/connections', { provider: 'google', secretKey: 'x' })).statusCode, 400)
    assert.deepEqual(await listOf(other), [])
    assert.equal(stripe.endpoints.length, 1)
  })

  it('belong to a team if its managers say so', async () => {
    assert.equal((await connect(other, stripe.key, { teamId: team })).statusCode, 404)
    assert.equal((await connect(other, stripe.key, { teamId: 'team' })).statusCode, 404)
    const answer = await connect(host, stripe.key, { teamId: team })
    assert.equal(answer.statusCode, 201, answer.body)
    const [, ofTeam] = await listOf(host)
    assert.deepEqual([ofTeam.id, ofTeam.teamId], [answer.json().id, team])
    assert.equal((await other.del(`/connections/${ofTeam.id}`)).statusCode, 404)
    assert.equal((await host.del(`/connections/${ofTeam.id}`)).statusCode, 204)
    await doRevocations()
    assert.equal(stripe.endpoints.length, 1)
  })

  it('are renewed by the same account, and not replaced by another', async () => {
    const [before] = await listOf(host)
    const old = hookOf(before.id)
    const again = await connect(host, stripe.key)
    assert.equal(again.json().id, before.id)
    await doRevocations()
    assert.equal(stripe.endpoints.length, 1)
    assert.notEqual(hookOf(before.id)?.id, old?.id)
    const elsewhere = stripe.addAccount('Elsewhere')
    const answer = await connect(host, elsewhere.key)
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().error, /Lovelace Lessons/)
    assert.equal(stripe.endpoints.length, 1)
  })

  it('show that a key was revoked, and mail once', async () => {
    const [{ id }] = await listOf(host)
    const account = await db().selectFrom('payment_accounts').selectAll().executeTakeFirstOrThrow()
    const given = { id, sealedKey: account.sealed_key }
    const refusal = await under.context.payments.readAccount('sk_test_gone').catch((error) => error)
    assert.ok(refusal instanceof PaymentRefused)
    const mails = under.mailbox.length
    await Promise.all([1, 2, 3].map(() => noteRefused(under.context, given, refusal)))
    const jobs = await jobsOf(db(), 'connection-lost')
    assert.equal(jobs.length, 1)
    for (const job of jobs)
      await tellConnectionLost(under.context, job as Parameters<typeof tellConnectionLost>[1])
    assert.equal(under.mailbox.length, mails + 1)
    assert.match(under.mailbox.at(-1)?.text ?? '', /Stripe no longer accepts our key for Lovelace Lessons/)
    const [lost] = await listOf(host)
    assert.deepEqual([lost.status, lost.lastError], ['reconnect', 'Stripe does not accept this key.'])
    const attention = (await host.get('/attention')).json().items
    assert.ok(
      attention.some(({ kind }: { kind: string }) => kind === 'connection-lost'),
      JSON.stringify(attention),
    )

    assert.equal((await connect(host, stripe.key)).json().status, 'ok')
    // What was refused was the key before.
    await noteRefused(under.context, given, refusal)
    assert.equal((await listOf(host))[0].status, 'ok')
    await doRevocations()
  })

  it('can be read with a new secret of the service, and only with it after resealing', async () => {
    const [{ id }] = await listOf(host)
    const { jwtSecret } = under.context
    const rotated = { jwtSecret: 'another-secret-that-only-the-tests-know', previousJwtSecret: jwtSecret }
    await reseal(createContext({ ...under.context, ...rotated }))
    const read = async () => {
      const row = await db()
        .selectFrom('payment_accounts')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return { id, sealedKey: row.sealed_key }
    }
    assert.equal(keyOf({ jwtSecret: rotated.jwtSecret }, await read()), stripe.key)
    assert.throws(() => keyOf(under.context, { ...{ id }, sealedKey: 'x' }), PaymentRefused)
    await reseal(createContext({ ...under.context, previousJwtSecret: rotated.jwtSecret }))
    assert.equal(keyOf({ jwtSecret }, await read()), stripe.key)
  })

  it('hear each notice once, and none that is not for them', async () => {
    const [{ id }] = await listOf(host)
    const heard = async () =>
      (await jobsOf(db(), 'payment-notice')).map(({ data }) => data as { notice: { id: string } })
    const session = {
      id: 'cs_1',
      client_reference_id: 'checkout',
      status: 'complete',
      payment_status: 'paid',
    }
    const { notices } = stripe
    notices.double(3)
    await stripe.tell(stripe.account.id, 'checkout.session.completed', session)
    notices.double(1)
    assert.deepEqual(
      notices.delivered.slice(-3).map(({ status }) => status),
      [200, 200, 200],
    )
    const [first] = await heard()
    assert.equal((await heard()).length, 1)
    const notice = notices.all.at(-1)
    assert.ok(notice)
    assert.equal(first?.notice.id, notice.id)
    assert.deepEqual(first, { accountId: id, notice: first?.notice })

    const another = { ...notice, body: notice.body.replace(notice.id, 'evt_forged') }
    assert.equal(await notices.send(another, { secret: 'whsec_guessed' }), 400)
    assert.equal(await notices.send(another, { at: clock.now() - 301_000 }), 400)
    assert.equal(await notices.send({ ...another, url: notice.url.replace(id, team) }), 404)
    assert.equal(await notices.send({ ...another, url: notice.url.replace(id, 'nobody') }), 404)
    assert.equal(await notices.send({ ...another, body: 'x'.repeat(300_000) }), 413)
    assert.equal((await heard()).length, 1)

    await stripe.tell(stripe.account.id, 'payment_intent.canceled', { id: 'pi_1' }, { account: 'acct_other' })
    assert.equal(notices.delivered.at(-1)?.status, 200)
    const unknown = {
      ...notice,
      body: notice.body.replace(notice.id, 'evt_u').replace(notice.type, 'charge.updated'),
    }
    assert.equal(await notices.send(unknown), 200)
    assert.equal((await heard()).length, 1)

    const count = async () => (await db().selectFrom('payment_notices').select('id').execute()).length
    const keep = { auditDays: 0, deadJobsDays: 0, responsesDays: 0 }
    for (const [days, left] of [
      [29, 1],
      [31, 0],
    ] as const) {
      await db()
        .updateTable('payment_notices')
        .set({ at: clock.now() - days * DAY })
        .execute()
      await deleteExpired(db(), clock.now(), keep)
      assert.equal(await count(), left)
    }
  })

  it('are checked by the doctor, who asks Stripe only if there are any', async () => {
    const { surroundings, payments } = under.context
    const here = { ...surroundings, databaseUrl: url(), openStore: () => openDatabase(url()) }
    const states = async () => (await checkPayments(here, payments)).map(({ state }) => state)
    assert.deepEqual(await states(), ['ok'])
    await db().updateTable('payment_accounts').set({ status: 'reconnect' }).execute()
    assert.deepEqual(await states(), ['warning'])
    await db().updateTable('payment_accounts').set({ status: 'ok' }).execute()
    stripe.outage(true)
    assert.deepEqual(await states(), ['broken'])
    stripe.outage(false)
  })

  it('stay while a price uses them, and then end at Stripe, too', async () => {
    const [{ id }] = await listOf(host)
    const made = await host.post('/event-types', LESSON)
    assert.equal(made.statusCode, 201, made.body)
    const price = (value: string | null) =>
      db().updateTable('event_types').set({ price: value }).where('id', '=', made.json().id).execute()
    await price(
      JSON.stringify({ amount: 4900, currency: 'EUR', refund: { fullUntilMinutes: 0, laterPercent: 0 } }),
    )
    const refused = await host.del(`/connections/${id}`)
    assert.equal(refused.statusCode, 409)
    assert.match(refused.json().error, /Lesson/)
    await price(null)
    assert.equal((await host.del(`/connections/${id}`)).statusCode, 204)
    assert.deepEqual(await listOf(host), [])
    const jobs = await jobsOf(db(), 'connection-revoke')
    assert.ok(!JSON.stringify(jobs).includes(stripe.key))
    await doRevocations()
    assert.deepEqual(stripe.endpoints, [])
    assert.equal((await host.del(`/connections/${id}`)).statusCode, 404)
    const { surroundings, payments } = under.context
    const asked = stripe.asked.length
    const here = { ...surroundings, databaseUrl: url(), openStore: () => openDatabase(url()) }
    assert.deepEqual(await checkPayments(here, payments), [])
    assert.equal(stripe.asked.length, asked)
  })

  it('end with their team, once no money is on its way and as soon as Stripe is there', async () => {
    const { id } = (await connect(host, stripe.key, { teamId: team })).json()
    const checkout = { ...someCheckout(id, team), status: 'paid' as const }
    await db().insertInto('checkouts').values(checkout).execute()
    const refund = { id: newId(), checkout_id: checkout.id, booking_id: id, scheduler_id: team }
    await db()
      .insertInto('payment_refunds')
      .values({ ...refund, amount: 1, status: 'asked', created_at: clock.now() })
      .execute()
    const refused = await host.del(`/teams/${team}`)
    assert.equal(refused.statusCode, 409, refused.body)
    assert.match(refused.json().error, /still on their way/)
    assert.equal((await listOf(host)).length, 1)
    await db().updateTable('payment_refunds').set({ status: 'done' }).where('id', '=', refund.id).execute()
    assert.equal((await host.del(`/teams/${team}`)).statusCode, 204)
    assert.deepEqual(await listOf(host), [])
    stripe.outage(true)
    await runDueJobs(under.context)
    assert.equal(stripe.endpoints.length, 1)
    stripe.outage(false)
    clock.moveTo(clock.now() + DAY)
    await runDueJobs(under.context)
    assert.deepEqual(stripe.endpoints, [])
    clock.moveTo(clock.now() - DAY)
  })

  it('end with their owner, once no money is on its way', async () => {
    const { id } = (await connect(other, stripe.key)).json()
    const row = someCheckout(id, other.user.id)
    const { id: checkout } = row
    await db().insertInto('checkouts').values(row).execute()
    assert.equal((await other.del(`/connections/${id}`)).statusCode, 409)
    const left = await app.inject({
      method: 'DELETE',
      url: '/api/admin/me',
      payload: { email: other.user.email },
      headers: { authorization: `Bearer ${other.token}` },
    })
    assert.equal(left.statusCode, 202, left.body)
    const [job] = await jobsOf(db(), 'account-delete')
    assert.ok(job)
    await assert.rejects(
      HANDLERS['account-delete'](under.context, job, () => {}),
      TryAgainAt,
    )
    assert.equal(stripe.endpoints.length, 1)
    clock.moveTo(clock.now() + 2 * DAY)
    await assert.rejects(
      HANDLERS['account-delete'](under.context, job, () => {}),
      TryAgainAt,
    )
    await db().updateTable('checkouts').set({ status: 'expired' }).where('id', '=', checkout).execute()
    await HANDLERS['account-delete'](under.context, job, () => {})
    await doRevocations()
    assert.deepEqual(await db().selectFrom('payment_accounts').select('id').execute(), [])
    assert.deepEqual(stripe.endpoints, [])
  })
})
