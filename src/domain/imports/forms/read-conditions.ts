import { type Condition, type FormField, type Leaf, operatorsFor } from '../../forms/routing.ts'
import { comparable } from '../../text.ts'
import { isYes, listOfAny, lookUp, proseOf, type Tree, textIn, treeIn, treeOf, valueIn } from '../values.ts'
import type { ReadField, ReadFields } from './read-fields.ts'

/** A tree of rules as the query builder there stores it, read into ours: each leaf by `readRule`. */
export interface QueryReader<Read> {
  readonly rule: (properties: Tree) => Read | undefined
  readonly group: (kind: 'all' | 'any', parts: readonly Read[]) => Read
  readonly negate: (read: Read) => Read | undefined
}

const MOST_NESTED = 5

/** Reads a tree; undefined if a part of it can't be said here. Null: it asks nothing. */
export function readQuery<Read>(query: Tree, reader: QueryReader<Read>, depth = 0): Read | null | undefined {
  if (depth > MOST_NESTED) return undefined
  const properties = treeIn(query, 'properties')
  if (textIn(query, 'type') === 'rule') return reader.rule(properties)
  const children = valueIn(query, 'children1')
  const parts = (Array.isArray(children) ? children : Object.values(treeOf(children))).map((child) =>
    readQuery(treeOf(child), reader, depth + 1),
  )
  if (parts.includes(undefined)) return undefined
  const given = parts.filter(
    (part): part is NonNullable<typeof part> => part !== null && part !== undefined,
  ) as Read[]
  const not = isYes(valueIn(properties, 'not'))
  if (given.length === 0) return not ? undefined : null
  const kind = textIn(properties, 'conjunction').toUpperCase() === 'OR' ? 'any' : 'all'
  const read = given.length === 1 ? (given[0] as Read) : reader.group(kind, given)
  return not ? reader.negate(read) : read
}

/** What a rule compares with: texts and numbers, however they are nested. */
export const valuesOf = (properties: Tree): string[] =>
  listOfAny(valueIn(properties, 'value'))
    .flat()
    .map((value) => (typeof value === 'number' ? String(value) : proseOf(value, 5000)))
    .filter((text) => text !== '')

/** The condition that a route has on the answers; undefined if ours can't say it. */
export function readCondition(query: Tree, fields: ReadFields): Condition | undefined {
  const types = new Map([...fields.values()].map(({ field }) => [field.id, field]))
  const reader: QueryReader<Condition> = {
    rule: (properties) => readRule(properties, fields),
    group: (kind, parts) => (kind === 'all' ? { all: parts } : { any: parts }),
    negate: (condition) => negate(condition, types),
  }
  const read = readQuery(query, reader)
  return read === null ? { all: [] } : read
}

function readRule(properties: Tree, fields: ReadFields): Condition | undefined {
  const read = fields.get(textIn(properties, 'field'))
  if (read === undefined) return undefined
  const operator = textIn(properties, 'operator')
  const leaves = leafOf(read, operator, valuesOf(properties))
  return leaves !== undefined && isSayable(leaves, read.field) ? leaves : undefined
}

const isSayable = (condition: Condition, { type }: FormField): boolean =>
  'all' in condition
    ? condition.all.every((part) => isSayable(part, { type } as FormField))
    : 'any' in condition
      ? condition.any.every((part) => isSayable(part, { type } as FormField))
      : operatorsFor(type).includes(condition.operator)

function leafOf(read: ReadField, operator: string, values: readonly string[]): Condition | undefined {
  const { field } = read
  if (operator === 'is_empty' || operator === 'is_null') return { field: field.id, operator: 'isEmpty' }
  if (operator === 'is_not_empty' || operator === 'is_not_null')
    return { field: field.id, operator: 'isNotEmpty' }
  if (values.length === 0) return undefined
  switch (field.type) {
    case 'number':
      return numberLeaf(field.id, operator, values.map(Number))
    case 'select':
      return selectLeaf(read, operator, values)
    case 'multiselect':
      return multiselectLeaf(read, operator, values)
    default:
      return textLeaf(field.id, operator, values)
  }
}

const TEXT_OPERATORS: Readonly<Record<string, Leaf['operator']>> = {
  equal: 'equals',
  select_equals: 'equals',
  not_equal: 'notEquals',
  select_not_equals: 'notEquals',
  like: 'contains',
  not_like: 'notContains',
  starts_with: 'startsWith',
  ends_with: 'endsWith',
}

function textLeaf(field: string, name: string, values: readonly string[]): Condition | undefined {
  if (name === 'select_any_in') return { field, operator: 'isAnyOf', value: values }
  if (name === 'select_not_any_in')
    return all(values.map((value) => ({ field, operator: 'notEquals', value })))
  const operator = lookUp(TEXT_OPERATORS, name)
  return operator === undefined ? undefined : { field, operator, value: values[0] as string }
}

const NUMBER_OPERATORS: Readonly<Record<string, Leaf['operator']>> = {
  equal: 'equals',
  not_equal: 'notEquals',
  less: 'lessThan',
  less_or_equal: 'atMost',
  greater: 'greaterThan',
  greater_or_equal: 'atLeast',
}

function numberLeaf(field: string, name: string, numbers: readonly number[]): Condition | undefined {
  const [first, second] = numbers
  if (first === undefined || !numbers.every(Number.isFinite)) return undefined
  if (name === 'between' || name === 'not_between') {
    if (second === undefined) return undefined
    return name === 'between'
      ? all([
          { field, operator: 'atLeast', value: first },
          { field, operator: 'atMost', value: second },
        ])
      : any([
          { field, operator: 'lessThan', value: first },
          { field, operator: 'greaterThan', value: second },
        ])
  }
  const operator = lookUp(NUMBER_OPERATORS, name)
  return operator === undefined ? undefined : { field, operator, value: first }
}

/** Our ids of these options; undefined if one is gone. */
function idsOf({ options }: ReadField, values: readonly string[]): string[] | undefined {
  const ids = values.map((value) => options.get(comparable(value)))
  return ids.includes(undefined) ? undefined : [...new Set(ids as string[])]
}

function selectLeaf(read: ReadField, name: string, values: readonly string[]): Condition | undefined {
  const field = read.field.id
  if (name === 'like' || name === 'not_like') {
    const wanted = comparable(values[0])
    const found = read.field.options
      .filter(({ label }) => comparable(label).includes(wanted))
      .map(({ id }) => id)
    if (found.length === 0) return undefined
    return name === 'like' ? { field, operator: 'isAnyOf', value: found } : noneOf(field, 'notEquals', found)
  }
  const ids = idsOf(read, values)
  const [first] = ids ?? []
  if (ids === undefined || first === undefined) return undefined
  switch (name) {
    case 'select_equals':
    case 'equal':
      return { field, operator: 'equals', value: first }
    case 'select_not_equals':
    case 'not_equal':
      return { field, operator: 'notEquals', value: first }
    case 'select_any_in':
      return { field, operator: 'isAnyOf', value: ids }
    case 'select_not_any_in':
      return noneOf(field, 'notEquals', ids)
    default:
      return undefined
  }
}

function multiselectLeaf(read: ReadField, name: string, values: readonly string[]): Condition | undefined {
  const field = read.field.id
  const ids = idsOf(read, values)
  if (ids === undefined) return undefined
  switch (name) {
    case 'multiselect_equals':
    case 'equal':
      return all([
        ...ids.map((value): Condition => ({ field, operator: 'contains', value })),
        { field, operator: 'isOnlyOf', value: ids },
      ])
    case 'multiselect_some_in':
    case 'select_any_in':
      return { field, operator: 'isAnyOf', value: ids }
    case 'multiselect_not_some_in':
    case 'select_not_any_in':
      return noneOf(field, 'notContains', ids)
    default:
      return undefined
  }
}

const all = (parts: readonly Condition[]): Condition =>
  parts.length === 1 ? (parts[0] as Condition) : { all: parts }
const any = (parts: readonly Condition[]): Condition =>
  parts.length === 1 ? (parts[0] as Condition) : { any: parts }
const noneOf = (field: string, operator: 'notEquals' | 'notContains', values: readonly string[]): Condition =>
  all(values.map((value) => ({ field, operator, value })))

const OPPOSITES: Readonly<Partial<Record<Leaf['operator'], Leaf['operator']>>> = {
  equals: 'notEquals',
  notEquals: 'equals',
  contains: 'notContains',
  notContains: 'contains',
  isEmpty: 'isNotEmpty',
  isNotEmpty: 'isEmpty',
}

const OTHER_SIDE: Readonly<Partial<Record<Leaf['operator'], Leaf['operator']>>> = {
  lessThan: 'atLeast',
  atLeast: 'lessThan',
  greaterThan: 'atMost',
  atMost: 'greaterThan',
}

/** The opposite of a condition, after De Morgan; undefined if it can't be said. */
export function negate(condition: Condition, fields: ReadonlyMap<string, FormField>): Condition | undefined {
  if ('all' in condition || 'any' in condition) {
    const parts = ('all' in condition ? condition.all : condition.any).map((part) => negate(part, fields))
    if (parts.length === 0 || parts.includes(undefined)) return undefined
    return 'all' in condition ? { any: parts as Condition[] } : { all: parts as Condition[] }
  }
  const { field, operator, value } = condition
  const opposite = OPPOSITES[operator]
  if (opposite !== undefined) return { ...condition, operator: opposite }
  const otherSide = OTHER_SIDE[operator]
  // No number is neither above nor below.
  if (otherSide !== undefined)
    return {
      any: [
        { ...condition, operator: otherSide },
        { field, operator: 'isEmpty' },
      ],
    }
  const values = Array.isArray(value) ? (value as readonly string[]) : []
  const type = fields.get(field)?.type
  if (operator === 'isAnyOf')
    return noneOf(field, type === 'multiselect' ? 'notContains' : 'notEquals', values)
  if (operator !== 'isOnlyOf') return undefined
  const others = (fields.get(field)?.options ?? []).map(({ id }) => id).filter((id) => !values.includes(id))
  const isEmpty: Condition = { field, operator: 'isEmpty' }
  return others.length === 0 ? isEmpty : { any: [isEmpty, { field, operator: 'isAnyOf', value: others }] }
}
