import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

interface Write {
  /** Adds an entry to the history; otherwise the present one changes. */
  readonly push?: boolean
  readonly state: unknown
}

/** Changes the address without loading a page. */
export function writeAddress(path: string, { push = false, state }: Write): void {
  if (push) history.pushState(state, '', path)
  else history.replaceState(state, '', path)
  for (const hear of listeners) hear()
}

/** The present address, for what has to follow it. */
export const useAddress = (): string => useSyncExternalStore(listen, () => location.href)

function listen(hear: () => void): () => void {
  listeners.add(hear)
  addEventListener('popstate', hear)
  return () => {
    listeners.delete(hear)
    removeEventListener('popstate', hear)
  }
}

/** The present address, with other values in its query; undefined removes one. */
export function addressWith(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return location.pathname + (query.size === 0 ? '' : `?${query}`)
}

/** The start of the slot that the address names, such as `?slot=2027-03-22T13:00:00Z`. */
export function slotInAddress(): number | undefined {
  const at = Date.parse(new URLSearchParams(location.search).get('slot') ?? '')
  return Number.isNaN(at) ? undefined : at
}
