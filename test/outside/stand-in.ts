import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer of a stand-in. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; nothing without one. */
  readonly body?: unknown
  /** A page, instead. */
  readonly page?: string
}

/** A request to a stand-in, read whole. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** The body's text; `formOf` and `jsonOf` read it. */
  readonly text: string
}

export const formOf = ({ text }: Asked) => new URLSearchParams(text)
export const jsonOf = <T>({ text }: Asked): T => JSON.parse(text) as T

/** One thing that a stand-in can be asked. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Matches the whole path; its groups are the parameters. */
  readonly path: RegExp
  /** The query parameters that the documentation knows. Others are refused. */
  readonly query?: readonly string[]
  readonly answer: (asked: Asked, ...parameters: string[]) => Answer | Promise<Answer>
}

/**
 * How a stand-in misbehaves: with this answer, with the right one cut off in the middle, with none until it is told
 * to go on, or by closing the connection.
 */
export type Fault = Answer | 'truncated' | 'silent' | 'reset'

/** A server on loopback that speaks a provider's documented protocol, and misbehaves when a test says so. */
export interface StandIn {
  readonly url: string
  /** What was asked, oldest first: `GET /path`. */
  readonly asked: readonly string[]
  /** Answers the next requests whose path matches with these faults, one each. */
  misbehave(path: RegExp, ...faults: readonly Fault[]): void
  /** Forgets the faults that are left. */
  behave(): void
  /** Resolves with the next request whose path matches, once it has arrived. */
  nextAsked(path: RegExp): Promise<void>
  /** Answers what is kept waiting by `silent`. */
  release(): void
  close(): Promise<void>
}

export interface StandInOptions {
  readonly routes: (url: string) => readonly Route[]
  /** How this provider refuses a request for this reason. */
  readonly refuse: (status: number, reason: string) => Answer
}

export async function startStandIn({ routes, refuse }: StandInOptions): Promise<StandIn> {
  const asked: string[] = []
  const faults: { path: RegExp; fault: Fault }[] = []
  const waiting: { path: RegExp; heard: () => void }[] = []
  let released = Promise.withResolvers<void>()
  let known: readonly Route[] = []

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { method = '', headers } = request
    asked.push(`${method} ${url.pathname}`)
    for (const one of waiting.filter(({ path }) => path.test(url.pathname))) {
      waiting.splice(waiting.indexOf(one), 1)
      one.heard()
    }
    const index = faults.findIndex(({ path }) => path.test(url.pathname))
    const [taken] = index < 0 ? [] : faults.splice(index, 1)
    const fault = taken?.fault
    if (fault === 'reset') return request.socket.destroy()
    if (fault === 'silent') await released.promise
    if (typeof fault === 'object') return send(response, fault)
    const right = await find(known, { method, path: url.pathname, query: url.searchParams, headers, text })
    send(response, right, fault === 'truncated')
  })

  async function find(all: readonly Route[], question: Asked): Promise<Answer> {
    const here = all.filter(({ path }) => path.test(question.path))
    const route = here.find(({ method }) => method === question.method)
    if (route === undefined) return refuse(here.length === 0 ? 404 : 405, 'notFound')
    const unknown = [...question.query.keys()].find((name) => !(route.query ?? []).includes(name))
    if (unknown !== undefined) return refuse(400, `Unknown parameter: ${unknown}`)
    const [, ...parameters] = route.path.exec(question.path) ?? []
    return route.answer(question, ...parameters.map(decodeURIComponent))
  }

  // Clients close idle connections. If we did, a slow machine could use one again just as it is closed.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  known = routes(url)
  return {
    url,
    asked,
    misbehave: (path, ...given) => {
      faults.push(...given.map((fault) => ({ path, fault })))
    },
    behave: () => {
      faults.length = 0
    },
    nextAsked: (path) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ path, heard: resolve })
      return promise
    },
    release: () => {
      released.resolve()
      released = Promise.withResolvers()
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function send(response: ServerResponse, { status, headers, body, page }: Answer, truncated = false): void {
  if (response.destroyed) return
  const text = page ?? (body === undefined ? '' : JSON.stringify(body))
  const type = page === undefined ? 'application/json' : 'text/html'
  response.writeHead(status, {
    ...(text !== '' && { 'content-type': `${type}; charset=utf-8` }),
    ...headers,
  })
  response.end(truncated ? text.slice(0, text.length / 2) : text)
}
