import { printableLine, printableProse } from './printable.ts'

/** Text that is already Markdown. Everything else is escaped on its way into a document. */
export interface Markdown {
  readonly markdown: string
}

type Part = string | number | false | undefined | Markdown | readonly Part[]

/** A template whose gaps are safe: whatever stands in a gap stays words within the line it stands in. */
export function markdown(texts: TemplateStringsArray, ...parts: readonly Part[]): Markdown {
  return { markdown: String.raw({ raw: texts }, ...parts.map(write)) }
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeLine(printableLine(String(part)))
  return 'markdown' in part ? part.markdown : part.map(write).join('')
}

/** Someone's own words, of any number of lines, set apart as a quotation. */
export function quotation(prose: string): Markdown {
  const lines = printableProse(prose)
    .split('\n')
    .map((line) => `> ${escapeLine(line)}`.trimEnd())
  return { markdown: lines.join('\n') }
}

/** Words of code within a line. */
export function code(text: string): Markdown {
  const line = printableLine(text)
  const fence = '`'.repeat(longestRun(line) + 1)
  return { markdown: fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}` }
}

/** Lines of code. */
export function codeBlock(language: string, text: string): Markdown {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return { markdown: `${fence}${language}\n${text}\n${fence}` }
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

/** Seen by nobody, and read by a program all the same: words can be hidden in them. */
const HIDDEN = /[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu

/** What begins something, anywhere in a line. */
const SPECIAL = /[\\`*_[\]<>#|~]|&(?=[a-z#])|(?<=[a-z]):(?=\S)|@/gi

/** What begins a list, a rule or a heading at the beginning of a line. */
const AT_START = /^(?:[-+=]|\d+(?=[.)]))/

function escapeLine(line: string): string {
  return (
    line
      .replace(HIDDEN, '')
      // Leading spaces would make code of it, and trailing ones a line break.
      .trim()
      .replace(SPECIAL, '\\$&')
      .replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
      // Addresses become links by themselves.
      .replace(/(?<=www)\./gi, '\\.')
  )
}
