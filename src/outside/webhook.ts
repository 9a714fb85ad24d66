import { createHmac } from 'node:crypto'
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { checkAddress, guardedLookup, type Reach, readAddress } from './reachable-address.ts'

export interface WebhookMessage {
  readonly url: string
  /** The same whenever this message is sent again. */
  readonly id: string
  readonly body: string
  /** Each of them signs: two while one replaces the other. */
  readonly secrets: readonly string[]
  readonly sentAt: number
}

/** What became of one try. It has arrived if `error` is empty. */
export interface WebhookAnswer {
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Milliseconds from the first step to the last. */
  readonly duration: number
  /** Null when there was no answer. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of it. */
  readonly body: string
  readonly error: string
}

export interface WebhookSender {
  /** Throws `RefusedAddress` when nothing would ever be sent there. */
  check(url: string): Promise<URL>
  /** Never throws: what goes wrong is part of the answer. */
  send(message: WebhookMessage): Promise<WebhookAnswer>
  /** Lets go of idle connections. */
  close(): void
}

export interface WebhookOptions extends Reach {
  /** Milliseconds for the whole exchange. */
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

  /** Thousands may go to one address: it is understood once. Throws `RefusedAddress`. */
  const targetOf = (address: string): Target => {
    let target = targets.get(address)
    if (target === undefined) {
      target = readTarget(readAddress(address, reach), { http, https })
      if (targets.size >= MOST_TARGETS) targets.clear()
      targets.set(address, target)
    }
    return target
  }

  /** One exchange; `seen` learns of the answer as it comes, so that half of one is not lost. */
  const exchange = (message: WebhookMessage, headers: Record<string, string>, seen: Seen): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { host, options, open } = targetOf(message.url)
    const request = open({ ...options, headers: ['host', host, ...Object.entries(headers).flat()] })
    // Whatever it hangs at: the name server, the handshake, or the last byte of the answer.
    const limit = setTimeout(() => {
      reject(new Error(`There was no complete answer within ${timeout / 1000} seconds.`))
      request.destroy()
    }, timeout)
    request.on('error', (error) => {
      // The other side may close an idle connection in the very moment in which it is used again.
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
      let error = ''
      try {
        await exchange(message, headers, seen)
        error = refusal(seen.response?.statusCode ?? 0)
      } catch (failure) {
        error = reasonOf(failure as Error)
      }
      return {
        requestHeaders: headers,
        duration: Math.round(performance.now() - startedAt),
        status: seen.response?.statusCode ?? null,
        headers: textHeaders(seen.response),
        body: textOf(seen.chunks),
        error,
      }
    },
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** Where to send to, as Node's requests want it told. */
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

/** Reads as much as is kept. Of a longer answer the rest, and the connection with it, is dropped. */
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
    response.on('close', () => reject(new Error('The answer was not complete.')))
  })
}

function headersOf({ id, body, secrets, sentAt }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000))
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Punctual-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
      .join(' '),
  }
}

const PREFIX = 'whsec_'

function sign(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(signed).digest('base64')
}

/** A secret as Standard Webhooks writes it, from random bytes. */
export const formatSecret = (random: Buffer) => `${PREFIX}${random.toString('base64')}`

function refusal(status: number): string {
  if (status >= 200 && status < 300) return ''
  if (status >= 300 && status < 400) return `The answer was ${status}, and redirects are not followed.`
  return `The answer was ${status}.`
}

/** Several addresses that were tried in vain fail as one error without a message. */
function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return storable(first instanceof Error ? first.message : String(first))
}

function textOf(chunks: readonly Buffer[]): string {
  return storable(new TextDecoder().decode(Buffer.concat(chunks)))
}

/** As text that every database can hold. */
const storable = (text: string) => text.toWellFormed().replaceAll('\u0000', '\ufffd')

function textHeaders(response: IncomingMessage | undefined): Record<string, string> {
  const entries = Object.entries(response?.headersDistinct ?? {})
  return Object.fromEntries(entries.map(([name, values = []]) => [name, values.join(', ')]))
}
