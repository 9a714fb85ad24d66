const HANDED_OVER = 'punctual:prefill'

/** Answers that are known already, by field. */
export type Prefill = Readonly<Record<string, string>>

export interface Arrival {
  readonly prefill: Prefill
  /** Which campaign led here. */
  readonly utm: Prefill
}

const KEPT_IN_ADDRESS = new Set(['lang', 'embed', 'token'])

/**
 * What the guest arrives with: the query of the address, or what a routing form handed over.
 *
 * Taken out of the address bar at once, so that a link copied from there gives nobody's name away.
 */
export function readArrival(): Arrival {
  const prefill: Record<string, string> = { ...takeHandedOver() }
  const utm: Record<string, string> = {}
  const kept = new URLSearchParams()
  for (const [key, value] of new URLSearchParams(location.search)) {
    if (KEPT_IN_ADDRESS.has(key)) kept.set(key, value)
    else if (key.startsWith('utm_')) utm[key.slice(4)] = value.slice(0, 200)
    else prefill[key] = value
  }
  const query = kept.toString()
  const address = location.pathname + (query === '' ? '' : `?${query}`)
  if (address !== location.pathname + location.search) history.replaceState(history.state, '', address)
  return { prefill, utm }
}

/** Gives answers to the next page of this tab without writing them into its address. */
export function handOver(path: string, prefill: Prefill): void {
  try {
    sessionStorage.setItem(HANDED_OVER, JSON.stringify({ path, prefill }))
  } catch {
    // The guest types it again.
  }
}

function takeHandedOver(): Prefill {
  try {
    const { path, prefill } = JSON.parse(sessionStorage.getItem(HANDED_OVER) ?? '{}')
    sessionStorage.removeItem(HANDED_OVER)
    return path === location.pathname ? prefill : {}
  } catch {
    return {}
  }
}
