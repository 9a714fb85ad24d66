import {
  type Attribute,
  type AttributeValues,
  MAX_ATTRIBUTE_OPTIONS,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
} from '../../people/attributes.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { comparable } from '../../text.ts'
import type { Draft } from '../draft.ts'
import type { SourceRow } from '../source.ts'
import { flagIn, groupBy, idIn, isNo, lineOf, lookUp, textIn, valueIn } from '../values.ts'
import { slugify } from './slugs.ts'

/** The attributes of one team. */
export interface AttributesOf {
  readonly attributes: readonly Attribute[]
  readonly valuesOf: (userId: string) => AttributeValues
  readonly notes: readonly Sentence[]
}

/** An attribute of the organization, as a team would have it. */
export interface KnownAttribute {
  readonly id: string
  readonly attribute: Attribute
  /** Its values by the ids of its options. */
  readonly values: ReadonlyMap<string, string>
  readonly weighted: boolean
}

const TYPES: Readonly<Record<string, Attribute['type']>> = {
  TEXT: 'text',
  NUMBER: 'text',
  SINGLE_SELECT: 'one',
  MULTI_SELECT: 'many',
}

/** All attributes of the organization that are switched on, with a key that no other has. */
export function knownAttributes(draft: Draft): ReadonlyMap<string, KnownAttribute> {
  const options = groupBy(draft.rows('AttributeOption'), (row) => idIn(row, 'attributeId'))
  const known = new Map<string, KnownAttribute>()
  const keys = new Set(['email'])
  for (const row of draft.rows('Attribute')) {
    const id = idIn(row)
    if (id === '' || known.has(id) || isNo(valueIn(row, 'enabled'))) continue
    const own = options.get(id) ?? []
    const values = new Map(
      own.flatMap((option) => {
        const value = lineOf(textIn(option, 'value').replaceAll(';', ','), MAX_ATTRIBUTE_TEXT)
        return value === '' || idIn(option) === '' ? [] : [[idIn(option), value] as const]
      }),
    )
    const wanted = lookUp(TYPES, textIn(row, 'type')) ?? 'text'
    const listed = distinct([...values.values()]).slice(0, MAX_ATTRIBUTE_OPTIONS)
    const type = listed.length === 0 ? 'text' : wanted
    const attribute: Attribute = {
      key: freeKey(textIn(row, 'slug') || textIn(row, 'name'), keys),
      label: lineOf(textIn(row, 'name'), 200) || id.slice(0, 64),
      type,
      options: type === 'text' ? [] : listed,
    }
    known.set(id, { id, attribute, values, weighted: flagIn(row, 'isWeightsEnabled') })
  }
  return known
}

/** Without what differs only in case. */
const distinct = (texts: readonly string[]) =>
  [...new Map(texts.toReversed().map((text) => [comparable(text), text])).values()].toReversed()

function freeKey(wanted: string, keys: Set<string>): string {
  const base = slugify(wanted).slice(0, 58) || 'attribute'
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}-${number}`
    if (keys.has(key)) continue
    keys.add(key)
    return key
  }
}

/** Attributes belong to the organization there: each team gets those that its members have or its forms use. */
export function readAttributes(
  draft: Draft,
  membersOf: ReadonlyMap<string, readonly SourceRow[]>,
): (teamId: string) => AttributesOf {
  const known = knownAttributes(draft)
  const attributeOf = new Map(
    draft.rows('AttributeOption').map((row) => [idIn(row), idIn(row, 'attributeId')]),
  )
  const userOf = new Map(draft.rows('Membership').map((row) => [idIn(row), idIn(row, 'userId')]))
  const chosen = new Map<string, Map<string, string[]>>()
  for (const row of draft.rows('AttributeToUser')) {
    const [user, option] = [userOf.get(idIn(row, 'memberId')) ?? '', idIn(row, 'attributeOptionId')]
    const id = attributeOf.get(option) ?? ''
    const value = known.get(id)?.values.get(option)
    if (user === '' || value === undefined) continue
    const own = chosen.get(user) ?? new Map<string, string[]>()
    chosen.set(user, own)
    own.set(id, [...(own.get(id) ?? []), value])
  }
  leaveOutOthers(draft, known)
  const used = usedInForms(draft, known)
  return (teamId) => {
    const users = (membersOf.get(teamId) ?? []).map((row) => idIn(row, 'userId'))
    const ids = new Set([
      ...users.flatMap((user) => [...(chosen.get(user)?.keys() ?? [])]),
      ...(used.get(teamId) ?? []),
    ])
    const own = [...known.values()].filter(({ id }) => ids.has(id)).slice(0, MAX_ATTRIBUTES)
    return {
      attributes: own.map(({ attribute }) => attribute),
      valuesOf: (userId) => valuesFor(own, chosen.get(userId)),
      notes: own.some(({ weighted }) => weighted)
        ? [sentence`Weights that depend on attributes are not known here: the weights of hosts decide.`]
        : [],
    }
  }
}

function valuesFor(
  own: readonly KnownAttribute[],
  chosen: ReadonlyMap<string, readonly string[]> | undefined,
): AttributeValues {
  return Object.fromEntries(
    own.flatMap(({ id, attribute: { key, type, options } }) => {
      const given = chosen?.get(id) ?? []
      const [first] = given
      if (first === undefined) return []
      if (type === 'text') return [[key, given.join(', ').slice(0, MAX_ATTRIBUTE_TEXT).toWellFormed().trim()]]
      const wanted = new Set(given.map(comparable))
      const set = options.filter((option) => wanted.has(comparable(option)))
      if (set[0] === undefined) return []
      return [[key, type === 'many' ? set : set[0]]]
    }),
  )
}

function leaveOutOthers(draft: Draft, known: ReadonlyMap<string, KnownAttribute>): void {
  for (const [index, row] of draft.rows('Attribute').entries()) {
    if (known.has(idIn(row))) continue
    const { key } = draft.claimKey('Attribute', row, index)
    draft.leaveOut(key, textIn(row, 'name'), sentence`The attribute is switched off there.`)
  }
}

/** The attributes that the forms of each team ask for. */
function usedInForms(
  draft: Draft,
  known: ReadonlyMap<string, KnownAttribute>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>()
  for (const row of draft.rows('App_RoutingForms_Form')) {
    const team = idIn(row, 'teamId')
    if (team === '') continue
    const own = used.get(team) ?? new Set()
    used.set(team, own)
    const visit = (value: unknown, depth: number): void => {
      if (depth > 32) return
      if (typeof value === 'string' && known.has(value)) own.add(value)
      if (typeof value === 'object' && value !== null)
        for (const one of Object.values(value)) visit(one, depth + 1)
    }
    visit(valueIn(row, 'routes'), 0)
  }
  return used
}
