import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Ledger, Question, Writes } from '../../../domain/bookings/ledger.ts'
import type { Db } from '../../engine/database.ts'
import type { IdList } from '../../engine/engine.ts'
import { type Prepared, prepared } from '../../engine/prepared.ts'

/** How the store reads and writes one kind of fact. `domain/bookings/facts` says what it is. */
export interface StoredFact {
  /** Reads what these questions ask for; nothing if none of them does. */
  readonly ask?: (db: Db, questions: readonly Question[]) => readonly Reading[]
  /** Writes what has changed, in this order. */
  readonly write?: (writes: Writes) => readonly Writing[]
}

/** A statement, and what to do with its rows. */
export interface Reading {
  readonly query: CompiledQuery
  readonly read: (rows: readonly never[], ledger: Ledger) => void
}

export const reading = <Row>(
  query: CompiledQuery<Row>,
  read: (rows: readonly Row[], ledger: Ledger) => void,
): Reading => ({ query, read })

/** Statements that write these rows; none are run without rows. */
interface Writing {
  readonly rows: readonly object[]
  readonly statements: readonly RowStatement[]
}

export const writing = (rows: readonly object[], ...statements: readonly RowStatement[]): Writing => ({
  rows,
  statements,
})

type RowStatement = Prepared<{ rows: string }, unknown>

/** A statement that gets its rows as JSON. */
export const rowStatement = (build: (db: Db, rows: string) => RawBuilder<unknown>): RowStatement =>
  prepared((db, value) => build(db, value('rows')))

export type Ids = { readonly ids: IdList }

export const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** What several decisions of one transaction change: the last of each has seen those before it. */
export function lastOfEach<T>(changes: readonly T[], keyOf: (change: T) => string): readonly T[] {
  return changes.length < 2 ? changes : [...new Map(changes.map((one) => [keyOf(one), one])).values()]
}
