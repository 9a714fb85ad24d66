import { type AnchorHTMLAttributes, useEffect, useMemo, useSyncExternalStore } from 'react'

// Addresses within the dashboard begin with /app; where the service itself lives is put before them here.

let base = ''

export function setBase(given: string): void {
  base = given
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

/** What would be lost by leaving; the page asks before it lets that happen. */
let unsaved: (() => void) | undefined
let pending: string | undefined

function notify(): void {
  for (const listener of listeners) listener()
}

export interface Place {
  /** Such as /app/bookings. */
  readonly path: string
  readonly query: URLSearchParams
}

export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, location.origin)
    const path = pathname.slice(base.length).replace(/\/+$/, '')
    return { path: path === '' ? '/' : path, query: searchParams }
  }, [address])
}

export function navigate(to: string, { replace = false, force = false } = {}): void {
  if (unsaved !== undefined && !force && !replace) {
    pending = to
    notify()
    return
  }
  unsaved = undefined
  pending = undefined
  history[replace ? 'replaceState' : 'pushState'](null, '', base + to)
  if (!replace) scrollTo(0, 0)
  notify()
}

/** Where someone wants to go who would lose something by it. */
export function usePending(): string | undefined {
  return useSyncExternalStore(subscribe, () => pending)
}

export function stay(): void {
  pending = undefined
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
