// The script that a site loads to show our pages in frames: /embed.js.
// It loads nothing until a frame is needed. The other side is web/parts/embedding.ts.

import {
  type FloatingOptions,
  type Popup,
  type PunctualApi,
  VERSION,
  type Widget,
  type WidgetOptions,
} from './api.ts'
import { createDialog } from './dialog.ts'
import { type Frame, type Frames, openFrames, set } from './frames.ts'
import { check, heightFor, optionsOf, wordsOf } from './options.ts'
import { button, shadow } from './shadow.ts'

/** The widget of each element that has one. */
const mounted = new WeakMap<Element, Popup | Widget>()

function start(script: HTMLScriptElement, base: string): PunctualApi {
  const frames = openFrames(base, new URL(script.src).origin)
  const scan = () => scanPage(frames)

  whenReady(scan)
  const { punctualFloating } = script.dataset
  if (punctualFloating) alone(script, () => floating(frames, optionsOf(script, punctualFloating)))

  return {
    version: VERSION,
    service: base,
    inline: (target, options) => inline(frames, target, options),
    popup: (target, options) => popup(frames, target, options),
    floating: (options) => floating(frames, options),
    on: frames.on,
    off: frames.off,
    scan,
  }
}

function inline(frames: Frames, target: Element | string, options: WidgetOptions): Widget {
  const container = find(target)
  check(options)
  mounted.get(container)?.destroy()
  // The site may have reserved space already, so that nothing moves when this script loads late.
  const kept = Number.parseFloat(getComputedStyle(container).minHeight)
  const height = options.minHeight ?? (kept || heightFor(options, container.clientWidth))
  // Kept later too, so that a lower frame does not move the content below.
  set(container, { minHeight: `${height}px` })
  container.replaceChildren()
  const widget: Widget = {
    destroy() {
      frames.delete(frame)
      frame.element.remove()
      set(container, { minHeight: '' })
      mounted.delete(container)
    },
  }
  const frame: Frame = frames.add(container, options, height, {
    widget,
    onHeight: (exact) => set(frame.element, { height: `${exact}px` }),
  })
  mounted.set(container, widget)
  return widget
}

function popup(frames: Frames, target: Element | string | null, options: WidgetOptions): Popup {
  check(options)
  if (target === null) return createDialog(frames, options, null)
  const opener = find(target)
  mounted.get(opener)?.destroy()
  const dialog = createDialog(frames, options, opener)
  const ended = new AbortController()
  const { signal } = ended
  dress(opener, signal)
  const open = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    dialog.open()
  }
  opener.addEventListener('click', open, { signal })
  const widget = {
    ...dialog,
    destroy() {
      ended.abort()
      dialog.destroy()
      mounted.delete(opener)
    },
  }
  mounted.set(opener, widget)
  return widget
}

function floating(frames: Frames, options: FloatingOptions): Popup {
  check(options)
  const { text, color, textColor, position = 'right' } = options
  const [host, root] = shadow()
  const opener = button(`float ${position}`, text ?? wordsOf(options)[0])
  opener.setAttribute('aria-haspopup', 'dialog')
  if (color) opener.style.setProperty('--back', color)
  if (textColor) opener.style.setProperty('--text', textColor)
  const dialog = createDialog(frames, options, opener)
  opener.onclick = () => dialog.open()
  root.append(opener)
  whenReady(() => document.body.append(host))
  return {
    ...dialog,
    destroy() {
      dialog.destroy()
      host.remove()
    },
  }
}

function scanPage(frames: Frames): void {
  const mountAll = (name: string, mount: (element: HTMLElement, options: WidgetOptions) => void) => {
    for (const element of document.querySelectorAll<HTMLElement>(`[${name}]`)) {
      if (mounted.has(element)) continue
      alone(element, () => mount(element, optionsOf(element, element.getAttribute(name) ?? '')))
    }
  }
  mountAll('data-punctual', (container, options) => inline(frames, container, options))
  mountAll('data-punctual-popup', (opener, options) => popup(frames, opener, options))
}

/** A mistake in one element must not stop the others, nor the script. */
function alone(element: HTMLElement, mount: () => void): void {
  try {
    mount()
  } catch (error) {
    console.warn(error, element)
  }
}

function find(target: Element | string): HTMLElement {
  const found = typeof target === 'string' ? document.querySelector(target) : target
  if (found === null) throw new Error(`Punctual: there is no element "${target}".`)
  return found as HTMLElement
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

const script = (document.currentScript ??
  document.querySelector('script[src*="/embed."]')) as HTMLScriptElement | null
if (script === null) throw new Error('Punctual: load /embed.js by a script element.')
const service = script.src.replace(/\/embed(?:\.[\w.-]*)?\.js(?:[?#].*)?$/, '')
// Loading the script twice has no effect. An element does not say which service it is of, so that there can be only one.
window.Punctual ??= start(script, service)
if (window.Punctual.service !== service) {
  console.warn(
    `Punctual: this page shows ${window.Punctual.service}, so ${service} is ignored. Use a link or a frame of your own for it.`,
  )
}
