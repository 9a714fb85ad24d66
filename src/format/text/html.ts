/** Text that is already HTML. The `html` template escapes everything else. */
export interface Html {
  readonly html: string
}

type Part = string | number | false | undefined | Html | readonly Part[]

type Template = (texts: TemplateStringsArray, ...parts: readonly Part[]) => Html

function templateOf(escaped: (text: string) => string): Template {
  const write = (part: Part): string => {
    if (part === undefined || part === false) return ''
    if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
    return 'html' in part ? part.html : part.map(write).join('')
  }
  return (texts, ...parts) => {
    let written = texts[0] as string
    for (const [index, part] of parts.entries()) written += write(part) + (texts[index + 1] as string)
    return { html: written }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const SPECIAL = /[&<>"']/

function escapeText(text: string): string {
  // Most texts need no escaping, and looking first is faster.
  if (!SPECIAL.test(text)) return text
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

const BEYOND_ASCII = /[\u0080-\uffff]/

/** HTML in which references stand for all letters beyond ASCII. In style sheets this would not work. */
export function inAscii(written: string): string {
  if (!BEYOND_ASCII.test(written)) return written
  return written.toWellFormed().replaceAll(/[\u0080-\uffff]+/g, references)
}

const references = (letters: string) =>
  Array.from(letters, (letter) => `&#${letter.codePointAt(0)};`).join('')

/** A template that escapes its values: html`<p>${anything}</p>`. */
export const html = templateOf(escapeText)

/** The same, with values in ASCII. */
export const asciiHtml = templateOf((text) => inAscii(escapeText(text)))
