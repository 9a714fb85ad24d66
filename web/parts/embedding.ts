import { useEffect, useEffectEvent } from 'react'
import type { Framers } from '../../src/domain/event-types/framing.ts'
import type { CommonData, Embedding, PageData } from '../../src/http/pages/page-data.ts'
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
  | 'eventTypeSelected'

type Ids = Readonly<Record<string, string | number>>

/** What Cal.com's and Calendly's events have besides ids. Only sites that ask for such events get it. */
interface Facts {
  readonly bookingId?: string
  readonly eventTypeSlug?: string
  readonly startTime?: string
  readonly endTime?: string
  readonly status?: string | number
  /** The meetings of a series. */
  readonly allBookings?: readonly { readonly startTime: string; readonly endTime: string }[]
  /** What a form led to. */
  readonly actionType?: 'customPageMessage' | 'externalRedirectUrl' | 'eventTypeRedirectUrl'
  readonly routedTo?: string
  readonly height?: number
}

/** How the site wants the page to look, as long as it is shown. */
interface Look {
  readonly theme?: unknown
  readonly color?: unknown
  readonly hideDetails?: unknown
}

/** What the site knows about its visitor. It comes by message, so that our server does not see it before the guest submits. */
interface Setup {
  readonly prefill: Prefill
  readonly utm: Prefill
}

let embedding: Embedding | false = false
/** Loaded for sites that listen for Calendly's messages. */
let calendly: Promise<typeof import('./calendly.ts')> | undefined
/** Set when the site has answered: the browser guarantees the origin of a message. */
let siteOrigin: string | undefined
let setup: Setup | undefined
const unsent = new Map<string, object>()
const waiting = new Set<(setup: Setup) => void>()

/** Starts the exchange with the embedding site. The height of `root` becomes the widget's height. */
export function beginEmbedding({ embed }: CommonData, root: HTMLElement): void {
  if (embed === false || window.parent === window) return
  embedding = embed
  if (embed.calendly !== undefined) calendly = import('./calendly.ts')
  addEventListener('message', (event) => {
    if (event.origin === siteOrigin && event.source === window.parent && isOurs(event.data, 'look')) {
      return wear(event.data as Look)
    }
    // Only the first answer of the parent window counts; messages from other windows are ignored.
    if (siteOrigin !== undefined || event.source !== window.parent) return
    if (!isAllowed(event.origin, embed.framers) || !isOurs(event.data, 'setup')) return
    siteOrigin = event.origin
    const { prefill, utm } = event.data as { readonly prefill?: unknown; readonly utm?: unknown }
    setup = { prefill: textsOf(prefill), utm: textsOf(utm) }
    for (const hear of waiting) hear(setup)
    for (const [event, ids] of unsent) send(event, ids, siteOrigin)
    unsent.clear()
  })
  addEventListener('keydown', (event) => {
    // Escape closes the popup, unless something in this page has handled it.
    if (event.key === 'Escape' && !event.defaultPrevented) tellSite('escape')
  })
  // Sent to any origin, because it only says that this page is here.
  send('hello', {}, '*')
  new ResizeObserver(() => {
    tellSite('height', { height: Math.ceil(root.getBoundingClientRect().height) })
  }).observe(root)
}

/** Sends an event to the embedding site, if any, once its origin is known. */
export function tellSite(event: EmbedEvent | 'escape', ids: Ids = {}, facts: Facts = {}): void {
  if (embedding === false) return
  const { calcom, calendly: publicUrl } = embedding
  if (publicUrl !== undefined)
    void calendly?.then((words) => words.tell(publicUrl, event, { ...ids, ...facts }))
  const said = calcom === undefined ? ids : { ...facts, ...ids, ...numberIn(calcom, facts) }
  if (siteOrigin === undefined) unsent.set(event, said)
  else send(event, said, siteOrigin)
}

const numberIn = (numbers: Readonly<Record<string, number>>, { eventTypeSlug = '' }: Facts) =>
  numbers[eventTypeSlug] === undefined ? {} : { eventTypeNumber: numbers[eventTypeSlug] }

/** Sends `ready` with the ids of this page. */
export function tellReady(data: PageData): void {
  if (data.page === 'booking') {
    const { id: eventTypeId, slug: eventTypeSlug } = data.eventType
    tellSite('ready', { eventTypeId }, { eventTypeSlug })
  } else if (data.page === 'forms') tellSite('ready', { formId: data.form.id })
  else if (data.page === 'manage') tellSite('ready', { bookingId: data.bookingId })
  else tellSite('ready')
}

interface TimedBooking {
  readonly startTime: string
  readonly endTime: string
  readonly status: string
  readonly series?: readonly { readonly startTime: string; readonly endTime: string }[]
}

/** What such sites may know of a booking. */
export function factsOf(eventTypeSlug: string, { startTime, endTime, status, series }: TimedBooking): Facts {
  return {
    eventTypeSlug,
    startTime,
    endTime,
    status,
    ...(series && {
      allBookings: series.map((meeting) => ({ startTime: meeting.startTime, endTime: meeting.endTime })),
    }),
  }
}

/** Says which event type of a profile was chosen, where Cal.com's script wants to know. */
export function tellChosen(eventTypeSlug: string): void {
  if (embedding !== false && embedding.calcom !== undefined) {
    tellSite('eventTypeSelected', {}, { eventTypeSlug })
  }
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

function send(event: string, data: object, origin: string): void {
  window.parent.postMessage({ punctual: VERSION, event, data }, origin)
}

/** Takes on what a site changes about the look of a page that is shown already. */
function wear({ theme, color, hideDetails }: Look): void {
  const { dataset } = document.documentElement
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else if (theme === 'auto') delete dataset.theme
  if (hideDetails === true) dataset.hide = 'details'
  else if (hideDetails === false) delete dataset.hide
  if (typeof color === 'string') void import('./accent.ts').then(({ wearAsked }) => wearAsked(color))
}

function isAllowed(origin: string, framers: Framers): boolean {
  // The browser has already blocked frames on other sites. A page without an origin cannot be answered safely.
  return (
    origin !== 'null' && (framers === 'everyone' || origin === location.origin || framers.includes(origin))
  )
}

function isOurs(message: unknown, wanted: 'setup' | 'look'): boolean {
  const { punctual, event } = (message ?? {}) as { readonly punctual?: unknown; readonly event?: unknown }
  return punctual === VERSION && event === wanted
}

function textsOf(given: unknown): Prefill {
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const texts = entries.map(([key, text]) => [key, Array.isArray(text) ? text.join('\n') : text] as const)
  const known = texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(known.map(([key, text]) => [key, text.slice(0, LONGEST)]))
}
