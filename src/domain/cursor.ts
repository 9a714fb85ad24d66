import { invalidField } from './problem.ts'
import { sentence } from './sentence.ts'

/** The end of a page in a list that is sorted by an instant and, where instants are equal, by id. */
export interface Cursor {
  readonly at: number
  readonly id: string
}

/** The page of a list that a client asks for; without a cursor, the first one. */
export interface PageRequest {
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
  readonly limit: number
}

/** The same for the store: at most `limit` items, after the one with these keys. */
export interface Page<Keys = string> {
  readonly after?: Keys | undefined
  readonly limit: number
}

const CURSOR = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export const formatCursor = ({ at, id }: Cursor) => `${at}_${id}`

/** Reads a cursor that `formatCursor` wrote; without one, it is the first page. Throws `invalid` for any other text. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const [, at, id] = CURSOR.exec(text) ?? []
  if (at === undefined || id === undefined) {
    throw invalidField('cursor', sentence`{field} must be the nextCursor of the previous page.`)
  }
  return { at: Number(at), id }
}

/** The page of a list that is sorted by an instant. Throws `invalid` as `readCursor` does. */
export const readPage = ({ cursor, limit }: PageRequest): Page<Cursor> => ({
  after: readCursor(cursor),
  limit,
})
