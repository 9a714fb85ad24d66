import { randomUUID } from 'node:crypto'
import type { WantedSession } from '../../../domain/payments/payment.ts'
import type { PaymentProvider, ProviderAccount, ProviderIntent, ProviderSession } from '../provider.ts'
import {
  askStripe,
  type Json,
  objectOf,
  type Parameters,
  STRIPE_VERSION,
  StripeRefused,
  type StripeRequest,
  type StripeServer,
  textOf,
} from './call.ts'
import { stripeLocale } from './locale.ts'
import { EVENTS, readNotice } from './notice.ts'
import { readDispute, readIntent, readRefund, readSession, toStripe } from './objects.ts'

const WITH_PAYMENT = { expand: ['payment_intent'] }

/** Stripe Checkout, in plain requests: guests pay on Stripe's pages, and we never see a card. */
export function stripeProvider(server: StripeServer): PaymentProvider {
  const ask = (key: string, request: StripeRequest) => askStripe(server, key, request)
  const sessionAt = async (key: string, id: string) =>
    readSession(
      await ask(key, { path: `checkout/sessions/${encodeURIComponent(id)}`, parameters: WITH_PAYMENT }),
    )

  /** A payment that is no longer what the request is for is answered as it is: an earlier request may have been heard. */
  const changeIntent = async (
    key: string,
    intentId: string,
    request: {
      readonly to: 'capture' | 'cancel'
      readonly parameters: Parameters
      readonly idempotencyKey: string
    },
  ): Promise<ProviderIntent> => {
    const path = `payment_intents/${encodeURIComponent(intentId)}`
    const { to, parameters, idempotencyKey } = request
    try {
      return readIntent(await ask(key, { method: 'POST', path: `${path}/${to}`, parameters, idempotencyKey }))
    } catch (error) {
      if (!(error instanceof StripeRefused) || error.code !== 'payment_intent_unexpected_state') throw error
      return readIntent(await ask(key, { path }))
    }
  }

  const listRefunds = async (key: string, intentId: string) =>
    (await Array.fromAsync(pages(ask, key, 'refunds', { payment_intent: intentId }))).map(readRefund)

  return {
    readAccount: (key) => readAccount(ask, key),
    async makeHook(key, url) {
      const hook = await ask(key, {
        method: 'POST',
        path: 'webhook_endpoints',
        parameters: {
          url,
          enabled_events: EVENTS,
          api_version: STRIPE_VERSION,
          description: 'Punctual: tells which meetings are paid.',
        },
        idempotencyKey: randomUUID(),
      })
      return { id: textOf(hook.id), secret: textOf(hook.secret) }
    },
    async removeHook(key, hookId) {
      try {
        await ask(key, { method: 'DELETE', path: `webhook_endpoints/${encodeURIComponent(hookId)}` })
      } catch (error) {
        // Removed by hand.
        if (!(error instanceof StripeRefused && error.status === 404)) throw error
      }
    },
    async openSession(key, checkoutId, wanted) {
      const parameters = sessionOf(checkoutId, wanted)
      const request = { method: 'POST', path: 'checkout/sessions', parameters } as const
      return readSession(await ask(key, { ...request, idempotencyKey: `checkout-${checkoutId}` }))
    },
    readSession: sessionAt,
    async closeSession(key, sessionId): Promise<ProviderSession> {
      const path = `checkout/sessions/${encodeURIComponent(sessionId)}/expire`
      try {
        // A key of its own each time: Stripe would repeat its own failures for a day, and a session ends only once.
        const request = {
          method: 'POST',
          path,
          parameters: WITH_PAYMENT,
          idempotencyKey: randomUUID(),
        } as const
        return readSession(await ask(key, request))
      } catch (error) {
        // Only open sessions can be closed.
        if (error instanceof StripeRefused && error.because === 'request') return sessionAt(key, sessionId)
        throw error
      }
    },
    capture: (key, intentId, { amount, currency, idempotencyKey }) =>
      changeIntent(key, intentId, {
        to: 'capture',
        parameters: { amount_to_capture: toStripe(amount, currency) },
        idempotencyKey,
      }),
    release: (key, intentId, idempotencyKey) =>
      changeIntent(key, intentId, { to: 'cancel', parameters: {}, idempotencyKey }),
    async refund(key, { id, intentId, amount, currency }) {
      // Stripe forgets idempotency keys after a day, and we may ask for longer.
      const known = (await listRefunds(key, intentId)).find(({ refundId }) => refundId === id)
      if (known !== undefined) return known
      const parameters = {
        payment_intent: intentId,
        amount: toStripe(amount, currency),
        metadata: { refund: id },
      }
      const request = { method: 'POST', path: 'refunds', parameters } as const
      return readRefund(await ask(key, { ...request, idempotencyKey: `refund-${id}` }))
    },
    listRefunds,
    async *listSessions(key, since) {
      const created = { gte: Math.floor(since / 1000) }
      for await (const session of pages(ask, key, 'checkout/sessions', {
        created,
        expand: ['data.payment_intent'],
      })) {
        yield readSession(session)
      }
    },
    async listDisputes(key, which) {
      const filter =
        'since' in which
          ? { created: { gte: Math.floor(which.since / 1000) } }
          : { payment_intent: which.intentId }
      return (await Array.fromAsync(pages(ask, key, 'disputes', filter))).map(readDispute)
    },
    readNotice,
  }
}

type Ask = (key: string, request: StripeRequest) => Promise<Json>

/** Answered with 403 to a key that lacks the permission, and with 404 to any other: there are no such objects. */
const PROBES = ['checkout/sessions/cs_none/expire', 'payment_intents/pi_none/cancel', 'refunds/re_none']

async function readAccount(ask: Ask, key: string): Promise<ProviderAccount> {
  const [account] = await Promise.all([whoseKey(ask, key), ...PROBES.map((path) => probe(ask, key, path))])
  return account
}

async function whoseKey(ask: Ask, key: string): Promise<ProviderAccount> {
  try {
    const account = await ask(key, { path: 'account' })
    const id = textOf(account.id)
    const profile = textOf(objectOf(account.business_profile).name)
    const name = textOf(objectOf(objectOf(account.settings).dashboard).display_name) || profile
    return { id, name: name || textOf(account.email) || id }
  } catch (error) {
    // Restricted keys can hardly be allowed to read their account, but the refusal names it.
    if (!(error instanceof StripeRefused && error.because === 'permission') || error.account === '')
      throw error
    return { id: error.account, name: error.account }
  }
}

async function probe(ask: Ask, key: string, path: string): Promise<void> {
  try {
    await ask(key, { method: 'POST', path, idempotencyKey: randomUUID() })
  } catch (error) {
    if (!(error instanceof StripeRefused && error.because === 'request')) throw error
  }
}

function sessionOf(checkoutId: string, wanted: WantedSession): Parameters {
  const { name, unitAmount, quantity, currency, email, locale, isManual, expiresAt, returnUrl } = wanted
  const metadata = { checkout: checkoutId }
  return {
    mode: 'payment',
    client_reference_id: checkoutId,
    metadata,
    payment_intent_data: { metadata, ...(isManual && { capture_method: 'manual' }) },
    line_items: [
      {
        quantity,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: toStripe(unitAmount, currency),
          product_data: { name },
        },
      },
    ],
    customer_email: email === '' ? undefined : email,
    locale: stripeLocale(locale),
    expires_at: Math.floor(expiresAt / 1000),
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

/** The most that Stripe lists at once. */
const PAGE = 100
/** More than any account has in a while. */
const MOST_PAGES = 1000

/** All objects of a list. */
async function* pages(ask: Ask, key: string, path: string, filter: Parameters): AsyncGenerator<Json> {
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const parameters = { ...filter, limit: PAGE, starting_after: after }
    const { data, has_more: hasMore } = await ask(key, { path, parameters })
    const objects = Array.isArray(data) ? data.map(objectOf) : []
    yield* objects
    after = textOf(objects.at(-1)?.id)
    if (hasMore !== true || after === '') return
  }
}
