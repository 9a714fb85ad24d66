import type { ServerOptions } from 'node:http'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Allocate } from '../format/listing.ts'
import type { Slots } from '../services/slots/slots.ts'
import { acceptedEncoding, compressNow, type Encoding, LEAST_BYTES } from './compression.ts'
import { ListingHeads } from './listing-head.ts'
import type { RouteMeter } from './meter.ts'

// A plus sign would be a space in a query, so zones that have one are left to the app.
const PLAIN_REQUEST =
  /^\/api\/public\/scheduling\/([a-z0-9-]+)\/([a-z0-9-]+)\/slots\?dateFrom=(\d{4}-\d\d-\d\d)&dateTo=(\d{4}-\d\d-\d\d)&timezone=((?:[A-Za-z0-9_/-]|%2F)+)(?:&duration=(\d{1,4}))?$/

/** Listings of another interface that are answered here, too. */
export interface OtherListings {
  /** How their addresses begin. */
  readonly prefix: string
  /** Under which a request's listing is kept; undefined: the app answers. */
  readonly keyOf: (request: IncomingMessage) => string | undefined
  /** Undefined: the app answers. */
  readonly list: (key: string, allocate: Allocate) => Uint8Array | Promise<Uint8Array> | undefined
}

/**
 * A server that answers plainly written slot requests before Fastify routes them.
 *
 * Routing and validating takes longer than listing, and such a request needs
 * neither. The app answers everything else, and everything that fails here.
 */
export function serveListingsFast(
  slots: Slots,
  app: RequestListener,
  options: ServerOptions & { readonly keepAliveTimeout: number },
  meter?: RouteMeter,
  others?: OtherListings,
): Server {
  const buffers = new SpareBuffers()
  const heads = new ListingHeads(options.keepAliveTimeout)

  return createServer(options, (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.host === undefined) return app(request, response)
    const began = meter === undefined ? 0 : performance.now()
    if (others !== undefined && url.startsWith(others.prefix)) {
      return listOther(request, response, began, others)
    }
    const ready = slots.findListing(url)
    if (ready !== undefined) return answer(request, response, began, ready, true)
    const asked = PLAIN_REQUEST.exec(url)
    if (asked === null) return app(request, response)
    list(request, response, began, url, asked as unknown as PlainRequest)
  })

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
    json: Uint8Array,
    kept: boolean,
    onSent?: () => void,
  ): void {
    const { bytes, encoding } = encodeListing(json, request.headers['accept-encoding'], kept)
    heads.write(response, bytes.byteLength, encoding)
    response.end(bytes, onSent)
    meter?.count(200, performance.now() - began)
  }

  function list(
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
    url: string,
    asked: PlainRequest,
  ): void {
    const [, userSlug, eventSlug, dateFrom, dateTo, zone, duration] = asked
    const timezone = zone.includes('%') ? zone.replaceAll('%2F', '/') : zone
    const query = { dateFrom, dateTo, timezone, duration }
    make(request, response, began, (allocate) =>
      slots.list(userSlug, eventSlug, query, { key: url, allocate }),
    )
  }

  function listOther(
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
    { keyOf, list: listOf }: OtherListings,
  ): void {
    const key = keyOf(request)
    const ready = key === undefined ? undefined : slots.findListing(key)
    if (key === undefined) app(request, response)
    else if (ready !== undefined) answer(request, response, began, ready, true)
    else make(request, response, began, (allocate) => listOf(key, allocate))
  }

  /** Sends what is made, unless nothing is made, or that fails: then the app answers. */
  function make(
    request: IncomingMessage,
    response: ServerResponse,
    began: number,
    listing: (allocate: Allocate) => Uint8Array | Promise<Uint8Array> | undefined,
  ): void {
    let buffer: Uint8Array | undefined
    const allocate = (size: number) => {
      buffer = buffers.take(size)
      return buffer
    }
    const done = (json: Uint8Array) => {
      const giveBack = buffer && (() => buffers.giveBack(buffer as Uint8Array))
      answer(request, response, began, json, false, giveBack)
    }
    try {
      const json = listing(allocate)
      if (json === undefined) app(request, response)
      else if (json instanceof Promise) json.then(done, () => app(request, response))
      else done(json)
    } catch {
      app(request, response)
    }
  }
}

type PlainRequest = readonly [string, string, string, string, string, string, string | undefined]

interface Encoded {
  readonly bytes: Uint8Array
  readonly encoding?: Encoding
}

/** Compressed listings, for as long as the listing itself is kept. */
const compressed = { br: new WeakMap<Uint8Array, Buffer>(), gzip: new WeakMap<Uint8Array, Buffer>() }

/** A listing as the client accepts it. One that is `kept` will be asked for again, and is compressed once. */
export function encodeListing(json: Uint8Array, accepted: string | undefined, kept = false): Encoded {
  const encoding = json.byteLength < LEAST_BYTES ? undefined : acceptedEncoding(accepted)
  if (encoding === undefined) return { bytes: json }
  const known = kept ? compressed[encoding].get(json) : undefined
  const bytes = known ?? compressNow(json, encoding)
  if (kept && known === undefined) compressed[encoding].set(json, bytes)
  return { bytes, encoding }
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
