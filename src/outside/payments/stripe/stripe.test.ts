import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { type StripeStandIn, startStripe } from '../../../../test/outside/stripe.ts'
import { signNotice } from '../../../../test/outside/stripe-notices.ts'
import type { WantedSession } from '../../../domain/payments/payment.ts'
import { say } from '../../../domain/sentence.ts'
import { PaymentRefused, PaymentUnavailable } from '../provider.ts'
import { STRIPE_VERSION } from './call.ts'
import { stripeLocale } from './locale.ts'
import { EVENTS } from './notice.ts'
import { stripeProvider } from './stripe.ts'

const MINUTE = 60_000
const clock = { now: Date.UTC(2026, 10, 18, 9) }

const wanted = (changes: Partial<WantedSession> = {}): WantedSession => ({
  name: 'Lesson',
  unitAmount: 4900,
  quantity: 2,
  currency: 'EUR',
  email: 'guest@example.org',
  locale: 'de-AT',
  isManual: false,
  expiresAt: clock.now + 35 * MINUTE,
  returnUrl: 'https://meet.example/booking/1',
  ...changes,
})

describe('Stripe', () => {
  const heard: { url: string; body: string; signature: string }[] = []
  let stripe: StripeStandIn
  let provider: ReturnType<typeof stripeProvider>
  let theirs: Stripe
  let key: string
  let checkouts = 0
  const newCheckout = () => `checkout-${++checkouts}`

  before(async () => {
    stripe = await startStripe({
      now: () => clock.now,
      deliver: async (url, body, headers) => {
        heard.push({ url, body, signature: headers['stripe-signature'] ?? '' })
        return { status: 200 }
      },
    })
    key = stripe.key
    provider = stripeProvider({ apiUrl: stripe.url })
    const { hostname, port } = new URL(stripe.url)
    theirs = new Stripe(key, {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    })
  })
  after(() => stripe.close())

  const refusedWith = (because: string, text: RegExp) => (error: unknown) => {
    assert.ok(error instanceof PaymentRefused, String(error))
    assert.equal(error.because, because)
    assert.match(say(error.sentence), text)
    return true
  }

  it('opens the same session for the same checkout, and no other', async () => {
    const id = newCheckout()
    const session = await provider.openSession(key, id, wanted())
    assert.deepEqual(session, {
      id: session.id,
      url: `${stripe.url}/c/pay/${session.id}`,
      status: 'open',
      paymentStatus: 'unpaid',
      amount: 9800,
      currency: 'EUR',
      checkoutId: id,
    })
    assert.deepEqual(await provider.openSession(key, id, wanted()), session)
    const [made] = stripe.sessions
    assert.equal(stripe.sessions.length, 1)
    assert.equal(made?.locale, 'de')
    assert.deepEqual(made?.intentMetadata, { checkout: id })
    assert.deepEqual(made?.lines, [{ name: 'Lesson', unitAmount: 4900, quantity: 2 }])
    assert.deepEqual(
      [made?.successUrl, made?.cancelUrl],
      ['https://meet.example/booking/1', 'https://meet.example/booking/1'],
    )
    await assert.rejects(
      provider.openSession(key, id, wanted({ quantity: 3 })),
      refusedWith('request', /same parameters/),
    )
  })

  it('opens the session that Stripe made when its answer was lost', async () => {
    const id = newCheckout()
    stripe.misbehave(/sessions$/, 'truncated')
    await assert.rejects(provider.openSession(key, id, wanted()), PaymentUnavailable)
    const before = stripe.sessions.length
    const session = await provider.openSession(key, id, wanted())
    assert.equal(session.id, stripe.sessions.at(-1)?.id)
    assert.equal(stripe.sessions.length, before)
  })

  it('counts amounts as Stripe does, in currencies without and with odd decimals', async () => {
    for (const [currency, unitAmount, theirAmount] of [
      ['JPY', 5000, 5000],
      ['ISK', 5000, 500_000],
      ['KWD', 1230, 1230],
    ] as const) {
      const session = await provider.openSession(
        key,
        newCheckout(),
        wanted({ currency, unitAmount, quantity: 1 }),
      )
      assert.equal(stripe.sessions.at(-1)?.amount, theirAmount)
      assert.deepEqual([session.amount, session.currency], [unitAmount, currency])
      const { id: intentId } = await stripe.pay(session.id)
      const given = { id: `refund-${currency}`, intentId, amount: unitAmount, currency }
      assert.equal((await provider.refund(key, given)).amount, unitAmount)
      assert.equal(stripe.refunds.at(-1)?.amount, theirAmount)
    }
    await assert.rejects(
      provider.openSession(key, newCheckout(), wanted({ unitAmount: 49, quantity: 1 })),
      refusedWith('request', /at least 50 eur/),
    )
  })

  it('closes an open session, and tells of one that was paid meanwhile', async () => {
    const open = await provider.openSession(key, newCheckout(), wanted())
    assert.equal((await provider.closeSession(key, open.id)).status, 'expired')
    assert.equal((await provider.closeSession(key, open.id)).status, 'expired')
    await assert.rejects(stripe.pay(open.id), /expired/)

    const paid = await provider.openSession(key, newCheckout(), wanted())
    const intent = await stripe.pay(paid.id)
    const after = await provider.closeSession(key, paid.id)
    assert.deepEqual(
      [after.status, after.paymentStatus, after.intent],
      ['complete', 'paid', { id: intent.id, status: 'succeeded', amount: 9800, received: 9800 }],
    )
    const slow = await provider.openSession(key, newCheckout(), wanted())
    await stripe.pay(slow.id, { by: 'bank' })
    const { paymentStatus, intent: underWay } = await provider.readSession(key, slow.id)
    assert.deepEqual([paymentStatus, underWay?.status], ['unpaid', 'processing'])
  })

  it('captures or releases what was authorised, once', async () => {
    const authorise = async () => {
      const session = await provider.openSession(key, newCheckout(), wanted({ isManual: true }))
      await stripe.pay(session.id)
      return provider.readSession(key, session.id)
    }
    const one = await authorise()
    assert.deepEqual(
      [one.status, one.paymentStatus, one.intent?.status],
      ['complete', 'unpaid', 'requires_capture'],
    )
    const id = one.intent?.id ?? ''
    const capture = (idempotencyKey: string) =>
      provider.capture(key, id, { amount: 9800, currency: 'EUR', idempotencyKey })
    assert.equal((await capture('capture-1')).status, 'succeeded')
    assert.equal((await capture('capture-1')).status, 'succeeded')
    // Stripe has forgotten the key: it says that the payment is not to be captured any more.
    assert.equal((await capture('capture-2')).status, 'succeeded')
    assert.equal((await provider.release(key, id, 'release-1')).status, 'succeeded')
    assert.equal((await provider.readSession(key, one.id)).paymentStatus, 'paid')

    const other = (await authorise()).intent?.id ?? ''
    assert.equal((await provider.release(key, other, 'release-2')).status, 'canceled')
    const late = await provider.capture(key, other, {
      amount: 9800,
      currency: 'EUR',
      idempotencyKey: 'capture-3',
    })
    assert.equal(late.status, 'canceled')
  })

  it('refunds in parts, each once, even after Stripe has forgotten the key', async () => {
    const session = await provider.openSession(key, newCheckout(), wanted())
    const { id: intentId } = await stripe.pay(session.id)
    const refund = (id: string, amount: number) =>
      provider.refund(key, { id, intentId, amount, currency: 'EUR' })
    const first = await refund('r1', 4900)
    assert.deepEqual(first, { id: first.id, status: 'succeeded', amount: 4900, refundId: 'r1', intentId })
    assert.deepEqual(await refund('r1', 4900), first)
    assert.equal(stripe.idempotencyKeys.filter((one) => one.key === 'refund-r1').length, 1)
    await assert.rejects(refund('r2', 4901), refusedWith('request', /greater than unrefunded/))
    stripe.refundsAre = 'pending'
    assert.equal((await refund('r3', 4900)).status, 'pending')
    stripe.refundsAre = 'succeeded'
    stripe.mostPerPage = 1
    assert.deepEqual(
      (await provider.listRefunds(key, intentId)).map(({ refundId }) => refundId),
      ['r3', 'r1'],
    )
    stripe.mostPerPage = 100
    await assert.rejects(refund('r4', 1), refusedWith('request', /already been refunded/))
  })

  it('lists the sessions of an account since a time, page by page', async () => {
    clock.now += 1000
    const since = clock.now
    const made = []
    for (let count = 0; count < 3; count += 1)
      made.push((await provider.openSession(key, newCheckout(), wanted())).id)
    const other = stripe.addAccount('Another')
    await provider.openSession(other.key, newCheckout(), wanted())
    stripe.mostPerPage = 2
    const listed = await Array.fromAsync(provider.listSessions(key, since))
    stripe.mostPerPage = 100
    assert.deepEqual(
      listed.map(({ id }) => id),
      made.toReversed(),
    )
  })

  it('lists disputes since a time, or about a payment, page by page', async () => {
    const paid = async () => {
      const { id } = await provider.openSession(key, newCheckout(), wanted())
      return (await stripe.pay(id)).id
    }
    const [one, other] = [await paid(), await paid()]
    await stripe.dispute(one)
    clock.now += 1000
    const since = clock.now
    for (const intentId of [other, one]) await stripe.dispute(intentId)
    stripe.mostPerPage = 1
    const listed = await provider.listDisputes(key, { since })
    const ofOne = await provider.listDisputes(key, { intentId: one })
    stripe.mostPerPage = 100
    assert.deepEqual(
      listed.map(({ intentId, amount, createdAt }) => [intentId, amount, createdAt]),
      [
        [one, 9800, since],
        [other, 9800, since],
      ],
    )
    assert.equal(ofOne.length, 2)
    const { data } = await theirs.disputes.list({ payment_intent: one, limit: 10 })
    assert.deepEqual(
      data.map(({ id }) => id),
      ofOne.map(({ id }) => id),
    )
    const lesser = stripe.restrictedKey(['rak_charge_write'])
    await assert.rejects(
      provider.listDisputes(lesser, { since }),
      refusedWith('permission', /Disputes: Read/),
    )
  })

  it('says whose key it is, and which permission it lacks', async () => {
    assert.deepEqual(await provider.readAccount(key), stripe.account)
    const needed = [
      'rak_checkout_session_write',
      'rak_payment_intent_write',
      'rak_charge_write',
      'rak_webhook_write',
    ]
    const restricted = stripe.restrictedKey(needed)
    // It may not read its account; the refusal names it.
    assert.deepEqual(await provider.readAccount(restricted), {
      id: stripe.account.id,
      name: stripe.account.id,
    })
    for (const [lacking, words] of [
      ['rak_checkout_session_write', /Checkout Sessions: Write/],
      ['rak_payment_intent_write', /Payment Intents: Write/],
      ['rak_charge_write', /Charges and Refunds: Write/],
    ] as const) {
      stripe.allow(
        restricted,
        needed.filter((one) => one !== lacking),
      )
      await assert.rejects(provider.readAccount(restricted), refusedWith('permission', words))
    }
    stripe.allow(restricted, needed.slice(0, 3))
    await assert.rejects(
      provider.makeHook(restricted, 'https://meet.example/hook'),
      refusedWith('permission', /Webhook Endpoints: Write/),
    )
    await assert.rejects(
      provider.readAccount('sk_test_wrong'),
      refusedWith('key', /does not accept this key/),
    )
    stripe.revoke(restricted)
    await assert.rejects(provider.readAccount(restricted), refusedWith('key', /does not accept this key/))
  })

  it('is away, not refusing, while Stripe is down, slow, busy or in use', async () => {
    const read = () => provider.readSession(key, 'cs_none')
    await assert.rejects(read(), refusedWith('request', /No such/))
    stripe.outage(true)
    await assert.rejects(read(), PaymentUnavailable)
    stripe.outage(false)
    for (const status of [409, 429, 500]) {
      stripe.misbehave(/sessions/, {
        status,
        headers: { 'retry-after': '7' },
        body: { error: { message: 'x' } },
      })
      await assert.rejects(
        read(),
        (error: unknown) => error instanceof PaymentUnavailable && error.retryAfter === 7000,
      )
    }
    stripe.misbehave(/sessions/, 'reset', 'truncated')
    await assert.rejects(read(), PaymentUnavailable)
    await assert.rejects(read(), PaymentUnavailable)
    stripe.misbehave(/sessions/, 'silent')
    await assert.rejects(stripeProvider({ apiUrl: stripe.url, timeout: 20 }).readSession(key, 'cs_none'), {
      message: 'Stripe did not answer in time.',
    })
    stripe.release()
    await assert.rejects(
      stripeProvider({ apiUrl: 'http://127.0.0.1:9' }).readAccount(key),
      PaymentUnavailable,
    )
  })

  it('shows no key in what it says', async () => {
    const answer = { status: 400, body: { error: { message: 'Bad sk_live_abc123 and whsec_456' } } }
    stripe.misbehave(/sessions/, answer)
    await assert.rejects(provider.readSession(key, 'cs_1'), { message: 'Stripe refused this: Bad … and …' })
  })

  describe('notices', () => {
    let hook: { id: string; secret: string }
    before(async () => {
      heard.length = 0
      hook = await provider.makeHook(key, 'https://meet.example/api/hooks/stripe/1')
    })

    const last = () => heard.at(-1) ?? assert.fail('nothing was told')
    const read = ({ body, signature }: { body: string; signature: string }, now = clock.now) =>
      provider.readNotice(Buffer.from(body), signature, { secret: hook.secret, now })

    it('asks for the events that it reads, in the pinned version', () => {
      const [endpoint] = stripe.endpoints
      assert.deepEqual(endpoint?.events, [...EVENTS])
      assert.equal(endpoint?.apiVersion, STRIPE_VERSION)
    })

    it('reads sessions, payments, refunds and disputes', async () => {
      const id = newCheckout()
      const session = await provider.openSession(key, id, wanted({ isManual: true }))
      const { id: intentId } = await stripe.pay(session.id)
      const told = heard.splice(0).map((one) => read(one))
      assert.deepEqual(
        told.map((notice) => notice?.about),
        ['intent', 'session'],
      )
      const [intent, completed] = told
      assert.ok(intent?.about === 'intent' && completed?.about === 'session')
      assert.deepEqual(intent.intent, { id: intentId, status: 'requires_capture', amount: 9800, received: 0 })
      assert.equal(intent.checkoutId, id)
      assert.equal(completed.session.checkoutId, id)
      assert.deepEqual(completed.session.intent, { id: intentId, status: 'other', amount: 9800 })
      assert.equal(completed.at, Math.floor(clock.now / 1000) * 1000)

      await provider.capture(key, intentId, { amount: 9800, currency: 'EUR', idempotencyKey: 'c' })
      await provider.refund(key, { id: 'told', intentId, amount: 100, currency: 'EUR' })
      await stripe.finishRefund(stripe.refunds.at(-1)?.id ?? '', 'failed')
      await stripe.dispute(intentId)
      await stripe.settled()
      assert.deepEqual(
        heard.splice(0).map((one) => {
          const notice = read(one)
          if (notice?.about === 'refund')
            return [notice.refund.refundId, notice.refund.status, notice.failure]
          return notice?.about === 'dispute' ? [notice.amount, notice.intentId, notice.status] : notice?.about
        }),
        [
          'intent',
          ['told', 'succeeded', ''],
          ['told', 'failed', 'expired_or_canceled_card'],
          ['told', 'failed', 'expired_or_canceled_card'],
          [9800, intentId, 'needs_response'],
        ],
      )
      await stripe.tell(stripe.account.id, 'charge.dispute.closed', { id: 'du_1', status: 'won' })
      assert.equal(read(last())?.about, 'dispute')
    })

    it('accepts what Stripe’s own package signs, and that package what the stand-in signs', () => {
      const { webhooks } = theirs
      const body = JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'customer.created',
        created: 1,
        data: {},
      })
      const timestamp = Math.floor(clock.now / 1000)
      const signature = webhooks.generateTestHeaderString({ payload: body, secret: hook.secret, timestamp })
      assert.deepEqual(read({ body, signature }), { id: 'evt_1', account: '', at: 1000, about: 'nothing' })
      const ours = last()
      const event = webhooks.constructEvent(
        ours.body,
        ours.signature,
        hook.secret,
        undefined,
        undefined,
        clock.now,
      )
      assert.equal(event.id, read(ours)?.id)
    })

    it('refuses what is forged, changed, too old or too new', () => {
      const { body, signature } = last()
      const [, v1 = ''] = /v1=(\w+)/.exec(signature) ?? []
      const seconds = Math.floor(clock.now / 1000)
      const rotated = `t=${seconds},v1=${'0'.repeat(64)},v1=${v1},v0=${v1}`
      assert.ok(read({ body, signature: rotated }))
      assert.ok(read({ body, signature }, clock.now + 5 * MINUTE))
      for (const [what, sent, now] of [
        ['changed', { body: body.replace('evt', 'evu'), signature }, clock.now],
        ['old', { body, signature }, clock.now + 5 * MINUTE + 1000],
        ['new', { body, signature }, clock.now - 5 * MINUTE - 1000],
        ['another secret', { body, signature: signNotice(body, 'whsec_other', seconds) }, clock.now],
        ['another scheme', { body, signature: `t=${seconds},v0=${v1}` }, clock.now],
        ['another time', { body, signature: `t=${seconds - 1},v1=${v1}` }, clock.now],
        ['nothing', { body, signature: '' }, clock.now],
        ['no event', { body: '{', signature: signNotice('{', hook.secret, seconds) }, clock.now],
      ] as const) {
        assert.equal(read(sent, now), undefined, what)
      }
      assert.equal(
        provider.readNotice(Buffer.from(body), signNotice(body, '', seconds), { secret: '', now: clock.now }),
        undefined,
      )
    })

    it('removes the address, also if somebody else has', async () => {
      await provider.removeHook(key, hook.id)
      await provider.removeHook(key, hook.id)
      assert.deepEqual(stripe.endpoints, [])
    })
  })

  it('has the languages of Stripe’s pages, and leaves others to the browser', () => {
    const tags = [
      'de',
      'pt-BR',
      'pt-AO',
      'es-MX',
      'no',
      'zh-Hant-HK',
      'en-gb',
      'ja-JP',
      'eo',
      '',
      'constructor',
    ]
    assert.deepEqual(tags.map(stripeLocale), [
      'de',
      'pt-BR',
      'pt',
      'es',
      'nb',
      'zh-TW',
      'en-GB',
      'ja',
      'auto',
      'auto',
      'auto',
    ])
  })

  describe('the stand-in, asked by Stripe’s own package', () => {
    it('is asked for the same version', () => {
      assert.equal(STRIPE_VERSION, theirs.getApiField('version'))
    })

    it('sells, captures, refunds and lists', async () => {
      const line = {
        price_data: { currency: 'usd', unit_amount: 2000, product_data: { name: 'Lesson' } },
        quantity: 1,
      }
      const session = await theirs.checkout.sessions.create({
        mode: 'payment',
        line_items: [line],
        success_url: 'https://meet.example/booking/2',
        payment_intent_data: { capture_method: 'manual', metadata: { checkout: 'theirs' } },
        expires_at: Math.floor(clock.now / 1000) + 1800,
      })
      assert.deepEqual([session.status, session.payment_intent, session.amount_total], ['open', null, 2000])
      await stripe.pay(session.id)
      const paid = await theirs.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
      const intent = paid.payment_intent as Stripe.PaymentIntent
      assert.deepEqual(
        [paid.status, paid.payment_status, intent.status],
        ['complete', 'unpaid', 'requires_capture'],
      )
      assert.equal((await theirs.paymentIntents.capture(intent.id)).amount_received, 2000)
      await assert.rejects(theirs.paymentIntents.cancel(intent.id), {
        code: 'payment_intent_unexpected_state',
      })
      const refund = await theirs.refunds.create({ payment_intent: intent.id, amount: 500 })
      assert.equal(refund.status, 'succeeded')
      await assert.rejects(theirs.refunds.create({ payment_intent: intent.id, amount: 1501 }), {
        type: 'StripeInvalidRequestError',
      })
      const listed = await theirs.refunds.list({ payment_intent: intent.id }).autoPagingToArray({ limit: 10 })
      assert.deepEqual(
        listed.map(({ id }) => id),
        [refund.id],
      )
      await assert.rejects(theirs.checkout.sessions.expire(session.id), { statusCode: 400 })
      assert.equal((await theirs.accounts.retrieveCurrent()).id, stripe.account.id)
    })

    it('keeps Stripe’s rules for keys, times and parameters', async () => {
      const create = (changes: object, idempotencyKey?: string) =>
        theirs.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [
              {
                price_data: { currency: 'usd', unit_amount: 2000, product_data: { name: 'A' } },
                quantity: 1,
              },
            ],
            success_url: 'https://meet.example/booking/2',
            ...changes,
          },
          idempotencyKey === undefined ? {} : { idempotencyKey },
        )
      const one = await create({}, 'same')
      assert.equal((await create({}, 'same')).id, one.id)
      await assert.rejects(create({ locale: 'de' }, 'same'), { type: 'StripeIdempotencyError' })
      const seconds = Math.floor(clock.now / 1000)
      await assert.rejects(create({ expires_at: seconds + 1799 }), { param: 'expires_at' })
      await assert.rejects(create({ expires_at: seconds + 86_401 }), { param: 'expires_at' })
      await assert.rejects(create({ locale: 'eo' }), { param: 'locale' })
      await assert.rejects(create({ colour: 'red' }), { code: 'parameter_unknown' })
      await assert.rejects(create({ customer_email: 'nobody' }), { code: 'email_invalid' })
      await assert.rejects(
        new Stripe('sk_test_no', {
          host: '127.0.0.1',
          port: new URL(stripe.url).port,
          protocol: 'http',
        }).refunds.list(),
        {
          type: 'StripeAuthenticationError',
        },
      )
      const restricted = stripe.restrictedKey([])
      await assert.rejects(theirs.refunds.create({ payment_intent: 'pi_1' }, { apiKey: restricted }), {
        type: 'StripePermissionError',
      })
    })

    it('ends sessions when their time is over', async () => {
      const session = await provider.openSession(key, newCheckout(), wanted())
      clock.now += 35 * MINUTE
      await assert.rejects(stripe.pay(session.id), /expired/)
      assert.equal((await theirs.checkout.sessions.retrieve(session.id)).status, 'expired')
    })
  })
})
