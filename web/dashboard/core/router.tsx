import { type AnchorHTMLAttributes, useEffect, useMemo, useSyncExternalStore } from 'react'

// Addresses within the dashboard begin with /app; where the service itself lives is put before them here.

let base = ''

export function setBase(given: string): void {
  base = given
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    at = positionOf()
    addEventListener('popstate', follow)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', follow)
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** The address whose page is shown. The browser's own is another one while it is on its way back to changes not saved. */
let shown: string | undefined
const currentAddress = () => location.pathname + location.search

/** Where `shown` stands in the history, so that one can be led back to it. */
let at = 0

/** Where the browser stands. An entry that it made by itself, as for a fragment, gets its number here. */
function positionOf(): number {
  const known: unknown = history.state?.at
  if (typeof known === 'number') return known
  history.replaceState({ at: at + 1 }, '')
  return at + 1
}

/** What would be lost by leaving; the page asks before it lets that happen. */
let unsaved: (() => void) | undefined

/** How to go on, for someone who would lose something by it. */
let leaving: (() => void) | undefined

/** The browser went back or forward, and cannot be asked to wait: it is led back before anything is lost, then asked. */
function follow(): void {
  const here = positionOf()
  const step = here - at
  const returned = currentAddress() === shown
  if (unsaved !== undefined && !returned && step !== 0) {
    leaving = () => history.go(step)
    history.go(-step)
  } else {
    at = here
    shown = currentAddress()
  }
  notify()
}

export interface Place {
  /** Such as /app/bookings. */
  readonly path: string
  readonly query: URLSearchParams
}

export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, () => {
    shown ??= currentAddress()
    return shown
  })
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, location.origin)
    const path = pathname.slice(base.length).replace(/\/+$/, '')
    return { path: path === '' ? '/' : path, query: searchParams }
  }, [address])
}

export function navigate(to: string, { replace = false, force = false } = {}): void {
  if (unsaved !== undefined && !force && !replace) {
    leaving = () => navigate(to, { force: true })
    notify()
    return
  }
  unsaved = undefined
  leaving = undefined
  if (!replace) at++
  history[replace ? 'replaceState' : 'pushState']({ at }, '', base + to)
  shown = currentAddress()
  if (!replace) scrollTo(0, 0)
  notify()
}

/** Whether someone wants to go who would lose something by it. */
export function useLeaving(): boolean {
  return useSyncExternalStore(subscribe, () => leaving !== undefined)
}

export function leave(): void {
  const go = leaving
  unsaved = undefined
  leaving = undefined
  go?.()
  notify()
}

export function stay(): void {
  leaving = undefined
  notify()
}

/** Asks before leaving while `dirty` holds. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    const mark = () => {}
    unsaved = mark
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => {
      if (unsaved === mark) unsaved = undefined
      removeEventListener('beforeunload', ask)
    }
  }, [dirty])
}

export const addressOf = (to: string) => base + to

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

export function Link({ to, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={base + to}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.button !== 0) return
        // Another tab or window is for the browser to open.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigate(to)
      }}
    />
  )
}
