import type { Selectable } from 'kysely'
import type { Counts } from '../../domain/imports/import.ts'
import type { LineState, PlanLine } from '../../domain/imports/plan.ts'
import type { SourceKey, SourceTable } from '../../domain/imports/source.ts'
import type { Db } from '../engine/database.ts'
import { preparedInsertAll } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { containing } from '../engine/search.ts'
import { pairOf, sentenceFrom } from '../sentences.ts'

/** A line at its place in the plan. */
export interface PlacedLine extends PlanLine {
  readonly position: number
}

const COLUMNS = [
  'import_id',
  'position',
  'state',
  'table_name',
  'source_id',
  'name',
  'sentence',
  'sentence_parts',
] as const

/** A plan names what has no name of its own by a longer text than anyone reads. */
const MAX_NAME = 200

export async function insertLines(db: Db, importId: string, lines: readonly PlacedLine[]): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ position, state, key, name, sentence }) => {
    const { text, parts } = pairOf(sentence)
    const slash = key.indexOf('/')
    return {
      import_id: importId,
      position,
      state,
      table_name: key.slice(0, slash) as SourceTable,
      source_id: key.slice(slash + 1),
      name: name.slice(0, MAX_NAME).toWellFormed(),
      sentence: text,
      sentence_parts: parts,
    }
  })
  await insertAll(db, { rows: JSON.stringify(rows) })
}

const insertAll = preparedInsertAll('import_lines', COLUMNS)

/** Deletes the lines from one place up to another, which stays. */
export async function deleteLines(db: Db, importId: string, from: number, to: number): Promise<void> {
  await db
    .deleteFrom('import_lines')
    .where('import_id', '=', importId)
    .where('position', '>=', from)
    .where('position', '<', to)
    .execute()
}

export interface LineFilter {
  readonly table?: string | undefined
  readonly states?: readonly LineState[] | undefined
  /** Part of a name. */
  readonly search?: string
  /** Only lines that say something. */
  readonly noted?: boolean
  readonly after?: number | undefined
  readonly limit: number
}

/** Lines of a plan in their order. */
export async function findLines(
  db: Db,
  importId: string,
  { table, states, search = '', noted = false, after = -1, limit }: LineFilter,
): Promise<PlacedLine[]> {
  const rows = await db
    .selectFrom('import_lines')
    .selectAll()
    .where('import_id', '=', importId)
    .where('position', '>', after)
    .$if(table !== undefined, (query) => query.where('table_name', '=', table as SourceTable))
    .$if(states !== undefined, (query) => query.where('state', 'in', states as LineState[]))
    .$if(search !== '', (query) => query.where(containing(['name'], search)))
    .$if(noted, (query) => query.where('sentence', '!=', ''))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** How many lines there are, by table and state. */
export async function countLines(db: Db, importId: string): Promise<Counts> {
  const rows = await db
    .selectFrom('import_lines')
    .select((eb) => ['table_name', 'state', eb.fn.countAll<number>().as('count')])
    .where('import_id', '=', importId)
    .groupBy(['table_name', 'state'])
    .orderBy('table_name')
    .orderBy('state')
    .execute()
  const counts: Record<string, Partial<Record<LineState, number>>> = {}
  for (const { table_name, state, count } of rows) {
    counts[table_name] = { ...counts[table_name], [state]: count }
  }
  return counts
}

function fromRow(row: Selectable<Schema['import_lines']>): PlacedLine {
  return {
    position: row.position,
    state: row.state,
    key: `${row.table_name}/${row.source_id}` satisfies SourceKey,
    name: row.name,
    sentence: sentenceFrom(row.sentence, row.sentence_parts),
  }
}
