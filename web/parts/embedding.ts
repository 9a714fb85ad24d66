import { useEffect, useEffectEvent } from 'react'
import type { Framers } from '../../src/domain/event-types/framing.ts'
import type { CommonData, PageData } from '../../src/http/pages/page-data.ts'
import type { Prefill } from './prefill.ts'

// The other side is embed/embed.ts. Both change together, and VERSION with what they say.

const VERSION = 1
const LONGEST = 5000

/** What a site is told about its widget: ids, and nothing about the guest. */
export type EmbedEvent =
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

/** What the site knows of its visitor. It comes by message, so that no server sees it before it is sent. */
export interface Setup {
  readonly prefill: Prefill
  readonly utm: Prefill
}

let embedded = false
/** Known once the site has answered: the browser vouches for the origin of a message. */
let siteOrigin: string | undefined
let setup: Setup | undefined
const unsent = new Map<string, Ids>()
const waiting = new Set<(setup: Setup) => void>()

/** Begins the talk with the site around this page. `root` is as high as the widget has to be. */
export function beginEmbedding({ embed }: CommonData, root: HTMLElement): void {
  if (embed === false || window.parent === window) return
  embedded = true
  addEventListener('message', (event) => {
    // The first answer of the window around us counts; whoever else writes to this one is not heard.
    if (siteOrigin !== undefined || event.source !== window.parent) return
    if (!isAllowed(event.origin, embed.framers) || !isSetup(event.data)) return
    siteOrigin = event.origin
    setup = { prefill: textsOf(event.data.prefill), utm: textsOf(event.data.utm) }
    for (const hear of waiting) hear(setup)
    for (const [event, ids] of unsent) send(event, ids, siteOrigin)
    unsent.clear()
  })
  addEventListener('keydown', (event) => {
    // A popup closes by it, unless something in here did.
    if (event.key === 'Escape' && !event.defaultPrevented) tellSite('escape', {})
  })
  // To whoever it is: it says nothing but that we are here.
  send('hello', {}, '*')
  new ResizeObserver(() => {
    tellSite('height', { height: Math.ceil(root.getBoundingClientRect().height) })
  }).observe(root)
}

/** Tells the site around this page, if there is one, as soon as we know which. */
export function tellSite(event: EmbedEvent | 'escape', ids: Ids): void {
  if (!embedded) return
  if (siteOrigin === undefined) unsent.set(event, ids)
  else send(event, ids, siteOrigin)
}

/** Says what this page is about, now that it can be used. */
export function tellReady(data: PageData): void {
  if (data.page === 'booking') tellSite('ready', { eventTypeId: data.eventType.id })
  else if (data.page === 'forms') tellSite('ready', { formId: data.form.id })
  else if (data.page === 'manage') tellSite('ready', { bookingId: data.bookingId })
  else tellSite('ready', {})
}

/** Calls `hear` with what the site knows, once it has said so. */
export function useSetup(hear: (setup: Setup) => void): void {
  const hearNow = useEffectEvent(hear)
  useEffect(() => {
    if (setup !== undefined) return hearNow(setup)
    const hearLater = (given: Setup) => hearNow(given)
    waiting.add(hearLater)
    return () => void waiting.delete(hearLater)
  }, [])
}

/** Language, look and embedding, for a link to another of our pages. */
export function withCarriedQuery(path: string): string {
  const query = new URLSearchParams(location.search)
  // It opens one booking, and no other page.
  query.delete('token')
  if (query.size === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function send(event: string, ids: Ids, origin: string): void {
  window.parent.postMessage({ punctual: VERSION, event, data: ids }, origin)
}

function isAllowed(origin: string, framers: Framers): boolean {
  // The browser has refused the frame to others already. A page without an origin cannot be answered safely.
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
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.map(([key, text]) => [key, text.slice(0, LONGEST)]))
}
