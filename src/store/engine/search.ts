import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether one of these columns contains the text, whatever its case. */
export function containing(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const conditions = caseVariants(text).flatMap((variant) => {
    const pattern = `%${variant.replace(/[\\%_]/g, '\\$&')}%`
    return columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  })
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/**
 * The forms that a text may have after the engine's `lower`.
 *
 * PostgreSQL lowers every letter, SQLite only ASCII. Other letters may be lower case, upper case, or upper case at
 * the start of words.
 */
function caseVariants(text: string): string[] {
  const lower = text.toLowerCase()
  const upper = lower.replace(/[^\0-\x7f]/gu, (letter) => letter.toUpperCase())
  const capitalized = lower.replace(/(?<![\p{L}\p{M}])[^\0-\x7f]/gu, (letter) => letter.toUpperCase())
  return [...new Set([lower, upper, capitalized])]
}
