import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import {
  changeTexts,
  NOTHING,
  type Sentence,
  say,
  sentence,
  sentenceOf,
  verbatim,
} from '../../domain/sentence.ts'
import type { WebhookFormat } from '../../domain/webhooks/formats.ts'
import { checkAddress, guardedLookup, type Reach, readAddress } from '../network/reachable-address.ts'
import { signatureOf } from './signatures.ts'

export interface WebhookMessage {
  readonly url: string
  /** Stays the same when this message is sent again. */
  readonly id: string
  readonly body: string
  /** In whose way it is signed; left out: as Standard Webhooks has it. */
  readonly format?: WebhookFormat
  /** Each of them signs, if the format has room for it; there are two during a rotation, the current one first. */
  readonly secrets: readonly string[]
  readonly sentAt: number
  /** Milliseconds for the whole attempt, if not the usual ones. */
  readonly timeout?: number
}

/** The result of one attempt. It succeeded if `error` is empty. */
export interface WebhookAnswer {
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Milliseconds of the whole attempt. */
  readonly duration: number
  /** Null if there was no response. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The first part of the body. */
  readonly body: string
  readonly error: string
  /** What `error` says, for those who read another language. */
  readonly sentence: Sentence
}

export interface WebhookSender {
  /** Throws `RefusedAddress` if nothing may be sent to this URL. */
  check(url: string): Promise<URL>
  /** Never throws: failures are part of the result. */
  send(message: WebhookMessage): Promise<WebhookAnswer>
  /** Closes idle connections. */
  close(): void
}

export interface WebhookOptions extends Reach {
  /** Milliseconds for the whole attempt. */
  readonly timeout?: number
}

const TIMEOUT = 15_000
const IDLE = 30_000
const MAX_ANSWER = 16 * 1024

export function createWebhookSender({ timeout = TIMEOUT, ...reach }: WebhookOptions): WebhookSender {
  const connecting = { keepAlive: true, timeout: IDLE, lookup: guardedLookup(reach) }
  const http = new Agent(connecting)
  const https = new SecureAgent(connecting)
  const targets = new Map<string, Target>()

  /** Parses each URL once, since thousands of messages may go there. Throws `RefusedAddress`. */
  const targetOf = (address: string): Target => {
    let target = targets.get(address)
    if (target === undefined) {
      target = readTarget(readAddress(address, reach), { http, https })
      if (targets.size >= MOST_TARGETS) targets.clear()
      targets.set(address, target)
    }
    return target
  }

  /** One attempt. `seen` collects the response as it arrives, so that a partial one is kept. */
  const exchange = (message: WebhookMessage, headers: Record<string, string>, seen: Seen): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { host, options, open } = targetOf(message.url)
    const request = open({ ...options, headers: ['host', host, ...Object.entries(headers).flat()] })
    const most = message.timeout ?? timeout
    // Covers everything: DNS, handshake, and the last byte of the response.
    const limit = setTimeout(() => {
      reject(new Error(`There was no complete response within ${most / 1000} seconds.`))
      request.destroy()
    }, most)
    request.on('error', (error) => {
      // The receiver may close an idle connection just as it is reused.
      const stale = request.reusedSocket && seen.response === undefined
      if (stale && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
        exchange(message, headers, seen).then(resolve, reject)
      else reject(error)
    })
    request.on('response', (response) => {
      seen.response = response
      readStart(response, seen).then(resolve, reject)
    })
    request.end(message.body)
    return promise.finally(() => clearTimeout(limit))
  }

  return {
    check: (url) => checkAddress(url, reach),
    async send(message) {
      const headers = headersOf(message)
      const seen: Seen = { chunks: [] }
      const startedAt = performance.now()
      let failure = NOTHING
      try {
        await exchange(message, headers, seen)
        failure = refusal(seen.response?.statusCode ?? 0)
      } catch (error) {
        failure = reasonOf(error as Error)
      }
      return {
        requestHeaders: headers,
        duration: Math.round(performance.now() - startedAt),
        status: seen.response?.statusCode ?? null,
        headers: textHeaders(seen.response),
        body: textOf(seen.chunks),
        error: say(failure),
        sentence: failure,
      }
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** A parsed URL, as Node's requests take it. */
interface Target {
  readonly host: string
  readonly options: RequestOptions
  readonly open: (options: RequestOptions) => ClientRequest
}

const MOST_TARGETS = 1000

function readTarget(url: URL, agents: { readonly http: Agent; readonly https: SecureAgent }): Target {
  const secure = url.protocol === 'https:'
  return {
    host: url.host,
    options: { ...urlToHttpOptions(url), method: 'POST', agent: secure ? agents.https : agents.http },
    open: secure ? requestHttps : requestHttp,
  }
}

interface Seen {
  response?: IncomingMessage
  readonly chunks: Buffer[]
}

class Incomplete extends Error {
  readonly sentence = sentence`The response was incomplete.`

  constructor() {
    super('The response was incomplete.')
  }
}

/** Reads only the part that is kept. For a longer response, the connection is closed. */
function readStart(response: IncomingMessage, { chunks }: Seen): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, MAX_ANSWER - size))
      size += chunk.length
      if (size < MAX_ANSWER) return
      resolve()
      response.destroy()
    })
    response.on('end', resolve)
    response.on('error', reject)
    response.on('close', () => reject(new Incomplete()))
  })
}

function headersOf(message: WebhookMessage): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': 'Punctual-Webhooks/1',
    'webhook-id': message.id,
    ...signatureOf(message),
  }
}

function refusal(status: number): Sentence {
  if (status >= 200 && status < 300) return NOTHING
  if (status >= 300 && status < 400) return sentence`The response was ${status}. Redirects are not followed.`
  return sentence`The response was ${status}.`
}

/** An error of several failed connections has no message of its own. */
function reasonOf(error: Error): Sentence {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return changeTexts(first instanceof Error ? sentenceOf(first) : verbatim(String(first)), storable)
}

function textOf(chunks: readonly Buffer[]): string {
  return storable(new TextDecoder().decode(Buffer.concat(chunks)))
}

/** Text that both databases can store. */
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd')

function textHeaders(response: IncomingMessage | undefined): Record<string, string> {
  const entries = Object.entries(response?.headersDistinct ?? {})
  return Object.fromEntries(entries.map(([name, values = []]) => [name, values.join(', ')]))
}
