import type { FormField } from '../../forms/routing.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { comparable } from '../../text.ts'
import { slugify } from '../people/slugs.ts'
import type { SourceRow } from '../source.ts'
import { flagIn, lineOf, lookUp, type Tree, textIn, treesIn, treesOf, valueIn } from '../values.ts'

/** A field of a form, with what rules call its options. */
export interface ReadField {
  readonly field: FormField
  /** Our ids of options, by their ids and labels there in lower case. */
  readonly options: ReadonlyMap<string, string>
}

/** Fields by their ids and identifiers there. */
export type ReadFields = ReadonlyMap<string, ReadField>

const TYPES: Readonly<Record<string, FormField['type']>> = {
  text: 'text',
  number: 'number',
  textarea: 'textarea',
  email: 'email',
  phone: 'phone',
  select: 'select',
  radio: 'select',
  multiselect: 'multiselect',
  checkbox: 'multiselect',
}

const MOST_FIELDS = 100
const MOST_OPTIONS = 200

/** The fields of a form that visitors see; deleted ones are kept there for old answers. */
export function readFields(row: SourceRow, notes: Sentence[]): { fields: FormField[]; byId: ReadFields } {
  const ids = new Set(['__proto__'])
  const byId = new Map<string, ReadField>()
  const fields: FormField[] = []
  for (const given of treesIn(row, 'fields')) {
    if (flagIn(given, 'deleted') || fields.length >= MOST_FIELDS) continue
    const read = readField(given, ids, notes)
    if (read === undefined) continue
    fields.push(read.field)
    const names = [textIn(given, 'id'), textIn(given, 'identifier')]
    for (const name of names) if (name !== '' && !byId.has(name)) byId.set(name, read)
  }
  return { fields, byId }
}

function readField(given: Tree, ids: Set<string>, notes: Sentence[]): ReadField | undefined {
  const name = textIn(given, 'identifier') || textIn(given, 'id')
  const label = lineOf(textIn(given, 'label'), 500) || lineOf(name, 500)
  if (label === '') return undefined
  const { list, options } = readOptions(given)
  const asked = textIn(given, 'type')
  const wanted = lookUp(TYPES, asked) ?? 'text'
  const isChoice = wanted === 'select' || wanted === 'multiselect'
  const type = isChoice && list.length === 0 ? 'text' : wanted
  if (type !== wanted || !Object.hasOwn(TYPES, asked)) notes.push(sentence`“${label}” is a text field here.`)
  const field: FormField = {
    id: freeId(name, label, ids),
    label,
    type,
    required: flagIn(given, 'required'),
    options: isChoice ? list : [],
  }
  return { field, options: isChoice ? options : new Map() }
}

const isId = (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text)

/** Links fill fields in by these ids, so they stay where they can. */
function freeId(name: string, label: string, ids: Set<string>): string {
  const base = isId(name) ? name : slugify(name) || slugify(label) || 'field'
  for (let number = 1; ; number++) {
    const id = number === 1 ? base : `${base.slice(0, 58)}-${number}`
    if (ids.has(comparable(id))) continue
    ids.add(comparable(id))
    return id
  }
}

/** Older forms have a line for each option. */
function readOptions(given: Tree): { list: FormField['options']; options: ReadonlyMap<string, string> } {
  const lines = textIn(given, 'selectText')
    .split('\n')
    .map((label) => ({ label }))
  const trees = treesOf(valueIn(given, 'options'))
  const ids = new Set(['__proto__'])
  const options = new Map<string, string>()
  const list: { id: string; label: string }[] = []
  for (const option of trees.length > 0 ? trees : lines) {
    const label = lineOf(textIn(option, 'label'), 500)
    const known = options.get(comparable(label))
    const theirs = textIn(option, 'id')
    if (label === '' || (known === undefined && list.length >= MOST_OPTIONS)) continue
    // By label, as attributes of hosts are compared with answers.
    const id = known ?? freeId(label, theirs || 'option', ids)
    if (known === undefined) list.push({ id, label })
    options.set(comparable(label), id)
    if (theirs !== '') options.set(comparable(theirs), id)
  }
  return { list, options }
}
