import { ApiFailure } from '../../parts/api.ts'
import { accessToken, renew } from './session.ts'

export interface Versioned<T> {
  readonly body: T
  /** Of what was read: a change made for it is refused when someone else was faster. */
  readonly version: string | undefined
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  readonly version?: string | undefined
  readonly signal?: AbortSignal
}

let base = ''

export function setDeskBase(given: string): void {
  base = given
}

/** Asks the admin API, with a token that holds; throws an `ApiFailure`. */
export async function call<T>(path: string, request: Request = {}): Promise<Versioned<T>> {
  const response = await fetchAsHost(path, request)
  const body = response.status === 204 ? undefined : await response.json()
  return { body: body as T, version: response.headers.get('etag') ?? undefined }
}

export async function fetchAsHost(path: string, request: Request = {}): Promise<Response> {
  const first = await attempt(path, request, await accessToken())
  // The session may have been renewed or ended elsewhere: the cookie knows.
  const response = first.status === 401 ? await attempt(path, request, await renew()) : first
  if (response.ok) return response
  const said = (await response.json().catch(() => ({}))) as { error?: string }
  throw new ApiFailure(response.status, said.error ?? '')
}

async function attempt(path: string, request: Request, token: string): Promise<Response> {
  const { method = 'GET', body, version, signal } = request
  try {
    return await fetch(`${base}/api/admin${path}`, {
      method,
      credentials: 'omit',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(version !== undefined && { 'if-match': version }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure(0, '')
  }
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const MOST_PAGES = 20

/** A whole list, for those that stay short. */
export async function listAll<T>(path: string, signal?: AbortSignal): Promise<readonly T[]> {
  const items: T[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const separator = path.includes('?') ? '&' : '?'
    const rest = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await call<Page<T>>(`${path}${separator}limit=100${rest}`, signal ? { signal } : {})
    items.push(...body.items)
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return items
}
