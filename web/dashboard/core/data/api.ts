import { ApiFailure } from '../../../parts/api.ts'
import { withBase } from '../base.ts'
import { language } from '../language.ts'
import { failureOf, HostApiFailure } from './errors.ts'
import { accessToken, holdSession, renew, signedInAgain } from './session.ts'

export interface Versioned<T> {
  readonly body: T
  /** Sent back with a change, which the server refuses if someone else changed the object first. */
  readonly version: string | undefined
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON, or as it is if it is a file. */
  readonly body?: unknown
  readonly version?: string | undefined
  readonly signal?: AbortSignal
  /** Whether the browser may send and keep cookies. The token says who we are, so it seldom needs to. */
  readonly cookies?: boolean
}

/** Calls the host API with a valid token; throws a `HostApiFailure`. */
export async function call<T>(path: string, request: Request = {}): Promise<Versioned<T>> {
  const response = await fetchAsHost(path, request)
  const body = response.status === 204 ? undefined : await response.json()
  return { body: body as T, version: response.headers.get('etag') ?? undefined }
}

/** If the session ends while someone is typing, this waits until they have signed in again. */
export function fetchAsHost(path: string, request: Request = {}): Promise<Response> {
  return sendAsHost((request.method ?? 'GET') !== 'GET', (token) => attempt(path, request, token))
}

/** The same for requests of other kinds. Writing ones keep the page, even if the session ends. */
export async function sendAsHost(writes: boolean, send: Send): Promise<Response> {
  const release = writes ? holdSession() : undefined
  try {
    return await sendInSession(send)
  } catch (failure) {
    const again = failure instanceof ApiFailure && failure.status === 401 ? signedInAgain() : undefined
    if (again === undefined) throw failure
    await again
    return await sendInSession(send)
  } finally {
    release?.()
  }
}

type Send = (token: string) => Promise<Response>

async function sendInSession(send: Send): Promise<Response> {
  const first = await send(await accessToken())
  // Another tab may have renewed or ended the session: ask again with the cookie.
  const response = first.status === 401 ? await send(await renew()) : first
  if (response.ok) return response
  throw await failureOf(response)
}

async function attempt(path: string, request: Request, token: string): Promise<Response> {
  const { method = 'GET', body, version, signal, cookies = false } = request
  try {
    return await fetch(withBase(`/api/admin${path}`), {
      method,
      credentials: cookies ? 'same-origin' : 'omit',
      headers: {
        authorization: `Bearer ${token}`,
        // Errors come in this language.
        'accept-language': language(),
        ...(body !== undefined && { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
        ...(version !== undefined && { 'if-match': version }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new HostApiFailure(0, '')
  }
}

/** One page of a list, as the host API returns it. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const MAX_PAGES = 20

/** A whole list, for lists that stay short. */
export async function listAll<T>(
  path: string,
  signal?: AbortSignal,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly T[]> {
  const items: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { body } = await call<ListPage<T>>(
      withQuery(path, { ...query, limit: '100', cursor }),
      signal ? { signal } : {},
    )
    items.push(...body.items)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return items
}
