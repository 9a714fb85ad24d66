import type { Block, Span } from '../domain/messages/markup.ts'
import { type Html, html } from './text/html.ts'

/** The words of a message as HTML for mail programs, with the styles on its elements. */
export function messageHtml(blocks: readonly Block[], linkColour: string): Html {
  const spanHtml = ({ text, style, url }: Span): Html => {
    if (url !== '') return html`<a class="link" href="${url}" style="color:${linkColour};">${text}</a>`
    if (style === 'strong') return html`<strong>${text}</strong>`
    return style === 'emphasis' ? html`<em>${text}</em>` : html`${text}`
  }
  return html`${blocks.map(({ kind, lines }) => {
    if (kind === 'paragraph') {
      const inside = lines.map((spans, index) => html`${index > 0 && html`<br>`}${spans.map(spanHtml)}`)
      return html`<p style="margin:0 0 16px;overflow-wrap:anywhere;" dir="auto">${inside}</p>\n`
    }
    const items = lines.map((spans) => html`<li style="margin:0 0 4px;">${spans.map(spanHtml)}</li>`)
    return kind === 'bullets'
      ? html`<ul style="margin:0 0 16px;padding-left:24px;overflow-wrap:anywhere;" dir="auto">${items}</ul>\n`
      : html`<ol style="margin:0 0 16px;padding-left:24px;overflow-wrap:anywhere;" dir="auto">${items}</ol>\n`
  })}`
}
