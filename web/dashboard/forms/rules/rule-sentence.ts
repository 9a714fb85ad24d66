import type { Condition, Leaf, Rule } from '../../../../src/domain/forms/routing.ts'
import type { EventTypeView, FormView } from '../../core/data/views.ts'
import { joined, list, tell, words } from '../../words.ts'
import { describeTarget } from './draft-target.ts'

/** A piece of a sentence. What the host wrote or chose stands out. */
interface Piece {
  readonly text: string
  readonly strong: boolean
}

type Fields = FormView['fields']

// Sentences are made as a whole, since the order of words differs between languages. These mark what stands out.
const [BEGIN, END] = ['\u{e000}', '\u{e001}']
const strong = (text: string) => BEGIN + text.replace(/[\u{e000}\u{e001}]/gu, '') + END

/** A rule in two halves: "If Company size is Large and Country is one of Germany, France", "Book “Sales call”". */
export function ruleSentence(
  { when, target }: Rule,
  fields: Fields,
  eventTypes: readonly EventTypeView[],
): { readonly conditions: readonly Piece[]; readonly target: string } {
  const f = words.forms
  const conditions = describeCondition(when, fields, false)
  return {
    conditions: piecesOf(conditions === '' ? f.always : tell(f.ifSentence, { conditions })),
    target: shortened(describeTarget(target, eventTypes)),
  }
}

const piecesOf = (sentence: string): Piece[] =>
  sentence
    .split(/(\u{e000}[^\u{e001}]*\u{e001})/u)
    .filter((text) => text !== '')
    .map((text) =>
      text.startsWith(BEGIN) ? { text: text.slice(1, -1), strong: true } : { text, strong: false },
    )

function describeCondition(condition: Condition, fields: Fields, nested: boolean): string {
  if ('field' in condition) return describeLeaf(condition, fields)
  const f = words.forms
  const [parts, text] = 'all' in condition ? [condition.all, f.allOf] : [condition.any, f.anyOf]
  const described = parts
    .map((part) => describeCondition(part, fields, parts.length > 1))
    .filter((part) => part !== '')
  const sentence = joined(text, described)
  return nested && described.length > 1 ? `(${sentence})` : sentence
}

function describeLeaf({ field: id, operator, value }: Leaf, fields: Fields): string {
  const f = words.forms
  const index = fields.findIndex((one) => one.id === id)
  const field = fields[index]
  const label =
    field === undefined ? f.unknownField : field.label || tell(f.fieldNumbered, { number: index + 1 })
  const given = [value ?? []]
    .flat()
    .map((one) => (typeof one === 'number' ? `${one}` : valueText(one, field)))
  return tell(f.clauses[operator], {
    question: strong(shortened(label)),
    answer: strong(shortened(list(given) || '…')),
  })
}

/** An answer: a choice by its label, which is what visitors see. */
export function valueText(value: string, field: Fields[number] | undefined): string {
  const option = field?.options.find((choice) => choice.id === value)
  return option === undefined
    ? tell(words.forms.quoted, { text: shortened(value) })
    : option.label || option.id
}

/** A condition without anything that stands out: "Country is Germany". */
export const conditionText = (condition: Condition, fields: Fields): string =>
  piecesOf(describeCondition(condition, fields, false))
    .map(({ text }) => text)
    .join('')

const LONGEST = 80

const shortened = (text: string) =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed().trimEnd()}…` : text
