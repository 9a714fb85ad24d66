import { type Answer, formOf, type Route, type StandIn, startStandIn } from './stand-in.ts'
import { type Deliver, noticesOf, type OutsideEndpoint, type StripeNotices } from './stripe-notices.ts'
import {
  disputeView,
  intentView,
  type OutsideDispute,
  type OutsideIntent,
  type OutsideRefund,
  type OutsideSession,
  refundView,
  sessionView,
} from './stripe-objects.ts'

/** A stand-in for Stripe: accounts, Checkout in payment mode, payment intents, refunds, disputes and notices. */
export interface StripeStandIn extends StandIn {
  /** The secret key of its first account, and that account. */
  readonly key: string
  readonly account: OutsideAccount
  /** What it has made, oldest first; of all accounts. */
  readonly sessions: readonly OutsideSession[]
  readonly intents: readonly OutsideIntent[]
  readonly refunds: readonly OutsideRefund[]
  readonly disputes: readonly OutsideDispute[]
  readonly endpoints: readonly OutsideEndpoint[]
  readonly notices: StripeNotices
  /** The `Idempotency-Key` of each change that was asked for, oldest first. */
  readonly idempotencyKeys: readonly { readonly path: string; readonly key: string }[]
  /** Objects on one page of a list, at most. */
  mostPerPage: number
  /** What becomes of a refund at once. `failed` ones are refused by the bank in the same moment. */
  refundsAre: 'succeeded' | 'pending' | 'failed'

  addAccount(name: string): { readonly account: OutsideAccount; readonly key: string }
  /** A key of the first account that may do no more than this: `rak_checkout_session_write`. */
  restrictedKey(permissions: readonly string[]): string
  /** It works no more. */
  revoke(key: string): void
  /** Changes what a restricted key may do. */
  allow(key: string, permissions: readonly string[]): void
  /** The API answers nothing but 503. Its pages still take money. */
  outage(on: boolean): void

  /** The guest pays; throws if the page says that it is too late. `bank`: the money is on its way. */
  pay(sessionId: string, how?: { readonly by?: 'card' | 'bank' }): Promise<OutsideIntent>
  /** The slow bank pays, or refuses to. */
  finishBank(sessionId: string, paid: boolean): Promise<void>
  /** Ends sessions whose time is over, as Stripe does by itself. */
  tick(): Promise<void>
  /** Nobody has captured an authorised payment for a week. */
  lapse(intentId: string): Promise<void>
  /** A pending refund is done, or any refund has failed. */
  finishRefund(refundId: string, outcome: 'succeeded' | 'failed'): Promise<void>
  /** Somebody refunds at Stripe's own dashboard. */
  refundByHand(intentId: string, amount: number): Promise<OutsideRefund>
  dispute(intentId: string): Promise<OutsideDispute>
  closeDispute(disputeId: string, status: 'won' | 'lost'): Promise<void>
  /** Tells all endpoints of an account about something. */
  tell(account: string, type: string, object: object, more?: object): Promise<void>
  /** Resolves once all notices of what was asked over the API have been answered. */
  settled(): Promise<void>
  /** What is left of all payments, by currency. */
  kept(): Record<string, number>
}

export interface OutsideAccount {
  readonly id: string
  readonly name: string
}

interface Key {
  readonly account: OutsideAccount
  /** Undefined: all. */
  permissions?: ReadonlySet<string>
  revoked: boolean
}

/** An error as Stripe's API sends it. */
export const stripeError = (status: number, message: string, more: object = {}): Answer => ({
  status,
  headers: { 'request-id': 'req_standin' },
  body: { error: { type: status >= 500 ? 'api_error' : 'invalid_request_error', message, ...more } },
})

/** A request that is wrong in itself: an idempotency key is not used up. */
class Invalid extends Error {
  readonly answer: Answer

  constructor(message: string, more: object = {}) {
    super(message)
    this.answer = stripeError(400, message, more)
  }
}

const missing = (kind: string, id: string) =>
  stripeError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: kind })

/** From https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts, a part. */
const LEAST: Readonly<Record<string, number>> = {
  ...{ usd: 50, eur: 50, gbp: 30, chf: 50, jpy: 50, cad: 50, aud: 50, nzd: 50, brl: 50, sek: 300, nok: 300 },
  ...{ dkk: 250, pln: 200, czk: 1500, huf: 17_500, mxn: 1000, inr: 50, sgd: 50, hkd: 400, thb: 1000 },
}
/** Their smallest unit is a thousandth, and the last digit must be zero. */
const THOUSANDTHS = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

const LOCALES =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  )

/** What Stripe documents of this kind, as far as it is here. */
const EVENT_TYPES =
  /^(?:checkout\.session\.(?:completed|expired|async_payment_(?:succeeded|failed))|payment_intent\.(?:amount_capturable_updated|canceled|created|partially_funded|payment_failed|processing|requires_action|succeeded)|refund\.(?:created|updated|failed)|charge\.(?:captured|expired|failed|pending|refunded|succeeded|updated)|charge\.refund\.updated|charge\.dispute\.(?:closed|created|funds_reinstated|funds_withdrawn|updated))$/

const SESSION_FIELDS =
  /^(?:mode|client_reference_id|metadata\[[^[\]]{1,40}\]|payment_intent_data\[(?:capture_method|description|metadata\]\[[^[\]]{1,40})\]|line_items\[\d+\]\[(?:quantity|price_data\]\[(?:currency|unit_amount|product_data\]\[(?:name|description)))\]|customer_email|locale|expires_at|success_url|cancel_url|expand\[\d*\])$/

const MINUTE = 60_000

export async function startStripe({
  now = Date.now,
  deliver,
}: {
  readonly now?: () => number
  /** How notices reach us; over the network, unless given. */
  readonly deliver?: Deliver
} = {}): Promise<StripeStandIn> {
  const keys = new Map<string, Key>()
  const sessions: OutsideSession[] = []
  const intents: OutsideIntent[] = []
  const refunds: OutsideRefund[] = []
  const disputes: OutsideDispute[] = []
  let endpoints: OutsideEndpoint[] = []
  const idempotencyKeys: { path: string; key: string }[] = []
  const remembered = new Map<string, { asked: string; answer: Answer }>()
  const notices = noticesOf({ now, deliver })
  const state = {
    away: false,
    mostPerPage: 100,
    refundsAre: 'succeeded' as StripeStandIn['refundsAre'],
    ids: 0,
    accounts: 0,
    url: '',
  }

  /** In the order of their making, as the tests of lists need it. */
  const newId = (prefix: string) => `${prefix}_${String(++state.ids).padStart(14, '0')}`

  const addAccount = (name: string) => {
    const account = { id: `acct_${String(++state.accounts).padStart(16, '1')}`, name }
    const key = `sk_test_${newId('51').slice(3)}${account.id.slice(5)}`
    keys.set(key, { account, revoked: false })
    return { account, key }
  }
  const first = addAccount('Lovelace Lessons')

  async function tell(account: string, type: string, object: object, more: object = {}): Promise<void> {
    const event = {
      id: newId('evt'),
      object: 'event',
      created: Math.floor(now() / 1000),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object },
      ...more,
    }
    for (const endpoint of endpoints) {
      if (endpoint.account !== account) continue
      if (endpoint.events.includes('*') || endpoint.events.includes(type)) await notices.tell(endpoint, event)
    }
  }
  const tellOfSession = (one: OutsideSession, what: string) =>
    tell(one.account, `checkout.session.${what}`, sessionView(one))
  const tellOfIntent = (one: OutsideIntent, what: string) =>
    tell(one.account, `payment_intent.${what}`, intentView(one))
  const tellOfRefund = (one: OutsideRefund, what: string) =>
    tell(one.account, `refund.${what}`, refundView(one))

  const sessionNamed = (id: string) => sessions.find((one) => one.id === id)
  const intentNamed = (id: string) => intents.find((one) => one.id === id)
  const known = <T>(one: T | undefined, what: string): T => {
    if (one === undefined) throw new Error(`The stand-in knows no such ${what}.`)
    return one
  }

  async function expire(one: OutsideSession): Promise<void> {
    one.status = 'expired'
    await tellOfSession(one, 'expired')
  }

  // A notice waits for nobody's answer: what is asked meanwhile must not wait for it either.
  const underWay = new Set<Promise<void>>()
  const inBackground = (telling: Promise<void>) => {
    underWay.add(telling)
    telling.finally(() => underWay.delete(telling)).catch(() => undefined)
  }

  const current = (one: OutsideSession) => {
    if (one.status === 'open' && one.expiresAt <= now()) inBackground(expire(one))
    return one
  }
  const viewOf = (one: OutsideSession, expanded: boolean) =>
    sessionView(current(one), expanded && one.intentId !== null ? intentNamed(one.intentId) : undefined)

  interface Called {
    readonly key: Key
    readonly fields: ReadonlyMap<string, string>
    readonly expands: readonly string[]
  }
  type Handler = (called: Called, ...parameters: string[]) => Answer

  /** Everything that each request to the API must have. */
  function call(permission: string, allowed: RegExp, handle: Handler): Route['answer'] {
    return (asked, ...parameters) => {
      if (state.away) return stripeError(503, 'Stripe is away.')
      const isPost = asked.method === 'POST'
      const form = isPost ? formOf(asked) : asked.query
      const [, given = ''] = /^Bearer (\S+)$/.exec(asked.headers.authorization ?? '') ?? []
      const key = keys.get(given)
      if (key === undefined || key.revoked) {
        const masked = `${given.slice(0, 8)}****${given.slice(-4)}`
        const reason =
          key === undefined ? `Invalid API Key provided: ${masked}` : `Expired API Key provided: ${masked}`
        return stripeError(401, reason, key && { code: 'api_key_expired' })
      }
      if (!/^\d{4}-\d\d-\d\d(?:\.\w+)?$/.test(String(asked.headers['stripe-version'] ?? '')))
        return stripeError(400, 'The stand-in wants a Stripe-Version.')
      if (permission !== '' && key.permissions?.has(permission) === false) {
        const needed = `Having the '${permission}' permission would allow this request to continue.`
        return stripeError(
          403,
          `The provided key 'rk_test_****${given.slice(-4)}' does not have the required permissions for this endpoint on account '${key.account.id}'. ${needed}`,
        )
      }
      if (isPost && !/^application\/x-www-form-urlencoded/.test(asked.headers['content-type'] ?? ''))
        return stripeError(400, 'Invalid request content type.')
      const idempotencyKey = isPost ? String(asked.headers['idempotency-key'] ?? '') : ''
      if (idempotencyKey.length > 255) return stripeError(400, 'Keys must be at most 255 characters long.')
      if (isPost) idempotencyKeys.push({ path: asked.path, key: idempotencyKey })
      const place = `${key.account.id} ${idempotencyKey}`
      const earlier = idempotencyKey === '' ? undefined : remembered.get(place)
      const same = `${asked.path} ${asked.text}`
      if (earlier !== undefined && earlier.asked !== same) {
        return stripeError(
          400,
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
          { type: 'idempotency_error' },
        )
      }
      if (earlier !== undefined) {
        return { ...earlier.answer, headers: { ...earlier.answer.headers, 'idempotent-replayed': 'true' } }
      }
      try {
        const answer = handle({ key, ...fieldsOf(form, allowed) }, ...parameters)
        if (idempotencyKey !== '') remembered.set(place, { asked: same, answer })
        return answer
      } catch (error) {
        if (error instanceof Invalid) return error.answer
        throw error
      }
    }
  }

  function createSession({ key, fields, expands }: Called): Answer {
    const need = (name: string) => {
      const value = fields.get(name)
      if (value === undefined || value === '')
        throw new Invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
      return value
    }
    if (need('mode') !== 'payment') throw new Invalid('The stand-in knows the mode payment alone.')
    const lines = linesIn(fields)
    const currencies = new Set(lines.map(({ currency }) => currency))
    const [currency = ''] = currencies
    if (currencies.size !== 1)
      throw new Invalid('All line items must have the same currency.', { param: 'line_items' })
    const amount = lines.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0)
    if (amount < (LEAST[currency] ?? 1)) {
      throw new Invalid(
        `The Checkout Session's total amount due must add up to at least ${LEAST[currency] ?? 1} ${currency}`,
        { code: 'amount_too_small' },
      )
    }
    if (amount > 99_999_999)
      throw new Invalid('Amount must be no more than 999,999.99', { code: 'amount_too_large' })
    const expiresAt =
      wholeNumber('expires_at', fields.get('expires_at') ?? String(Math.floor(now() / 1000) + 86_400)) * 1000
    // Stripe counts seconds.
    const left = expiresAt - Math.floor(now() / 1000) * 1000
    if (left < 30 * MINUTE || left > 24 * 60 * MINUTE) {
      throw new Invalid(
        'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
        { param: 'expires_at' },
      )
    }
    const locale = fields.get('locale') ?? 'auto'
    if (!LOCALES.includes(locale)) throw new Invalid(`Invalid locale: ${locale}`, { param: 'locale' })
    const email = fields.get('customer_email') ?? null
    if (email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(email))
      throw new Invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'customer_email' })
    const capture = fields.get('payment_intent_data[capture_method]') ?? 'automatic'
    if (capture !== 'manual' && !capture.startsWith('automatic'))
      throw new Invalid(`Invalid payment_intent_data[capture_method]: ${capture}`)
    const reference = fields.get('client_reference_id') ?? null
    if ((reference ?? '').length > 200) throw new Invalid('client_reference_id: at most 200 characters')
    const id = newId('cs_test')
    const session: OutsideSession = {
      id,
      account: key.account.id,
      created: now(),
      url: `${state.url}/c/pay/${id}`,
      expiresAt,
      successUrl: addressIn('success_url', need('success_url')),
      cancelUrl: addressIn('cancel_url', fields.get('cancel_url') ?? need('success_url')),
      reference,
      email,
      locale,
      currency,
      lines: lines.map(({ name, unitAmount, quantity }) => ({ name, unitAmount, quantity })),
      amount,
      metadata: metadataIn(fields, 'metadata'),
      intentMetadata: metadataIn(fields, 'payment_intent_data[metadata]'),
      capture: capture === 'manual' ? 'manual' : 'automatic',
      status: 'open',
      paymentStatus: 'unpaid',
      intentId: null,
    }
    sessions.push(session)
    return { status: 200, body: viewOf(session, expands.includes('payment_intent')) }
  }

  function expireSession({ key, expands }: Called, id: string): Answer {
    const session = own(sessions, key, id)
    if (session === undefined) return missing('checkout.session', id)
    const { status } = current(session)
    if (status !== 'open') {
      return stripeError(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${status}\`.`,
      )
    }
    inBackground(expire(session))
    return { status: 200, body: viewOf(session, expands.includes('payment_intent')) }
  }

  const unexpected = (one: OutsideIntent, to: string) =>
    stripeError(400, `This PaymentIntent could not be ${to} because it has a status of ${one.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intentView(one),
    })

  function capture({ key, fields }: Called, id: string): Answer {
    const intent = own(intents, key, id)
    if (intent === undefined) return missing('payment_intent', id)
    if (intent.status !== 'requires_capture') return unexpected(intent, 'captured')
    const amount = wholeNumber('amount_to_capture', fields.get('amount_to_capture') ?? String(intent.amount))
    if (amount > intent.amount || amount < 1)
      throw new Invalid('The amount to capture is greater than what was authorised.', {
        param: 'amount_to_capture',
      })
    intent.status = 'succeeded'
    intent.received = amount
    const session = sessions.find(({ intentId }) => intentId === id)
    if (session !== undefined) session.paymentStatus = 'paid'
    inBackground(tellOfIntent(intent, 'succeeded'))
    return { status: 200, body: intentView(intent) }
  }

  function cancel({ key }: Called, id: string): Answer {
    const intent = own(intents, key, id)
    if (intent === undefined) return missing('payment_intent', id)
    if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpected(intent, 'canceled')
    intent.status = 'canceled'
    intent.canceledBecause = 'requested_by_customer'
    inBackground(tellOfIntent(intent, 'canceled'))
    return { status: 200, body: intentView(intent) }
  }

  const refundedOf = (intentId: string) =>
    refunds
      .filter((one) => one.intentId === intentId && one.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0)

  function addRefund(intent: OutsideIntent, amount: number, metadata: Readonly<Record<string, string>>) {
    const refund: OutsideRefund = {
      id: newId('re'),
      account: intent.account,
      created: now(),
      intentId: intent.id,
      chargeId: intent.chargeId,
      amount,
      currency: intent.currency,
      metadata,
      status: state.refundsAre,
      failure: state.refundsAre === 'failed' ? 'lost_or_stolen_card' : null,
    }
    refunds.push(refund)
    return refund
  }

  function createRefund({ key, fields }: Called): Answer {
    const id = fields.get('payment_intent') ?? ''
    if (id === '') throw new Invalid('One of the following params should be provided: payment_intent.')
    const intent = own(intents, key, id)
    if (intent === undefined) return missing('payment_intent', id)
    if (intent.status !== 'succeeded') {
      return stripeError(400, `This PaymentIntent (${id}) does not have a successful charge to refund.`)
    }
    const left = intent.received - refundedOf(id)
    if (left === 0) {
      return stripeError(400, `Charge ${intent.chargeId} has already been refunded.`, {
        code: 'charge_already_refunded',
      })
    }
    const amount = wholeNumber('amount', fields.get('amount') ?? String(left))
    if (amount < 1) throw new Invalid('Invalid positive integer', { code: 'parameter_invalid_integer' })
    if (amount > left) {
      return stripeError(
        400,
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
        { param: 'amount' },
      )
    }
    const refund = addRefund(intent, amount, metadataIn(fields, 'metadata'))
    inBackground(tellOfRefund(refund, 'created'))
    if (refund.status === 'failed') inBackground(tellOfRefund(refund, 'failed'))
    return { status: 200, body: refundView(refund) }
  }

  function createEndpoint({ key, fields }: Called): Answer {
    const url = addressIn('url', fields.get('url') ?? '')
    const events = [...fields].filter(([name]) => name.startsWith('enabled_events')).map(([, value]) => value)
    if (events.length === 0)
      throw new Invalid('Missing required param: enabled_events.', { code: 'parameter_missing' })
    const strange = events.find((one) => one !== '*' && !EVENT_TYPES.test(one))
    if (strange !== undefined) throw new Invalid(`Invalid enabled_events: must be one of …: ${strange}`)
    if (endpoints.filter(({ account }) => account === key.account.id).length >= 16)
      return stripeError(400, 'You have reached the maximum of 16 test webhook endpoints.')
    const apiVersion = fields.get('api_version') ?? '2020-08-27'
    const id = newId('we')
    const endpoint = { id, account: key.account.id, url, secret: newId('whsec'), events, apiVersion }
    endpoints.push(endpoint)
    return { status: 200, body: { ...endpointView(endpoint), secret: endpoint.secret } }
  }

  const list = (
    asked: Called,
    objects: readonly { id: string; account: string; created: number }[],
    view: (id: string) => object,
  ): Answer => {
    const { key, fields } = asked
    const limit = wholeNumber('limit', fields.get('limit') ?? '10')
    if (limit < 1 || limit > 100) throw new Invalid('Invalid integer: limit must be between 1 and 100')
    const since = Number(fields.get('created[gte]') ?? 0) * 1000
    const all = objects
      .filter(({ account, created }) => account === key.account.id && created >= since)
      .toReversed()
    const after = fields.get('starting_after')
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    if (after !== undefined && from === 0)
      throw new Invalid(`No such object: '${after}'`, { code: 'resource_missing' })
    const to = from + Math.min(limit, state.mostPerPage)
    const data = all.slice(from, to).map(({ id }) => view(id))
    return { status: 200, body: { object: 'list', url: '/v1', has_more: to < all.length, data } }
  }
  const PAGING = ['limit', 'starting_after', 'created[gte]']

  const routes: Route[] = [
    {
      method: 'GET',
      path: /^\/v1\/account$/,
      answer: call('rak_accounts_kyc_basic_read', /^$/, ({ key: { account } }) => ({
        status: 200,
        body: {
          id: account.id,
          object: 'account',
          business_profile: { name: account.name },
          settings: { dashboard: { display_name: account.name, timezone: 'Etc/UTC' } },
          email: 'ada@lovelace.example',
          charges_enabled: true,
          country: 'DE',
          default_currency: 'eur',
        },
      })),
    },
    {
      method: 'POST',
      path: /^\/v1\/checkout\/sessions$/,
      answer: call('rak_checkout_session_write', SESSION_FIELDS, createSession),
    },
    {
      method: 'GET',
      path: /^\/v1\/checkout\/sessions$/,
      query: [...PAGING, 'payment_intent', 'expand[0]', 'expand[]'],
      answer: call('', /./, (asked) => {
        const { fields, expands } = asked
        const intent = fields.get('payment_intent')
        const those = intent === undefined ? sessions : sessions.filter(({ intentId }) => intentId === intent)
        return list(asked, those, (id) =>
          viewOf(known(sessionNamed(id), 'session'), expands.includes('data.payment_intent')),
        )
      }),
    },
    {
      method: 'GET',
      path: /^\/v1\/checkout\/sessions\/(\w+)$/,
      query: ['expand[0]', 'expand[]'],
      answer: call('', /^expand\[\d*\]$/, ({ key, expands }, id = '') => {
        const session = own(sessions, key, id)
        if (session === undefined) return missing('checkout.session', id)
        return { status: 200, body: viewOf(session, expands.includes('payment_intent')) }
      }),
    },
    {
      method: 'POST',
      path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
      answer: call('rak_checkout_session_write', /^expand\[\d*\]$/, (asked, id = '') =>
        expireSession(asked, id),
      ),
    },
    {
      method: 'GET',
      path: /^\/v1\/payment_intents\/(\w+)$/,
      answer: call('', /^$/, ({ key }, id = '') => {
        const intent = own(intents, key, id)
        return intent === undefined
          ? missing('payment_intent', id)
          : { status: 200, body: intentView(intent) }
      }),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_intents\/(\w+)\/capture$/,
      answer: call('rak_payment_intent_write', /^amount_to_capture$/, (asked, id = '') => capture(asked, id)),
    },
    {
      method: 'POST',
      path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
      answer: call('rak_payment_intent_write', /^cancellation_reason$/, (asked, id = '') =>
        cancel(asked, id),
      ),
    },
    {
      method: 'POST',
      path: /^\/v1\/refunds$/,
      answer: call(
        'rak_charge_write',
        /^(?:payment_intent|amount|reason|metadata\[[^[\]]{1,40}\])$/,
        createRefund,
      ),
    },
    {
      method: 'GET',
      path: /^\/v1\/refunds$/,
      query: [...PAGING, 'payment_intent'],
      answer: call('', /./, (asked) => {
        const intent = asked.fields.get('payment_intent')
        const those = intent === undefined ? refunds : refunds.filter(({ intentId }) => intentId === intent)
        return list(asked, those, (id) =>
          refundView(
            known(
              refunds.find((one) => one.id === id),
              'refund',
            ),
          ),
        )
      }),
    },
    ...(['GET', 'POST'] as const).map((method): Route => {
      const permission = method === 'GET' ? '' : 'rak_charge_write'
      return {
        method,
        path: /^\/v1\/refunds\/(\w+)$/,
        answer: call(permission, /^metadata\[[^[\]]{1,40}\]$/, ({ key }, id = '') => {
          const refund = own(refunds, key, id)
          return refund === undefined ? missing('refund', id) : { status: 200, body: refundView(refund) }
        }),
      }
    }),
    {
      method: 'GET',
      path: /^\/v1\/disputes$/,
      query: [...PAGING, 'payment_intent'],
      answer: call('rak_dispute_read', /./, (asked) => {
        const intent = asked.fields.get('payment_intent')
        const those = intent === undefined ? disputes : disputes.filter(({ intentId }) => intentId === intent)
        return list(asked, those, (id) =>
          disputeView(
            known(
              disputes.find((one) => one.id === id),
              'dispute',
            ),
          ),
        )
      }),
    },
    {
      method: 'POST',
      path: /^\/v1\/webhook_endpoints$/,
      answer: call(
        'rak_webhook_write',
        /^(?:url|api_version|description|enabled_events\[\d*\]|metadata\[\w+\])$/,
        createEndpoint,
      ),
    },
    {
      method: 'GET',
      path: /^\/v1\/webhook_endpoints$/,
      query: PAGING,
      answer: call('', /./, (asked) => {
        const those = endpoints.map((one) => ({ ...one, created: 0 }))
        return list(asked, those, (id) =>
          endpointView(
            known(
              endpoints.find((one) => one.id === id),
              'endpoint',
            ),
          ),
        )
      }),
    },
    {
      method: 'DELETE',
      path: /^\/v1\/webhook_endpoints\/(\w+)$/,
      answer: call('rak_webhook_write', /^$/, ({ key }, id = '') => {
        if (own(endpoints, key, id) === undefined) return missing('webhook endpoint', id)
        endpoints = endpoints.filter((one) => one.id !== id)
        return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } }
      }),
    },
    {
      method: 'GET',
      path: /^\/c\/pay\/(\w+)$/,
      answer: (_asked, id = '') => payPage(sessionNamed(id)),
    },
    {
      method: 'POST',
      path: /^\/c\/pay\/(\w+)$/,
      answer: async (_asked, id = '') => {
        const session = sessionNamed(id)
        if (session?.status !== 'open') return payPage(session)
        await pay(id)
        return { status: 303, headers: { location: session.successUrl } }
      },
    },
  ]

  async function pay(sessionId: string, { by = 'card' }: { readonly by?: 'card' | 'bank' } = {}) {
    const session = current(known(sessionNamed(sessionId), 'session'))
    if (session.status !== 'open') throw new Error(`This session is ${session.status}: nobody can pay it.`)
    const isPaid = by === 'card' && session.capture === 'automatic'
    const intent: OutsideIntent = {
      id: newId('pi'),
      account: session.account,
      created: now(),
      currency: session.currency,
      amount: session.amount,
      capture: session.capture,
      metadata: session.intentMetadata,
      chargeId: newId('ch'),
      status: isPaid ? 'succeeded' : by === 'bank' ? 'processing' : 'requires_capture',
      received: isPaid ? session.amount : 0,
      canceledBecause: null,
    }
    intents.push(intent)
    session.intentId = intent.id
    session.status = 'complete'
    session.paymentStatus = isPaid ? 'paid' : 'unpaid'
    // What happens while these are on their way does not change what they say.
    const views = [intentView(intent), sessionView(session)] as const
    const what = {
      succeeded: 'succeeded',
      requires_capture: 'amount_capturable_updated',
      processing: 'processing',
    }
    await tell(intent.account, `payment_intent.${what[intent.status as keyof typeof what]}`, views[0])
    await tell(session.account, 'checkout.session.completed', views[1])
    return intent
  }

  const standIn = await startStandIn({
    routes: (url) => {
      state.url = url
      return routes
    },
    refuse: (status, reason) => stripeError(status, `Unrecognized request URL: ${reason}`),
  })

  return {
    ...standIn,
    ...first,
    sessions,
    intents,
    refunds,
    disputes,
    get endpoints() {
      return endpoints
    },
    notices,
    idempotencyKeys,
    get mostPerPage() {
      return state.mostPerPage
    },
    set mostPerPage(most) {
      state.mostPerPage = most
    },
    get refundsAre() {
      return state.refundsAre
    },
    set refundsAre(status) {
      state.refundsAre = status
    },
    addAccount,
    restrictedKey(permissions) {
      const key = `rk_test_${newId('51').slice(3)}`
      keys.set(key, { account: first.account, permissions: new Set(permissions), revoked: false })
      return key
    },
    revoke: (key) => {
      known(keys.get(key), 'key').revoked = true
    },
    allow: (key, permissions) => {
      known(keys.get(key), 'key').permissions = new Set(permissions)
    },
    outage: (on) => {
      state.away = on
    },
    pay,
    async finishBank(sessionId, paid) {
      const session = known(sessionNamed(sessionId), 'session')
      const intent = known(intentNamed(session.intentId ?? ''), 'payment')
      if (intent.status !== 'processing') throw new Error(`This payment is ${intent.status}.`)
      intent.status = paid ? 'succeeded' : 'requires_payment_method'
      intent.received = paid ? intent.amount : 0
      session.paymentStatus = paid ? 'paid' : 'unpaid'
      await tellOfIntent(intent, paid ? 'succeeded' : 'payment_failed')
      await tellOfSession(session, paid ? 'async_payment_succeeded' : 'async_payment_failed')
    },
    async tick() {
      for (const one of sessions) if (one.status === 'open' && one.expiresAt <= now()) await expire(one)
    },
    async lapse(intentId) {
      const intent = known(intentNamed(intentId), 'payment')
      if (intent.status !== 'requires_capture') throw new Error(`This payment is ${intent.status}.`)
      intent.status = 'canceled'
      intent.canceledBecause = 'automatic'
      await tellOfIntent(intent, 'canceled')
    },
    async finishRefund(refundId, outcome) {
      const refund = known(
        refunds.find(({ id }) => id === refundId),
        'refund',
      )
      if (outcome === 'succeeded' && refund.status !== 'pending')
        throw new Error(`This refund is ${refund.status}.`)
      refund.status = outcome
      refund.failure = outcome === 'failed' ? 'expired_or_canceled_card' : null
      await tellOfRefund(refund, 'updated')
      if (outcome === 'failed') await tellOfRefund(refund, 'failed')
    },
    async refundByHand(intentId, amount) {
      const intent = known(intentNamed(intentId), 'payment')
      if (amount > intent.received - refundedOf(intentId))
        throw new Error('There is not so much left to refund.')
      const refund = addRefund(intent, amount, {})
      await tellOfRefund(refund, 'created')
      return refund
    },
    async dispute(intentId) {
      const { account, chargeId, received, currency } = known(intentNamed(intentId), 'payment')
      const dispute: OutsideDispute = {
        id: newId('du'),
        account,
        created: now(),
        intentId,
        chargeId,
        amount: received,
        currency,
        status: 'needs_response',
      }
      disputes.push(dispute)
      await tell(account, 'charge.dispute.created', disputeView(dispute))
      return dispute
    },
    async closeDispute(disputeId, status) {
      const dispute = known(
        disputes.find(({ id }) => id === disputeId),
        'dispute',
      )
      dispute.status = status
      await tell(dispute.account, 'charge.dispute.closed', disputeView(dispute))
    },
    tell,
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    kept() {
      const sums: Record<string, number> = {}
      for (const { id, currency, received } of intents)
        sums[currency] = (sums[currency] ?? 0) + received - refundedOf(id)
      return sums
    },
  }
}

const own = <T extends { readonly id: string; readonly account: string }>(
  all: readonly T[],
  { account }: Key,
  id: string,
): T | undefined => all.find((one) => one.id === id && one.account === account.id)

const EXPANDABLE = ['payment_intent', 'data.payment_intent']

function fieldsOf(form: URLSearchParams, allowed: RegExp) {
  const fields = new Map<string, string>()
  const expands: string[] = []
  for (const [name, value] of form) {
    if (!allowed.test(name))
      throw new Invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name })
    if (name.startsWith('expand[')) {
      if (!EXPANDABLE.includes(value)) throw new Invalid(`This property cannot be expanded (${value}).`)
      expands.push(value)
    } else fields.set(name.endsWith('[]') ? `${name}${fields.size}` : name, value)
  }
  return { fields, expands }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text))
    throw new Invalid(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: name })
  return Number(text)
}

function addressIn(name: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Invalid('Not a valid URL', { code: 'url_invalid', param: name })
  return text
}

function metadataIn(fields: ReadonlyMap<string, string>, prefix: string): Record<string, string> {
  const found = [...fields].filter(([name]) => name.startsWith(`${prefix}[`))
  if (found.length > 50 || found.some(([, value]) => value.length > 500))
    throw new Invalid('Metadata values can have up to 500 characters.')
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))
}

function linesIn(fields: ReadonlyMap<string, string>) {
  const indexes = new Set([...fields.keys()].flatMap((name) => /^line_items\[(\d+)\]/.exec(name)?.[1] ?? []))
  if (indexes.size === 0)
    throw new Invalid('Missing required param: line_items.', {
      code: 'parameter_missing',
      param: 'line_items',
    })
  return [...indexes].map((index) => {
    const field = (name: string) => {
      const value = fields.get(`line_items[${index}]${name}`)
      if (value === undefined || value === '')
        throw new Invalid(`Missing required param: line_items[${index}]${name}.`, {
          code: 'parameter_missing',
        })
      return value
    }
    const currency = field('[price_data][currency]')
    if (!/^[a-z]{3}$/.test(currency)) throw new Invalid(`Invalid currency: ${currency}`)
    const unitAmount = wholeNumber('unit_amount', field('[price_data][unit_amount]'))
    if (THOUSANDTHS.includes(currency) && unitAmount % 10 !== 0)
      throw new Invalid('The last digit of this currency’s amounts must be 0.')
    if (['isk', 'ugx'].includes(currency) && unitAmount % 100 !== 0)
      throw new Invalid('This currency has no decimals: its amounts must be evenly divisible by 100.')
    const quantity = wholeNumber('quantity', field('[quantity]'))
    if (quantity < 1) throw new Invalid('This value must be greater than or equal to 1.')
    return { name: field('[price_data][product_data][name]'), currency, unitAmount, quantity }
  })
}

const endpointView = ({ id, url, events, apiVersion }: OutsideEndpoint) => ({
  id,
  object: 'webhook_endpoint',
  api_version: apiVersion,
  enabled_events: events,
  livemode: false,
  status: 'enabled',
  url,
})

/** The page on which guests pay. */
function payPage(session: OutsideSession | undefined): Answer {
  if (session === undefined) return { status: 404, page: '<!doctype html><title>Not found</title>' }
  const { status, amount, currency, cancelUrl } = session
  const offer =
    status === 'open'
      ? `<form method="post"><button>Pay ${amount} ${currency}</button></form>`
      : '<p>This page has expired.</p>'
  return {
    status: 200,
    // It refuses to be framed.
    headers: { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' },
    page: `<!doctype html><html lang="en"><title>Checkout</title>${offer}<a href="${cancelUrl}">Back</a></html>`,
  }
}
