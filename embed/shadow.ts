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

/** A shadow root, which the site's styles do not reach. */
export function shadow(host = document.createElement('div') as HTMLElement): [HTMLElement, ShadowRoot] {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  return [host, root]
}

export function button(className: string, text: string): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.textContent = text
  return made
}
