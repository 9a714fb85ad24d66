import type { Popup } from './api.ts'
import { type Frame, type FrameOptions, type Frames, set } from './frames.ts'
import { wordsOf } from './options.ts'
import { button, shadow } from './shadow.ts'

/** For scripts in the words of other services, whose sites look for the elements of that service. */
interface Shape {
  /** Around the dialog. The frame is its child, or that of `inner`, and shown in the dialog by a slot. */
  readonly host: HTMLElement
  readonly inner?: HTMLElement
  readonly onFrame?: (frame: Frame) => void
  readonly onMessage?: Frame['onMessage']
  readonly onClose?: () => void
}

/** A dialog with a frame, which loads when it first opens. On close, the focus returns to the opener. */
export function createDialog(
  frames: Frames,
  options: FrameOptions,
  opener: HTMLElement | null,
  shape?: Shape,
): Popup {
  const [host, root] = shadow(shape?.host)
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
    shape?.onClose?.()
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
    shape?.host.replaceChildren()
    shape?.inner?.replaceChildren()
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
        const place = shape?.inner ?? shape?.host ?? dialog
        if (shape) dialog.append(document.createElement('slot'))
        if (shape?.inner) host.append(shape.inner)
        frame = frames.add(place, options, 640, {
          widget: popup,
          onMessage: shape?.onMessage,
          onHeight: (exact) => frame && set(frame.element, { height: `${exact}px` }),
          onEscape: () => dialog.close(),
          onBooked: () => {
            done = true
          },
        })
        dialog.append(edge(() => close.focus()))
        if (shape) {
          // The style sheet of the dialog doesn't reach it there.
          set(frame.element, { maxHeight: 'calc(100dvh - 5rem)', borderRadius: '1.5rem' })
          shape.onFrame?.(frame)
        }
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

/** A focus sentinel. */
function edge(leave: () => void): HTMLElement {
  const made = document.createElement('span')
  made.tabIndex = 0
  made.onfocus = leave
  return made
}

/** How many dialogs are open. */
let open = 0
let restore = () => {}

/** Stops the site behind open dialogs from scrolling or shifting. */
function lockScroll(): () => void {
  if (open++ === 0) {
    const { documentElement: root } = document
    const { overflow, paddingRight } = root.style
    set(root, { paddingRight: `${innerWidth - root.clientWidth}px`, overflow: 'hidden' })
    restore = () => set(root, { overflow, paddingRight })
  }
  let held = true
  return () => {
    if (held && --open === 0) restore()
    held = false
  }
}
