import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'
import { checkName, isLine } from '../text.ts'

/** A filter of bookings that a user keeps under a name. */
export interface SavedFilter {
  readonly name: string
  /** The query of the page that it opens, without `?`. */
  readonly query: string
}

/** Throws `invalid` unless these can be told apart, and lead somewhere. */
export function checkSavedFilters(filters: readonly SavedFilter[]): void {
  const names = new Set<string>()
  for (const [index, { name, query }] of filters.entries()) {
    checkName(name, `${index}.name`)
    if (!isLine(query)) throw invalidField(`${index}.query`, sentence`{field} must be one line of text.`)
    if (names.has(name.trim()))
      throw invalidField(`${index}.name`, sentence`Two filters are called "${name.trim()}".`)
    names.add(name.trim())
  }
}
