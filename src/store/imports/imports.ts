import type { Selectable } from 'kysely'
import type { Counts } from '../../domain/imports/import.ts'
import type { Choices, ImportState, OfferedChoice } from '../../domain/imports/plan.ts'
import type { Source } from '../../domain/imports/source.ts'
import { NOTHING, type Sentence } from '../../domain/sentence.ts'
import type { Db } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** Moving in from another service, as far as it has come. */
export interface Import {
  readonly id: string
  readonly source: Source
  /** Under what is remembered what became of its rows: its source, or one of several instances of it. */
  readonly memory: string
  readonly state: ImportState
  readonly done: number
  readonly total: number
  readonly counts: Counts
  /** What can be chosen. */
  readonly offered: readonly OfferedChoice[]
  /** What was chosen. */
  readonly choices: Choices
  /** What the reader noted. */
  readonly notes: readonly Sentence[]
  /** Why it failed. */
  readonly reason: Sentence
  readonly createdBy: string | null
  readonly createdAt: number
  /** Somebody works on it until then. */
  readonly leasedUntil: number | null
  readonly appliedAt: number | null
  readonly undoneAt: number | null
}

export type NewImport = Pick<Import, 'id' | 'source' | 'createdBy' | 'createdAt' | 'leasedUntil' | 'total'>

export async function insertImport(db: Db, given: NewImport): Promise<void> {
  const { id, source, createdBy, createdAt, leasedUntil, total } = given
  const times = { created_by: createdBy, created_at: createdAt, leased_until: leasedUntil }
  await db
    .insertInto('imports')
    .values({ id, source, state: 'reading', total, ...times })
    .execute()
}

export async function findImport(db: Db, id: string): Promise<Import | undefined> {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** Imports, the newest first: of one person, or of all. */
export async function findImports(db: Db, createdBy: string | undefined, limit: number): Promise<Import[]> {
  const rows = await db
    .selectFrom('imports')
    .selectAll()
    .$if(createdBy !== undefined, (query) => query.where('created_by', '=', createdBy as string))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

type Changes = Partial<Omit<Import, 'id' | 'source' | 'createdBy' | 'createdAt'>>

/** Changes an import that is in this state still; tells whether it was. */
export async function updateImport(db: Db, id: string, from: ImportState, change: Changes): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set(columnsOf(change))
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes an import that is in this state and that nobody works on. */
export async function leaseImport(
  db: Db,
  id: string,
  from: ImportState,
  now: number,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('state', '=', from)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Other imports of the same instance that were applied. */
export async function findOthers(db: Db, { id, source, memory }: Import): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where('source', '=', source)
    .where('memory', 'in', memory === source ? ['', memory] : [memory])
    .where('state', '=', 'applied')
    .where('id', '<>', id)
    .execute()
  return rows.map((row) => row.id)
}

/** The imports of a source that this person began; null: those of the command line. */
export async function findImportIds(
  db: Db,
  source: Source,
  createdBy: string | null,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where('source', '=', source)
    .where((eb) => (createdBy === null ? eb('created_by', 'is', null) : eb('created_by', '=', createdBy)))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

function columnsOf(change: Changes) {
  const reason = change.reason && pairOf(change.reason)
  return {
    ...(change.state !== undefined && { state: change.state }),
    ...(change.done !== undefined && { done: change.done }),
    ...(change.total !== undefined && { total: change.total }),
    ...(change.counts !== undefined && { counts: JSON.stringify(change.counts) }),
    ...(change.offered !== undefined && { offered: JSON.stringify(change.offered) }),
    ...(change.choices !== undefined && { choices: JSON.stringify(change.choices) }),
    ...(change.notes !== undefined && { notes: JSON.stringify(change.notes) }),
    ...(reason && { reason: reason.text, reason_parts: reason.parts }),
    ...(change.leasedUntil !== undefined && { leased_until: change.leasedUntil }),
    ...(change.appliedAt !== undefined && { applied_at: change.appliedAt }),
    ...(change.undoneAt !== undefined && { undone_at: change.undoneAt }),
    ...(change.memory !== undefined && { memory: change.memory }),
  }
}

function fromRow(row: Selectable<Schema['imports']>): Import {
  return {
    id: row.id,
    source: row.source,
    memory: row.memory || row.source,
    state: row.state,
    done: row.done,
    total: row.total,
    counts: JSON.parse(row.counts),
    offered: JSON.parse(row.offered),
    choices: JSON.parse(row.choices),
    notes: JSON.parse(row.notes),
    reason: row.reason === '' ? NOTHING : sentenceFrom(row.reason, row.reason_parts),
    createdBy: row.created_by,
    createdAt: row.created_at,
    leasedUntil: row.leased_until,
    appliedAt: row.applied_at,
    undoneAt: row.undone_at,
  }
}
