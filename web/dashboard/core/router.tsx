import {
  type AnchorHTMLAttributes,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { withBase, withoutBase } from './base.ts'

// Paths within the dashboard begin with /app.

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

/** The address whose page is shown. The browser's own differs while it returns to a page with unsaved changes. */
let shown: string | undefined
const currentAddress = () => location.pathname + location.search

/** The position of `shown` in the history, so that the browser can be sent back to it. */
let at = 0

/** The browser's position. Entries it made itself, such as for a fragment, get their number here. */
function positionOf(): number {
  const known: unknown = history.state?.at
  if (typeof known === 'number') return known
  history.replaceState({ at: at + 1 }, '')
  return at + 1
}

/** Set while the page has unsaved changes; called when the user leaves without them. */
let unsaved: (() => void) | undefined

/** Continues a navigation that waits for the user to confirm it. */
let leaving: (() => void) | undefined

/** Back and forward can't be prevented: with unsaved changes, go back to the page first, then ask. */
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

interface Route {
  /** Such as /app/bookings. */
  readonly path: string
  readonly query: URLSearchParams
}

/** The address of the page that is shown. */
export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => {
    shown ??= currentAddress()
    return shown
  })
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, location.origin)
    const path = withoutBase(pathname).replace(/\/+$/, '')
    return { path: path === '' ? '/' : path, query: searchParams }
  }, [address])
}

export function navigate(to: string, { replace = false, force = false, scroll = true } = {}): void {
  if (unsaved !== undefined && !force && !replace) {
    leaving = () => navigate(to, { force: true, scroll })
    notify()
    return
  }
  if (force) unsaved?.()
  unsaved = undefined
  leaving = undefined
  if (!replace) at++
  history[replace ? 'replaceState' : 'pushState']({ at }, '', withBase(to))
  shown = currentAddress()
  if (!replace && scroll) scrollTo(0, 0)
  notify()
}

/** Whether the page asks for something new: `?new=` in the address, so that links can ask, too. */
export function useAdding(): readonly [boolean, (adding: boolean) => void] {
  const { path, query } = useRoute()
  return [
    query.has('new'),
    (adding) => {
      const next = new URLSearchParams(query)
      if (adding) next.set('new', '')
      else next.delete('new')
      navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true })
    },
  ]
}

/** Whether a navigation waits for the user to confirm it. */
export function useLeaving(): boolean {
  return useSyncExternalStore(subscribe, () => leaving !== undefined)
}

/** Leaves the page and its unsaved changes. */
export function leave(): void {
  const go = leaving
  unsaved?.()
  unsaved = undefined
  leaving = undefined
  go?.()
  notify()
}

/** Keeps the page and its unsaved changes. */
export function stay(): void {
  leaving = undefined
  notify()
}

/** Whether leaving the page would lose changes. */
export const hasUnsaved = () => unsaved !== undefined

interface Unsaved {
  /** Whether the changes survive the page: the browser then asks nothing before it is closed. */
  readonly kept: boolean
  /** Called when the user leaves without the changes. */
  readonly onLeave: () => void
}

/** Asks before leaving while there are unsaved changes. */
export function useUnsaved(dirty: boolean, { kept, onLeave }: Unsaved): void {
  const forget = useEffectEvent(onLeave)
  useEffect(() => {
    if (!dirty) return
    const mark = () => forget()
    unsaved = mark
    return () => {
      if (unsaved === mark) unsaved = undefined
    }
  }, [dirty])
  useEffect(() => {
    if (!dirty || kept) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty, kept])
}

/** Whether the browser opens another tab or window for a click. */
export const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

export function Link({ to, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={withBase(to)}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || opensElsewhere(event)) return
        event.preventDefault()
        navigate(to)
      }}
    />
  )
}
