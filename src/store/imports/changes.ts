import { sql } from 'kysely'
import type { Db, Trx } from '../engine/database.ts'
import type { TABLES } from '../workspace/dump.ts'

/** A table with a row as it was before an import changed it; null: it was not there, and has this key. */
export interface Before {
  readonly table: keyof typeof TABLES
  readonly key: Readonly<Record<string, unknown>>
  readonly row: Readonly<Record<string, unknown>> | null
}

/** How a row is now, to be put back if the import that is about to change it is undone. */
export async function findBefore(db: Db, table: Before['table'], key: Before['key']): Promise<Before> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where ${matching(key)}`.execute(db)
  return { table, key, row: rows[0] ?? null }
}

const matching = (key: Before['key']) =>
  sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )

/** Remembers how rows were. */
export async function insertChanges(trx: Trx, importId: string, changes: readonly Before[]): Promise<void> {
  if (changes.length === 0) return
  const last = await trx
    .selectFrom('import_changes')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('import_id', '=', importId)
    .executeTakeFirst()
  const first = Number(last?.position ?? -1) + 1
  await trx
    .insertInto('import_changes')
    .values(
      changes.map(({ table, ...content }, index) => ({
        import_id: importId,
        position: first + index,
        table_name: table,
        content: JSON.stringify(content),
      })),
    )
    .execute()
}

/** Puts all rows back that an import changed, the last change first. */
export async function restoreChanges(trx: Trx, importId: string): Promise<void> {
  const rows = await trx
    .selectFrom('import_changes')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('position', 'desc')
    .execute()
  for (const { table_name, content } of rows) {
    const { key, row }: Before = JSON.parse(content)
    await restore(trx, { table: table_name as Before['table'], key, row })
  }
}

/** They tell caches that something has changed, so they only grow. */
const COUNTERS: readonly string[] = ['revision', 'booking_revision']

async function restore(trx: Trx, { table, key, row }: Before): Promise<void> {
  if (row === null) {
    await sql`delete from ${sql.table(table)} where ${matching(key)}`.execute(trx)
    return
  }
  const columns = Object.keys(row).filter((column) => !COUNTERS.includes(column))
  const values = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${row[column]}`))
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${values} where ${matching(key)}`.execute(trx)
  if (numAffectedRows > 0n) return
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(columns.map((column) => row[column]))})`.execute(trx)
}
