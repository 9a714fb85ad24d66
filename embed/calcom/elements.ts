import { button, shadow } from '../shadow.ts'

const OBSERVED = [
  'data-button-text',
  'data-button-position',
  'data-button-color',
  'data-button-text-color',
  'data-toggle-off',
]

/** The button in the corner. Its `data-cal-link` opens the dialog, and a site may change its attributes. */
class FloatingButton extends HTMLElement {
  static readonly observedAttributes = OBSERVED
  readonly #button = button('float', '')

  constructor() {
    super()
    const [, root] = shadow(this)
    this.#button.setAttribute('aria-haspopup', 'dialog')
    root.append(this.#button)
  }

  attributeChangedCallback() {
    const { buttonText = '', buttonPosition, buttonColor, buttonTextColor, toggleOff } = this.dataset
    const { style } = this.#button
    this.#button.textContent = buttonText
    this.#button.className = `float ${buttonPosition === 'bottom-left' ? 'left' : 'right'}`
    style.setProperty('--back', buttonColor ?? '')
    style.setProperty('--text', buttonTextColor ?? '')
    style.display = toggleOff === 'true' ? 'none' : ''
  }

  override focus() {
    this.#button.focus()
  }
}

/** The dialog, whose `state` a site may read, or set to `closed`. */
export class ModalBox extends HTMLElement {
  static readonly observedAttributes = ['state']
  onclosed: () => void = () => {}

  attributeChangedCallback(_name: string, _before: string | null, state: string | null) {
    if (state === 'closed') this.onclosed()
  }

  close() {
    this.setAttribute('state', 'closed')
  }
}

/** Each once, whoever defines them. */
export function defineElements(): void {
  const define = (name: string, element: CustomElementConstructor) =>
    customElements.get(name) ?? customElements.define(name, element)
  define('cal-inline', class extends HTMLElement {})
  define('cal-modal-box', ModalBox)
  define('cal-floating-button', FloatingButton)
}
