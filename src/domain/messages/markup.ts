import type { Filled, Piece } from './template.ts'

/** A piece of a line: text, perhaps emphasized or a link. */
export interface Span {
  readonly text: string
  readonly style: 'plain' | 'strong' | 'emphasis'
  /** Where it leads: `https:`, `http:` or `mailto:`; empty if it is no link. */
  readonly url: string
}

export interface Block {
  readonly kind: 'paragraph' | 'bullets' | 'numbers'
  readonly lines: readonly (readonly Span[])[]
}

/**
 * Values stand in the text as their numbers between two code points that are no characters, so that nothing in them is
 * ever read as markup. Saving refuses these code points, and filling removes them.
 */
const [OPEN, CLOSE] = ['\uFDD0', '\uFDD1']
const MARK = /\uFDD0(\d+)\uFDD1/g
const MARKS = /[\uFDD0\uFDD1]/g

const BULLET = /^ {0,3}[-*•] +/
const NUMBER = /^ {0,3}\d{1,3}[.)] +/

/** `[label](target)`. The target may have one pair of parentheses, as some web addresses do. */
const LINK = String.raw`\[([^[\]\n]+)\]\(((?:[^()\s]|\([^()\s]*\))*)\)`

// No part of it can match in two ways, so that no text takes long.
const SPAN = new RegExp(
  String.raw`\*\*([^*\n]+)\*\*|\*([^*\s](?:[^*\n]*[^*\s])?)\*|(?<![\p{L}\p{N}_])_([^_\s](?:[^_\n]*[^_\s])?)_(?![\p{L}\p{N}_])|${LINK}|(https?:\/\/[^\s<>()*\uFDD0]*[^\s<>()*.,;:!?'"\uFDD0])|\uFDD0(\d+)\uFDD1`,
  'gu',
)

/** Reads the Markdown of a filled template: paragraphs, lists, emphasis and links. The rest is plain text. */
export function readMarkup(pieces: readonly Piece[]): readonly Block[] {
  const values: Filled[] = []
  const text = pieces
    .map((piece) => {
      if ('own' in piece) return piece.own.replace(MARKS, '')
      values.push(piece.value)
      return `${OPEN}${values.length - 1}${CLOSE}`
    })
    .join('')
  const blocks: { kind: Block['kind']; lines: (readonly Span[])[] }[] = []
  let last: (typeof blocks)[number] | undefined
  for (const line of text.split('\n')) {
    const marker = BULLET.exec(line) ?? NUMBER.exec(line)
    const kind = marker === null ? 'paragraph' : /\d/.test(marker[0]) ? 'numbers' : 'bullets'
    const spans = readSpans(marker === null ? line.trim() : line.slice(marker[0].length).trim(), values)
    // A line whose values are all empty is a blank one.
    if (spans.every((span) => span.text.trim() === '')) {
      last = undefined
      continue
    }
    if (last?.kind !== kind) {
      last = { kind, lines: [] }
      blocks.push(last)
    }
    last.lines.push(spans)
  }
  return blocks
}

function readSpans(line: string, values: readonly Filled[]): Span[] {
  const spans: Span[] = []
  const fill = (text: string) => text.replace(MARK, (_, number: string) => values[Number(number)]?.text ?? '')
  const add = (text: string, style: Span['style'] = 'plain', url = '') => {
    const filled = fill(text)
    if (filled !== '') spans.push({ text: filled, style, url })
  }
  let end = 0
  for (const found of line.matchAll(SPAN)) {
    const [whole, strong, starred, scored, label, target, bare, number] = found
    add(line.slice(end, found.index))
    end = found.index + whole.length
    if (strong !== undefined) add(strong, 'strong')
    else if (starred !== undefined) add(starred, 'emphasis')
    else if (scored !== undefined) add(scored, 'emphasis')
    else if (label !== undefined && target !== undefined) add(label, 'plain', targetOf(target, values))
    else if (bare !== undefined) add(bare, 'plain', URL.canParse(bare) ? bare : '')
    else if (number !== undefined) add(whole, 'plain', values[Number(number)]?.url ?? '')
  }
  add(line.slice(end))
  return spans
}

/** Where a link leads: to the address that the host wrote, or to one of the service's own. A value alone is never one. */
function targetOf(target: string, values: readonly Filled[]): string {
  const number = /^\uFDD0(\d+)\uFDD1$/.exec(target)?.[1]
  if (number !== undefined) return values[Number(number)]?.url ?? ''
  return !target.includes(OPEN) && isLinkTarget(target) ? target : ''
}

/** Whether a host may link to this. */
export const isLinkTarget = (target: string) =>
  /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(target) && URL.canParse(target)

/** A link in the source of a template. */
export interface SourceLink {
  readonly at: number
  readonly target: string
}

// In a template's source, tags may have spaces.
const SOURCE_LINK = /\[[^[\]\n]*\]\(((?:\{\{[^{}\n]*\}\}|[^()\n{}]|[{}](?![{}])|\([^()\n]*\))*)\)/g

/** The links that a host has written, with their targets as they stand there. */
export const linksIn = (source: string): SourceLink[] =>
  Array.from(source.matchAll(SOURCE_LINK), (found) => ({ at: found.index, target: (found[1] ?? '').trim() }))

/** The text without its markup: links are followed by their addresses. */
export function plainText(blocks: readonly Block[]): string {
  return blocks
    .map(({ kind, lines }) =>
      lines
        .map((spans, index) => {
          const mark = kind === 'bullets' ? '- ' : kind === 'numbers' ? `${index + 1}. ` : ''
          return mark + spans.map(plainSpan).join('')
        })
        .join('\n'),
    )
    .join('\n\n')
}

const plainSpan = ({ text, url }: Span) => (url === '' || url === text ? text : `${text} (${url})`)
