import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence, sentenceOf } from '../../domain/sentence.ts'
import type { Guard } from '../network/guard.ts'
import type { ReadingOptions } from './reading.ts'

export interface ApiOptions extends ReadingOptions {
  readonly guard: Guard
  /** Waits between two tries. Milliseconds. */
  readonly wait?: ((duration: number, signal?: AbortSignal) => Promise<unknown>) | undefined
}

interface ApiSource extends ApiOptions {
  /** As people call it. */
  readonly service: string
  /** The address that paths are added to. */
  readonly base: string
  readonly token: string
}

export interface Question {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Undefined if the token may not read it, or there is no such thing, instead of an error. */
  readonly optional?: boolean
}

/** An API that is read with a token. */
export interface Api {
  /** The answer as it was parsed. Throws a `Problem` that names neither address nor token. */
  get(question: Question): Promise<unknown>
  /** Says how many requests are still to come, for the progress. */
  expect(requests: number): void
  close(): void
}

/** Milliseconds for one request. */
const TIMEOUT = 30_000
const MAX_ANSWER = 32 * 1024 * 1024

/** An answer that leads in circles must end somewhere. */
const MOST_REQUESTS = 200_000

/** Milliseconds before the next try when a server fails. */
const PAUSES = [1000, 4000, 15_000]

/** How often a request waits because there were too many, and how long at most. Milliseconds. */
const MOST_WAITS = 10
const LONGEST_WAIT = 120_000
const USUAL_WAIT = 30_000

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export function openApi(source: ApiSource): Api {
  const {
    service,
    token,
    guard,
    signal,
    onProgress,
    wait = (ms, stop) => sleep(ms, undefined, { signal: stop }),
  } = source
  const base = addressOf(source)
  const connecting = { keepAlive: true, lookup: guard.lookup }
  const [http, https] = [new Agent(connecting), new SecureAgent(connecting)]
  let done = 0
  let expected = 0

  const exchange = async (url: URL, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const secure = url.protocol === 'https:'
    const late = AbortSignal.timeout(TIMEOUT)
    const request = (secure ? requestHttps : requestHttp)(url, {
      agent: secure ? https : http,
      lookup: guard.lookup,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      headers: {
        'user-agent': 'Punctual-Import/1',
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
    })
    request.on('error', reject)
    request.on('response', resolve)
    request.end()
    try {
      const response = await promise
      return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) }
    } finally {
      request.destroy()
    }
  }

  /** One request, tried again while the server fails or asks for patience. */
  const ask = async (url: URL, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    let [failures, waits] = [0, 0]
    for (;;) {
      signal?.throwIfAborted()
      if (done >= MOST_REQUESTS) throw problem(sentence`There is more at ${service} than we can read.`)
      const answer = await exchange(url, headers).catch((error: unknown) => {
        signal?.throwIfAborted()
        if (error instanceof Problem) throw error
        if ((error as Error).name === 'RefusedAddress') throw problem(sentenceOf(error))
        return undefined
      })
      done += 1
      onProgress?.({ done, total: Math.max(done, expected) })
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer
      expected += 1
      const isBusy = answer?.status === 429
      if (isBusy && waits === MOST_WAITS)
        throw problem(sentence`${service} refuses more requests for now. Please try again later.`)
      const pause = PAUSES[failures]
      if (!isBusy && pause === undefined)
        throw problem(sentence`${service} could not be reached. Please try again later.`)
      if (isBusy) waits += 1
      else failures += 1
      await wait(waitOf(answer) ?? (isBusy ? USUAL_WAIT : (pause ?? 0)), signal)
    }
  }

  return {
    async get({ path, query = {}, headers = {}, optional = false }) {
      const url = new URL(base + path)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value))
      const { status, text } = await ask(url, headers)
      if (optional && (status === 403 || status === 404)) return undefined
      if (status === 401 || status === 403)
        throw problem(sentence`${service} refused the token. Please make a new one that may read everything.`)
      const parsed = status === 200 ? parse(text) : undefined
      if (parsed === undefined)
        throw problem(sentence`${service} did not answer as expected. Please check the address.`)
      return parsed
    },
    expect: (requests) => {
      expected = done + requests
    },
    close: () => {
      http.destroy()
      https.destroy()
    },
  }
}

/** Without a slash at its end. */
function addressOf({ base, guard }: ApiSource): string {
  try {
    const { origin, pathname } = guard.read(base)
    return origin + pathname.replace(/\/+$/, '')
  } catch (error) {
    throw problem(sentenceOf(error))
  }
}

const problem = (text: Sentence) => new Problem('invalid', text)

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_ANSWER) throw new Error('larger than anything that is expected')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How long the server asks to wait. */
function waitOf(answer: Answer | undefined): number | undefined {
  const { 'retry-after': after, 'x-ratelimit-reset': reset } = answer?.headers ?? {}
  const seconds = Number(after ?? reset)
  return seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT) : undefined
}
