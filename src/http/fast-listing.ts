import type { ServerOptions } from 'node:http'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Slots } from '../services/slots/slots.ts'
import type { RouteMeter } from './meter.ts'

/** Headers of every slot listing, sent from here or by the app. */
export const LISTING_HEADERS = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
} as const

const HEADER_PAIRS = Object.entries(LISTING_HEADERS).flat()

// A plus sign would be a space in a query, so zones that have one are left to the app.
const PLAIN_REQUEST =
  /^\/api\/public\/scheduling\/([a-z0-9-]+)\/([a-z0-9-]+)\/slots\?dateFrom=(\d{4}-\d\d-\d\d)&dateTo=(\d{4}-\d\d-\d\d)&timezone=((?:[A-Za-z0-9_/-]|%2F)+)$/

/**
 * A server that answers plainly written slot requests before Fastify routes them.
 *
 * Routing and validating takes longer than listing, and such a request needs
 * neither. The app answers everything else, and everything that fails here.
 */
export function serveListingsFast(
  slots: Slots,
  app: RequestListener,
  options: ServerOptions,
  meter?: RouteMeter,
): Server {
  const buffers = new SpareBuffers()

  return createServer(options, (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.host === undefined) return app(request, response)
    const began = meter === undefined ? 0 : performance.now()
    const ready = slots.findListing(url)
    if (ready !== undefined) return answer(response, began, ready)
    const asked = PLAIN_REQUEST.exec(url)
    if (asked === null) return app(request, response)
    list(request, response, began, url, asked as unknown as PlainRequest)
  })

  function answer(response: ServerResponse, began: number, json: Uint8Array, onSent?: () => void): void {
    send(response, json, onSent)
    meter?.count(200, performance.now() - began)
  }

  function list(
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
    url: string,
    asked: PlainRequest,
  ): void {
    const [, userSlug, eventSlug, dateFrom, dateTo, zone] = asked
    const timezone = zone.includes('%') ? zone.replaceAll('%2F', '/') : zone
    let buffer: Uint8Array | undefined
    const allocate = (size: number) => {
      buffer = buffers.take(size)
      return buffer
    }
    const done = (json: Uint8Array) => {
      answer(response, began, json, buffer && (() => buffers.giveBack(buffer as Uint8Array)))
    }
    try {
      const query = { dateFrom, dateTo, timezone }
      const json = slots.list(userSlug, eventSlug, query, { key: url, allocate })
      if (json instanceof Promise) json.then(done, () => app(request, response))
      else done(json)
    } catch {
      app(request, response)
    }
  }
}

type PlainRequest = readonly [string, string, string, string, string, string]

function send(response: ServerResponse, json: Uint8Array, onSent?: () => void): void {
  response.writeHead(200, [...HEADER_PAIRS, 'content-length', String(json.byteLength)])
  response.end(json, onSent)
}

const SPARE_SIZE = 32 * 1024
const MOST_SPARES = 64

/**
 * Buffers for answers, reused once an answer has been sent.
 *
 * A month of slots is 24 KB. Allocating and collecting that much memory for
 * each request takes longer than finding the slots.
 */
class SpareBuffers {
  readonly #spares: Uint8Array[] = []

  take(size: number): Uint8Array {
    if (size > SPARE_SIZE) return new Uint8Array(size)
    return this.#spares.pop() ?? new Uint8Array(SPARE_SIZE)
  }

  /** Only after the operating system has taken its bytes: until then the socket still reads it. */
  giveBack(buffer: Uint8Array): void {
    if (buffer.byteLength === SPARE_SIZE && this.#spares.length < MOST_SPARES) this.#spares.push(buffer)
  }
}
