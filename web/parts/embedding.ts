import { useEffect, useEffectEvent } from 'react'
import type { Framers } from '../../src/domain/event-types/framing.ts'
import type { CommonData, PageData } from '../../src/http/pages/page-data.ts'
import type { Prefill } from './prefill.ts'

// The other side is embed/embed.ts. Change both together, and VERSION with the messages.

const VERSION = 1
const LONGEST = 5000

/** Events that the embedding site receives: ids only, nothing about the guest. */
type EmbedEvent =
  | 'ready'
  | 'slotSelected'
  | 'submitting'
  | 'booked'
  | 'rescheduled'
  | 'cancelled'
  | 'routed'
  | 'failed'
  | 'height'

type Ids = Readonly<Record<string, string | number>>

/** What the site knows about its visitor. It comes by message, so that our server does not see it before the guest submits. */
interface Setup {
  readonly prefill: Prefill
  readonly utm: Prefill
}

let embedded = false
/** Set when the site has answered: the browser guarantees the origin of a message. */
let siteOrigin: string | undefined
let setup: Setup | undefined
const unsent = new Map<string, Ids>()
const waiting = new Set<(setup: Setup) => void>()

/** Starts the exchange with the embedding site. The height of `root` becomes the widget's height. */
export function beginEmbedding({ embed }: CommonData, root: HTMLElement): void {
  if (embed === false || window.parent === window) return
  embedded = true
  addEventListener('message', (event) => {
    // Only the first answer of the parent window counts; messages from other windows are ignored.
    if (siteOrigin !== undefined || event.source !== window.parent) return
    if (!isAllowed(event.origin, embed.framers) || !isSetup(event.data)) return
    siteOrigin = event.origin
    setup = { prefill: textsOf(event.data.prefill), utm: textsOf(event.data.utm) }
    for (const hear of waiting) hear(setup)
    for (const [event, ids] of unsent) send(event, ids, siteOrigin)
    unsent.clear()
  })
  addEventListener('keydown', (event) => {
    // Escape closes the popup, unless something in this page has handled it.
    if (event.key === 'Escape' && !event.defaultPrevented) tellSite('escape', {})
  })
  // Sent to any origin, because it only says that this page is here.
  send('hello', {}, '*')
  new ResizeObserver(() => {
    tellSite('height', { height: Math.ceil(root.getBoundingClientRect().height) })
  }).observe(root)
}

/** Sends an event to the embedding site, if any, once its origin is known. */
export function tellSite(event: EmbedEvent | 'escape', ids: Ids): void {
  if (!embedded) return
  if (siteOrigin === undefined) unsent.set(event, ids)
  else send(event, ids, siteOrigin)
}

/** Sends `ready` with the ids of this page. */
export function tellReady(data: PageData): void {
  if (data.page === 'booking') tellSite('ready', { eventTypeId: data.eventType.id })
  else if (data.page === 'forms') tellSite('ready', { formId: data.form.id })
  else if (data.page === 'manage') tellSite('ready', { bookingId: data.bookingId })
  else tellSite('ready', {})
}

/** Calls `hear` once the site has sent its setup. */
export function useSetup(hear: (setup: Setup) => void): void {
  const hearNow = useEffectEvent(hear)
  useEffect(() => {
    if (setup !== undefined) return hearNow(setup)
    const hearLater = (given: Setup) => hearNow(given)
    waiting.add(hearLater)
    return () => void waiting.delete(hearLater)
  }, [])
}

const OF_ONE_PAGE = ['token', 'date', 'month', 'slot', 'step', 'duration', 'link', 'routing']

/** Adds language, theme and embedding to a link to another of our pages. */
export function withCarriedQuery(path: string): string {
  const query = new URLSearchParams(location.search)
  for (const own of OF_ONE_PAGE) query.delete(own)
  if (query.size === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function send(event: string, ids: Ids, origin: string): void {
  window.parent.postMessage({ punctual: VERSION, event, data: ids }, origin)
}

function isAllowed(origin: string, framers: Framers): boolean {
  // The browser has already blocked frames on other sites. A page without an origin cannot be answered safely.
  return (
    origin !== 'null' && (framers === 'everyone' || origin === location.origin || framers.includes(origin))
  )
}

function isSetup(message: unknown): message is { readonly prefill?: unknown; readonly utm?: unknown } {
  const { punctual, event } = (message ?? {}) as { readonly punctual?: unknown; readonly event?: unknown }
  return punctual === VERSION && event === 'setup'
}

function textsOf(given: unknown): Prefill {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const texts = entries.map(([key, text]) => [key, Array.isArray(text) ? text.join('\n') : text] as const)
  const known = texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(known.map(([key, text]) => [key, text.slice(0, LONGEST)]))
}
