import { type Sentence, say, sentence } from '../../domain/sentence.ts'
import { printableLine, shortened } from '../../format/text/printable.ts'

/**
 * Why a provider did not do what it was asked.
 *
 * `unauthorized`: the access token is not accepted. `gone`: a cursor or channel has expired. `rate-limited`: too many
 * requests. `unavailable`: no answer, or none that can be used. `refused`: anything else that repeating won't change.
 */
export type FailureCode = 'unauthorized' | 'gone' | 'rate-limited' | 'unavailable' | 'refused'

/** A request to a provider failed. The message is for the owner of the account, and holds no secret. */
export class ProviderFailure extends Error {
  override readonly name: string = 'ProviderFailure'
  readonly code: FailureCode
  readonly sentence: Sentence
  /** The status of the answer; null without one. */
  readonly status: number | null
  /** The provider's own word for the reason, such as `rateLimitExceeded`; empty without one. */
  readonly reason: string
  /** Milliseconds that the provider asks us to wait. */
  readonly retryAfter: number | undefined

  constructor(code: FailureCode, sentence: Sentence, options: FailureOptions = {}) {
    super(say(sentence), options)
    this.sentence = sentence
    this.code = code
    this.status = options.status ?? null
    this.reason = options.reason ?? ''
    this.retryAfter = options.retryAfter
  }
}

interface FailureOptions extends ErrorOptions {
  readonly status?: number
  readonly reason?: string
  readonly retryAfter?: number | undefined
}

/** An access token, and how long its holder is ready to wait. */
export interface Access {
  readonly token: string
  readonly signal?: AbortSignal | undefined
}

/** An account at a provider. */
export interface Account {
  readonly subject: string
  /** Its email address. */
  readonly address: string
}

/** A calendar of an account. */
export interface ProviderCalendar {
  readonly externalId: string
  readonly name: string
  readonly primary: boolean
  /** Whether events can be added to it. */
  readonly writable: boolean
}

/** A client that the operator has registered at a provider, and where it is used. */
export interface OAuthClient {
  /** What people call the provider. */
  readonly title: string
  readonly clientId: string
  readonly clientSecret: string
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** Empty if the provider has none. */
  readonly revokeUrl: string
  /** What the host is asked for; empty where the client's registration says it. */
  readonly scopes: readonly string[]
  /** Those without which the connection is of no use; of several in one line, one is enough. */
  readonly requiredScopes: readonly (readonly string[])[]
  /** What this provider's authorization page needs beside the standard's parameters. */
  readonly authorizeParameters: Readonly<Record<string, string>>
  /** Where the client's secret goes in requests for tokens. */
  readonly secretIn: 'header' | 'body'
}

/** A service that the operator has set up. */
export interface Provider {
  /** Where its API is. */
  readonly apiUrl: string
}

/** A service at which hosts connect accounts. */
export interface AccountProvider extends Provider {
  readonly oauth: OAuthClient
  /** Whose account it is. `idToken` is what came with the access token; empty if nothing did. */
  readonly findAccount: (access: Access, idToken: string) => Promise<Account>
  /** The account's calendars; none if the provider has no calendars. */
  readonly findCalendars: (access: Access) => Promise<ProviderCalendar[]>
}

export interface ProviderRequest {
  /** What people call the provider, for error messages. */
  readonly title: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  /** A form is sent as one; anything else as JSON. */
  readonly body?: unknown
  readonly access?: Access
  /** Ends the request early. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the request is given up. */
  readonly timeout?: number
}

const TIMEOUT = 10_000
const MAX_ANSWER = 10 * 1024 * 1024

/** Sends one request to a provider. Returns the JSON of its answer, undefined without any; throws `ProviderFailure`. */
export async function askProvider(request: ProviderRequest): Promise<unknown> {
  const { title } = request
  const signal = signalOf(request)
  let status: number
  let headers: Headers
  let text: string
  try {
    const response = await fetch(request.url, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(request.body !== undefined && { body: bodyOf(request.body) }),
      // Tokens must not follow a redirect to another server.
      redirect: 'error',
      signal,
    })
    status = response.status
    headers = response.headers
    text = await readText(response, title)
  } catch (cause) {
    if (cause instanceof ProviderFailure) throw cause
    const why = signal.aborted
      ? sentence`${title} did not answer in time.`
      : sentence`${title} could not be reached.`
    throw new ProviderFailure('unavailable', why, { cause })
  }
  const body = parse(text)
  if (status >= 200 && status < 300) {
    if (text !== '' && body === undefined) {
      throw new ProviderFailure('unavailable', sentence`${title} sent an answer that is not complete.`, {
        status,
      })
    }
    return body
  }
  throw failureOf(title, status, headers, body)
}

function signalOf({ access, signal, timeout = TIMEOUT }: ProviderRequest): AbortSignal {
  const given = [signal, access?.signal].filter((one) => one !== undefined)
  return AbortSignal.any([AbortSignal.timeout(timeout), ...given])
}

function headersOf({ access, body, headers }: ProviderRequest): Record<string, string> {
  const isJson = body !== undefined && !(body instanceof URLSearchParams)
  return {
    accept: 'application/json',
    'user-agent': 'Punctual-Calendars/1',
    ...(isJson && { 'content-type': 'application/json' }),
    ...(access && { authorization: `Bearer ${access.token}` }),
    ...headers,
  }
}

const bodyOf = (body: unknown) => (body instanceof URLSearchParams ? body : JSON.stringify(body))

async function readText(response: Response, title: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER) {
      throw new ProviderFailure('unavailable', sentence`${title} sent more than ${MAX_ANSWER >> 20} MB.`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Google says 403 to too many requests, too, with one of these reasons. */
const TOO_MANY = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded']

function failureOf(title: string, status: number, headers: Headers, body: unknown): ProviderFailure {
  const { reason, message } = explanationIn(body)
  const options = { status, reason, retryAfter: readRetryAfter(headers.get('retry-after')) }
  if (status === 401) {
    return new ProviderFailure(
      'unauthorized',
      sentence`${title} does not accept our access any more.`,
      options,
    )
  }
  if (status === 410)
    return new ProviderFailure('gone', sentence`${title} has forgotten where we were.`, options)
  if (status === 429 || (status === 403 && TOO_MANY.includes(reason))) {
    return new ProviderFailure('rate-limited', sentence`${title} asks us to send fewer requests.`, options)
  }
  if (status >= 500 || status === 408) {
    return new ProviderFailure('unavailable', sentence`${title} answered ${status}.`, options)
  }
  const why = message || reason || String(status)
  return new ProviderFailure('refused', sentence`${title} refused this: ${why}`, options)
}

/** What an error's body says. Google, Graph, Zoom and OAuth each have a shape of their own. */
function explanationIn(body: unknown): { readonly reason: string; readonly message: string } {
  const { error, error_description, code, message, reason } = objectOf(body)
  if (typeof error === 'string') return { reason: error, message: line(error_description ?? reason) }
  const inner = objectOf(error)
  const [first] = Array.isArray(inner.errors) ? inner.errors : []
  return {
    reason: String(objectOf(first).reason ?? inner.code ?? code ?? ''),
    message: line(inner.message ?? message),
  }
}

const MAX_MESSAGE = 200

/** Of what a provider says, one line without anything that looks like a token or a key. */
function line(text: unknown): string {
  if (typeof text !== 'string') return ''
  return shortened(printableLine(text).replaceAll(/[\w~+/.-]{32,}/g, '…'), MAX_MESSAGE)
}

/** The fields of a JSON object; none if it is something else. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The longest pause that we believe. */
const MAX_PAUSE = 3_600_000

function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(wait) ? Math.min(MAX_PAUSE, Math.max(0, wait)) : undefined
}

/** A provider's answer has not the form that it should have. */
export const incomprehensible = (title: string) =>
  new ProviderFailure('unavailable', sentence`${title} sent an answer that we don’t understand.`)
