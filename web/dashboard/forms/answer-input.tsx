import type { FormView } from '../core/data/views.ts'
import { Select, TextArea, TextInput } from '../core/fields/fields.tsx'

interface Props {
  readonly field: FormView['fields'][number]
  readonly label: string
  readonly value: string
  readonly onChange: (answer: string) => void
}

/** An answer to a question of a form, as a visitor would give it. */
export function AnswerInput({ field: { type, options }, ...input }: Props) {
  if (type === 'textarea') return <TextArea {...input} rows={2} />
  if (type !== 'select') return <TextInput {...input} />
  const choices = options.map((option) => ({ id: option.id, label: option.label || option.id }))
  return <Select {...input} options={[{ id: '', label: '–' }, ...choices]} />
}
