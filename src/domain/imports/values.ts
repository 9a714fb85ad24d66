import type { DayNumber } from '../calendar-date.ts'
import { DAY } from '../interval.ts'
import { isLine } from '../text.ts'
import type { SourceRow } from './source.ts'

// Rows may hold anything: a column of another version, a tree that was edited by hand. What does not fit is as if it were missing.

export type Tree = Readonly<Record<string, unknown>>

/** The text of a column; empty if it has none. */
export const textIn = (row: SourceRow, column: string): string => {
  const value = valueIn(row, column)
  return typeof value === 'string' ? value : ''
}

/** The whole number of a column, which some dumps have as text. */
export function wholeIn(row: SourceRow, column: string): number | undefined {
  return wholeOf(valueIn(row, column))
}

export function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

/** Whether a column says yes. */
export const flagIn = (row: SourceRow, column: string): boolean => isYes(valueIn(row, column))

export const isYes = (value: unknown): boolean => value === true || value === 't' || value === 'true'

/** Whether a column says no, and not just nothing. */
export const isNo = (value: unknown): boolean => value === false || value === 'f' || value === 'false'

export const valueIn = (row: SourceRow, column: string): unknown =>
  Object.hasOwn(row, column) ? row[column] : undefined

/** What a table says of a name that comes from a source, whose rows may hold any name: `constructor`, too. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The id that a column holds, or empty: numbers and texts alike. */
export function idIn(row: SourceRow, column = 'id'): string {
  return idOf(valueIn(row, column))
}

export function idOf(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : ''
  const isId =
    typeof value === 'string' && /^[^\s/#@]{1,200}$/.test(value) && isLine(value) && value.isWellFormed()
  return isId ? value : ''
}

/** The instant of a column. */
export function instantIn(row: SourceRow, column: string): number | undefined {
  return instantOfText(valueIn(row, column))
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** Instants without a zone are in UTC. */
export function instantOfText(value: unknown): number | undefined {
  if (typeof value !== 'string' || !ISO.test(value)) return undefined
  const text = value.replace(' ', 'T')
  const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text.slice(10))
  const instant = Date.parse(text.length === 10 ? `${text}T00:00:00Z` : hasZone ? text : `${text}Z`)
  return Number.isFinite(instant) && instant >= 0 && instant < END_OF_TIME ? instant : undefined
}

/**
 * The dates from one instant to another. Midnights in UTC are dates themselves; in older rows they are midnights somewhere, and
 * `dayAt` tells the date of each.
 */
export const datesBetween = (from: number, to: number, dayAt: (instant: number) => DayNumber) =>
  [from, to].map(from % DAY === 0 && to % DAY === 0 ? (midnight) => midnight / DAY : dayAt) as [
    DayNumber,
    DayNumber,
  ]

/** Years have four digits. */
const END_OF_TIME = Date.UTC(9999, 0)

/** An object, or an empty one. */
export function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {}
}

/** Whether a tree could not be read, and is still text. */
export const isUnread = (row: SourceRow, columns: readonly string[]): boolean =>
  columns.some((column) => textIn(row, column).trim() !== '')

export const treeIn = (row: SourceRow, column: string): Tree => treeOf(valueIn(row, column))

export const listOfAny = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list. */
export const treesIn = (row: SourceRow, column: string): readonly Tree[] => treesOf(valueIn(row, column))

export const treesOf = (value: unknown): readonly Tree[] =>
  listOfAny(value).filter(
    (one): one is Tree => typeof one === 'object' && one !== null && !Array.isArray(one),
  )

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROLS_IN_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0\ufdd1]/g

/** One line of at most so many characters. */
export function lineOf(text: unknown, most: number): string {
  if (typeof text !== 'string') return ''
  return cut(text.toWellFormed().replace(CONTROLS, ' ').trim(), most).trim()
}

/** Text with line breaks, of at most so many characters. */
export function proseOf(text: unknown, most: number): string {
  if (typeof text !== 'string') return ''
  return cut(text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROLS_IN_LINES, '').trim(), most).trim()
}

/** No letter is cut in two. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const short = text.slice(0, most)
  return short.isWellFormed() ? short : text.slice(0, most - 1)
}

const BREAKS = /<(?:br\s*\/?|\/p|\/div|\/h[1-6]|\/li|\/tr)>/gi
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
}

/** Text without HTML. What is no HTML stays as it is. */
export function withoutHtml(text: string): string {
  const plain = /<\/?[a-z][^<>]*>/i.test(text)
    ? text.replace(BREAKS, '\n').replace(/<\/?[a-z][^<>]*>/gi, '')
    : text
  return plain
    .replace(/&(#?\w{2,5});/g, (whole, name: string) => lookUp(ENTITIES, name.toLowerCase()) ?? whole)
    .replace(/\n{3,}/g, '\n\n')
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

/** Values by a key; of those with the same key, in their order. */
export function groupBy<T>(
  values: readonly T[],
  keyOf: (value: T) => string,
): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(values, keyOf)
}
