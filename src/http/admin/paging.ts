import type { TSchema } from 'typebox'
import type { PageRequest } from '../../domain/cursor.ts'
import { invalidField } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { nullable } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.String({ description: '1 to 100; 50 by default.' })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'nextCursor of the previous page.' })),
})

/** For lists that hold what a user and their teams own. */
export const OwnedPageQuery = Type.Object({
  ...PageQuery.properties,
  ownerId: Type.Optional(Type.String({ description: 'Only what belongs to you, or to one of your teams.' })),
})

/** One page of a list: `nextCursor` is null on the last. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: nullable(Type.String()) })

interface PageAsked {
  readonly limit?: string
  readonly cursor?: string
}

/**
 * Answers with one page of a list, and the cursor of its last item.
 *
 * `read` is asked for one item more than the page has, which tells whether another page follows.
 */
export async function answerPage<T, V>(
  query: PageAsked,
  read: (page: PageRequest) => Promise<readonly T[]>,
  keyOf: (item: T) => string,
  view: (item: T) => V,
) {
  const limit = readLimit(query)
  return toPage(await read({ cursor: query.cursor, limit: limit + 1 }), limit, keyOf, view)
}

export function readLimit({ limit = '50' }: PageAsked): number {
  if (!/^([1-9][0-9]?|100)$/.test(limit))
    throw invalidField('limit', sentence`{field} must be a whole number from ${1} to ${100}.`)
  return Number(limit)
}

/** Cuts a list that was read one longer than asked for into a page. */
export function toPage<T, V>(
  found: readonly T[],
  limit: number,
  keyOf: (item: T) => string,
  view: (item: T) => V,
) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last !== undefined ? keyOf(last) : null
  return { items: items.map(view), nextCursor }
}
