import type { Condition, Leaf, Rule } from '../../../src/domain/forms/routing.ts'
import type { EventTypeView, FormView } from '../core/views.ts'
import { words } from '../words.ts'
import { describeTarget } from './draft-target.ts'

/** A piece of a sentence. What the host wrote or chose stands out. */
export interface Piece {
  readonly text: string
  readonly strong: boolean
}

type Fields = FormView['fields']

const plain = (text: string): Piece => ({ text, strong: false })
const strong = (text: string): Piece => ({ text, strong: true })

/** A rule in two halves: "If Company size is Large and Country is one of Germany, France", "Book “Sales call”". */
export function ruleSentence(
  { when, target }: Rule,
  fields: Fields,
  eventTypes: readonly EventTypeView[],
): { readonly conditions: readonly Piece[]; readonly target: string } {
  const f = words.forms
  const conditions = describeCondition(when, fields, false)
  return {
    conditions: conditions.length === 0 ? [plain(f.always)] : [plain(`${f.if} `), ...conditions],
    target: shortened(describeTarget(target, eventTypes)),
  }
}

function describeCondition(condition: Condition, fields: Fields, nested: boolean): Piece[] {
  if ('field' in condition) return describeLeaf(condition, fields)
  const f = words.forms
  const [parts, join] = 'all' in condition ? [condition.all, f.and] : [condition.any, f.or]
  const described = parts
    .map((part) => describeCondition(part, fields, parts.length > 1))
    .filter((pieces) => pieces.length > 0)
  const joined = described.flatMap((pieces, index) =>
    index === 0 ? pieces : [plain(` ${join} `), ...pieces],
  )
  return nested && described.length > 1 ? [plain('('), ...joined, plain(')')] : joined
}

function describeLeaf({ field: id, operator, value }: Leaf, fields: Fields): Piece[] {
  const f = words.forms
  const index = fields.findIndex((one) => one.id === id)
  const field = fields[index]
  const label = field === undefined ? f.unknownField : field.label || f.fieldNumbered(index + 1)
  const given = [value ?? []].flat().map((one) => {
    const option = field?.options.find((choice) => choice.id === one)
    return option === undefined ? f.quoted(one) : option.label || option.id
  })
  const pieces = [strong(shortened(label)), plain(` ${f.operators[operator]}`)]
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return pieces
  return [...pieces, plain(' '), strong(shortened(given.join(', ') || '…'))]
}

const LONGEST = 80

const shortened = (text: string) =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed().trimEnd()}…` : text
