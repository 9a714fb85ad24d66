import type { Field, Fields, ValuesOf } from '../../domain/event-types/field.ts'
import { type Location, locationOf } from '../../domain/event-types/location.ts'

// A field is stored in a column of its name, in snake case: `maxGuests` in `max_guests`.

/** Fields whose column has another name: `window` is a word of SQL. */
const RENAMED = { window: 'booking_window' } as const

type ColumnOf<Name extends string> = Name extends keyof typeof RENAMED
  ? (typeof RENAMED)[Name]
  : SnakeCase<Name>

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : ''

type StoredOf<One extends Field> =
  One extends Field<infer Value, 'json'>
    ? string | Extract<Value, null>
    : One extends Field<unknown, 'flag'>
      ? number
      : One['initial']

/** The columns of these fields. */
export type ColumnsOf<All extends Fields> = {
  [Name in keyof All & string as All[Name]['kind'] extends 'location' ? never : ColumnOf<Name>]: StoredOf<
    All[Name]
  >
} & LocationColumns

interface LocationColumns {
  location_type: string
  location_value: string
  /** Makes the meeting link; empty: none is made. */
  location_provider: string
}

type Row = Record<string, unknown>

/** Reads fields from rows, and writes them. */
interface FieldColumns<All extends Fields> {
  read(row: ColumnsOf<All>): ValuesOf<All>
  write(values: ValuesOf<All>): ColumnsOf<All>
}

export function fieldColumns<All extends Fields>(fields: All, initial: ValuesOf<All>): FieldColumns<All> {
  const columns = Object.entries(fields).map(([name, { kind }]) => ({ name, kind, column: columnOf(name) }))
  return {
    read(row) {
      // Begins with all fields in their order: an object that grows field by field is slow to use.
      const values: Row = { ...initial }
      for (const { name, kind, column } of columns) {
        const stored = (row as Row)[column]
        if (kind === 'plain') {
          // An equal text stays the one that is there already.
          if (stored !== values[name]) values[name] = stored
        } else if (kind === 'flag') values[name] = stored === 1
        else if (kind === 'json') values[name] = stored === null ? null : shared(stored as string)
        else values[name] = readLocation(row)
      }
      return values as ValuesOf<All>
    },
    write(values) {
      const row: Row = {}
      for (const { name, kind, column } of columns) {
        const value = values[name]
        if (kind === 'plain') row[column] = value
        else if (kind === 'flag') row[column] = value === true ? 1 : 0
        else if (kind === 'json') row[column] = value === null ? null : JSON.stringify(value)
        else Object.assign(row, writeLocation(value as Location))
      }
      return row as ColumnsOf<All>
    },
  }
}

const MOST_SHARED = 500
const LONGEST_SHARED = 200

const parsed = new Map<string, unknown>()

/** The value of a JSON text. Most settings are the defaults, and thousands of event types are cached: equal ones share one. */
function shared(text: string): unknown {
  if (text.length > LONGEST_SHARED) return JSON.parse(text)
  let value = parsed.get(text)
  if (value === undefined) {
    value = JSON.parse(text)
    if (parsed.size >= MOST_SHARED) parsed.clear()
    parsed.set(text, value)
  }
  return value
}

const columnOf = (name: string): string =>
  Object.hasOwn(RENAMED, name)
    ? RENAMED[name as keyof typeof RENAMED]
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const readLocation = ({ location_type, location_value, location_provider }: LocationColumns): Location =>
  locationOf(location_type, location_value, location_provider)

const writeLocation = ({ type, value, provider = '' }: Location): LocationColumns => ({
  location_type: type,
  location_value: value,
  location_provider: provider,
})
