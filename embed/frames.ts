import {
  EVENTS,
  type EventName,
  type Handler,
  type PunctualApi,
  VERSION,
  type Widget,
  type WidgetEvent,
  type WidgetOptions,
} from './api.ts'
import { wordsOf } from './options.ts'
import { type Progress, showProgress } from './progress.ts'
import { themeAround } from './theme.ts'

export interface FrameOptions extends WidgetOptions {
  /** More for the address of the page. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

export interface Frame {
  readonly element: HTMLIFrameElement
  readonly options: FrameOptions
  readonly progress: Progress
  readonly widget: Widget
  readonly onHeight: (height: number) => void
  readonly onEscape?: () => void
  readonly onBooked?: () => void
  /** Everything that the page says, for scripts in the words of other services. */
  readonly onMessage?: ((event: string, data: Readonly<Record<string, unknown>>) => void) | undefined
}

export interface Frames {
  add(
    container: HTMLElement,
    options: FrameOptions,
    height: number,
    rest: Omit<Frame, 'element' | 'options' | 'progress'>,
  ): Frame
  delete(frame: Frame): void
  readonly on: PunctualApi['on']
  readonly off: PunctualApi['off']
}

const IDS = ['eventTypeId', 'eventTypeSlug', 'bookingId', 'formId', 'status', 'height']
const TALLEST = 20_000

/** The frames that show pages of the service at `base`, and the events that they send. */
export function openFrames(base: string, origin: string): Frames {
  const frames = new Set<Frame>()
  const handlers = new Map<string, Set<Handler>>()

  addEventListener('message', ({ data, origin: from, source }) => {
    // Accept messages only from our frames, and only while they show a page of the service.
    if (from !== origin || source === null) return
    const frame = [...frames].find(({ element }) => element.contentWindow === source)
    const message = Object(data)
    if (frame === undefined || message.punctual !== VERSION) return
    if (message.event === 'hello') {
      frame.progress.end()
      ;(source as Window).postMessage(setupOf(frame), origin)
    }
    // Said by a notice, which has no script that could say hello.
    if (message.event === 'failed') frame.progress.end()
    frame.onMessage?.(message.event, Object(message.data))
    const received = receive(frame, message.event, Object(message.data))
    if (received !== undefined) tell(received)
  })

  const tell = (received: WidgetEvent) => {
    for (const handler of handlers.get(received.event) ?? []) {
      try {
        handler(received)
      } catch (error) {
        // Reported to the site; the other handlers still run.
        reportError(error)
      }
    }
  }

  const off: Frames['off'] = (event, handler) => void handlers.get(event)?.delete(handler)
  return {
    add(container, options, height, rest) {
      for (const old of frames) if (!old.element.isConnected) frames.delete(old)
      // A dialog is in a shadow root, which the site's styles do not reach.
      const around = container.getRootNode() === document ? container : document.body
      const element = createFrame(base, options, height, options.theme ?? themeAround(around))
      container.appendChild(element)
      const { link } = options
      const progress = showProgress(element, options, `${base}/${link}`, () => {
        rest.onMessage?.('failed', { status: 0 })
        tell({ event: 'failed', status: 0, link, widget: rest.widget })
      })
      const frame = { element, options, progress, ...rest }
      frames.add(frame)
      return frame
    },
    delete(frame) {
      frame.progress.end()
      frames.delete(frame)
    },
    on(event, handler) {
      if (!EVENTS.includes(event)) throw new Error(`Punctual: there is no event "${event}".`)
      const those = handlers.get(event) ?? new Set()
      handlers.set(event, those.add(handler))
      return () => off(event, handler)
    },
    off,
  }
}

/** What a page needs when it starts: prefilled answers and the campaign. */
function setupOf({ options: { prefill = {}, utm } }: Frame) {
  return { punctual: VERSION, event: 'setup', prefill, utm: { ...campaign(), ...utm } }
}

/** Reacts to a message from a frame; returns the event for the site, if it is one. */
function receive(
  frame: Frame,
  event: EventName | 'escape',
  ids: Partial<WidgetEvent>,
): WidgetEvent | undefined {
  const { height = 0 } = ids
  if (event === 'escape') frame.onEscape?.()
  if (event === 'booked') frame.onBooked?.()
  if (event === 'height' && height > 0 && height < TALLEST) frame.onHeight(height)
  if (event === 'escape' || !EVENTS.includes(event)) return undefined
  const known = Object.entries(ids).filter(([key, id]) => IDS.includes(key) && Object(id) !== id)
  return { ...Object.fromEntries(known), event, link: frame.options.link, widget: frame.widget }
}

function createFrame(
  base: string,
  options: FrameOptions,
  height: number,
  theme: NonNullable<WidgetOptions['theme']>,
): HTMLIFrameElement {
  const { link, locale, hideDetails, title } = options
  const element = document.createElement('iframe')
  const query = new URLSearchParams({ embed: '1', theme, ...options.query })
  if (locale) query.set('lang', locale)
  if (hideDetails) query.set('hide', 'details')
  element.title = title ?? wordsOf(options)[0]
  // Our server must not learn which page embeds the widget.
  element.referrerPolicy = 'no-referrer'
  element.src = `${base}/${link}?${query}`
  set(element, { display: 'block', width: '100%', height: `${height}px`, border: '0', background: 'none' })
  wearTheme(element, theme)
  return element
}

/** With the same color scheme as its page, a frame is transparent. */
export function wearTheme(element: HTMLElement, theme: NonNullable<WidgetOptions['theme']>): void {
  set(element, { colorScheme: theme === 'auto' ? 'light dark' : theme })
}

/** The campaign in the URL of the site's page. */
function campaign(): Record<string, string> {
  const entries = [...new URLSearchParams(location.search)].filter(([key]) => key.startsWith('utm_'))
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(4), value]))
}

/** Sets styles one by one, which a strict policy allows. */
export function set({ style }: HTMLElement, values: Partial<CSSStyleDeclaration>): void {
  Object.assign(style, values)
}
