import type { RoutingForm } from '../domain/forms/routing.ts'
import { type FormRow, formFromRow } from '../store/forms/forms.ts'
import { BoundedCache } from './slots/bounded-cache.ts'

/** Characters of all forms together. Each is kept as text and as what was read from it. */
const CAPACITY = 4_000_000

interface Parsed {
  readonly row: FormRow
  readonly form: RoutingForm
}

/**
 * Forms that were read from their rows, so that a large one is not parsed again for each visitor.
 *
 * Each row is compared with the one before, so a form is never outdated, whoever has changed it.
 */
export class ParsedForms {
  readonly #known = new BoundedCache<Parsed>(CAPACITY)

  read(row: FormRow): RoutingForm {
    const known = this.#known.get(row.id)
    if (known !== undefined && isSame(known.row, row)) return known.form
    const form = formFromRow(row)
    this.#known.set(row.id, { row, form }, sizeOf(row))
    return form
  }
}

const columnsOf = (row: FormRow) => Object.keys(row) as (keyof FormRow)[]

const isSame = (one: FormRow, other: FormRow) =>
  columnsOf(one).every((column) => one[column] === other[column])

const sizeOf = (row: FormRow) => columnsOf(row).reduce((size, column) => size + String(row[column]).length, 0)
