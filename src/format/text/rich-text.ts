import { type Html, html } from './html.ts'

/** A piece of text, perhaps bold or a link. */
export interface Span {
  readonly text: string
  readonly bold: boolean
  /** Where it leads: `https:`, `http:` or `mailto:`; empty if it is no link. */
  readonly url: string
}

type Block =
  | { readonly kind: 'paragraph'; readonly lines: readonly (readonly Span[])[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly lines: readonly (readonly Span[])[] }

const BULLET = /^\s{0,3}[-*•]\s+/
const NUMBER = /^\s{0,3}\d{1,3}[.)]\s+/
// No part of it can match in two ways, so that no text takes long.
const SPAN =
  /\*\*([^*\n]+)\*\*|\[([^[\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s()]+)\)|(https?:\/\/[^\s<>()*]*[^\s<>()*.,;:!?'"])/gi

/** The Markdown that hosts may write in descriptions: paragraphs, lists, bold text and links. The rest is plain text. */
export function readRichText(text: string): readonly Block[] {
  const blocks: { kind: 'paragraph' | 'list'; ordered: boolean; lines: (readonly Span[])[] }[] = []
  let last: (typeof blocks)[number] | undefined
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      last = undefined
      continue
    }
    const marker = BULLET.exec(line) ?? NUMBER.exec(line)
    const kind = marker === null ? 'paragraph' : 'list'
    const ordered = marker !== null && /\d/.test(marker[0])
    if (last?.kind !== kind || last.ordered !== ordered) {
      last = { kind, ordered, lines: [] }
      blocks.push(last)
    }
    last.lines.push(readSpans(marker === null ? line : line.slice(marker[0].length)))
  }
  return blocks
}

function readSpans(line: string): readonly Span[] {
  const spans: Span[] = []
  const add = (text: string, bold = false, url = '') => {
    if (text !== '') spans.push({ text, bold, url })
  }
  let end = 0
  for (const found of line.matchAll(SPAN)) {
    const [whole, bold, label, url, bare] = found
    add(line.slice(end, found.index))
    if (bold !== undefined) add(bold, true)
    else if (label !== undefined && url !== undefined && URL.canParse(url)) add(label, false, url)
    else if (bare !== undefined && URL.canParse(bare)) add(bare, false, bare)
    else add(whole)
    end = found.index + whole.length
  }
  add(line.slice(end))
  return spans
}

/** The text without its marks, for places where a link cannot be. */
export function plainText(text: string): string {
  return readRichText(text)
    .map(({ kind, lines }) =>
      lines
        .map((spans) => (kind === 'list' ? '• ' : '') + spans.map((span) => span.text).join(''))
        .join('\n'),
    )
    .join('\n')
}

/** The same elements as web/parts/rich-text.ts. */
export function richHtml(text: string): Html {
  const spans = (line: readonly Span[]) =>
    line.map(({ text, bold, url }) => {
      if (bold) return html`<strong>${text}</strong>`
      return url === ''
        ? html`${text}`
        : html`<a class="link" href="${url}" rel="noreferrer nofollow" target="_blank">${text}</a>`
    })
  const blocks = readRichText(text).map(({ kind, lines, ...block }) => {
    if (kind === 'paragraph') {
      return html`<p>${lines.map((line, number) => html`${number > 0 && html`<br>`}${spans(line)}`)}</p>`
    }
    const items = lines.map((line) => html`<li>${spans(line)}</li>`)
    return 'ordered' in block && block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
  })
  return html`<div class="description rich">${blocks}</div>`
}
