import { type Attribute, type AttributeValue, type AttributeValues, valueAt } from '../people/attributes.ts'
import { Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { comparable } from '../text.ts'
import { HOST_OPERATOR_NAMES } from './operator-names.ts'

/** What a comparison with an attribute can ask, by the attribute's type. */
export const HOST_OPERATORS: Readonly<Record<Attribute['type'], readonly HostOperator[]>> = {
  text: ['is', 'isNot', 'isAnyOf', 'contains'],
  one: ['is', 'isNot', 'isAnyOf'],
  many: ['contains', 'isAnyOf'],
}

export type HostOperator = 'is' | 'isNot' | 'isAnyOf' | 'contains'

const ALL_OPERATORS: readonly HostOperator[] = ['is', 'isNot', 'isAnyOf', 'contains']

/** Text, or the visitor's answer to a field: of a select, the id of the option. */
export type HostValue = string | { readonly answerOf: string }

/** One comparison. `isAnyOf` has a list. */
export type HostCondition =
  | { readonly attribute: string; readonly is: HostValue }
  | { readonly attribute: string; readonly isNot: HostValue }
  | { readonly attribute: string; readonly isAnyOf: readonly HostValue[] }
  | { readonly attribute: string; readonly contains: HostValue }

/** Which hosts of an event type visitors are sent to. */
export type HostFilter =
  | HostCondition
  | { readonly all: readonly HostFilter[] }
  | { readonly any: readonly HostFilter[] }

/** Filters are checked recursively, so their depth is limited. */
const MAX_DEPTH = 8
const MAX_VALUES = 200
const MAX_TEXT = 200

/** Throws `invalid` with the field unless this has the shape of a filter over these fields. Unknown properties are refused. */
export function checkHostFilter(
  given: unknown,
  fields: ReadonlySet<string>,
  at: string,
  depth = 1,
): HostFilter {
  if (depth > MAX_DEPTH) refuse(at, sentence`Host filters can be nested at most ${MAX_DEPTH} deep.`)
  const filter = recordOf(given) ?? {}
  const [kind, ...others] = (['all', 'any', 'attribute'] as const).filter((key) => Object.hasOwn(filter, key))
  if (kind === undefined || others.length > 0) {
    return refuse(at, sentence`A host filter is about one attribute, or it is a group: all or any.`)
  }
  if (kind === 'attribute') return checkHostCondition(filter, fields, at)
  const unknown = Object.keys(filter).find((key) => key !== kind)
  if (unknown !== undefined) refuse(`${at}.${unknown}`, sentence`Unknown field "${at}.${unknown}".`)
  const list = filter[kind]
  if (!Array.isArray(list) || list.length === 0) {
    return refuse(`${at}.${kind}`, sentence`A group of a host filter needs at least one condition.`)
  }
  const parts = list.map((part, index) => checkHostFilter(part, fields, `${at}.${kind}.${index}`, depth + 1))
  return kind === 'all' ? { all: parts } : { any: parts }
}

function checkHostCondition(
  { attribute, ...rest }: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string>,
  at: string,
): HostCondition {
  if (typeof attribute !== 'string') {
    return refuse(`${at}.attribute`, sentence`A condition on hosts needs the key of an attribute.`)
  }
  const unknown = Object.keys(rest).find((key) => !ALL_OPERATORS.some((operator) => operator === key))
  if (unknown !== undefined) refuse(`${at}.${unknown}`, sentence`Unknown field "${at}.${unknown}".`)
  const [operator, ...others] = ALL_OPERATORS.filter((key) => Object.hasOwn(rest, key))
  if (operator === undefined || others.length > 0) {
    return refuse(
      at,
      sentence`A condition on hosts has one of ${ALL_OPERATORS.map((one) => HOST_OPERATOR_NAMES[one])}.`,
    )
  }
  const value = rest[operator]
  if (operator !== 'isAnyOf') {
    return { attribute, [operator]: checkValue(value, fields, `${at}.${operator}`) } as HostCondition
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) {
    return refuse(`${at}.isAnyOf`, sentence`“is one of” takes a list of 1 to ${MAX_VALUES} values.`)
  }
  return { attribute, isAnyOf: value.map((one, index) => checkValue(one, fields, `${at}.isAnyOf.${index}`)) }
}

function checkValue(value: unknown, fields: ReadonlySet<string>, at: string): HostValue {
  if (typeof value === 'string') {
    if (value.trim() === '' || value.length > MAX_TEXT || !value.isWellFormed() || value.includes('\0')) {
      refuse(at, sentence`A condition on hosts compares with text of 1 to ${MAX_TEXT} characters.`)
    }
    return value
  }
  const { answerOf, ...rest } = recordOf(value) ?? {}
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) refuse(`${at}.${unknown}`, sentence`Unknown field "${at}.${unknown}".`)
  if (typeof answerOf !== 'string') {
    return refuse(at, sentence`A condition on hosts compares with text, or with the answer to a field.`)
  }
  if (!fields.has(answerOf)) {
    refuse(
      `${at}.answerOf`,
      sentence`A condition on hosts asks for the answer to ${JSON.stringify(answerOf)}, which is not a field of this form.`,
    )
  }
  return { answerOf }
}

/** What is wrong with a filter, and where. */
interface Misfit {
  readonly at: string
  readonly reason: Sentence
}

/** Why a filter doesn't fit a team's attributes; undefined if it does. */
export function findMisfit(
  filter: HostFilter,
  attributes: readonly Attribute[],
  at: string,
): Misfit | undefined {
  const group = groupOf(filter)
  if (group !== undefined) {
    for (const [index, part] of group.parts.entries()) {
      const misfit = findMisfit(part, attributes, `${at}.${group.kind}.${index}`)
      if (misfit !== undefined) return misfit
    }
    return undefined
  }
  const condition = filter as HostCondition
  const attribute = attributes.find(({ key }) => key === condition.attribute)
  if (attribute === undefined) {
    const reason = sentence`${JSON.stringify(condition.attribute)} is not an attribute of the team.`
    return { at: `${at}.attribute`, reason }
  }
  const { operator, values } = comparisonOf(condition)
  const { label, type, options } = attribute
  if (!HOST_OPERATORS[type].includes(operator)) {
    const allowed = HOST_OPERATORS[type].map((one) => HOST_OPERATOR_NAMES[one])
    const reason = sentence`"${label}" can be compared by ${allowed}, not by ${HOST_OPERATOR_NAMES[operator]}.`
    return { at: `${at}.${operator}`, reason }
  }
  const known = new Set(options.map(comparable))
  const wrong = values.findIndex(
    (value) => type !== 'text' && typeof value === 'string' && !known.has(comparable(value)),
  )
  if (wrong < 0) return undefined
  const place = operator === 'isAnyOf' ? `${at}.isAnyOf.${wrong}` : `${at}.${operator}`
  return { at: place, reason: sentence`"${String(values[wrong])}" is not an option of "${label}".` }
}

function groupOf(filter: HostFilter): { kind: 'all' | 'any'; parts: readonly HostFilter[] } | undefined {
  if ('all' in filter) return { kind: 'all', parts: filter.all }
  if ('any' in filter) return { kind: 'any', parts: filter.any }
  return undefined
}

interface Comparison {
  readonly operator: HostOperator
  readonly values: readonly HostValue[]
}

/** A condition's operator and what it compares with. */
export function comparisonOf(condition: HostCondition): Comparison {
  if ('is' in condition) return { operator: 'is', values: [condition.is] }
  if ('isNot' in condition) return { operator: 'isNot', values: [condition.isNot] }
  if ('isAnyOf' in condition) return { operator: 'isAnyOf', values: condition.isAnyOf }
  return { operator: 'contains', values: [condition.contains] }
}

/** The visitor's answer to a field. */
type AnswerTo = (fieldId: string) => unknown

/** Whether a host's comparable values pass a filter whose answers were filled in. */
type HostTest = (values: ComparableValues) => boolean

/** What is set for a host, made comparable, by key. */
export type ComparableValues = ReadonlyMap<string, string | ReadonlySet<string>>

/** Made once for each host: a form may ask hundreds of them. */
export function comparableValues(values: AttributeValues): ComparableValues {
  const made = (value: AttributeValue) =>
    typeof value === 'string' ? comparable(value) : new Set(value.map(comparable))
  return new Map(Object.entries(values).map(([key, value]) => [key, made(value)]))
}

/**
 * A filter with these answers filled in.
 *
 * An answer that is missing or empty equals nothing and is contained in nothing.
 */
export function compileFilter(filter: HostFilter, answerTo: AnswerTo): HostTest {
  const group = groupOf(filter)
  if (group !== undefined) {
    const tests = group.parts.map((part) => compileFilter(part, answerTo))
    return group.kind === 'all'
      ? (values) => tests.every((test) => test(values))
      : (values) => tests.some((test) => test(values))
  }
  const condition = filter as HostCondition
  const { attribute } = condition
  const { operator, values } = comparisonOf(condition)
  const wanted = values.map((value) => comparable(textOf(value, answerTo))).filter((text) => text !== '')
  const compare = compareBy(operator, wanted)
  return (set) => compare(set.get(attribute))
}

const textOf = (value: HostValue, answerTo: AnswerTo): unknown =>
  typeof value === 'string' ? value : answerTo(value.answerOf)

function compareBy(
  operator: HostOperator,
  wanted: readonly string[],
): (value: string | ReadonlySet<string> | undefined) => boolean {
  const [first] = wanted
  if (operator === 'isNot') return (value) => value === undefined || value !== first
  if (first === undefined) return () => false
  if (operator === 'is') return (value) => value === first
  if (operator === 'isAnyOf') {
    return (value) =>
      typeof value === 'string'
        ? wanted.includes(value)
        : value !== undefined && wanted.some((one) => value.has(one))
  }
  return (value) => (typeof value === 'string' ? value.includes(first) : (value?.has(first) ?? false))
}

/** Why a host does not pass a filter, in a sentence; undefined if they do. */
export function describeMiss(
  filter: HostFilter,
  answerTo: AnswerTo,
  values: AttributeValues,
  attributes: readonly Attribute[],
): string | undefined {
  if (compileFilter(filter, answerTo)(comparableValues(values))) return undefined
  const group = groupOf(filter)
  if (group?.kind === 'all') {
    for (const part of group.parts) {
      const miss = describeMiss(part, answerTo, values, attributes)
      if (miss !== undefined) return miss
    }
  }
  if (group !== undefined) {
    const miss = describeMiss(group.parts[0] as HostFilter, answerTo, values, attributes)
    return group.parts.length > 1 ? `No alternative fits. The first: ${miss}` : miss
  }
  const condition = filter as HostCondition
  const { operator, values: wanted } = comparisonOf(condition)
  const label = attributes.find(({ key }) => key === condition.attribute)?.label ?? condition.attribute
  const value = valueAt(values, condition.attribute)
  const is = value === undefined ? 'is not set' : `is ${[value].flat().map(quote).join(', ')}`
  const texts = wanted.map((one) => {
    const text = textOf(one, answerTo)
    return typeof text === 'string' && text.trim() !== ''
      ? quote(text.trim())
      : 'an answer that was not given'
  })
  switch (operator) {
    case 'is':
      return `${quote(label)} ${is}, not ${texts.join('')}.`
    case 'isNot':
      return `${quote(label)} ${is}.`
    case 'isAnyOf':
      return `${quote(label)} ${is}, not one of ${texts.join(', ')}.`
    case 'contains':
      return `${quote(label)} ${is}, which does not contain ${texts.join('')}.`
  }
}

const OPERATOR_WORDS: Readonly<Record<HostOperator, string>> = {
  is: 'is',
  isNot: 'is not',
  isAnyOf: 'is any of',
  contains: 'contains',
}

const LONGEST_DESCRIPTION = 200

/** A filter as a sentence, with the answers filled in: `Region is "EMEA" and Languages contains "de".` */
export function describeFilter(
  filter: HostFilter,
  answerTo: AnswerTo,
  attributes: readonly Attribute[],
): string {
  const describe = (part: HostFilter, nested: boolean): string => {
    const group = groupOf(part)
    if (group !== undefined) {
      const parts = group.parts.map((one) => describe(one, group.parts.length > 1))
      const joined = parts.join(group.kind === 'all' ? ' and ' : ' or ')
      return nested && parts.length > 1 ? `(${joined})` : joined
    }
    const condition = part as HostCondition
    const { operator, values } = comparisonOf(condition)
    const label = attributes.find(({ key }) => key === condition.attribute)?.label ?? condition.attribute
    const texts = values.map((value) => quote(String(textOf(value, answerTo) ?? '').trim()))
    return `${label} ${OPERATOR_WORDS[operator]} ${texts.join(', ')}`
  }
  const text = describe(filter, false)
  return text.length > LONGEST_DESCRIPTION
    ? `${text.slice(0, LONGEST_DESCRIPTION).toWellFormed()}…`
    : `${text}.`
}

const LONGEST_QUOTE = 80

const quote = (text: string) =>
  text.length > LONGEST_QUOTE ? `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"` : `"${text}"`

function recordOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  return given as Readonly<Record<string, unknown>>
}

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}
