import type { SourceRow } from '../../domain/imports/source.ts'

/** A parsed answer, of which nothing is certain. */
export type Tree = Readonly<Record<string, unknown>>

export const treeOf = (value: unknown): Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const treesOf = (value: unknown): readonly Tree[] => listOf(value).map(treeOf)

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A row without the columns that the source does not tell. */
export function rowOf(columns: Readonly<Record<string, unknown>>): SourceRow {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** An instant as rows have it; what is none stays as it is. */
export function instantOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? value : new Date(instant).toISOString()
}
