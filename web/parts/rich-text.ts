import { createElement, type ReactNode } from 'react'
import { readRichText, type Span } from '../../src/format/text/rich-text.ts'

const lineBreak = createElement('br')

/** A description with its lists, bold text and links; the same elements as `richHtml`. */
export function RichText({ text }: { readonly text: string }): ReactNode {
  const blocks = readRichText(text).map((block) => {
    if (block.kind === 'list') {
      const items = block.lines.map((line) => createElement('li', null, ...line.map(element)))
      return createElement(block.ordered ? 'ol' : 'ul', null, ...items)
    }
    const lines = block.lines.flatMap((line, at) => [at > 0 && lineBreak, ...line.map(element)])
    return createElement('p', null, ...lines)
  })
  return createElement('div', { className: 'description rich' }, ...blocks)
}

function element({ text, bold, url }: Span): ReactNode {
  if (bold) return createElement('strong', null, text)
  if (url === '') return text
  return createElement(
    'a',
    { className: 'link', href: url, rel: 'noreferrer nofollow', target: '_blank' },
    text,
  )
}
