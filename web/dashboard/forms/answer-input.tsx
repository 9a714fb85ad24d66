import type { FormView } from '../core/data/views.ts'
import { Checkboxes, Select, TextArea, TextInput } from '../core/fields/fields.tsx'

/** A list for several choices. */
export type GivenAnswer = string | readonly string[]

interface Props {
  readonly field: FormView['fields'][number]
  readonly label: string
  readonly value: GivenAnswer
  readonly onChange: (answer: GivenAnswer) => void
}

/** An answer to a question of a form, as a visitor would give it. */
export function AnswerInput({ field: { type, options }, value, ...input }: Props) {
  const choices = options.map((option) => ({ id: option.id, label: option.label || option.id }))
  if (type === 'multiselect') return <Checkboxes {...input} options={choices} chosen={[value].flat()} />
  const text = typeof value === 'string' ? value : ''
  if (type === 'textarea') return <TextArea {...input} value={text} rows={2} />
  if (type !== 'select') return <TextInput {...input} value={text} />
  return <Select {...input} value={text} options={[{ id: '', label: '–' }, ...choices]} />
}
