import { invalidField } from './problem.ts'

/** A place in a list that is ordered by an instant and, where instants are the same, by id. */
export interface Place {
  readonly at: number
  readonly id: string
}

const CURSOR = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export const formatCursor = ({ at, id }: Place) => `${at}_${id}`

/** The place that a cursor stands for; throws `invalid` for one that no page ended with. */
export function readCursor(cursor: string): Place {
  const [, at, id] = CURSOR.exec(cursor) ?? []
  if (at === undefined || id === undefined) {
    throw invalidField('cursor', 'must be the nextCursor of the previous page.')
  }
  return { at: Number(at), id }
}
