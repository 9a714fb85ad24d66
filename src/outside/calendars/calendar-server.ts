import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Sentence, say, sentence, sentenceOf } from '../../domain/sentence.ts'
import type { Guard } from '../network/guard.ts'

/** A host's calendar server. */
export interface CalendarServer {
  readonly guard: Guard
  /** The id of the user whose server it is. */
  readonly owner: string
  readonly username: string
  readonly password: string
  /** Aborts running requests. */
  readonly signal?: AbortSignal
  /** Milliseconds for one request. */
  readonly timeout?: number
}

interface ServerRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE' | 'PROPFIND' | 'REPORT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The most bytes to read of the response; 10 MB if not given. */
  readonly most?: number | undefined
}

export interface ServerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The final URL, after redirects. */
  readonly url: string
}

/** A request to a calendar server failed. The message is for the owner of the calendar. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure'
  readonly sentence: Sentence

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(say(sentence), options)
    this.sentence = sentence
  }
}

/** The server refused the credentials. */
export class ServerRefusal extends ServerFailure {}

const TIMEOUT = 10_000
const MAX_ANSWER = 10 * 1024 * 1024
const MAX_REDIRECTS = 5

/** One request to a calendar server, following redirects; throws `ServerFailure` if there is no response. */
export async function ask(server: CalendarServer, request: ServerRequest): Promise<ServerAnswer> {
  const origin = addressOf(server, request.url).origin
  let url = request.url
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const target = addressOf(server, url)
    // The password must not reach other servers through a redirect.
    const answer = await exchange(server, request, target, target.origin === origin)
    const next = answer.headers.location
    if (![301, 302, 303, 307, 308].includes(answer.status) || next === undefined) return answer
    if (request.method === 'PUT' || request.method === 'DELETE') return answer
    const moved = URL.parse(next, target)
    if (moved === null) throw new ServerFailure(sentence`The server redirects to an invalid address.`)
    url = moved.href
  }
  throw new ServerFailure(sentence`The server redirects too many times.`)
}

function addressOf({ guard }: CalendarServer, url: string): URL {
  try {
    return guard.read(url)
  } catch (error) {
    throw new ServerFailure(sentenceOf(error), { cause: error })
  }
}

async function exchange(
  server: CalendarServer,
  { method, headers = {}, body, most = MAX_ANSWER }: ServerRequest,
  url: URL,
  trusted: boolean,
): Promise<ServerAnswer> {
  const { guard, username, password, timeout = TIMEOUT } = server
  const late = AbortSignal.timeout(timeout)
  const signal = server.signal === undefined ? late : AbortSignal.any([late, server.signal])
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    method,
    // A new connection for each request, so that the address was checked for this one.
    agent: false,
    lookup: guard.lookup,
    signal,
    headers: {
      'user-agent': 'Punctual-Calendars/1',
      'accept-encoding': 'identity',
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...(trusted &&
        username !== '' && {
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        }),
      ...headers,
    },
  })
  request.on('error', reject)
  // A server that hangs must not keep the process alive.
  request.on('socket', (socket) => socket.unref())
  request.on('response', resolve)
  request.end(body)
  try {
    const response = await promise
    const text = await readText(response, most)
    return { status: response.statusCode ?? 0, headers: headersOf(response), text, url: url.href }
  } catch (error) {
    if (error instanceof ServerFailure) throw error
    throw new ServerFailure(sentenceFor(error, signal, timeout), { cause: error })
  } finally {
    request.destroy()
  }
}

async function readText(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new ServerFailure(sentence`The response is larger than ${most >> 20} MB.`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
}

/** What went wrong, without details that would let someone explore the network. */
function sentenceFor(error: unknown, signal: AbortSignal, timeout: number): Sentence {
  if (signal.aborted) return sentence`The server did not answer within ${timeout / 1000} seconds.`
  if ((error as Error).name === 'RefusedAddress') return sentenceOf(error)
  return sentence`The server could not be reached.`
}

/** Throws unless the request succeeded. */
export function requireSuccess({ status }: ServerAnswer, ...also: number[]): void {
  if ((status >= 200 && status < 300) || also.includes(status)) return
  if (status === 401 || status === 403) {
    throw new ServerRefusal(sentence`The server refused the user name and password (${status}).`)
  }
  if (status === 404 || status === 410) {
    throw new ServerFailure(sentence`There is no calendar at this address (${status}).`)
  }
  throw new ServerFailure(sentence`The server answered ${status}.`)
}
