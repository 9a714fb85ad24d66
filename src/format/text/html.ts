/** Text that is already HTML. The `html` template escapes everything else. */
export interface Html {
  readonly html: string
}

type Part = string | number | false | undefined | Html | readonly Part[]

/** A template that escapes its values: html`<p>${anything}</p>`. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let written = texts[0] as string
  for (const [index, part] of parts.entries()) written += write(part) + (texts[index + 1] as string)
  return { html: written }
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'html' in part ? part.html : part.map(write).join('')
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
