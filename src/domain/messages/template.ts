import { type Sentence, sentence } from '../sentence.ts'

/** How a time is written; without a filter, both. */
export const FILTERS = ['date', 'time'] as const

export type Filter = (typeof FILTERS)[number]

/** A part of a template: text as it stands, a value, or a choice. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value'
      readonly name: string
      readonly filter: Filter | undefined
      readonly at: number
    }
  | {
      readonly kind: 'if'
      readonly name: string
      readonly at: number
      readonly whenGiven: readonly Part[]
      readonly otherwise: readonly Part[]
    }

/** What is wrong with a template, and where: an offset into its text. */
export interface TemplateError {
  readonly at: number
  readonly reason: Sentence
}

export interface Template {
  readonly source: string
  readonly parts: readonly Part[]
  /** In the order of the text. With any, the parts are not to be used. */
  readonly errors: readonly TemplateError[]
}

/** Where an offset is, as editors count: from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

const MOST_NESTED = 3
const NAME = /^[a-z][a-zA-Z]*(?:\.[^\s{}|#/]{1,100})?$/u
const TIMES: ReadonlySet<string> = new Set(['start', 'end'])

/** A block that is still open while the text is read. */
interface OpenBlock {
  readonly name: string
  readonly at: number
  readonly whenGiven: Part[]
  otherwise: Part[] | undefined
}

/** Reads a template from its start to its end, once: its time grows with its length alone. */
export function parseTemplate(source: string): Template {
  const reader = new TagReader()
  let end = 0
  while (end < source.length) {
    const at = source.indexOf('{{', end)
    if (at < 0) break
    if (at > end) reader.add({ kind: 'text', text: source.slice(end, at) })
    const close = closingOf(source, at)
    if (close === undefined) {
      reader.fail(at, sentence`This {{ has no }} on its line.`)
      end = source.length
      break
    }
    end = close + 2
    const complaint = reader.read(source.slice(at + 2, close).trim(), at)
    if (complaint !== undefined) reader.fail(at, complaint)
  }
  if (end < source.length) reader.add({ kind: 'text', text: source.slice(end) })
  return { source, parts: reader.parts, errors: reader.finish() }
}

/** Puts the parts of a template together, tag by tag. */
class TagReader {
  readonly parts: Part[] = []
  readonly #errors: TemplateError[] = []
  readonly #open: OpenBlock[] = []

  add(part: Part): void {
    const block = this.#open.at(-1)
    const list = block === undefined ? this.parts : (block.otherwise ?? block.whenGiven)
    list.push(part)
  }

  fail(at: number, reason: Sentence): void {
    this.#errors.push({ at, reason })
  }

  /** All errors in the order of the text, once it has been read. */
  finish(): TemplateError[] {
    for (const { at } of this.#open) this.fail(at, sentence`This {{#if}} has no {{/if}}.`)
    return this.#errors.sort((a, b) => a.at - b.at)
  }

  /** Reads what stands between the braces; returns what is wrong with it. */
  read(tag: string, at: number): Sentence | undefined {
    if (tag.startsWith('#')) return this.#openBlock(tag, at)
    if (tag === 'else') return this.#turnBlock()
    return tag.startsWith('/') ? this.#closeBlock(tag) : this.#addValue(tag, at)
  }

  #openBlock(tag: string, at: number): Sentence | undefined {
    const name = /^#if\s+(\S+)$/.exec(tag)?.[1]
    if (name === undefined) return sentence`Only {{#if NAME}} opens a block.`
    if (!NAME.test(name)) return sentence`There is no value called "${shown(name)}".`
    this.#open.push({ name, at, whenGiven: [], otherwise: undefined })
    const isTooDeep = this.#open.length > MOST_NESTED
    return isTooDeep ? sentence`At most ${MOST_NESTED} {{#if}} can be inside each other.` : undefined
  }

  #turnBlock(): Sentence | undefined {
    const block = this.#open.at(-1)
    if (block === undefined) return sentence`There is no {{#if}} before this ${'{{else}}'}.`
    if (block.otherwise !== undefined) return sentence`This {{#if}} has a second ${'{{else}}'}.`
    block.otherwise = []
    return undefined
  }

  #closeBlock(tag: string): Sentence | undefined {
    if (tag !== '/if') return sentence`Only {{/if}} closes a block.`
    const block = this.#open.pop()
    if (block === undefined) return sentence`There is no {{#if}} before this {{/if}}.`
    const { name, at, whenGiven, otherwise = [] } = block
    this.add({ kind: 'if', name, at, whenGiven, otherwise })
    return undefined
  }

  #addValue(tag: string, at: number): Sentence | undefined {
    const [name = '', filter, more] = tag.split('|').map((piece) => piece.trim())
    if (!NAME.test(name)) return sentence`There is no value called "${shown(name)}".`
    const known = FILTERS.find((one) => one === filter)
    if (filter !== undefined && (known === undefined || more !== undefined || !TIMES.has(name)))
      return sentence`Only start and end can be written with "| date" or "| time".`
    this.add({ kind: 'value', name, filter: known, at })
    return undefined
  }
}

/** Where the tag that begins at `at` ends, if it ends on its line. */
function closingOf(source: string, at: number): number | undefined {
  for (let index = at + 2; index < source.length; index++) {
    const letter = source[index]
    if (letter === '\n' || letter === '{') return undefined
    if (letter === '}' && source[index + 1] === '}') return index
  }
  return undefined
}

/** Short enough for an error message. */
const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** A value that a template uses. */
export interface Use {
  readonly name: string
  readonly at: number
  /** Where it only decides about a block. */
  readonly asked: boolean
  /** The names that are known not to be empty here. */
  readonly given: ReadonlySet<string>
}

/** Every value that a template uses, in the order of its text. */
export function usesIn(parts: readonly Part[], given: ReadonlySet<string> = new Set()): Use[] {
  return parts.flatMap((part): Use[] => {
    if (part.kind === 'text') return []
    const { name, at } = part
    if (part.kind === 'value') return [{ name, at, asked: false, given }]
    return [
      { name, at, asked: true, given },
      ...usesIn(part.whenGiven, new Set([...given, name])),
      ...usesIn(part.otherwise, given),
    ]
  })
}

/** The line and column of an offset, counted in characters. */
export function positionOf(source: string, at: number): Position {
  const before = source.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: Array.from(before.slice(start)).length + 1 }
}

/** A value as it is put into a text. */
export interface Filled {
  readonly text: string
  /** Where it leads, if it is a link. */
  readonly url: string
}

/** Finds the value of a name; `text` is empty where there is none. */
export type Fill = (name: string, filter: Filter | undefined) => Filled

/** A piece of a filled template: the host's own text, or a value, which is never read again. */
export type Piece = { readonly own: string } | { readonly value: Filled }

/** Decides the blocks and fills in the values. */
export function fillTemplate(parts: readonly Part[], fill: Fill): Piece[] {
  return parts.flatMap((part): Piece[] => {
    if (part.kind === 'text') return [{ own: part.text }]
    if (part.kind === 'value') return [{ value: fill(part.name, part.filter) }]
    const isGiven = fill(part.name, undefined).text !== ''
    return fillTemplate(isGiven ? part.whenGiven : part.otherwise, fill)
  })
}
