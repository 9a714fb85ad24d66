import { type AccessTokens, queryOf } from '../../src/domain/bookings/guest-access.ts'
import type { SlotDay } from '../../src/http/pages/page-data.ts'

/** A failed request; status 0 if there was no response. */
export class ApiFailure extends Error {
  readonly status: number
  /** When to retry, if the server says so. */
  readonly retryAt: number | undefined

  /** Which refusal it is, where pages do more than show it. */
  readonly code: string

  constructor(status: number, sentence: string, retryAt?: number, code = '') {
    super(sentence)
    this.status = status
    this.retryAt = retryAt
    this.code = code
  }
}

/** Whether a code was missing or wrong. */
export const isUnconfirmed = (error: Error | null): error is ApiFailure =>
  error instanceof ApiFailure && error.code === 'email_unconfirmed'

/** A preview asks the dashboard around it instead of the server. */
let send: typeof fetch = (address, init) => fetch(address, init)

/** Sends the requests of this page another way from now on. */
export function sendWith(other: typeof fetch): void {
  send = other
}

interface Answer<T> {
  readonly body: T
  readonly location: string | null
}

interface Init extends RequestInit {
  readonly headers?: Record<string, string>
}

/** Calls the API of this service; throws an `ApiFailure`. */
export async function ask<T>(address: string, init: Init = {}): Promise<Answer<T>> {
  let response: Response
  let body: unknown
  try {
    response = await send(address, {
      credentials: 'omit',
      ...init,
      // Refusals come in the language of the page, which may not be that of the browser.
      headers: { 'accept-language': document.documentElement.lang, ...init.headers },
    })
    body = await response.json()
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new ApiFailure(0, '')
  }
  if (!response.ok) {
    const seconds = Number(response.headers.get('retry-after'))
    const retryAt = seconds > 0 ? Date.now() + seconds * 1000 : undefined
    const { error = '' } = body as { readonly error?: string }
    throw new ApiFailure(response.status, error, retryAt, response.headers.get('error-code') ?? '')
  }
  return { body: body as T, location: response.headers.get('location') }
}

export function post<T>(address: string, body: unknown, headers: Record<string, string> = {}) {
  return ask<T>(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The API URL of an event type, with the tokens that the guest came with. */
export function eventAddress(
  base: string,
  userSlug: string,
  eventSlug: string,
  tokens: AccessTokens = {},
): string {
  const address = `${base}/api/public/scheduling/${userSlug}/${eventSlug}`
  return queryOf(tokens) === '' ? address : `${address}?${queryOf(tokens)}`
}

/** What is under an address, which may have a query. */
export function under(address: string, path: string): string {
  const [start, query] = address.split('?')
  return `${start}/${path}${query === undefined ? '' : `?${query}`}`
}

interface SlotSpan {
  readonly from: string
  readonly to: string
  readonly timeZone: string
  /** Minutes; undefined: the event type's default. */
  readonly duration?: number | undefined
}

/** Lists the slots of an event type, or those where a booking may move: its address has a token in its query. */
export async function listSlots(
  address: string,
  { from, to, timeZone, duration }: SlotSpan,
  signal: AbortSignal,
): Promise<readonly SlotDay[]> {
  const query = new URLSearchParams({ dateFrom: from, dateTo: to, timezone: timeZone })
  if (duration !== undefined) query.set('duration', String(duration))
  const [path, token] = address.split('?')
  const url = `${path}/slots?${query}${token === undefined ? '' : `&${token}`}`
  return (await ask<readonly SlotDay[]>(url, { signal })).body
}
