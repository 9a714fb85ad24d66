import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence, type Value } from '../sentence.ts'
import { checkName, comparable, isLine } from '../text.ts'

export const ATTRIBUTE_TYPES = ['text', 'one', 'many'] as const

/** What a team records about its members, so that forms can choose among them. */
export interface Attribute {
  readonly key: string
  readonly label: string
  /** Free text, one of the options, or several of them. */
  readonly type: (typeof ATTRIBUTE_TYPES)[number]
  /** Empty for text. */
  readonly options: readonly string[]
}

/** A list for attributes of type `many`, otherwise text. */
export type AttributeValue = string | readonly string[]

/** What is set for a member, by the key of the attribute. Neither text nor list is ever empty. */
export type AttributeValues = Readonly<Record<string, AttributeValue>>

export const MAX_ATTRIBUTES = 50
export const MAX_ATTRIBUTE_OPTIONS = 200
export const MAX_ATTRIBUTE_TEXT = 200

/** Between several options in one cell of a file. */
const SEPARATOR = ';'

/** Throws `invalid` with the field unless these can be a team's attributes. */
export function checkAttributes(given: readonly Attribute[]): Attribute[] {
  const keys = new Set<string>()
  return given.map(({ key, label, type, options }, index) => {
    const at = String(index)
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(key) || key === '__proto__') {
      throw invalidField(`${at}.key`, sentence`{field} must be 1 to 64 letters, digits, _ and -.`)
    }
    // The column of a file that says whom a row is about.
    if (comparable(key) === 'email')
      refuse(`${at}.key`, sentence`The key "email" is reserved. Choose another.`)
    if (keys.has(comparable(key))) refuse(`${at}.key`, sentence`Two attributes have the key "${key}".`)
    keys.add(comparable(key))
    checkName(label, `${at}.label`)
    return { key, label: label.trim(), type, options: checkOptions(type, label, options, `${at}.options`) }
  })
}

function checkOptions(
  type: Attribute['type'],
  label: string,
  options: readonly string[],
  at: string,
): string[] {
  if (type === 'text') {
    if (options.length > 0) refuse(at, sentence`"${label}" is text, so it cannot have options.`)
    return []
  }
  if (options.length === 0) refuse(at, sentence`"${label}" needs at least one option.`)
  const seen = new Set<string>()
  return options.map((option, index) => {
    checkName(option, `${at}.${index}`)
    if (option.includes(SEPARATOR)) {
      refuse(
        `${at}.${index}`,
        sentence`The option "${option}" cannot contain a semicolon, which separates options.`,
      )
    }
    if (seen.has(comparable(option))) {
      refuse(`${at}.${index}`, sentence`"${label}" has the option "${option}" twice.`)
    }
    seen.add(comparable(option))
    return option.trim()
  })
}

/**
 * What is set after this change. Keys that are left out stay as they are; null and what is empty clears.
 *
 * Throws `invalid` with the field if an attribute is unknown or a value does not fit.
 */
export function changeValues(
  attributes: readonly Attribute[],
  before: AttributeValues,
  given: Readonly<Record<string, unknown>>,
): AttributeValues {
  const values: Record<string, AttributeValue> = { ...before }
  for (const [key, value] of Object.entries(given)) {
    const at = `attributes.${key}`
    const attribute = attributes.find((one) => one.key === key)
    if (attribute === undefined) return refuse(at, sentence`"${key}" is not an attribute of this team.`)
    const read = readValue(attribute, value, at)
    if (read.length === 0) delete values[key]
    else values[key] = read
  }
  return inOrder(attributes, values)
}

/** In the order of the attributes, so that equal values are equal as JSON. */
function inOrder(attributes: readonly Attribute[], values: AttributeValues): AttributeValues {
  return Object.fromEntries(
    attributes.flatMap(({ key }) => {
      const value = valueAt(values, key)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The value of an attribute, or undefined if it is not set. */
export function valueAt(values: AttributeValues, key: string): AttributeValue | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** Options match without case, and come back as the team writes them. */
function readValue({ label, type, options }: Attribute, value: unknown, at: string): AttributeValue {
  if (value === null) return ''
  const findOption = (text: unknown): string => {
    const wanted = comparable(text)
    const found = options.find((option) => comparable(option) === wanted)
    return found ?? refuse(at, sentence`"${label}" has no option ${quote(text)}. Choose from: ${options}.`)
  }
  if (type === 'many') {
    if (!Array.isArray(value)) return refuse(at, sentence`"${label}" must be a list of its options.`)
    const chosen = new Set(value.map(findOption))
    return options.filter((option) => chosen.has(option))
  }
  if (typeof value !== 'string') return refuse(at, sentence`"${label}" must be text.`)
  const text = value.trim()
  if (text === '') return ''
  if (type === 'one') return findOption(text)
  if (!isLine(text) || !text.isWellFormed() || text.length > MAX_ATTRIBUTE_TEXT) {
    return refuse(at, sentence`"${label}" must be one line of at most ${MAX_ATTRIBUTE_TEXT} characters.`)
  }
  return text
}

const quote = (value: unknown) => JSON.stringify(value ?? null).slice(0, MAX_ATTRIBUTE_TEXT)

/** A member, as far as attributes are concerned. */
interface Attributed {
  readonly name: string
  readonly attributes: AttributeValues
}

/** Throws `in_use` with the members' names if new definitions would lose what is set for them. */
export function refuseLostValues(
  before: readonly Attribute[],
  after: readonly Attribute[],
  members: readonly Attributed[],
): void {
  for (const { key, label, type, options } of before) {
    const kept = after.find((attribute) => attribute.key === key)
    const namesOf = (isLost: (value: AttributeValue) => boolean) =>
      members.flatMap(({ name, attributes }) => {
        const value = valueAt(attributes, key)
        return value !== undefined && isLost(value) ? [name] : []
      })
    if (kept?.type !== type) {
      refuseUsed(namesOf(Boolean), (names) =>
        kept === undefined
          ? sentence`"${label}" is set for ${names}. Clear it there before you delete it.`
          : sentence`"${label}" is set for ${names}. Clear it there before you change its type.`,
      )
      continue
    }
    for (const option of options.filter((one) => !kept.options.includes(one))) {
      refuseUsed(
        namesOf((value) => [value].flat().includes(option)),
        (names) => sentence`"${option}" (${label}) is set for ${names}. Choose another option there first.`,
      )
    }
  }
}

const MOST_NAMES = 20

function refuseUsed(names: readonly string[], refusal: (names: Value) => Sentence): void {
  if (names.length === 0) return
  const more = names.length - MOST_NAMES
  const listed = names.slice(0, MOST_NAMES)
  throw new Problem('in_use', refusal(more > 0 ? sentence`${listed} and ${more} more` : listed))
}

/** A member whose attributes a file may change. */
export interface Importable extends Attributed {
  readonly userId: string
  readonly email: string
}

/** What one row of a file changes, or why it can't. */
export interface ImportedRow {
  /** Counted from 1, as a spreadsheet does; the first row has the names of the columns. */
  readonly row: number
  readonly email: string
  readonly userId: string | null
  readonly name: string | null
  readonly changes: readonly {
    readonly key: string
    readonly before: AttributeValue | null
    readonly after: AttributeValue | null
  }[]
  readonly problem: Sentence | null
  /** All that is set afterwards. */
  readonly attributes: AttributeValues
}

/**
 * What the rows of a file would change. The first row names the columns: `email`, and keys of attributes.
 *
 * An empty cell clears the attribute; an attribute without a column stays as it is. Several options in a cell
 * are separated by semicolons. Throws `invalid` if the columns are wrong.
 */
export function planImport(
  attributes: readonly Attribute[],
  members: readonly Importable[],
  rows: readonly (readonly string[])[],
): ImportedRow[] {
  const [header = [], ...body] = rows
  const columns = readColumns(attributes, header)
  const byEmail = new Map(members.map((member) => [comparable(member.email), member]))
  const seen = new Map<string, number>()
  return body.flatMap((cells, index): ImportedRow[] => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const row = index + 2
    const email = cells[columns.indexOf('email')]?.trim() ?? ''
    const member = byEmail.get(comparable(email))
    const earlier = seen.get(comparable(email))
    seen.set(comparable(email), earlier ?? row)
    const { userId = null, name = null } = member ?? {}
    const refused = (problem: Sentence): ImportedRow[] => [
      { row, email, userId, name, changes: [], problem, attributes: member?.attributes ?? {} },
    ]
    if (cells.length > columns.length)
      return refused(sentence`The row has more cells than there are columns.`)
    if (member === undefined) return refused(sentence`No member of this team has this email address.`)
    if (earlier !== undefined) return refused(sentence`Row ${earlier} is about the same member.`)
    try {
      const given = columns.flatMap((column, at) =>
        typeof column === 'string' ? [] : [[column.key, readCell(column, cells[at] ?? '')]],
      )
      const after = changeValues(attributes, member.attributes, Object.fromEntries(given))
      const changes = changesOf(attributes, member.attributes, after)
      return [{ row, email, userId, name, changes, problem: null, attributes: after }]
    } catch (error) {
      if (error instanceof Problem) return refused(error.sentence)
      throw error
    }
  })
}

/** The attribute of each column, or `email`. */
function readColumns(attributes: readonly Attribute[], header: readonly string[]): (Attribute | 'email')[] {
  const seen = new Set<string>()
  const columns = header.map((title): Attribute | 'email' => {
    const wanted = comparable(title)
    if (seen.has(wanted)) throw new Problem('invalid', sentence`The file has two columns "${title.trim()}".`)
    seen.add(wanted)
    if (wanted === 'email') return 'email'
    const attribute = attributes.find(({ key }) => comparable(key) === wanted)
    if (attribute !== undefined) return attribute
    const known = ['email', ...attributes.map(({ key }) => key)]
    throw new Problem(
      'invalid',
      sentence`The file has a column "${title.trim()}". Its columns can be: ${known}.`,
    )
  })
  if (!columns.includes('email')) {
    throw new Problem('invalid', sentence`The file needs a column "email" in its first row.`)
  }
  return columns
}

function readCell({ type }: Attribute, cell: string): AttributeValue {
  if (type !== 'many') return cell
  const parts = cell.split(SEPARATOR).map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

function changesOf(
  attributes: readonly Attribute[],
  before: AttributeValues,
  after: AttributeValues,
): ImportedRow['changes'] {
  return attributes.flatMap(({ key }) => {
    const change = { key, before: valueAt(before, key) ?? null, after: valueAt(after, key) ?? null }
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change]
  })
}

/** A value as it stands in a cell of a file. */
export const cellOf = (value: AttributeValue | undefined) => [value ?? []].flat().join(`${SEPARATOR} `)

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}
