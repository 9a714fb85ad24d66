// The script that a site loads to show our pages in frames: /embed.js.
// It imports nothing, and loads nothing until a frame is needed. The other side is web/parts/embedding.ts.

const EVENTS = [
  'ready',
  'slotSelected',
  'submitting',
  'booked',
  'rescheduled',
  'cancelled',
  'routed',
  'failed',
  'height',
] as const

export type EventName = (typeof EVENTS)[number]

export interface WidgetOptions {
  /** What to show: `user`, `user/event` or `user/forms/form`. */
  readonly link: string
  /** Prefilled answers, by field: `name`, `email`, `phone`, `notes`, or the key of a question. */
  readonly prefill?: Readonly<Record<string, string>> | undefined
  /** The campaign, such as `{ source: 'newsletter' }`; also read from the URL of the site's page. */
  readonly utm?: Readonly<Record<string, string>> | undefined
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** Such as `de`. Default: the visitor's browser language. */
  readonly locale?: string | undefined
  /** Hides the host and event details, for sites that show them themselves. */
  readonly hideDetails?: boolean | undefined
  /** The accessible name of the frame and the dialog. */
  readonly title?: string | undefined
  /** Minimum height of an inline widget in pixels, also while it loads. */
  readonly minHeight?: number | undefined
}

export interface FloatingOptions extends WidgetOptions {
  readonly text?: string | undefined
  readonly color?: string | undefined
  readonly textColor?: string | undefined
  readonly position?: 'left' | 'right' | undefined
}

export interface Widget {
  destroy(): void
}

export interface Popup extends Widget {
  open(): void
  close(): void
}

/** An event for the site: the widget and ids, never anything about the visitor. */
export interface WidgetEvent {
  readonly event: EventName
  readonly link: string
  readonly widget: Widget
  readonly eventTypeId?: string
  readonly eventTypeSlug?: string
  readonly bookingId?: string
  readonly formId?: string
  /** For `failed`: the HTTP status, or 0 if there was no response. */
  readonly status?: number
  readonly height?: number
}

export type Handler = (event: WidgetEvent) => void

export interface PunctualApi {
  readonly version: number
  inline(target: Element | string, options: WidgetOptions): Widget
  /** Opens by a click on `target`; if that is null, only by `open()`. */
  popup(target: Element | string | null, options: WidgetOptions): Popup
  floating(options: FloatingOptions): Popup
  /** Returns a function that removes the handler. */
  on(event: EventName, handler: Handler): () => void
  off(event: EventName, handler: Handler): void
  /** Mounts new elements with `data-punctual…`. */
  scan(): void
}

declare global {
  interface Window {
    Punctual?: PunctualApi
  }
}

interface Frame {
  readonly element: HTMLIFrameElement
  readonly options: WidgetOptions
  readonly widget: Widget
  readonly onHeight: (height: number) => void
  readonly onEscape?: () => void
  readonly onBooked?: () => void
}

const VERSION = 1
const LINK = /^[a-z0-9-]+(?:\/forms)?(?:\/[a-z0-9-]+)?$/
const IDS = ['eventTypeId', 'eventTypeSlug', 'bookingId', 'formId', 'status', 'height']
const TALLEST = 20_000

const WORDS: Readonly<Record<string, readonly [book: string, close: string]>> = {
  en: ['Book a time', 'Close'],
  de: ['Termin buchen', 'Schließen'],
  es: ['Reservar una cita', 'Cerrar'],
  fr: ['Prendre rendez-vous', 'Fermer'],
  pt: ['Marcar um horário', 'Fechar'],
  ja: ['予約する', '閉じる'],
}

const STYLE = `
:host{all:initial}
dialog{position:fixed;inset:0;box-sizing:border-box;width:min(67rem,100vw - 1.5rem);max-width:none;max-height:none;margin:auto;padding:0;border:0;background:none;overflow:visible}
dialog::backdrop{background:rgb(15 14 12/.6)}
iframe{display:block;width:100%;max-height:calc(100dvh - 5rem);border:0;border-radius:1.5rem}
button{font:600 1rem/1.25 system-ui,sans-serif;cursor:pointer;border:0}
button:focus-visible{outline:3px solid #fff;box-shadow:0 0 0 6px #1d1c1a}
.close{display:block;width:2.75rem;height:2.75rem;margin:0 0 .5rem auto;border-radius:99px;background:#fff;color:#1d1c1a}
.float{position:fixed;z-index:2147483000;bottom:1.25rem;padding:.9rem 1.4rem;border-radius:99px;background:var(--back,#1d1c1a);color:var(--text,#fff);box-shadow:0 6px 24px rgb(0 0 0/.25)}
.left{left:1.25rem}
.right{right:1.25rem}
`

function begin(): PunctualApi {
  const script = (document.currentScript ??
    document.querySelector('script[src*="/embed."]')) as HTMLScriptElement | null
  if (script === null) throw new Error('Punctual: load /embed.js by a script element.')
  const base = script.src.replace(/\/embed(?:\.[\w.-]*)?\.js(?:[?#].*)?$/, '')
  const { origin } = new URL(script.src)
  const frames = new Set<Frame>()
  const handlers = new Map<string, Set<Handler>>()
  const mounted = new WeakMap<Element, Popup | Widget>()

  addEventListener('message', ({ data, origin: from, source }) => {
    // Accept messages only from our frames, and only while they show a page of the service.
    if (from !== origin || source === null) return
    const frame = [...frames].find(({ element }) => element.contentWindow === source)
    const message = Object(data)
    if (frame === undefined || message.punctual !== VERSION) return
    const { event } = message
    const ids = Object(message.data)
    if (event === 'hello') {
      const { prefill = {}, utm } = frame.options
      const setup = { punctual: VERSION, event: 'setup', prefill, utm: { ...campaign(), ...utm } }
      ;(source as Window).postMessage(setup, origin)
    }
    if (event === 'escape') frame.onEscape?.()
    if (event === 'booked') frame.onBooked?.()
    if (event === 'height' && ids.height > 0 && ids.height < TALLEST) frame.onHeight(ids.height)
    if (!EVENTS.includes(event)) return
    const known = Object.entries(ids).filter(([key, id]) => IDS.includes(key) && Object(id) !== id)
    const received = { ...Object.fromEntries(known), event, link: frame.options.link, widget: frame.widget }
    for (const handler of handlers.get(event) ?? []) {
      try {
        handler(received as WidgetEvent)
      } catch (error) {
        // Reported to the site; the other handlers still run.
        reportError(error)
      }
    }
  })

  const addFrame = (
    place: Node,
    options: WidgetOptions,
    height: number,
    rest: Omit<Frame, 'element' | 'options'>,
  ) => {
    const { link, theme, locale, hideDetails, title } = options
    const element = document.createElement('iframe')
    const query = new URLSearchParams({ embed: '1' })
    if (theme) query.set('theme', theme)
    if (locale) query.set('lang', locale)
    if (hideDetails) query.set('hide', 'details')
    element.title = title ?? wordsOf(options)[0]
    // Our server must not learn which page embeds the widget.
    element.referrerPolicy = 'no-referrer'
    element.src = `${base}/${link}?${query}`
    // Set one by one, which a strict policy allows. With the same color scheme as its page, a frame is transparent.
    set(element, { display: 'block', width: '100%', height: `${height}px`, border: '0' })
    set(element, {
      background: 'none',
      colorScheme: theme === 'light' || theme === 'dark' ? theme : 'light dark',
    })
    for (const old of frames) if (!old.element.isConnected) frames.delete(old)
    const frame = { element, options, ...rest }
    frames.add(frame)
    place.appendChild(element)
    return frame
  }

  const inline = (target: Element | string, options: WidgetOptions): Widget => {
    const place = find(target)
    check(options)
    mounted.get(place)?.destroy()
    // The site may have reserved space already, so that nothing moves when this script loads late.
    const kept = Number.parseFloat(getComputedStyle(place).minHeight)
    const height = options.minHeight ?? (kept || roomFor(options, place.clientWidth))
    // Kept later too, so that a lower frame does not move the content below.
    set(place, { minHeight: `${height}px` })
    place.replaceChildren()
    const widget: Widget = {
      destroy() {
        frames.delete(frame)
        frame.element.remove()
        set(place, { minHeight: '' })
        mounted.delete(place)
      },
    }
    const frame: Frame = addFrame(place, options, height, {
      widget,
      onHeight: (exact) => set(frame.element, { height: `${exact}px` }),
    })
    mounted.set(place, widget)
    return widget
  }

  const popupOf = (options: WidgetOptions, opener: HTMLElement | null): Popup => {
    check(options)
    const [host, root] = shadow()
    const dialog = document.createElement('dialog')
    const close = button('close', '✕')
    let frame: Frame | undefined
    let done = false
    let unlock = () => {}
    let cameFrom: HTMLElement | null = opener
    const [name, closeName] = wordsOf(options)
    dialog.setAttribute('aria-modal', 'true')
    dialog.setAttribute('aria-label', options.title ?? name)
    close.setAttribute('aria-label', closeName)
    close.onclick = () => dialog.close()
    // A click beside the frame hits the backdrop.
    dialog.onclick = ({ target }) => target === dialog && dialog.close()
    dialog.onclose = () => {
      unlock()
      cameFrom?.focus()
      if (done) forget()
    }
    // Focus sentinels keep Tab inside the dialog.
    dialog.append(
      edge(() => frame?.element.focus()),
      close,
    )
    root.append(dialog)
    const forget = () => {
      if (frame) frames.delete(frame)
      host.remove()
      dialog.replaceChildren(...[...dialog.children].slice(0, 2))
      frame = undefined
      done = false
    }
    const popup: Popup = {
      open() {
        if (dialog.open) return
        // Moving a frame in the document would reload it.
        if (!host.isConnected) document.body.append(host)
        cameFrom = opener ?? (document.activeElement as HTMLElement | null)
        if (frame === undefined) {
          frame = addFrame(dialog, options, 640, {
            widget: popup,
            onHeight: (exact) => frame && set(frame.element, { height: `${exact}px` }),
            onEscape: () => dialog.close(),
            onBooked: () => {
              done = true
            },
          })
          dialog.append(edge(() => close.focus()))
        }
        unlock = lockScroll()
        dialog.showModal()
        close.focus()
      },
      close: () => dialog.close(),
      destroy() {
        dialog.close()
        // The dialog's close event comes too late for this.
        unlock()
        unlock = () => {}
        forget()
      },
    }
    return popup
  }

  const popup = (target: Element | string | null, options: WidgetOptions): Popup => {
    if (target === null) return popupOf(options, null)
    const opener = find(target)
    mounted.get(opener)?.destroy()
    const made = popupOf(options, opener)
    const ended = new AbortController()
    const { signal } = ended
    dress(opener, signal)
    const open = (event: MouseEvent) => {
      if (!isPlain(event)) return
      event.preventDefault()
      made.open()
    }
    opener.addEventListener('click', open, { signal })
    const widget = {
      ...made,
      destroy() {
        ended.abort()
        made.destroy()
        mounted.delete(opener)
      },
    }
    mounted.set(opener, widget)
    return widget
  }

  const floating = (options: FloatingOptions): Popup => {
    const { text, color, textColor, position = 'right' } = options
    const [host, root] = shadow()
    const opener = button(`float ${position}`, text ?? wordsOf(options)[0])
    opener.setAttribute('aria-haspopup', 'dialog')
    if (color) opener.style.setProperty('--back', color)
    if (textColor) opener.style.setProperty('--text', textColor)
    const made = popupOf(options, opener)
    opener.onclick = () => made.open()
    root.append(opener)
    whenReady(() => document.body.append(host))
    return {
      ...made,
      destroy() {
        made.destroy()
        host.remove()
      },
    }
  }

  const scan = () => {
    for (const place of document.querySelectorAll<HTMLElement>('[data-punctual]')) {
      if (!mounted.has(place)) inline(place, optionsOf(place, place.dataset.punctual))
    }
    for (const opener of document.querySelectorAll<HTMLElement>('[data-punctual-popup]')) {
      if (!mounted.has(opener)) popup(opener, optionsOf(opener, opener.dataset.punctualPopup))
    }
  }

  whenReady(scan)
  const { punctualFloating } = script.dataset
  if (punctualFloating) floating(optionsOf(script, punctualFloating))

  const off = (event: EventName, handler: Handler) => void handlers.get(event)?.delete(handler)
  return {
    version: VERSION,
    inline,
    popup,
    floating,
    on(event, handler) {
      if (!EVENTS.includes(event)) throw new Error(`Punctual: there is no event "${event}".`)
      const those = handlers.get(event) ?? new Set()
      handlers.set(event, those.add(handler))
      return () => off(event, handler)
    },
    off,
    scan,
  }
}

/** The page's approximate height, which depends on its width. */
function roomFor({ link, hideDetails }: WidgetOptions, width: number): number {
  if (link.includes('/forms/')) return 560
  if (!link.includes('/')) return 480
  if (width >= 992) return 600
  if (width >= 640) return hideDetails ? 600 : 820
  return hideDetails ? 960 : 1180
}

function optionsOf({ dataset }: HTMLElement, link = ''): FloatingOptions {
  const { punctualPrefill, punctualMinHeight, punctualHideDetails } = dataset
  return {
    link,
    prefill: punctualPrefill ? JSON.parse(punctualPrefill) : undefined,
    minHeight: punctualMinHeight ? Number(punctualMinHeight) : undefined,
    hideDetails: punctualHideDetails !== undefined,
    theme: dataset.punctualTheme as FloatingOptions['theme'],
    locale: dataset.punctualLocale,
    title: dataset.punctualTitle,
    text: dataset.punctualText,
    color: dataset.punctualColor,
    textColor: dataset.punctualTextColor,
    position: dataset.punctualPosition as FloatingOptions['position'],
  }
}

/** The campaign in the URL of the site's page. */
function campaign(): Record<string, string> {
  const entries = [...new URLSearchParams(location.search)].filter(([key]) => key.startsWith('utm_'))
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(4), value]))
}

function check({ link }: WidgetOptions): void {
  if (!LINK.test(link))
    throw new Error(`Punctual: "${link}" is neither user, user/event nor user/forms/form.`)
}

function find(target: Element | string): HTMLElement {
  const found = typeof target === 'string' ? document.querySelector(target) : target
  if (found === null) throw new Error(`Punctual: there is no element "${target}".`)
  return found as HTMLElement
}

function wordsOf({ locale = navigator.language }: WidgetOptions): readonly [string, string] {
  return (WORDS[locale.slice(0, 2)] ?? WORDS.en) as readonly [string, string]
}

function set({ style }: HTMLElement, values: Partial<CSSStyleDeclaration>): void {
  Object.assign(style, values)
}

/** A shadow root, which the site's styles do not reach. */
function shadow(): [HTMLElement, ShadowRoot] {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  return [host, root]
}

function button(className: string, text: string): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.textContent = text
  return made
}

function edge(leave: () => void): HTMLElement {
  const made = document.createElement('span')
  made.tabIndex = 0
  made.onfocus = leave
  return made
}

/** Stops the site behind an open dialog from scrolling or shifting. */
function lockScroll(): () => void {
  const { documentElement: root } = document
  const { overflow, paddingRight } = root.style
  set(root, { paddingRight: `${innerWidth - root.clientWidth}px`, overflow: 'hidden' })
  return () => set(root, { overflow, paddingRight })
}

/** Makes any element work as a button for keyboards and screen readers. */
function dress(opener: HTMLElement, signal: AbortSignal): void {
  opener.setAttribute('aria-haspopup', 'dialog')
  if (opener.matches('a[href],button,input,summary')) return
  opener.tabIndex = 0
  if (!opener.hasAttribute('role')) opener.setAttribute('role', 'button')
  const press = (event: KeyboardEvent) => {
    if (event.target !== opener || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    opener.click()
  }
  opener.addEventListener('keydown', press, { signal })
}

/** Clicks that open a new tab are left alone. */
function isPlain({ button, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey
}

function whenReady(go: () => void): void {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', go)
  else go()
}

// Loading the script twice has no effect.
window.Punctual ??= begin()
