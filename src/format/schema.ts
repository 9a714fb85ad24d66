import type { Static, TArrayOptions, TSchema } from 'typebox'
import { Type } from './type.ts'

/** One of these texts. An `enum`, so that an error can list them. */
export const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, ...(description && { description }) })

/** A list of names that is known when the service starts, such as its kinds of calendars. */
type NameList = 'calendars' | 'accounts' | 'links'

/** One of the names in that list, or one of the others. `withNames` fills them in. */
export const nameIn = (list: NameList, also: readonly string[] = [], description?: string) =>
  Type.Unsafe<string>({ type: 'string', names: { list, also }, ...(description && { description }) })

type Lists = Readonly<Record<NameList, readonly string[]>>

/**
 * A schema with an `enum` wherever it has `nameIn`. Parts without any stay the same objects: routes share them.
 *
 * `known` has what parts became for these lists, and gets more.
 */
export function withNames<T>(schema: T, lists: Lists, known = new WeakMap<object, object>()): T {
  if (typeof schema !== 'object' || schema === null) return schema
  return known.getOrInsertComputed(schema, () => fill(schema, lists, known)) as T
}

function fill(schema: object, lists: Lists, known: WeakMap<object, object>): object {
  if (Array.isArray(schema)) {
    const items = schema.map((item) => withNames(item, lists, known))
    return items.every((item, i) => item === schema[i]) ? schema : items
  }
  if ('names' in schema && isListed(schema.names)) {
    const { type, names, ...others } = schema as { type?: unknown; names: Listed }
    return { type, enum: [...names.also, ...lists[names.list]], ...others }
  }
  const changed = Object.entries(schema).flatMap(([key, part]) => {
    const filled = withNames(part, lists, known)
    return filled === part ? [] : [[key, filled] as const]
  })
  return changed.length === 0 ? schema : { ...schema, ...Object.fromEntries(changed) }
}

interface Listed {
  readonly list: NameList
  readonly also: readonly string[]
}

const isListed = (names: unknown): names is Listed =>
  typeof names === 'object' && names !== null && 'list' in names && 'also' in names

/** This, or null. */
export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** A list whose type can't be changed, as lists of the domain can't. */
export const list = <T extends TSchema>(items: T, options?: TArrayOptions) =>
  Type.Unsafe<readonly Static<T>[]>({ type: 'array', items, ...options })

/** A view that its readers can't change. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T
