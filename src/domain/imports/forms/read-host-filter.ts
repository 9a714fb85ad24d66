import { checkHostFilter, findMisfit, type HostFilter, type HostValue } from '../../forms/host-filter.ts'
import type { Attribute } from '../../people/attributes.ts'
import { Problem } from '../../problem.ts'
import type { KnownAttribute } from '../people/attributes.ts'
import { type Tree, textIn } from '../values.ts'
import { type QueryReader, readQuery, valuesOf } from './read-conditions.ts'
import type { ReadFields } from './read-fields.ts'

/** Which hosts a route leads to. Null: all; undefined: ours can't say it. */
export function readHostFilter(
  query: Tree,
  known: ReadonlyMap<string, KnownAttribute>,
  attributes: readonly Attribute[],
  fields: ReadFields,
): HostFilter | null | undefined {
  const reader: QueryReader<HostFilter> = {
    rule: (properties) => readRule(properties, known, fields),
    group: (kind, parts) => (kind === 'all' ? { all: parts } : { any: parts }),
    negate,
  }
  const filter = readQuery(query, reader)
  if (filter === null || filter === undefined) return filter
  const ids = new Set([...fields.values()].map(({ field }) => field.id))
  try {
    const checked = checkHostFilter(filter, ids, 'hosts')
    return findMisfit(checked, attributes, 'hosts') === undefined ? checked : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

const ANSWER = /^\{field:(.{1,200})\}$/

function readRule(
  properties: Tree,
  known: ReadonlyMap<string, KnownAttribute>,
  fields: ReadFields,
): HostFilter | undefined {
  const found = known.get(textIn(properties, 'field'))
  if (found === undefined) return undefined
  const { attribute, values } = found
  const wanted = valuesOf(properties).map((text): HostValue | undefined => {
    const field = ANSWER.exec(text)?.[1]
    if (field !== undefined) {
      const answerOf = fields.get(field)?.field.id
      return answerOf === undefined ? undefined : { answerOf }
    }
    return values.get(text) ?? (attribute.type === 'text' ? text.slice(0, 200).toWellFormed() : text)
  })
  if (wanted.length === 0 || wanted.includes(undefined)) return undefined
  return compare(attribute, textIn(properties, 'operator'), wanted as HostValue[])
}

function compare(
  { key, type }: Attribute,
  operator: string,
  values: readonly HostValue[],
): HostFilter | undefined {
  const [first] = values as [HostValue]
  const each = (make: (value: HostValue) => HostFilter): HostFilter =>
    values.length === 1 ? make(first) : { all: values.map(make) }
  switch (operator) {
    case 'equal':
    case 'select_equals':
      return type === 'many' ? { attribute: key, contains: first } : { attribute: key, is: first }
    case 'not_equal':
    case 'select_not_equals':
    case 'select_not_any_in':
      return type === 'many' ? undefined : each((value) => ({ attribute: key, isNot: value }))
    case 'select_any_in':
    case 'multiselect_some_in':
      return { attribute: key, isAnyOf: values }
    case 'multiselect_equals':
      return type === 'many' ? each((value) => ({ attribute: key, contains: value })) : undefined
    case 'like':
      return type === 'text' ? { attribute: key, contains: first } : undefined
    default:
      return undefined
  }
}

/** Only some comparisons have an opposite. */
function negate(filter: HostFilter): HostFilter | undefined {
  if ('all' in filter || 'any' in filter) {
    const parts = ('all' in filter ? filter.all : filter.any).map(negate)
    if (parts.includes(undefined)) return undefined
    return 'all' in filter ? { any: parts as HostFilter[] } : { all: parts as HostFilter[] }
  }
  const { attribute } = filter
  if ('is' in filter) return { attribute, isNot: filter.is }
  return 'isNot' in filter ? { attribute, is: filter.isNot } : undefined
}
