import { printableLine, printableProse } from './printable.ts'

/** Text that is already Markdown. The `markdown` template escapes everything else. */
export interface Markdown {
  readonly markdown: string
}

type Part = string | number | false | undefined | Markdown | readonly Part[]

/** A template that escapes its values: each stays plain text within its line. */
export function markdown(texts: TemplateStringsArray, ...parts: readonly Part[]): Markdown {
  return { markdown: String.raw({ raw: texts }, ...parts.map(write)) }
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeLine(printableLine(String(part)))
  return 'markdown' in part ? part.markdown : part.map(write).join('')
}

/** Text of any number of lines as a block quote. */
export function quotation(prose: string): Markdown {
  const lines = printableProse(prose)
    .split('\n')
    .map((line) => `> ${escapeLine(line)}`.trimEnd())
  return { markdown: lines.join('\n') }
}

/** Code within a line. */
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

/** Invisible to people but read by programs: text can be hidden in them. */
const HIDDEN = /[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu

/** Characters with a meaning anywhere in a line. */
const SPECIAL = /[\\`*_[\]<>#|~]|&(?=[a-z#])|(?<=[a-z]):(?=\S)|@/gi

/** The start of a list, a rule or a heading. */
const AT_START = /^(?:[-+=]|\d+(?=[.)]))/

function escapeLine(line: string): string {
  return (
    line
      .replace(HIDDEN, '')
      // Leading spaces would make it code, and trailing ones a line break.
      .trim()
      .replace(SPECIAL, '\\$&')
      .replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
      // Bare addresses would become links.
      .replace(/(?<=www)\./gi, '\\.')
  )
}
