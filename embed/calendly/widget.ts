// The script at /assets/external/widget.js, for sites that were made for Calendly's: the same functions and messages, with
// our pages in the frames.

import type { Popup, Widget } from '../api.ts'
import { createDialog } from '../dialog.ts'
import { type Frame, openFrames, set } from '../frames.ts'
import { heightFor, wordsOf } from '../options.ts'
import { findService } from '../service.ts'
import { type Given, optionsFor } from './options.ts'

interface Inline extends Given {
  /** An element, or a list of one. */
  readonly parentElement?: HTMLElement | ArrayLike<HTMLElement>
  readonly resize?: boolean
}

interface Badge extends Given {
  readonly text?: string
  readonly color?: string
  readonly textColor?: string
}

const WIDGET = 'calendly-inline-widget'
/** A container below it has no height of its own. */
const LOWEST = 150

function start({ base, origin }: { readonly base: string; readonly origin: string }) {
  const frames = openFrames(base, origin)
  const sources = new Map<Frame, HTMLElement | undefined>()
  let popup: Popup | undefined
  let badge: HTMLElement | undefined

  addEventListener('message', ({ data, origin: from, source }) => {
    const { event, payload } = Object(data)
    if (from !== origin || !String(event).startsWith('calendly.')) return
    const [, follower] = [...sources].find(([{ element }]) => element.contentWindow === source) ?? []
    if (![...sources.keys()].some(({ element }) => element.contentWindow === source)) return
    if (event === 'calendly.page_height' && follower) set(follower, { height: payload.height })
    // Many listeners test for Calendly's origin. This one is dispatched in the page that it is for, and sent to no one.
    dispatchEvent(new MessageEvent('message', { data, origin: 'https://calendly.com', source }))
  })

  const forget = (frame: Frame) => {
    frames.delete(frame)
    sources.delete(frame)
  }

  const initInlineWidget = (given: Inline) => {
    const { parentElement } = given
    const container = (parentElement && 'length' in parentElement ? parentElement[0] : parentElement) as
      | HTMLElement
      | undefined
    const place = container ?? document.querySelector<HTMLElement>(`.${WIDGET}`)
    if (!place) return
    for (const frame of sources.keys())
      if (place.contains(frame.element) || !frame.element.isConnected) forget(frame)
    place.replaceChildren()
    place.dataset.processed = 'true'
    const options = optionsFor(base, 'Inline', { ...given, url: given.url ?? place.dataset.url ?? '' })
    const resizes = given.resize ?? place.dataset.resize === 'true'
    const own = place.clientHeight >= LOWEST
    const widget: Widget = { destroy: () => place.replaceChildren() }
    const height = heightFor(options, place.clientWidth)
    const frame: Frame = frames.add(place, options, height, {
      widget,
      onHeight: (exact) => own || resizes || set(frame.element, { height: `${exact}px` }),
    })
    set(place, { position: 'relative' })
    // The site decides how high it is, by its own style or by the messages.
    if (own || resizes) set(frame.element, { height: '100%' })
    if (resizes && !own) set(place, { height: `${height}px` })
    sources.set(frame, resizes ? place : undefined)
  }

  const show = (given: Given, type: string) => {
    popup?.destroy()
    const host = document.createElement('div')
    host.className = 'calendly-overlay'
    const inner = document.createElement('div')
    inner.className = 'calendly-popup-content'
    const made = createDialog(frames, optionsFor(base, type, given), null, {
      host,
      inner,
      onFrame: (frame) => sources.set(frame, undefined),
      onClose: () => {
        if (popup === made) popup = undefined
        made.destroy()
        for (const frame of sources.keys()) if (!frame.element.isConnected) forget(frame)
      },
    })
    popup = made
    made.open()
    // Sites return it from their handlers, so that a link is not followed.
    return false
  }

  const closePopupWidget = () => popup?.close()

  const destroyBadgeWidget = () => {
    badge?.remove()
    badge = undefined
  }

  const initBadgeWidget = ({ text = wordsOf({})[0], color, textColor, ...given }: Badge) => {
    destroyBadgeWidget()
    badge = document.createElement('div')
    badge.className = 'calendly-badge-widget'
    const opener = document.createElement('button')
    opener.type = 'button'
    opener.className = 'calendly-badge-content'
    opener.textContent = text
    opener.setAttribute('aria-haspopup', 'dialog')
    set(opener, { background: color ?? '#006bff', color: textColor ?? '#fff' })
    opener.onclick = () => show(given, 'PopupWidget')
    badge.append(opener)
    document.body.append(badge)
  }

  const initInlineWidgets = () => {
    for (const place of document.querySelectorAll<HTMLElement>(`.${WIDGET}`)) {
      const { url, autoLoad, processed } = place.dataset
      if (url && autoLoad !== 'false' && !processed) initInlineWidget({ parentElement: place })
    }
  }

  const api = {
    initInlineWidget,
    initInlineWidgets,
    initPopupWidget: (given: Given) => show(given, 'PopupText'),
    showPopupWidget: (url: string, type = 'PopupText') => show({ url }, type),
    closePopupWidget,
    initBadgeWidget,
    destroyBadgeWidget,
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', initInlineWidgets)
  else initInlineWidgets()
  return api
}

declare global {
  interface Window {
    Calendly?: ReturnType<typeof start> | undefined
  }
}

const service = findService('/assets/external/widget.js')
if (service === undefined) throw new Error('Calendly: load widget.js by a script element.')
// Loading the script twice has no effect.
window.Calendly ??= start(service)
