import type { WidgetOptions } from './api.ts'
import { wordsOf } from './options.ts'

/** How long a page may take, and how long its script once the page has loaded: a refused frame loads, too. */
const SLOWEST = 15_000
const SLOWEST_SCRIPT = 4000

export interface Progress {
  /** Call when the page is there, or no longer wanted. */
  end(): void
}

/** Says over a frame that it loads. If its page does not answer, a link to it is shown instead. */
export function showProgress(
  frame: HTMLIFrameElement,
  options: WidgetOptions,
  address: string,
  onFailed: () => void,
): Progress {
  const [, , loading, open] = wordsOf(options)
  const note = document.createElement('p')
  note.setAttribute('role', 'status')
  note.textContent = loading
  // Beside the flow of the page, so that nothing moves when it goes.
  Object.assign(note.style, {
    position: 'absolute',
    margin: '4rem 0 0 1rem',
    padding: '.75rem 1.25rem',
    borderRadius: '1rem',
    background: '#fff',
    color: '#1d1c1a',
    font: '1rem/1.25 system-ui, sans-serif',
  })
  const fail = () => {
    end()
    const link = document.createElement('a')
    link.href = address
    link.target = '_blank'
    link.rel = 'noopener'
    link.textContent = open
    link.style.color = 'inherit'
    note.replaceChildren(link)
    frame.before(note)
    onFailed()
  }
  let timer = setTimeout(fail, SLOWEST)
  const loaded = () => {
    clearTimeout(timer)
    timer = setTimeout(fail, SLOWEST_SCRIPT)
  }
  const end = () => {
    clearTimeout(timer)
    frame.removeEventListener('load', loaded)
    note.remove()
  }
  frame.addEventListener('load', loaded)
  frame.before(note)
  return { end }
}
