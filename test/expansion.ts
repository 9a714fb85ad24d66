import { sql } from 'kysely'
import type { Db } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import type { Migration } from '../src/store/engine/migrations.ts'

/** A column as the version before knows it. */
interface Column {
  readonly type: string
  readonly required: boolean
  readonly fallback: string | null
}

/** A rule that rows of a table must keep: a constraint or a unique index. */
interface Rule {
  readonly definition: string
  readonly isUnique: boolean
  readonly columns: readonly string[]
}

interface Table {
  /** Another file means that the table was written anew, and locked for as long as that took. */
  readonly file: number
  readonly columns: ReadonlyMap<string, Column>
  readonly rules: ReadonlyMap<string, Rule>
}

type Shape = ReadonlyMap<string, Table>

/**
 * Why the version before could not go on working on PostgreSQL while the later migrations run, and after that. It knows
 * all tables that are there already.
 */
export async function findBreaks(
  db: Db,
  earlier: readonly Migration[],
  later: readonly Migration[],
): Promise<string[]> {
  await migrate(db, earlier)
  const before = await readShape(db)
  await migrate(db, [...earlier, ...later])
  const after = await readShape(db)
  return [
    ...later.flatMap((migration) => findLongLocks(migration, before)),
    ...[...before].flatMap(([name, table]) => compare(name, table, after.get(name))),
  ]
}

/** Statements that keep others from writing for as long as a table is large. */
function findLongLocks({ name, statements }: Migration, before: Shape): string[] {
  return (statements?.('postgres') ?? []).flatMap((statement) => {
    const [, index] = /^\s*create\s+(?:unique\s+)?index\b.*?\bon\s+(\w+)/is.exec(statement) ?? []
    const [, changed] = /^\s*(?:update|delete\s+from|insert\s+into)\s+(\w+)/i.exec(statement) ?? []
    if (index && before.has(index))
      return [`${name} locks ${index} to build an index: name it in \`indexes\``]
    if (changed && before.has(changed)) {
      return [`${name} changes rows of ${changed}: let a job or a sweep do that, some at a time`]
    }
    return []
  })
}

function compare(name: string, before: Table, after: Table | undefined): string[] {
  if (after === undefined) return [`${name} is gone`]
  const breaks = after.file === before.file ? [] : [`${name} is written anew, and locked meanwhile`]
  for (const [column, { type, required, fallback }] of before.columns) {
    const now = after.columns.get(column)
    if (now === undefined) breaks.push(`${name}.${column} is gone`)
    else if (now.type !== type) breaks.push(`${name}.${column} has another type`)
    else if (now.required && !required) breaks.push(`${name}.${column} is required now`)
    else if (now.fallback !== fallback) breaks.push(`${name}.${column} has another default`)
  }
  for (const [column, { required, fallback }] of after.columns) {
    if (before.columns.has(column) || !required || fallback !== null) continue
    breaks.push(`${name}.${column} is required, and the version before leaves it out`)
  }
  for (const [rule, { definition, isUnique, columns }] of after.rules) {
    if (before.rules.get(rule)?.definition === definition) continue
    // What the version before leaves out is the default in all its rows, or null, which equals nothing.
    const isHarmless = columns.every((column) => {
      return !before.columns.has(column) && !(isUnique && after.columns.get(column)?.fallback !== null)
    })
    if (columns.length === 0 || !isHarmless) breaks.push(`${name} has a new rule, ${rule}`)
  }
  return breaks
}

async function readShape(db: Db): Promise<Shape> {
  const tables = await sql<{ name: string; file: number }>`
    select relname as name, relfilenode::int8 as file from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db)
  const columns = await sql<Column & { table: string; name: string }>`
    select table_name as table, column_name as name, udt_name as type,
      is_nullable = 'NO' and is_identity = 'NO' and is_generated = 'NEVER' as required, column_default as fallback
    from information_schema.columns where table_schema = 'public'`.execute(db)
  const rules = await sql<Rule & { table: string; name: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition,
      contype in ('p', 'u', 'x') as "isUnique",
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
    union all
    select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), true,
      array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any (indkey))
    from pg_index where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`.execute(
    db,
  )
  const of = <T extends { table: string; name: string }>(rows: readonly T[], table: string) =>
    new Map(rows.filter((row) => row.table === table).map((row) => [row.name, row]))
  return new Map(
    tables.rows.map(({ name, file }) => [
      name,
      { file, columns: of(columns.rows, name), rules: of(rules.rows, name) },
    ]),
  )
}
