import { useSyncExternalStore } from 'react'
import { ApiFailure } from '../../parts/api.ts'

// The access token lives in this module's memory alone. What renews it is a cookie that no script can read.

export interface SignedInUser {
  readonly id: string
  readonly slug: string
  readonly email: string
  readonly name: string
}

interface Answer {
  readonly accessToken: string
  readonly expiresIn: number
  readonly user: SignedInUser
}

export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'away' }
  | { readonly status: 'out' }
  | { readonly status: 'in'; readonly user: SignedInUser }

let session: Session = { status: 'unknown' }
let token: { readonly value: string; readonly renewAt: number } | undefined
let base = ''
const listeners = new Set<() => void>()

/** Tells the other tabs. What is said there is heard by this origin alone, and never holds a token. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('punctual:session')
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'signed-out') become({ status: 'out' })
  // Someone signed in, perhaps as another person: this tab finds out as if it were new.
  if (data === 'signed-in' && session.status !== 'in') void renew().catch(() => undefined)
})

export function setApiBase(given: string): void {
  base = given
}

function become(next: Session): void {
  if (next.status === 'out') token = undefined
  session = next
  for (const listener of listeners) listener()
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
}

const EARLY = 60_000

/** A token that holds for a while yet; throws an `ApiFailure` with 401 when nobody is signed in. */
export async function accessToken(): Promise<string> {
  if (token !== undefined && Date.now() < token.renewAt) return token.value
  return renew()
}

let renewing: Promise<string> | undefined

/**
 * A new token for the cookie.
 *
 * A cookie works once, and showing an old one ends the session: so one request at a time, over all tabs.
 */
export function renew(): Promise<string> {
  renewing ??= alone(async () => {
    const answer = await send('refresh')
    enter(answer)
    return answer.accessToken
  }).finally(() => {
    renewing = undefined
  })
  return renewing
}

let last: Promise<unknown> = Promise.resolve()

/**
 * What changes the cookie, one after the other. Two at once could end a session that has just begun:
 * "nobody is signed in" is a true answer to a question from before, and may come after the answer that signed in.
 */
function alone<T>(task: () => Promise<T>): Promise<T> {
  if (navigator.locks !== undefined) return navigator.locks.request('punctual:refresh', task)
  // Browsers keep locks from pages without https: there, one tab takes turns with itself, and several have to be lucky.
  const mine = last.then(task)
  last = mine.catch(() => undefined)
  return mine
}

/** Finds out, once, whether someone is signed in. */
export async function begin(): Promise<void> {
  try {
    await renew()
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status !== 401) become({ status: 'away' })
  }
}

export async function askForLink(email: string): Promise<string> {
  return (await send<{ message: string }>('login', { email })).message
}

export async function signIn(linkToken: string): Promise<void> {
  await alone(async () => enter(await send('verify', { token: linkToken })))
  tabs?.postMessage('signed-in')
}

export async function signOut(everywhere: boolean): Promise<void> {
  if (everywhere) await send('logout-everywhere', undefined, await accessToken())
  else await alone(() => send('logout'))
  tabs?.postMessage('signed-out')
  become({ status: 'out' })
}

function enter({ accessToken: value, expiresIn, user }: Answer): void {
  token = { value, renewAt: Date.now() + expiresIn * 1000 - EARLY }
  // The same person: nothing on the page changes.
  if (session.status !== 'in' || session.user.id !== user.id) become({ status: 'in', user })
}

async function send<T = Answer>(path: string, body?: unknown, bearer?: string): Promise<T> {
  let response: Response
  let said: unknown
  try {
    response = await fetch(`${base}/api/auth/${path}`, {
      method: 'POST',
      // Leaving the page must not cut off an answer that carries the next cookie.
      keepalive: true,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    said = response.status === 204 ? {} : await response.json()
  } catch {
    throw new ApiFailure(0, '')
  }
  if (!response.ok) {
    if (response.status === 401) become({ status: 'out' })
    throw new ApiFailure(response.status, (said as { error?: string }).error ?? '')
  }
  return said as T
}
