import { type Sentence, sentence } from '../../../domain/sentence.ts'
import { printableLine, shortened } from '../../../format/text/printable.ts'
import { PaymentRefused, PaymentUnavailable } from '../provider.ts'

/** What our reading of the answers was written for; notices are sent in this version, too. */
export const STRIPE_VERSION = '2026-10-28.endive'

const TITLE = 'Stripe'

/** Milliseconds for a whole request. Stripe itself gives up after 80 seconds, but a guest waits. */
const TIMEOUT = 20_000

export interface StripeServer {
  /** Without `/v1`. */
  readonly apiUrl: string
  /** Milliseconds for a whole request. */
  readonly timeout?: number
}

export interface StripeRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Below `/v1`. */
  readonly path: string
  /** The query of a GET, else the form. */
  readonly parameters?: Parameters
  /** The same for each repeat of one change. */
  readonly idempotencyKey?: string
}

/** As Stripe nests them: `line_items[0][quantity]=1`. What is undefined is left out. */
export type Parameters = { readonly [name: string]: Parameter }
type Parameter = string | number | boolean | undefined | Parameters | readonly (string | Parameters)[]

export type Json = Readonly<Record<string, unknown>>

/** A refusal with Stripe's own word for its reason. */
export class StripeRefused extends PaymentRefused {
  /** Such as `payment_intent_unexpected_state`; empty without one. */
  readonly code: string
  readonly status: number
  /** The account that the refusal names; empty without one. */
  readonly account: string

  constructor(
    because: PaymentRefused['because'],
    reason: Sentence,
    given: { readonly code: string; readonly status: number; readonly account: string },
  ) {
    super(because, reason)
    this.code = given.code
    this.status = given.status
    this.account = given.account
  }
}

/** Sends one request. Throws `PaymentRefused`, or `PaymentUnavailable` if repeating it may help. */
export async function askStripe(
  { apiUrl, timeout = TIMEOUT }: StripeServer,
  key: string,
  { method = 'GET', path, parameters = {}, idempotencyKey }: StripeRequest,
): Promise<Json> {
  const form = encode(parameters)
  const query = method === 'GET' && form !== '' ? `?${form}` : ''
  let status: number
  let retryAfter: number | undefined
  let body: unknown
  try {
    const response = await fetch(`${apiUrl}/v1/${path}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': STRIPE_VERSION,
        'user-agent': 'Punctual-Payments/1',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(method === 'POST' && { body: form }),
      // The key must not follow a redirect to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    status = response.status
    retryAfter = readRetryAfter(response.headers.get('retry-after'))
    body = parse(await response.text())
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const why = isLate ? sentence`${TITLE} did not answer in time.` : sentence`${TITLE} could not be reached.`
    throw new PaymentUnavailable(why, { cause })
  }
  if (status >= 200 && status < 300) {
    if (isObject(body)) return body
    throw new PaymentUnavailable(sentence`${TITLE} sent an answer that we don’t understand.`)
  }
  const { error } = objectOf(body)
  if (!isObject(error)) throw new PaymentUnavailable(sentence`${TITLE} answered ${status}.`, { retryAfter })
  throw failureOf(status, error, retryAfter)
}

/** A conflict is an earlier request with the same key that still runs; it is answered once that one has ended. */
const TRY_AGAIN = new Set([408, 409, 424, 429])

function failureOf(status: number, error: Json, retryAfter: number | undefined): Error {
  const message = lineOf(error.message)
  const account = /'(acct_\w+)'/.exec(message)?.[1] ?? ''
  const given = { code: textOf(error.code), status, account }
  if (status === 401) return new StripeRefused('key', sentence`${TITLE} does not accept this key.`, given)
  if (status === 403) {
    const permission = /'(rak_\w+)'/.exec(message)?.[1]
    const reason =
      permission === undefined
        ? sentence`${TITLE} refused this: ${message || String(status)}`
        : sentence`${TITLE} does not let this key do this. It lacks the permission “${nameOf(permission)}”.`
    return new StripeRefused('permission', reason, given)
  }
  const isRefusal = status >= 400 && status < 500 && !TRY_AGAIN.has(status)
  if (!isRefusal) return new PaymentUnavailable(sentence`${TITLE} answered ${status}.`, { retryAfter })
  return new StripeRefused('request', sentence`${TITLE} refused this: ${message || String(status)}`, given)
}

/** What Stripe's page of restricted keys calls permissions that we need. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  rak_checkout_session_write: 'Checkout Sessions: Write',
  rak_payment_intent_write: 'Payment Intents: Write',
  rak_charge_write: 'Charges and Refunds: Write',
  rak_webhook_write: 'Webhook Endpoints: Write',
  rak_dispute_read: 'Disputes: Read',
}

/** Stripe's logs have the short name, its page of keys the long one. */
const nameOf = (permission: string) => {
  const words = PERMISSIONS[permission]
  return words === undefined ? permission : `${words} (${permission})`
}

const MAX_MESSAGE = 300

/** Of what Stripe says, one line without anything that looks like a key. */
function lineOf(text: unknown): string {
  if (typeof text !== 'string') return ''
  return shortened(printableLine(text).replaceAll(/\b(?:sk|rk|whsec)_[\w*]+/g, '…'), MAX_MESSAGE)
}

/** The longest pause that we believe. */
const MAX_PAUSE = 3_600_000

function readRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(MAX_PAUSE, seconds * 1000) : undefined
}

function encode(parameters: Parameters): string {
  const form = new URLSearchParams()
  const add = (name: string, value: Parameter): void => {
    if (value === undefined) return
    if (typeof value !== 'object') form.append(name, String(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(parameters)) add(name, value)
  return form.toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The fields of a JSON object; none if it is something else. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
