import type { ServerOptions } from 'node:http'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Context } from '../services/context.ts'
import { findListing } from '../services/list-slots.ts'
import { Recent } from '../services/recent.ts'

/** What every slot listing is sent with, from the shelf or through the app. */
export const LISTING_HEADERS = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
} as const

const HEADER_PAIRS = Object.entries(LISTING_HEADERS).flat()

/**
 * Listings that have just been asked for, by the address they were asked for at.
 *
 * Routing and validating a request takes as long as sending its answer. A
 * request that repeats one which went through all of that need not do so again,
 * as long as `findListing` says that the listing still holds.
 */
export interface Shelf {
  put(url: string, listingKey: string): void
  /** A server that answers from the shelf what it can, and leaves the rest to the app. */
  serve(app: RequestListener, options: ServerOptions): Server
}

const SHELVED_ADDRESSES = 5000

export function createShelf(context: Context): Shelf {
  const keys = new Recent<string>(SHELVED_ADDRESSES)
  const find = ({ method, url, headers }: IncomingMessage) => {
    if (method !== 'GET' || headers.host === undefined) return undefined
    const key = keys.get(url as string)
    return key === undefined ? undefined : findListing(context, key)
  }
  return {
    put: (url, listingKey) => keys.set(url, listingKey),
    serve: (app, options) =>
      createServer(options, (request, response) => {
        const json = find(request)
        if (json === undefined) return app(request, response)
        response.writeHead(200, [...HEADER_PAIRS, 'content-length', String(json.byteLength)])
        response.end(json)
      }),
  }
}
