import { OPERATIONS, type OperationName, type Punctual } from './api.ts'
import type { CallOptions, OwnLink } from './calls.ts'

export interface ClientOptions {
  /** Where the instance is, such as `https://book.example.com`. */
  readonly baseUrl: string
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Why a call failed:
 * `refused` (400: correct what the message names, or choose another slot), `notFound` (404),
 * `conflict` (409: the booking's state or its cutoff), `rateLimited` (429: wait `retryAfterSeconds`),
 * `unavailable` (503: try again in a moment), `unknown` (504: it may or may not be done), `unreachable` (no answer at all),
 * `unexpected` (anything else).
 */
export type FailureKind =
  | 'refused'
  | 'notFound'
  | 'conflict'
  | 'rateLimited'
  | 'unavailable'
  | 'unknown'
  | 'unreachable'
  | 'unexpected'

const KINDS: Readonly<Record<number, FailureKind>> = {
  400: 'refused',
  404: 'notFound',
  409: 'conflict',
  413: 'refused',
  415: 'refused',
  429: 'rateLimited',
  503: 'unavailable',
  504: 'unknown',
}

/** A call that failed. Its message is the service's own sentence, fit for a person to read. */
export class PunctualError extends Error {
  override readonly name = 'PunctualError'
  readonly kind: FailureKind
  readonly operation: OperationName
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(
    operation: OperationName,
    status: number,
    message: string,
    more: { readonly retryAfterSeconds?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined)
    this.operation = operation
    this.status = status
    this.kind = status === 0 ? 'unreachable' : (KINDS[status] ?? 'unexpected')
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** A client of one instance: a function for each operation of its public interface. */
export function createClient(options: ClientOptions): Punctual {
  const names = Object.keys(OPERATIONS) as OperationName[]
  const call =
    (name: OperationName) =>
    (input: Readonly<Record<string, unknown>>, { signal }: CallOptions = {}) =>
      send(options, name, input, signal)
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Punctual
}

/** The link in a mail, an address of `/booking/…` or the `Location` of a booking, as its parts. */
export function readOwnLink(address: string): OwnLink {
  const { pathname, searchParams } = new URL(address)
  const id = pathname.split('/').at(-1) ?? ''
  const token = searchParams.get('token') ?? ''
  if (id === '' || token === '') throw new TypeError('This is not the link to a booking.')
  return { id, token }
}

interface Shape {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: readonly string[] | undefined
  readonly answer: 'application/json' | 'text/calendar'
  readonly linked: boolean
}

async function send(
  { baseUrl, fetch: ask = globalThis.fetch, headers }: ClientOptions,
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const shape: Shape = OPERATIONS[name]
  let answer: Response
  let text: string
  try {
    answer = await ask(addressOf(baseUrl, shape, input), {
      method: shape.method,
      headers: { ...headers, ...headersOf(shape, input) },
      ...(shape.body !== undefined && { body: JSON.stringify(pick(input, shape.body)) }),
      ...(signal !== undefined && { signal }),
    })
    text = await answer.text()
  } catch (cause) {
    // The caller aborted it, and knows why.
    if (signal?.aborted) throw cause
    throw new PunctualError(name, 0, 'The service could not be reached.', { cause })
  }
  if (answer.ok && shape.answer !== 'application/json') return text
  if (answer.status === 204) return null
  const body = parse(text)
  if (!answer.ok || body === undefined) throw failureOf(name, answer, body)
  if (!shape.linked) return body
  return { ...(body as object), link: readOwnLink(answer.headers.get('location') ?? '') }
}

function addressOf(
  baseUrl: string,
  { path, query }: Shape,
  input: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(input[name] ?? '')
    // These would lead to another path; no slug and no id is one of them.
    return encodeURIComponent(/^\.{0,2}$/.test(value) ? '-' : value)
  })
  const pairs = Object.entries(pick(input, query)).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(pairs as [string, string][]).toString()
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`
}

function headersOf(
  { headers, body, answer }: Shape,
  input: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const given = Object.entries(headers).filter(([name]) => input[name] !== undefined)
  return {
    // Errors are JSON, even where a success is not.
    accept: [...new Set([answer, 'application/json'])].join(', '),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(given.map(([name, header]) => [header, String(input[name])])),
  }
}

function pick(input: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(name: OperationName, { status, headers }: Response, body: unknown): PunctualError {
  const sentence = (body as { error?: unknown } | null | undefined)?.error
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return new PunctualError(
    name,
    status,
    typeof sentence === 'string' ? sentence : `The service answered with ${status}, and not in JSON.`,
    { retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined },
  )
}
