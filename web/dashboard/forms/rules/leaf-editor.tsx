import { isChoice } from '../../../../src/domain/event-types/questions.ts'
import { type Leaf, type Operator, operatorsFor, takesList } from '../../../../src/domain/forms/routing.ts'
import type { FormView } from '../../core/data/views.ts'
import { Checkboxes, Select, TextArea, TextInput } from '../../core/fields/fields.tsx'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { tell, words } from '../../words.ts'

interface Props {
  readonly leaf: Leaf
  readonly fields: FormView['fields']
  readonly name: string
  readonly path: string
  readonly onChange: (leaf: Leaf) => void
}

const hasNoValue = (operator: Operator) => operator === 'isEmpty' || operator === 'isNotEmpty'
const textOf = ({ value }: Leaf) => (typeof value === 'string' ? value : '')
const listOf = ({ value }: Leaf) => (Array.isArray(value) ? (value as readonly string[]) : [])

/** The same comparison with another operator, and as much of its value as fits. */
function withOperator(leaf: Leaf, operator: Operator): Leaf {
  const { field } = leaf
  const [text, list] = [textOf(leaf), listOf(leaf)]
  if (hasNoValue(operator)) return { field, operator }
  if (takesList(operator)) return { field, operator, value: text === '' ? list : [text] }
  if (typeof leaf.value === 'number') return { field, operator, value: leaf.value }
  return { field, operator, value: text || list[0] || '' }
}

/** One comparison: a question, an operator and an answer. */
export function LeafEditor({ leaf, fields, name, path, onChange }: Props) {
  const f = words.forms
  const field = fields.find(({ id }) => id === leaf.field)
  const operators = operatorsFor(field?.type ?? 'text')
  return (
    <div className="leaf">
      <Select
        label={tell(f.leafField, { name })}
        hideLabel
        field={`${path}.field`}
        value={leaf.field}
        options={[
          ...(field === undefined ? [{ id: leaf.field, label: f.chooseField }] : []),
          ...fields.map(({ id, label }, index) => ({
            id,
            label: label || tell(f.fieldNumbered, { number: index + 1 }),
          })),
        ]}
        onChange={(id) => {
          const chosen = fields.find((one) => one.id === id)
          const [operator = 'equals'] = operatorsFor(chosen?.type ?? 'text')
          onChange({ field: id, operator, value: chosen?.options[0]?.id ?? '' })
        }}
      />
      <Select
        label={tell(f.leafOperator, { name })}
        hideLabel
        field={`${path}.operator`}
        value={leaf.operator}
        options={operators.map((operator) => ({ id: operator, label: f.operators[operator] }))}
        onChange={(chosen) =>
          onChange(withOperator(leaf, operators.find((operator) => operator === chosen) ?? 'equals'))
        }
      />
      <ValueInput
        leaf={leaf}
        options={field !== undefined && isChoice(field.type) ? field.options : []}
        isNumber={field?.type === 'number'}
        label={tell(f.leafValue, { name })}
        path={`${path}.value`}
        onChange={(value) => onChange({ ...leaf, value })}
      />
      <FieldError field={path} />
    </div>
  )
}

/** Operators that compare with one of the choices. */
const CHOSEN: ReadonlySet<Operator> = new Set(['equals', 'notEquals', 'contains', 'notContains'])

/** Whether typing can go on as a number: "1." and "-" can't. */
const isNumeral = (typed: string) => String(Number(typed)) === typed

interface ValueProps {
  readonly leaf: Leaf
  /** Of a dropdown question. */
  readonly options: FormView['fields'][number]['options']
  readonly label: string
  readonly path: string
  readonly isNumber: boolean
  readonly onChange: (value: string | number | readonly string[]) => void
}

/** What the answer is compared with: one or several choices of a dropdown, or text. */
function ValueInput({ leaf, options, label, path, isNumber, onChange }: ValueProps) {
  const f = words.forms
  const { operator } = leaf
  const text = textOf(leaf)
  const choices = options.map((option) => ({ id: option.id, label: option.label || option.id }))
  if (hasNoValue(operator)) return null
  if (isNumber) {
    return (
      <TextInput
        label={label}
        hideLabel
        field={path}
        placeholder={f.value}
        value={String(leaf.value ?? '')}
        onChange={(typed) => onChange(isNumeral(typed) ? Number(typed) : typed)}
      />
    )
  }
  if (takesList(operator) && choices.length > 0) {
    return (
      <Checkboxes label={label} field={path} options={choices} chosen={listOf(leaf)} onChange={onChange} />
    )
  }
  if (takesList(operator)) {
    return (
      <TextArea
        label={label}
        hint={words.questions.optionsHint}
        field={path}
        rows={2}
        value={listOf(leaf).join('\n')}
        onChange={(lines) => onChange(lines === '' ? [] : lines.split('\n'))}
      />
    )
  }
  if (choices.length > 0 && CHOSEN.has(operator)) {
    return (
      <Select
        label={label}
        hideLabel
        field={path}
        value={text}
        options={[
          ...(choices.some(({ id }) => id === text) ? [] : [{ id: text, label: f.chooseAnswer }]),
          ...choices,
        ]}
        onChange={onChange}
      />
    )
  }
  return (
    <TextInput label={label} hideLabel field={path} placeholder={f.value} value={text} onChange={onChange} />
  )
}
