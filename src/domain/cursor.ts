import { invalidField } from './problem.ts'
import { sentence } from './sentence.ts'

/** The end of a page in a list that is sorted by an instant and, where instants are equal, by id. */
export interface Cursor {
  readonly at: number
  readonly id: string
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
