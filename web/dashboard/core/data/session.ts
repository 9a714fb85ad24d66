import { useEffect, useSyncExternalStore } from 'react'
import { ApiFailure } from '../../../parts/api.ts'
import { withBase } from '../base.ts'
import { language } from '../language.ts'
import { hasUnsaved } from '../router.tsx'
import { failureOf, HostApiFailure } from './errors.ts'

// The access token lives only in this module's memory. A cookie that scripts can't read renews it.

interface SignedInUser {
  readonly id: string
  readonly slug: string
  readonly email: string
  readonly name: string
}

interface SessionAnswer {
  readonly accessToken: string
  readonly expiresIn: number
  readonly user: SignedInUser
  readonly mustAddPasskey: boolean
}

/** What the browser needs in order to sign with a passkey. */
export interface PasskeyRequest {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'preferred'
  readonly allowCredentials: readonly {
    readonly id: string
    readonly type: 'public-key'
    readonly transports: readonly string[]
  }[]
}

/** What a passkey has signed. Bytes are in base64url. */
export interface SignedPasskey {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'unreachable' }
  | { readonly status: 'signed-out' }
  | {
      readonly status: 'signed-in'
      readonly user: SignedInUser
      /** Nothing else works before. */
      readonly mustAddPasskey: boolean
    }
  /** It is over while something is typed and not saved: the page stays, and asks to sign in again. */
  | { readonly status: 'ended'; readonly user: SignedInUser }

let session: Session = { status: 'unknown' }
let token: { readonly value: string; readonly renewAt: number } | undefined
const listeners = new Set<() => void>()

/** Tells the other tabs of this origin. Messages never contain a token. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('punctual:session')
tabs?.addEventListener('message', ({ data }) => {
  if (data === 'signed-out') endSession()
  // It may be another user: this tab finds out like a new one.
  if (data === 'signed-in' && session.status !== 'signed-in') void renew().catch(() => undefined)
})

function setSession(next: Session): void {
  if (next.status !== 'signed-in') token = undefined
  session = next
  for (const listener of listeners) listener()
}

/** Each is something that would be lost with the page: a form half filled in, a request that writes. */
const held = new Set<symbol>()

/** Keeps the page while this is true, even if the session ends. */
export function useHeldSession(active: boolean): void {
  useEffect(() => (active ? holdSession() : undefined), [active])
}

/** The same until the function that is returned is called. */
export function holdSession(): () => void {
  const mark = Symbol()
  held.add(mark)
  return () => void held.delete(mark)
}

function endSession(): void {
  if (session.status === 'ended') return
  const isHeld = held.size > 0 || hasUnsaved()
  if (session.status === 'signed-in' && isHeld) setSession({ status: 'ended', user: session.user })
  else setSession({ status: 'signed-out' })
}

const waiting = new Set<PromiseWithResolvers<void>>()

/** Until the same user has signed in again; undefined unless that is asked for. Fails if they leave instead. */
export function signedInAgain(): Promise<void> | undefined {
  if (session.status !== 'ended') return undefined
  const again = Promise.withResolvers<void>()
  waiting.add(again)
  return again.promise.finally(() => waiting.delete(again))
}

/** Leaves for the sign-in page, without what is not saved. */
export function giveUpSession(): void {
  setSession({ status: 'signed-out' })
  for (const { reject } of waiting) reject(new HostApiFailure(401, ''))
}

/** The id of the user whose page is shown; empty: nobody's. */
export const signedInUserId = (): string => ('user' in session ? session.user.id : '')

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
}

/** Renews this long before the token expires. */
const RENEW_EARLY = 60_000

/** A token that stays valid for a while; throws an `ApiFailure` with status 401 when signed out. */
export async function accessToken(): Promise<string> {
  if (token !== undefined && Date.now() < token.renewAt) return token.value
  return renew()
}

let renewing: Promise<string> | undefined

/**
 * Exchanges the cookie for a new token.
 *
 * A cookie works once, and showing an old one ends the session: one request at a time, across all tabs.
 */
export function renew(): Promise<string> {
  renewing ??= oneAtATime(async () => {
    const answer = await send('refresh')
    accept(answer)
    return answer.accessToken
  }).finally(() => {
    renewing = undefined
  })
  return renewing
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs requests that change the cookie one after another. In parallel, the answer "signed out" to an earlier
 * request could arrive after a sign-in and end the new session.
 */
function oneAtATime<T>(task: () => Promise<T>): Promise<T> {
  if (navigator.locks !== undefined) return navigator.locks.request('punctual:refresh', task)
  // Without https there are no locks: requests of one tab still wait for each other, those of several tabs don't.
  const mine = last.then(task)
  last = mine.catch(() => undefined)
  return mine
}

/** Finds out whether someone is signed in. */
export async function resumeSession(): Promise<void> {
  try {
    await renew()
    // After single sign-on in a tab of its own, another tab may wait for this.
    tabs?.postMessage('signed-in')
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status !== 401) setSession({ status: 'unreachable' })
  }
}

/** Has a sign-in link sent. */
export async function requestLink(email: string): Promise<void> {
  await send('login', { email })
}

/** Signs in with a link. Returns what to sign with a passkey, if that must follow. */
export async function signIn(linkToken: string): Promise<PasskeyRequest | undefined> {
  return oneAtATime(async () => {
    const answer = await send<SessionAnswer | { passkey: PasskeyRequest }>('verify', { token: linkToken })
    if ('passkey' in answer) return answer.passkey
    enter(answer)
    return undefined
  })
}

export async function signInWithPasskey(signed: SignedPasskey): Promise<void> {
  await oneAtATime(async () => enter(await send('passkey', signed)))
}

export async function signInWithRecoveryCode(code: string): Promise<void> {
  await oneAtATime(async () => enter(await send('passkey/recovery', { code })))
}

function enter(answer: SessionAnswer): void {
  accept(answer)
  tabs?.postMessage('signed-in')
}

export async function signOut(everywhere: boolean): Promise<void> {
  const answer = everywhere
    ? await send<SignOutAnswer>('logout-everywhere', undefined, await accessToken())
    : await oneAtATime(() => send<SignOutAnswer>('logout'))
  tabs?.postMessage('signed-out')
  setSession({ status: 'signed-out' })
  // After single sign-on, the identity provider would sign in anyone who sits down here next.
  if (answer.signOutUrl !== undefined) location.assign(answer.signOutUrl)
}

interface SignOutAnswer {
  readonly signOutUrl?: string
}

function accept({ accessToken: value, expiresIn, user, mustAddPasskey }: SessionAnswer): void {
  token = { value, renewAt: Date.now() + expiresIn * 1000 - RENEW_EARLY }
  // For the same user, nothing on the page changes.
  const same =
    session.status === 'signed-in' && session.user.id === user.id && session.mustAddPasskey === mustAddPasskey
  const isOther = session.status === 'ended' && session.user.id !== user.id
  if (!same) setSession({ status: 'signed-in', user, mustAddPasskey })
  for (const { resolve, reject } of waiting) {
    if (isOther) reject(new HostApiFailure(401, ''))
    else resolve()
  }
}

async function send<T = SessionAnswer>(path: string, body?: unknown, bearer?: string): Promise<T> {
  let response: Response
  try {
    response = await fetch(withBase(`/api/auth/${path}`), {
      method: 'POST',
      // Leaving the page must not cut off an answer that carries the next cookie.
      keepalive: true,
      headers: {
        'accept-language': language(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return (response.status === 204 ? {} : await response.json()) as T
  } catch {
    throw new HostApiFailure(0, '')
  }
  if (response.status === 401) endSession()
  throw await failureOf(response)
}
