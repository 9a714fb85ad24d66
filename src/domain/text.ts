import { invalidField } from './problem.ts'
import { type Sentence, sentence } from './sentence.ts'

/** Control characters break headers, calendars and terminals, and are never part of a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** True for text of one line without control characters. */
export function isLine(text: string): boolean {
  return !CONTROL.test(text)
}

/** True for text that may have line breaks and tabs, and no other control characters. */
export function isProse(text: string): boolean {
  return !CONTROL_IN_LINES.test(text)
}

/** Throws `invalid` unless this can stand where a name is shown. */
export function checkName(name: string, field = 'name'): void {
  if (name.trim() === '') throw invalidField(field, sentence`{field} must not be empty.`)
  if (!isLine(name) || !name.isWellFormed())
    throw invalidField(field, sentence`{field} must be one line of text.`)
}

/** Throws `invalid` unless this is text that may have line breaks and tabs. */
export function checkProse(text: string, field: string): void {
  if (!isProse(text) || !text.isWellFormed())
    throw invalidField(field, sentence`{field} must not contain control characters.`)
}

/** JSON nested deeper than this is never a booking or an answer. */
const MAX_DEPTH = 32

/** Why a value can't be stored, as the end of a sentence. */
type Unstorable =
  | 'contains a NUL character'
  | 'contains text that is not valid Unicode'
  | 'is nested too deeply'

/** The whole sentence about a field or, for example, about the body. */
export function unstorable(reason: Unstorable, field: string | Sentence): Sentence {
  switch (reason) {
    case 'contains a NUL character':
      return { ...sentence`{field} contains a NUL character.`, field }
    case 'contains text that is not valid Unicode':
      return { ...sentence`{field} contains text that is not valid Unicode.`, field }
    case 'is nested too deeply':
      return { ...sentence`{field} is nested too deeply.`, field }
  }
}

/** Finds what the databases can't store: NUL, half a surrogate pair, too deep nesting. Undefined if there is nothing. */
export function findUnstorable(value: unknown, depth = 0): Unstorable | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return 'contains a NUL character'
    if (!value.isWellFormed()) return 'contains text that is not valid Unicode'
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MAX_DEPTH) return 'is nested too deeply'
  if (Array.isArray(value)) {
    for (const item of value) {
      const reason = findUnstorable(item, depth + 1)
      if (reason !== undefined) return reason
    }
    return undefined
  }
  for (const key in value) {
    const reason =
      findUnstorable(key, depth + 1) ?? findUnstorable((value as Record<string, unknown>)[key], depth + 1)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** Text as it is compared where case does not matter; anything else is empty. */
export function comparable(text: unknown): string {
  if (typeof text !== 'string') return ''
  // Forms compare hundreds of texts for each visitor, and nearly all of them need no normalizing.
  return (NOT_ASCII.test(text) ? text.normalize('NFC') : text).trim().toLowerCase()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range that matters
const NOT_ASCII = /[^\u0000-\u007f]/
