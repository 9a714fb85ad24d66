import { type Popup, VERSION, type Widget } from '../api.ts'
import { createDialog } from '../dialog.ts'
import { type Frame, type Frames, set, wearTheme } from '../frames.ts'
import { heightFor, wordsOf } from '../options.ts'
import { type Config, type Look, lookOf, optionsFor } from './config.ts'
import type { ModalBox } from './elements.ts'
import { eventsFor } from './events.ts'

export type Api = Readonly<Record<string, (...given: never[]) => void>>

interface Service {
  readonly base: string
  readonly origin: string
  readonly frames: Frames
  /** Whether the query of the site's page fills in fields, too. */
  readonly forwards: () => boolean
}

interface Wanted {
  readonly calLink: string
  readonly config?: Config | undefined
}

interface Listening {
  readonly action: string
  readonly callback: EventListener
}

interface Floating extends Wanted {
  readonly buttonText?: string
  readonly buttonPosition?: string
  readonly buttonColor?: string
  readonly buttonTextColor?: string
  readonly attributes?: { readonly id?: string }
}

/** The instructions of a namespace. Whatever origin a site names, the service is the one that the script came from. */
export function createNamespace(name: string, service: Service): Api {
  const { base, origin, frames } = service
  const shown = new Set<Frame>()
  const boxes = new Map<string, Popup>()
  let look: Look = {}

  const fire = (type: string, data: unknown, source: Window | null = null) => {
    const fullType = `CAL:${name}:${type}`
    const detail = { type, namespace: name, fullType, data }
    for (const each of [fullType, `CAL:${name}:*`]) dispatchEvent(new CustomEvent(each, { detail }))
    // For those who listen to the messages of frames: in this page alone, with the origin that they are of.
    dispatchEvent(new MessageEvent('message', { data: { originator: 'CAL', ...detail }, origin, source }))
  }

  const optionsOf = ({ calLink, config = {} }: Wanted) => {
    if (typeof calLink !== 'string') throw new Error('calLink is required')
    return optionsFor(base, calLink, config, look, service.forwards())
  }

  /** Tells the site what the page in a frame says. */
  const hears =
    (frame: () => Frame | undefined, mark: (state: string) => void): NonNullable<Frame['onMessage']> =>
    (event, data) => {
      const element = frame()?.element
      if (event === 'hello') wear(frame())
      if (event === 'ready') mark('loaded')
      const events = eventsFor(event, data, element?.src ?? '')
      if (events[0]?.[0] === 'linkFailed') mark('failed')
      for (const [type, what] of events) fire(type, what, element?.contentWindow)
    }

  const keep = (frame: Frame, { config = {} }: Wanted) => {
    const { element } = frame
    shown.add(frame)
    element.className = 'cal-embed'
    element.name = `cal-embed=${name}`
    const { id } = Object(config.iframeAttrs)
    if (id) element.id = id
  }

  /** A look that came after the frame was made. */
  const wear = (frame: Frame | undefined) => {
    if (frame === undefined) return
    const { element, options } = frame
    if (look.theme && options.theme !== look.theme) wearTheme(element, look.theme)
    element.contentWindow?.postMessage({ punctual: VERSION, event: 'look', ...look }, origin)
  }

  const inline = (wanted: Wanted & { readonly elementOrSelector: Element | string }) => {
    const { elementOrSelector: target } = wanted
    const container =
      typeof target === 'string' ? document.querySelector<HTMLElement>(target) : (target as HTMLElement)
    if (!container) throw new Error('Element not found')
    optionsOf(wanted)
    if (container.querySelector(':scope>cal-inline'))
      return console.warn('Inline embed already exists. Ignoring this call')
    const box = document.createElement('cal-inline')
    set(box, { display: 'block', position: 'relative', width: '100%' })
    container.classList.add('cal-inline-container')
    container.append(box)
    // Later in this task come the instructions that say how it looks.
    queueMicrotask(() => {
      const options = optionsOf(wanted)
      const height = heightFor(options, box.clientWidth)
      const widget: Widget = { destroy: () => box.remove() }
      const mark = (state: string) => box.setAttribute('loading', state === 'loaded' ? 'done' : state)
      const frame: Frame = frames.add(box, options, height, {
        widget,
        onHeight: (exact) => set(frame.element, { height: `${exact}px` }),
        onMessage: hears(() => frame, mark),
      })
      keep(frame, wanted)
    })
  }

  const modal = (wanted: Wanted) => {
    const options = optionsOf(wanted)
    const key = JSON.stringify([options.link, options.query, wanted.config])
    const box = boxes.get(key) ?? createBox(wanted)
    boxes.set(key, box)
    box.open()
  }

  const createBox = (wanted: Wanted): Popup => {
    const host = document.createElement('cal-modal-box') as ModalBox
    const mark = (state: string) => host.setAttribute('state', state)
    let frame: Frame | undefined
    const dialog = createDialog(frames, optionsOf(wanted), null, {
      host,
      onFrame: (made) => {
        frame = made
        keep(made, wanted)
      },
      onMessage: hears(() => frame, mark),
      onClose: () => {
        mark('closed')
        fire('__closeIframe', {})
      },
    })
    host.onclosed = () => dialog.close()
    return {
      ...dialog,
      open() {
        mark(frame?.element.isConnected ? 'reopened' : 'loading')
        dialog.open()
      },
    }
  }

  const floatingButton = ({ calLink, config, attributes = {}, ...look }: Floating) => {
    const { buttonText = wordsOf({})[0], buttonPosition = 'bottom-right' } = look
    const { buttonColor = 'rgb(0, 0, 0)', buttonTextColor = 'rgb(255, 255, 255)' } = look
    const { id = '' } = attributes
    const known = id === '' ? null : document.getElementById(id)
    const made = known ?? document.createElement('cal-floating-button')
    if (known === null) {
      made.id = id
      made.dataset.calLink = calLink
      made.dataset.calNamespace = name
      if (config) made.dataset.calConfig = JSON.stringify(config)
      document.body.append(made)
    }
    Object.assign(made.dataset, { buttonText, buttonPosition, buttonColor, buttonTextColor })
  }

  const preload = () => {
    if (document.querySelector(`link[rel=preconnect][href="${origin}"]`)) return
    const link = document.createElement('link')
    link.rel = 'preconnect'
    link.href = origin
    document.head.append(link)
  }

  return {
    inline,
    modal,
    floatingButton,
    preload,
    prerender: preload,
    ui(wanted: object) {
      look = lookOf(wanted, look)
      for (const frame of shown) {
        if (frame.element.isConnected) wear(frame)
        else shown.delete(frame)
      }
    },
    on: ({ action, callback }: Listening) => addEventListener(`CAL:${name}:${action}`, callback),
    off: ({ action, callback }: Listening) => removeEventListener(`CAL:${name}:${action}`, callback),
    closeModal() {
      for (const box of boxes.values()) box.close()
    },
  }
}
